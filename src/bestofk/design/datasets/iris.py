"""Fisher's iris: 150 flowers of three kinds, four lengths and widths."""

from __future__ import annotations

from bestofk.design.dataset import Dataset
from bestofk.design.datasets.bundled import bundled


def iris() -> Dataset:
    """Return the data set as scikit-learn brings it."""
    from sklearn.datasets import load_iris

    return bundled("iris", load_iris())
