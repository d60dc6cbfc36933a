"""Critical-difference diagram of Demšar's four variants of C4.5 by Nemenyi's test."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

evidence = bk.read(example("demsar.csv"), larger_is_better=True)
verdict = bk.judge(evidence, test="nemenyi", alpha=0.1)
show(figure("critical-difference", verdict, evidence), "critical_difference")
