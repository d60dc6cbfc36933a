"""Data that come with scikit-learn, or are made by it, as data sets: no network needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.design.datasets.arrays import dataset_of_arrays
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.table import Wishes


def bundled(name: str, bunch: Any, *, task: str = "classification") -> Dataset:
    """Return one of scikit-learn's own data sets, its classes by their names."""
    y = bunch.target if task == "regression" else [str(bunch.target_names[code]) for code in bunch.target]
    wishes = Wishes(name=name, target="target" if task == "regression" else "class", task=task)
    return dataset_of_arrays(bunch.data, y, wishes, names=bunch.feature_names, source="scikit-learn")


def generated(name: str, X: Any, y: Any) -> Dataset:
    """Return a made-up data set; rounded, so that its fingerprint does not hang on a machine's last bit."""
    wishes = Wishes(name=name, task="classification")
    return dataset_of_arrays(np.round(X, 6) + 0.0, y, wishes, source="generated")
