"""What every data set must do."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding import Encoder, raw_rows
from bestofk.design.learners.learner import Encoding


def check_dataset(load: Callable[[], Dataset]) -> None:
    """Assert the invariants of a registered data set: a function without arguments that returns it."""
    dataset = load()
    assert isinstance(dataset, Dataset), "a data set is returned"
    assert dataset.fingerprint == load().fingerprint, "loaded again it is the same"
    assert pickle.loads(pickle.dumps(dataset)).fingerprint == dataset.fingerprint, "workers get the same data"
    names = [feature.name for feature in dataset.features]
    assert len(set(names)) == len(names), "every column has a name of its own"
    _check_target(dataset)
    _check_values(dataset)
    _check_rows(dataset)


def _check_target(dataset: Dataset) -> None:
    if not dataset.classes:
        assert np.isfinite(dataset.y).all() and len(np.unique(dataset.y)) > 1, "numbers to learn, not all the same"
        return
    codes = np.unique(dataset.y)
    assert len(set(dataset.classes)) == len(dataset.classes), "every class has a name of its own"
    assert np.isin(codes, np.arange(len(dataset.classes))).all(), "the target holds codes of the classes"


def _check_values(dataset: Dataset) -> None:
    for feature in dataset.features:
        known = feature.values[~np.isnan(feature.values)]
        assert np.isfinite(known).all(), f"{feature.name}: numbers are finite or missing"
        if feature.nominal:
            assert np.isin(known, np.arange(len(feature.categories))).all(), f"{feature.name}: codes of categories"
    assert dataset.groups is None or len(dataset.groups) == dataset.rows, "one group per row"


def _check_rows(dataset: Dataset) -> None:
    rows = np.arange(0, dataset.rows, 2)
    encoded = Encoder.fit(dataset, rows, Encoding(scale=True)).transform(rows)
    assert encoded.shape[0] == len(rows) and np.isfinite(encoded).all(), "every other row can be encoded"
    assert len(raw_rows(dataset, rows)) == len(rows), "raw rows can be chosen"
