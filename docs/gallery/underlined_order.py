"""Learners in order, those not significantly different underlined: Yıldız, Aslan and Alpaydın 2011, section 4."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

verdict = bk.judge(bk.read(example("five_by_two.csv")))
show(figure("underlined-order", verdict), "underlined_order")
