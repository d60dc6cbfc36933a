"""Noisy blobs: 450 points in three clouds, six of eight columns pure noise, every tenth label drawn anew."""

from __future__ import annotations

import numpy as np

from bestofk.design.datasets.bundled import generated
from bestofk.design.datasets.dataset import Dataset

ROWS, CLASSES = 450, 3


def noisy_blobs() -> Dataset:
    """Return the points, the same every time."""
    from sklearn.datasets import make_blobs

    X, y = make_blobs(n_samples=ROWS, centers=CLASSES, cluster_std=2.0, random_state=3)
    rng = np.random.default_rng(3)
    wrong = rng.permutation(ROWS)[: ROWS // 10]
    y[wrong] = rng.integers(CLASSES, size=len(wrong))
    return generated("noisy-blobs", np.hstack([X, rng.normal(size=(ROWS, 6))]), y)
