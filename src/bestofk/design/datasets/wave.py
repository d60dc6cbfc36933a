"""Waveform: 5,000 noisy mixtures of two of three triangles, 21 points each (Breiman and others, CART, 1984)."""

from __future__ import annotations

import numpy as np

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.drawn import SEED, drawn_dataset, source_of_numbers

POINTS, HEIGHT = 21, 6
PEAKS = np.array([6, 14, 10])  # of the three triangles
PAIRS = np.array([[0, 1], [0, 2], [2, 1]])  # the triangles that a class mixes


def wave(n: int = 5000, seed: int = SEED) -> Dataset:
    """Return a sample of our own: two triangles of the class mixed by a uniform share, standard normal noise added."""
    rng = source_of_numbers("wave", n, seed)
    classes = rng.randint(len(PAIRS), size=n)
    triangles = np.maximum(HEIGHT - np.abs(np.arange(POINTS) - PEAKS[:, np.newaxis]), 0)
    share = rng.uniform(size=(n, 1))
    first, second = (triangles[PAIRS[classes, side]] for side in (0, 1))
    points = share * first + (1 - share) * second + rng.standard_normal((n, POINTS))
    return drawn_dataset("wave", points, classes, count=len(PAIRS), decimals=2, seed=seed)
