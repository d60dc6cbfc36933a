"""True and false positive rate of three classifiers with contours: Yıldız, Aslan and Alpaydın 2011, Fig. 2a, 5a, 6a."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

evidence = bk.read(example("counts.csv"))
show(figure("contours", bk.judge(evidence), evidence), "contours")
