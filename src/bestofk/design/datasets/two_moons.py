"""Two moons: 400 points on two half circles that reach into each other."""

from __future__ import annotations

from bestofk.design.datasets.bundled import generated
from bestofk.design.datasets.dataset import Dataset


def two_moons() -> Dataset:
    """Return the points, the same every time."""
    from sklearn.datasets import make_moons

    return generated("two-moons", *make_moons(n_samples=400, noise=0.3, random_state=1))
