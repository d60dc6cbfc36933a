"""Graph and error distributions of one data set, as Yıldız and Alpaydın 2006 show them in Fig. 3 and 4."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

evidence = bk.read(example("five_by_two.csv"))
verdict = bk.judge(evidence, prior=("max", "nmc", "lgc", "tree", "nn"))
show(figure("order", verdict), "graph_of_wine")
show(figure("losses", verdict, evidence), "losses_of_wine")
