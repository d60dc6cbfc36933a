"""MultiTest's graph on the four learners of Yıldız and Alpaydın 2006, Fig. 2: order 3, 2, 4, 1."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

verdict = bk.judge(bk.read(example("multitest_four.csv")), prior=("1", "2", "3", "4"))
show(figure("order", verdict), "order")
