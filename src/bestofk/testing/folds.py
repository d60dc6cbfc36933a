"""What every way of dividing must do."""

from __future__ import annotations

import pickle

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.folds.base import Fold, Folds


def check_folds(folds: Folds, *, seed: int = 0) -> None:
    """Assert the invariants of a way of dividing, on plain, grouped and ordered rows; the last two it may refuse."""
    assert folds.replications >= 1 and folds.folds >= 1, "at least one fold"
    assert folds.spec and "\n" not in folds.spec and " at 0x" not in folds.spec, "the spec names it, on one line"
    plain = _example(seed)
    _check_repeats(folds, plain, seed)
    for dataset in (plain, _example(seed, grouped=True), _example(seed, ordered=True)):
        _check_sides(folds, dataset, seed)


def _example(seed: int, *, grouped: bool = False, ordered: bool = False) -> Dataset:
    rng = np.random.default_rng(seed)
    rows = 241
    groups = rng.integers(40, size=rows) if grouped else None
    y = rng.permutation(np.arange(rows) % 3).astype(float)
    return Dataset("example", (Feature("x", rng.random(rows)),), y, ("a", "b", "c"), groups=groups, ordered=ordered)


def _prints(folds: Folds, dataset: Dataset, replication: int, seed: int) -> list[int]:
    return [fold.fingerprint for fold in folds.split(dataset, replication, seed)]


def _check_repeats(folds: Folds, dataset: Dataset, seed: int) -> None:
    last = folds.replications - 1
    first = _prints(folds, dataset, last, seed)
    assert first == _prints(folds, dataset, last, seed), "the same seed gives the same folds"
    assert first == _prints(pickle.loads(pickle.dumps(folds)), dataset, last, seed), "workers get the same folds"
    if last:
        assert first != _prints(folds, dataset, 0, seed), "replications differ"


def _check_sides(folds: Folds, dataset: Dataset, seed: int) -> None:
    try:
        made = folds.split(dataset, 0, seed)
    except InputError as error:
        assert dataset.ordered or dataset.groups is not None, f"plain rows are divided: {error}"
        return
    assert len(made) == folds.folds, "as many folds as announced"
    for fold in made:
        _check_fold(fold, dataset, tests_on_training=getattr(folds, "tests_on_training", False))


def _check_fold(fold: Fold, dataset: Dataset, *, tests_on_training: bool) -> None:
    for side in (fold.train, fold.test):
        assert len(side) and side.min() >= 0 and side.max() < dataset.rows, "rows of the data set on both sides"
    assert len(np.unique(fold.test)) == len(fold.test), "no row is tested twice"
    if not tests_on_training:
        assert not len(np.intersect1d(fold.train, fold.test)), "no row is trained on and tested"
    assert fold.size is None or fold.size == len(fold.train), "size is the number of training rows"
    if dataset.groups is not None:
        shared = np.intersect1d(dataset.groups[fold.train], dataset.groups[fold.test])
        assert not len(shared), "no group on both sides"
    if dataset.ordered:
        assert fold.train.max() < fold.test.min(), "trained on the past only"
