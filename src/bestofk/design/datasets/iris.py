"""Fisher's iris: 150 flowers of three kinds, four lengths and widths."""

from __future__ import annotations

from bestofk.design.datasets.bundled import bundled
from bestofk.design.datasets.dataset import Dataset


def iris() -> Dataset:
    """Return the data set as scikit-learn brings it."""
    from sklearn.datasets import load_iris

    return bundled("iris", load_iris())
