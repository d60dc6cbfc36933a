"""Circles: 400 points on two rings, one inside the other."""

from __future__ import annotations

from bestofk.design.dataset import Dataset
from bestofk.design.datasets.bundled import generated


def circles() -> Dataset:
    """Return the points, the same every time."""
    from sklearn.datasets import make_circles

    return generated("circles", *make_circles(n_samples=400, noise=0.15, factor=0.5, random_state=2))
