"""The steps of Yıldız and Alpaydın 2006, Fig. 2a to 2d: candidates thick, the one taken filled."""

from gallery_paths import show

from bestofk.plots import figure_of
from bestofk.plots.figures.order_steps import OrderStepsInfo

edges = [("1", "2"), ("1", "3"), ("1", "4"), ("2", "3")]
show(figure_of(OrderStepsInfo.from_edges(edges, ("1", "2", "3", "4"))), "order_steps")
