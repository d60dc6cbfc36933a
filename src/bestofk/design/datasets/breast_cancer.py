"""Breast cancer of Wisconsin: 569 tumours, benign or malignant, thirty measurements."""

from __future__ import annotations

from bestofk.design.datasets.bundled import bundled
from bestofk.design.datasets.dataset import Dataset


def breast_cancer() -> Dataset:
    """Return the data set as scikit-learn brings it."""
    from sklearn.datasets import load_breast_cancer

    return bundled("breast-cancer", load_breast_cancer())
