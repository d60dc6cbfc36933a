"""Every fold of five classifiers on wine, with boxes."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

evidence = bk.read(example("five_by_two.csv"))
show(figure("losses", bk.judge(evidence), evidence), "losses")
