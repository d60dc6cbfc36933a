"""Circles: 400 points on two rings, one inside the other."""

from __future__ import annotations

from bestofk.design.datasets.bundled import generated
from bestofk.design.datasets.dataset import Dataset


def circles() -> Dataset:
    """Return the points, the same every time."""
    from sklearn.datasets import make_circles

    return generated("circles", *make_circles(n_samples=400, noise=0.15, factor=0.5, random_state=2))
