"""All pairs of five classifiers: adjusted p and A12; a picture of tables 2 and 3 of Yıldız, Aslan and Alpaydın 2011."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

show(figure("pairs", bk.judge(bk.read(example("five_by_two.csv")))), "pairs")
