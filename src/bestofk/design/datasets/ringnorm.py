"""Ringnorm: 7,400 points of a narrow normal cloud within a wide one, 20 dimensions (Breiman, 1996)."""

from __future__ import annotations

import numpy as np

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.drawn import SEED, drawn_dataset, source_of_numbers

INPUTS = 20


def ringnorm(n: int = 7400, seed: int = SEED) -> Dataset:
    """Return a sample of our own: class 0 mean 0 and variance 4, class 1 mean 2/√20 and variance 1, in every column."""
    rng = source_of_numbers("ringnorm", n, seed)
    classes = rng.randint(2, size=n)
    wide = (classes == 0)[:, np.newaxis]
    noise = rng.standard_normal((n, INPUTS))
    points = np.where(wide, 2.0 * noise, noise + 2.0 / np.sqrt(INPUTS))
    return drawn_dataset("ringnorm", points, classes, count=2, decimals=4, seed=seed)
