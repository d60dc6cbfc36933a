"""Twonorm: 7,400 points of two normal clouds in 20 dimensions (Breiman, 1996)."""

from __future__ import annotations

import numpy as np

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.drawn import SEED, drawn_dataset, source_of_numbers

INPUTS = 20


def twonorm(n: int = 7400, seed: int = SEED) -> Dataset:
    """Return a sample of our own: unit variances, every mean 2/√20 in class 0 and −2/√20 in class 1."""
    rng = source_of_numbers("twonorm", n, seed)
    classes = rng.randint(2, size=n)
    means = np.where(classes == 0, 2.0, -2.0) / np.sqrt(INPUTS)
    points = means[:, np.newaxis] + rng.standard_normal((n, INPUTS))
    return drawn_dataset("twonorm", points, classes, count=2, decimals=4, seed=seed)
