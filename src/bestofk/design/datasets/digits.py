"""Digits: 1,797 handwritten digits of 8 × 8 pixels."""

from __future__ import annotations

from bestofk.design.datasets.bundled import bundled
from bestofk.design.datasets.dataset import Dataset


def digits() -> Dataset:
    """Return the data set as scikit-learn brings it."""
    from sklearn.datasets import load_digits

    return bundled("digits", load_digits())
