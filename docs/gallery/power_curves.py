"""Power of t test, Wilcoxon's and the sign test for a difference of half a standard deviation, simulated."""

import numpy as np
from gallery_paths import show

from bestofk.plots import figure_of
from bestofk.plots.figures.power import PowerCurvesInfo
from bestofk.stats.pairwise import paired_t, sign_test, wilcoxon

rng = np.random.default_rng(0)
numbers = range(5, 61, 5)
power = {name: [] for name in ("paired-t", "wilcoxon", "sign")}
for n in numbers:
    drawn = rng.normal(0.5, 1, (400, n))
    for name, run in zip(power, (paired_t, wilcoxon, sign_test), strict=True):
        power[name].append(float((np.asarray(run(drawn, np.zeros_like(drawn)).pvalue) <= 0.05).mean()))
show(figure_of(PowerCurvesInfo.from_power(power, numbers)), "power_curves")
