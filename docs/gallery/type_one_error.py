"""How often ANOVA rejects a true hypothesis, conventional and randomized: Piater et al. 1998, Fig. 3 and 4."""

import numpy as np
from gallery_paths import show

from bestofk.plots import figure_of
from bestofk.plots.figures.histograms import NullHistogramInfo
from bestofk.stats.curves import randomized_anova

rng = np.random.default_rng(0)
counts = {"conventional": [], "randomized": []}
for _ in range(60):
    rejected = np.zeros(2)
    for _ in range(40):
        walk = rng.normal(0, 1, (20, 1)) + 0.3 * rng.normal(0, 1, (20, 10)).cumsum(axis=1)  # points of a curve depend
        result = randomized_anova(walk[:10], walk[10:], shuffles=100, rng=rng, exact=False)
        rejected += (result.p_conventional_alg <= 0.05, result.p_alg <= 0.05)
    counts["conventional"].append(rejected[0])
    counts["randomized"].append(rejected[1])
for method, each in counts.items():
    marks = ((f"mean {np.mean(each):.3g}", float(np.mean(each))), ("expected 2 of 40", 2.0))
    info = NullHistogramInfo(np.array(each), marks, f"rejections in 40 tests, {method}", "experiments")
    show(figure_of(info), f"type_one_error_{method}")
