"""Posterior of the Bayesian sign test on Bramer's Fig. 15.2 with a rope of 1 %."""

import numpy as np
from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure_of
from bestofk.plots.figures.posterior_simplex import PosteriorSimplexInfo

a, b = bk.read(example("bramer_15_2.csv"), larger_is_better=True).by_dataset()
wins = [(a - b > 1).sum(), (abs(a - b) <= 1).sum() + 1, (b - a > 1).sum()]  # one pseudo-count in the rope
samples = np.random.default_rng(0).dirichlet([max(each, 1e-3) for each in wins], 20_000)
show(figure_of(PosteriorSimplexInfo.from_samples("A", "B", samples, 1.0)), "simplex")
