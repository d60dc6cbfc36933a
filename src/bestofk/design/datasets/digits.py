"""Digits: 1,797 handwritten digits of 8 × 8 pixels."""

from __future__ import annotations

from bestofk.design.dataset import Dataset
from bestofk.design.datasets.bundled import bundled


def digits() -> Dataset:
    """Return the data set as scikit-learn brings it."""
    from sklearn.datasets import load_digits

    return bundled("digits", load_digits())
