"""Nearest neighbour where no fold changes distances: one list of rows, a bit for each fold."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold
from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.sharing.cross_validation import cross_validate_many
from bestofk.sharing.neighbours.nearest import share
from bestofk.testing.design import check_sharing, example_datasets

pytest.importorskip("numba")


def _halves(rows: int, count: int, seed: int = 0) -> list[Fold]:
    rng, every = np.random.default_rng(seed), np.arange(rows)
    drawn = [rng.permutation(rows) < rows // 2 for _ in range(count)]
    return [Fold(every[half], every[~half]) for half in drawn]


def _nearest_by_hand(X: np.ndarray, y: np.ndarray, fold: Fold) -> tuple[np.ndarray, int]:
    """The lowest of the nearest rows by whole numbers, which do not round, and how many ties there are."""
    train = np.sort(fold.train)
    apart = ((X[fold.test][:, None] - X[train][None]) ** 2).sum(axis=2)
    equal = apart == apart.min(axis=1, keepdims=True)
    ties = [len(np.unique(y[train[line]])) > 1 for line in equal]
    return y[train[equal.argmax(axis=1)]], sum(ties)


@pytest.mark.parametrize("algorithm", ["auto", "brute"])
def test_numbers_are_predicted_as_fold_by_fold(algorithm: str) -> None:
    learner = learner_of_estimator(KNeighborsClassifier(1, algorithm=algorithm))
    check_sharing(share, learner)


@pytest.mark.parametrize("classes", [2, 3, 5, 9])
@pytest.mark.parametrize("levels", [2, 4, 1000])
def test_of_equally_near_rows_the_lowest_wins_and_ties_are_counted(classes: int, levels: int) -> None:
    rng = np.random.default_rng(levels)
    X, y = rng.integers(levels, size=(150, 3)).astype(float), rng.integers(classes, size=150)
    y[:classes] = np.arange(classes)
    few = [Fold(rng.permutation(150)[:size], np.arange(150)) for size in (1, 2, 7, 30)]
    folds = [*_halves(150, 70), *few, Fold(np.repeat(np.arange(20), 2), np.arange(10, 60))]
    many = cross_validate_many(KNeighborsClassifier(1), X, y, folds, sharings=[share])
    wanted = [_nearest_by_hand(X, y, fold) for fold in folds]
    assert many.shared == "one neighbour list"
    for found, (codes, _) in zip(many.predictions, wanted, strict=True):
        assert found.tolist() == codes.tolist()
    assert many.ties == sum(ties for _, ties in wanted)


def test_lists_are_in_the_order_of_distances_and_complete() -> None:
    from bestofk.sharing.neighbours import fixed_distances

    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(400, 5)) ** 3 * 100 + 1e4, rng.integers(2, size=400)
    lists = fixed_distances.fixed_lists(X, y, products=False)
    apart = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    for i in range(400):
        near = lists.near[lists.starts[i] : lists.starts[i + 1]]  # type: ignore[union-attr]
        assert len(near) >= 19
        assert near.tolist() == np.argsort(apart[i], kind="stable")[: len(near)].tolist()


def test_endless_lists_are_left_to_the_other_way(monkeypatch: pytest.MonkeyPatch) -> None:
    from bestofk.sharing.neighbours import fixed_distances

    X = np.zeros((60, 2))
    X[0] = 1.0
    assert len(fixed_distances.fixed_lists(X, np.arange(60) % 2, products=False).near) > 59 * 59  # type: ignore[union-attr]
    monkeypatch.setattr(fixed_distances, "LIST_ENTRIES", 1000)
    assert fixed_distances.fixed_lists(X, np.arange(60) % 2, products=False) is None


def test_where_products_round_the_count_of_ties_says_so() -> None:
    """Far from the origin distances from products of matrices lose digits: which row is nearest is left open."""
    rng = np.random.default_rng(4)
    X = rng.integers(2**10, size=(80, 20)) / 2**10 + 2.0**24
    y = rng.integers(2, size=80)
    many = cross_validate_many(KNeighborsClassifier(1), X, y, _halves(80, 4), sharings=[share])
    near = cross_validate_many(KNeighborsClassifier(1), X - 2.0**24, y, _halves(80, 4), sharings=[share])
    assert many.ties > 0
    assert near.ties == 0


def test_scaled_or_gappy_data_take_the_other_way() -> None:
    from bestofk.design.learners.learner import Encoding
    from bestofk.sharing.case import case_of
    from bestofk.sharing.neighbours.fixed_distances import fixed_folds

    def prepared(name: str, scale: bool) -> object:
        dataset: Dataset = next(each for each in example_datasets() if each.name == name)
        learner = learner_of_estimator(KNeighborsClassifier(1), encoding=Encoding(scale=scale))
        return fixed_folds(case_of(learner, dataset))  # type: ignore[arg-type]

    assert prepared("numbers", False) is not None
    assert prepared("numbers", True) is None
    assert prepared("gaps and categories", False) is None
