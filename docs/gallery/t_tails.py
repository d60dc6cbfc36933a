"""t with 9 degrees of freedom, tails beyond ±1.83 shaded: Bramer, Fig. 15.3, area 0.1005."""

from gallery_paths import show

from bestofk.plots import figure_of
from bestofk.plots.figures.t_tails import TTailsInfo

show(figure_of(TTailsInfo(1.83, 9, alpha=0.05)), "t_tails")
