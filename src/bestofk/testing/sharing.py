"""What every way of sharing work across folds must do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.folds.base import Fold
from bestofk.design.learners.learner import Learner
from bestofk.sharing.shelf import way_for
from bestofk.sharing.way import Way, plain_predictions


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
