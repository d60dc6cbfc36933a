"""Diabetes: 442 patients, ten measurements, the progress of the disease after a year (regression)."""

from __future__ import annotations

from bestofk.design.datasets.bundled import bundled
from bestofk.design.datasets.dataset import Dataset


def diabetes() -> Dataset:
    """Return the data set as scikit-learn brings it, its measurements unscaled."""
    from sklearn.datasets import load_diabetes

    return bundled("diabetes", load_diabetes(scaled=False), task="regression")
