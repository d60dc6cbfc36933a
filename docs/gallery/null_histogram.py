"""F of shuffled curves with the observed F and the critical value: the randomized ANOVA of Piater et al. 1998."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure_of
from bestofk.plots.figures.histograms import NullHistogramInfo
from bestofk.stats.curves import randomized_anova

losses = bk.read(example("curves.csv")).losses()
result = randomized_anova(losses["bayes"][:, :2], losses["tree"][:, :2], rng=0, exact=False)
show(figure_of(NullHistogramInfo.from_anova(result)), "null_histogram")
show(figure_of(NullHistogramInfo.from_anova(result, "interaction")), "null_histogram_interaction")
