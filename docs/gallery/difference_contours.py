"""Differences in two rates and in error beside them: Yıldız, Aslan and Alpaydın 2011, Fig. 2b to 2d and Fig. 3."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure_of
from bestofk.plots.figures.contours import DifferenceContoursInfo, two_measures
from bestofk.plots.figures.histograms import ErrorHistogramsInfo

evidence = bk.read(example("counts.csv"))
pair = ("lda", "lda-careful")
for measures in (("tpr", "fpr"), ("precision", "recall")):
    names, points = two_measures(evidence, measures)
    info = DifferenceContoursInfo.from_points(*pair, *(points[name] for name in pair), names)
    show(figure_of(info), f"difference_contours_{measures[0]}")
errors = dict(zip(evidence.learners, evidence.values[:, 0, 0], strict=True))
show(figure_of(ErrorHistogramsInfo(*pair, *(errors[name] for name in pair), "error")), "error_histograms")
