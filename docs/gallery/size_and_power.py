"""Power of conventional and randomized ANOVA along the factor f of changes a and b: Piater et al. 1998, Fig. 6."""

import numpy as np
from gallery_paths import show

from bestofk.plots import figure_of
from bestofk.plots.figures.power import SizeAndPowerInfo
from bestofk.stats.curves import modify, randomized_anova

rng = np.random.default_rng(0)
steps, factors = np.arange(1, 11), (0, 2, 4, 6, 8, 10)
rates = {}
for kind in "ab":
    found = np.zeros((2, len(factors)))
    for i, factor in enumerate(factors):
        for _ in range(40):
            level = rng.normal(0, 0.05, (20, 1))
            pool = 0.5 + 0.4 * (1 - np.exp(-steps / 4)) + level + rng.normal(0, 0.02, (20, 10))
            result = randomized_anova(pool[:10], modify(pool[10:], kind, factor), shuffles=100, rng=rng, exact=False)
            found[:, i] += (result.p_conventional_alg <= 0.05, result.p_alg <= 0.05)
    rates[f"change {kind}"] = dict(zip(("conventional", "randomized"), found / 40, strict=True))
show(figure_of(SizeAndPowerInfo.from_rates(rates, factors)), "size_and_power")
