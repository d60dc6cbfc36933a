"""Bramer's classifiers A and B on ten data sets, Fig. 15.1."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

evidence = bk.read(example("bramer_15_2.csv"), larger_is_better=True)
show(figure("scatter", bk.judge(evidence), evidence), "scatter")
