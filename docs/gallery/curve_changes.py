"""The four ways in which curves differ, Piater et al. 1998, Fig. 1, made by their own modifications a to d."""

import numpy as np
from gallery_paths import show

from bestofk.plots import figure_of
from bestofk.plots.figures.curves import CurveBandsInfo
from bestofk.stats.curves import modify

steps = np.arange(1, 21)
runs = 0.5 + 0.4 * (1 - np.exp(-steps / 6)) + np.random.default_rng(0).normal(0, 0.01, (20, 20))
for kind in "abcd":
    curves = {"as they are": runs, f"changed by {kind}": modify(runs, kind, 4)}
    show(figure_of(CurveBandsInfo.from_curves(curves, steps, "performance")), f"curve_change_{kind}")
