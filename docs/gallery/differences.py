"""Differences from the best with intervals: Bramer's Fig. 15.6, whose 95 % interval is 0.07 to 6.93."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

verdict = bk.judge(bk.read(example("bramer_15_6.csv"), larger_is_better=True), test="paired-t")
show(figure("differences", verdict), "differences")
