"""Learning curves of three classifiers with the band of their runs."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

evidence = bk.read(example("curves.csv"))
show(figure("curves", bk.judge(evidence), evidence), "curves")
