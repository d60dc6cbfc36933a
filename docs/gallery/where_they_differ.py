"""A strip of steps along which two curves differ; the intervals here are invented."""

from gallery_paths import show

from bestofk.plots import figure_of
from bestofk.plots.figures.curves import WhereTheyDifferInfo

intervals = {"knn – bayes": [(50, 100, 0.21), (100, 300, 0.004)], "knn – tree": [(50, 500, 0.0005)]}
show(figure_of(WhereTheyDifferInfo.from_intervals(intervals, range(50, 501, 50))), "where_they_differ")
