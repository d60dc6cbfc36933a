"""Wine: 178 samples of three cultivars, thirteen chemical amounts."""

from __future__ import annotations

from bestofk.design.datasets.bundled import bundled
from bestofk.design.datasets.dataset import Dataset


def wine() -> Dataset:
    """Return the data set as scikit-learn brings it."""
    from sklearn.datasets import load_wine

    return bundled("wine", load_wine())
