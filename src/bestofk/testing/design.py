"""What every data set, every way of dividing, every learner and every way of sharing work across folds must do."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.encoding import Encoder, encoded, raw_rows
from bestofk.design.folds.base import Fold, Folds
from bestofk.design.learners import with_seed
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.shelf import RESULTS, is_key_name
from bestofk.evidence.layouts.table_kind import evidence_in_layout
from bestofk.sharing.shelf import way_for
from bestofk.sharing.way import Way, plain_predictions
from bestofk.tables.files import table_from_file
from bestofk.tables.table import Text


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


def check_folds(folds: Folds, *, seed: int = 0) -> None:
    """Assert the invariants of a way of dividing, on plain, grouped and ordered rows; the last two it may refuse."""
    assert folds.replications >= 1 and folds.folds >= 1, "at least one fold"
    assert folds.spec and "\n" not in folds.spec and " at 0x" not in folds.spec, "the spec names it, on one line"
    plain = _rows_to_divide(seed)
    _check_repeats(folds, plain, seed)
    for dataset in (plain, _rows_to_divide(seed, grouped=True), _rows_to_divide(seed, ordered=True)):
        _check_sides(folds, dataset, seed)


def _rows_to_divide(seed: int, *, grouped: bool = False, ordered: bool = False) -> Dataset:
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


def check_learner(learner: Learner, *, seed: int = 0) -> None:
    """Assert the invariants of a learner: plain settings, fresh estimators, the same predictions for the same seed."""
    assert learner.name and json.loads(json.dumps(learner.settings)) == learner.settings, "settings are plain JSON"
    assert learner.make() is not learner.make(), "a fresh estimator each time"
    sent = pickle.loads(pickle.dumps(learner))
    assert sent.fingerprint == learner.fingerprint, "workers get the same learner"
    dataset = _rows_to_learn(seed, regression=_regresses(learner), nominal=not learner.encoding.none)
    first = _predicted(learner, dataset, seed)
    assert first.shape == (dataset.rows // 2,), "one prediction per row"
    assert np.array_equal(first, _predicted(sent, dataset, seed)), "the same seed gives the same predictions"
    if dataset.classes:
        assert np.isin(first, np.arange(len(dataset.classes))).all(), "predictions are labels that were trained on"
    else:
        assert np.isfinite(first).all(), "predictions are finite numbers"


def _regresses(learner: Learner) -> bool:
    from sklearn.base import is_regressor

    return bool(is_regressor(learner.make()))


def _rows_to_learn(seed: int, *, regression: bool, nominal: bool) -> Dataset:
    """Two numbers, and a nominal column where it is encoded."""
    rng = np.random.default_rng(seed)
    rows = 160
    y = (np.arange(rows) % 2).astype(np.float64)
    first, second = y + rng.normal(size=rows), rng.normal(size=rows)
    colours = rng.integers(3, size=rows).astype(float)
    features: tuple[Feature, ...] = (
        Feature("a", first),
        Feature("b", second),
        Feature("colour", colours, ("blue", "green", "red")),
    )
    if not nominal:
        features = features[:2]
    amounts: Array = first * 2.0 + y
    return Dataset("example", features, amounts if regression else y, () if regression else ("no", "yes"))


def _predicted(learner: Learner, dataset: Dataset, seed: int) -> Any:
    rows = np.arange(dataset.rows)
    train, test = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    X, held_out = encoded(dataset, learner.encoding, train, test)
    y = dataset.y.astype(np.int64) if dataset.classes else dataset.y
    return np.asarray(with_seed(learner.make(), seed).fit(X, y[train]).predict(held_out))


def check_sharing(
    share: Callable[..., Way | None],
    learner: Learner,
    *,
    datasets: Iterable[Dataset] | None = None,
    folds: Iterable[Fold] | None = None,
    seed: int = 0,
) -> None:
    """Assert that a sharing gives a learner's own predictions on every fold, but for exact ties, which it counts.

    Without data sets of your own: numbers, categories with rare ones and gaps, equal rows, and a rare class; without
    folds: halves, fifths, bootstrap samples with repeated rows, a holdout and growing training sets. A fold that the
    learner refuses must be refused, with the same error. At least one data set must be shared.
    """
    examples = list(example_datasets(seed) if datasets is None else datasets)
    found = [(each, way_for(learner, each, [share])) for each in examples]
    assert any(way is not None for _, way in found), "the sharing recognises the learner on some data set"
    for dataset, way in found:
        if way is not None:
            assert way.name and "\n" not in way.name, "a way has a name, on one line"
            _check_folds(way, learner, dataset, list(example_folds(dataset, seed) if folds is None else folds))
    assert way_for(learner, _numbers_to_learn(seed), [share]) is None, "numbers to learn are left to the plain way"


def _check_folds(way: Way, learner: Learner, dataset: Dataset, folds: list[Fold]) -> None:
    plain = [_answer(lambda fold=fold: plain_predictions(learner, dataset, fold)) for fold in folds]  # type: ignore[misc]
    for order in (range(len(folds)), range(len(folds) - 1, -1, -1)):  # what came before must not matter
        for number in order:
            ties = way.ties
            shared = _answer(lambda number=number: way.predict([folds[number]])[0])  # type: ignore[misc]
            _check_same(shared, plain[number], way.ties - ties, f"{dataset.name}, fold {number}")
    good = [number for number, answer in enumerate(plain) if not isinstance(answer, str)]
    ties = way.ties
    together = way.predict([folds[number] for number in good])
    for number, shared in zip(good, together, strict=True):
        _check_same(shared, plain[number], way.ties - ties, f"{dataset.name}, fold {number} among all")


def _check_same(shared: Any, plain: Any, ties: int, where: str) -> None:
    if isinstance(plain, str) or isinstance(shared, str):
        assert isinstance(plain, str) and isinstance(shared, str), f"{where}: plain {plain}, shared {shared}"
        return
    assert shared.shape == plain.shape and shared.dtype.kind == "i", f"{where}: one class code per test row"
    assert int((shared != plain).sum()) <= ties, f"{where}: {(shared != plain).sum()} differ, with {ties} ties"


def _answer(call: Callable[[], Any]) -> Any:
    """The predictions, or the kind of error."""
    try:
        return np.asarray(call())
    except Exception as error:
        return type(error).__name__


def example_datasets(seed: int = 0) -> list[Dataset]:
    """Small data sets with all that makes folds differ: gaps, rare categories, equal rows, constants, rare classes."""
    rng = np.random.default_rng(seed)
    rows = 90
    y = rng.permutation(np.arange(rows) % 3).astype(np.float64)
    numbers = y[:, None] * 0.8 + rng.normal(size=(rows, 3))
    few = (rng.integers(3, size=rows) > 0).astype(np.float64)
    level = np.where(np.arange(rows) < 2, 3.0, (y + rng.integers(2, size=rows)) % 3)
    gappy, holes = numbers[:, 0].copy(), level.copy()
    gappy[rng.random(rows) < 0.2], holes[rng.random(rows) < 0.2] = np.nan, np.nan
    plain = (Feature("a", numbers[:, 0] * 100.0 + 1e5), Feature("b", numbers[:, 1]), Feature("c", numbers[:, 2]))
    mixed = (Feature("a", gappy), Feature("b", holes, ("p", "q", "r", "rare")), Feature("c", numbers[:, 1]))
    equal = (Feature("a", few), Feature("b", level, ("p", "q", "r", "rare")), Feature("c", np.full(rows, 2.0)))
    rare = np.where(np.arange(rows) < 5, 2.0, y % 2)
    return [
        Dataset("numbers", plain, y, ("u", "v", "w")),
        Dataset("two classes", plain, y % 2, ("u", "v")),
        Dataset("gaps and categories", mixed, y, ("u", "v", "w")),
        Dataset("equal rows", equal, y, ("u", "v", "w")),
        Dataset("rare class", plain, rare, ("u", "v", "w")),
    ]


def example_folds(dataset: Dataset, seed: int = 0) -> list[Fold]:
    """Folds of every kind."""
    rng = np.random.default_rng(seed)
    rows = np.arange(dataset.rows)
    parts = [rng.permutation(dataset.rows) % count for count in (2, 2, 5)]
    folds = [Fold(rows[part != k], rows[part == k]) for part in parts for k in range(part.max() + 1)]
    drawn = [np.sort(rng.integers(dataset.rows, size=dataset.rows)) for _ in range(3)]
    folds += [Fold(train, np.setdiff1d(rows, train)) for train in drawn] + [Fold(drawn[0], rows)]
    shuffled = rng.permutation(dataset.rows)
    folds += [Fold(np.sort(shuffled[:size]), np.sort(shuffled[60:])) for size in (12, 30, 60)]
    return [*folds, Fold(np.sort(shuffled[:70]), np.sort(shuffled[75:]))]


def _numbers_to_learn(seed: int) -> Dataset:
    rng = np.random.default_rng(seed)
    return Dataset("amounts", (Feature("a", rng.normal(size=40)),), rng.normal(size=40))


#: Tables that are read by the names of their columns, and no program's own.
_COMMON = ("model,fold,accuracy", "dataset,lda,knn", "model,item,correct", "model,run,epoch,loss", "y_true,lda,knn")


def check_layout(layout: Layout, path: str | Path, **asked: Any) -> None:
    """Assert that a layout reads a small file that its program wrote, as ``bk.read(path, **asked)`` does."""
    assert all(key == plain(key) for key in layout.keys), "keys are in small letters with underscores"
    assert not any(layout.recognises(names.split(",")) for names in _COMMON), "common tables are left to others"
    purpose = replace(RESULTS, is_key=lambda name: is_key_name(name) or plain(name) in layout.keys)
    table = table_from_file(path, purpose)
    assert layout.recognises(table.names), "the file is recognised by the names of its columns"
    there = {plain(name): column for name, column in table.columns.items()}
    assert all(isinstance(there[key], Text) for key in layout.keys if key in there), "keys stay text"
    assert layout.keys <= set(there), "the file has every key"
    evidence = evidence_in_layout(layout, table, Request(**asked))
    assert len(evidence.learners) > 1, "there are learners to compare"
    assert evidence.origin.notes, "what was understood is said back"
