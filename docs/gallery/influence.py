"""What leaving out one data set does to Bramer's Fig. 15.6."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

evidence = bk.read(example("bramer_15_6.csv"), larger_is_better=True)
show(figure("influence", bk.judge(evidence), evidence), "influence")
