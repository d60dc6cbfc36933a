"""Many folds at once: words of folds, bounds of neighbour lists, and the same predictions as fold by fold."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.encoding.matrices import matrices_of
from bestofk.design.folds.base import Fold
from bestofk.design.folds.resampling import RepeatedFolds
from bestofk.design.learners import learner_of
from bestofk.sharing import way_for
from bestofk.sharing.shelf import SHARING
from bestofk.sharing.way import plain_predictions
from bestofk.testing.design import example_datasets

SHARING_OF = {
    "nn": "nearest-neighbours",
    "nmc": "nearest-mean",
    "lda": "linear-discriminant",
    "qda": "quadratic-discriminant",
}


def _marked(rows: int, folds: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    words = pytest.importorskip("bestofk.sharing.neighbours.fold_words")
    trained = np.random.default_rng(seed).random((folds, rows)) < 0.5
    lists = [np.flatnonzero(line) for line in trained]
    out = np.zeros(((folds + 63) // 64, rows), dtype=np.uint64)
    starts = np.append(0, np.cumsum([len(each) for each in lists]))
    assert words.mark(np.concatenate(lists), starts, out).all()
    return trained, out


def test_counts_over_words_are_those_of_each_fold() -> None:
    pytest.importorskip("numba")
    from bestofk.sharing.neighbours import fold_words

    trained, words = _marked(300, 130)
    rng = np.random.default_rng(1)
    parts = [rng.choice(300, size=size, replace=False) for size in (0, 1, 7, 8, 9, 123, 300)]
    starts = np.append(0, np.cumsum([len(part) for part in parts]))
    found = fold_words.counts(words, starts, np.concatenate(parts), 130)
    assert found.tolist() == [[int(line[part].sum()) for part in parts] for line in trained]


def test_medians_over_words_are_numpys() -> None:
    pytest.importorskip("numba")
    from bestofk.sharing.neighbours import fold_words

    trained, words = _marked(40, 70)
    values = np.random.default_rng(2).integers(10, size=40).astype(float)
    order = np.argsort(values, kind="stable")
    known = trained.sum(axis=1)[:, None]
    found = fold_words.medians(words, np.array([0, 40]), order, values[order], known)
    assert found[:, 0].tolist() == [float(np.median(values[line])) for line in trained]


def test_rows_out_of_order_are_told() -> None:
    pytest.importorskip("numba")
    from bestofk.sharing.neighbours import fold_words

    out = np.zeros((1, 5), dtype=np.uint64)
    rising = fold_words.mark(np.array([0, 2, 2, 1, 1, 4]), np.array([0, 2, 4, 6]), out)
    assert rising.tolist() == [True, False, True]
    assert out[0].tolist() == [1, 2 + 4, 1 + 2, 0, 4]


def test_means_and_deviations_are_the_encoders_to_the_last_bit() -> None:
    pytest.importorskip("numba")
    from bestofk.sharing.neighbours.pair_distances import sums_agree

    assert sums_agree()


def test_list_bounds_hold_for_every_fold() -> None:
    pytest.importorskip("numba")
    dataset = next(each for each in example_datasets() if each.name == "gaps and categories")
    share = import_module("bestofk.sharing.neighbours.nearest").share
    way = way_for(learner_of("nn"), dataset, [share])
    folds = [fold for each in range(40) for fold in RepeatedFolds(40, 2).split(dataset, each, 3)]
    many = way.together  # type: ignore[union-attr]
    trains, _, _ = many._words([fold.train for fold in folds])
    weights = many.weigher.weigh(trains, np.array([len(fold.train) for fold in folds]))
    kinds, least, most, _ = many.lists
    sure = np.flatnonzero(weights.sure & weights.told.all(axis=1))
    assert len(sure) > 10
    for number in sure[:10]:
        distances = _distances(matrices_of(dataset), many.rows, weights, number)
        for i in range(len(kinds)):
            near = distances[i, kinds[i]]
            assert (near >= least[i] * weights.least[number] * (1 - 1e-9)).all()
            assert (near <= most[i] * weights.least[number] * weights.spread[number] * (1 + 1e-9)).all()


def _distances(data: object, rows: object, weights: object, fold: int) -> np.ndarray:
    """Squared distances of all kinds in one fold, the long way."""
    numbers, levels = rows.known()  # type: ignore[attr-defined]
    numbers = np.where(np.isnan(numbers), weights.filled[fold], numbers)  # type: ignore[attr-defined]
    levels = np.where(levels < 0, weights.modes[fold], levels)  # type: ignore[attr-defined]
    total = ((numbers[:, None] - numbers[None]) ** 2 * weights.number[fold]).sum(axis=2)  # type: ignore[attr-defined]
    level = weights.level[fold]  # type: ignore[attr-defined]
    apart = levels[:, None] != levels[None]
    return total + (apart * (level[levels][:, None] + level[levels][None])).sum(axis=2)


def test_singular_matrices_have_no_inverse() -> None:
    from bestofk.sharing.arrays import inverted

    rng = np.random.default_rng(0)
    rows = rng.integers(2, size=(200, 60, 6)).astype(float)
    rows = np.concatenate([rows, rows[:, :, :3], 1.0 - rows[:, :, 3:]], axis=2)  # six columns that the others determine
    stack = np.stack([np.corrcoef(each.T) for each in rows])
    stack[0] = np.eye(12)
    sizes = inverted(stack)[1]
    assert sizes[0] == 12.0
    assert (sizes[1:] > 1e9).all()


def _hard() -> list[Dataset]:
    """A grid full of ties, a column that few rows differ in, and categories that most halves lack."""
    grid = np.array([[a, b, c] for a in range(4) for b in range(4) for c in range(4)], dtype=float)
    y = ((grid.sum(axis=1) % 3) > 0).astype(float)
    rare = np.where(np.arange(64) < 3, 7.0, 0.0)
    level = np.where(np.arange(64) % 21 == 0, np.arange(64) // 21, 4.0)
    numbers = tuple(Feature(name, grid[:, place]) for place, name in enumerate("abc"))
    names = ("p", "q", "r", "s", "usual")
    nominal = tuple(Feature(f.name, f.values, ("0", "1", "2", "3")) for f in numbers)
    return [
        Dataset("grid", numbers, y, ("u", "v")),
        Dataset("rare", (*numbers, Feature("d", rare), Feature("e", level, names)), y, ("u", "v")),
        Dataset("nominal", nominal, y, ("u", "v")),
        _heavy(),
    ]


def _heavy() -> Dataset:
    """Weights vary much from half to half, and a column that most halves have constant is among the clearest."""
    rng = np.random.default_rng(8)
    values = np.exp(2.0 * rng.normal(size=(150, 9)))
    values[:, 3] = np.where(np.arange(150) < 3, 50.0 + np.arange(150), 0.0)
    features = tuple(Feature(f"x{place}", column) for place, column in enumerate(values.T))
    return Dataset("heavy", features, rng.integers(3, size=150).astype(float), ("u", "v", "w"))


@pytest.mark.parametrize("name", SHARING_OF)
def test_many_folds_at_once_predict_as_each_alone(name: str) -> None:
    pytest.importorskip("numba")
    learner = learner_of(name)
    share = SHARING[SHARING_OF[name]]
    for dataset in [*example_datasets(), *_hard()]:
        way = way_for(learner, dataset, [share])
        if way is None:
            continue
        folds = [fold for each in range(40) for fold in RepeatedFolds(40, 2).split(dataset, each, 5)]
        folds[7] = Fold(folds[7].train[::-1], folds[7].test)  # in another order, which decides ties
        for number, answer in enumerate(way.predict(folds)):
            if number % 4 == 3:
                plain = plain_predictions(learner, dataset, folds[number])
                assert (answer == plain).all(), f"{dataset.name}, fold {number}"


@pytest.mark.parametrize("name", ["gaps and categories", "equal rows"])
def test_sums_with_gap_columns_are_those_of_each_filled_fold(name: str) -> None:
    from bestofk.sharing.case import case_of
    from bestofk.sharing.fold_matrix import FoldMatrix
    from bestofk.sharing.moments import FoldSums

    dataset = next(each for each in example_datasets() if each.name == name)
    case = case_of(learner_of("lda"), dataset)
    matrix, y = FoldMatrix(dataset, case.preparation), dataset.y.astype(int)  # type: ignore[union-attr]
    sums = FoldSums(matrix, y, 3)
    folds = [fold for each in range(6) for fold in RepeatedFolds(6, 2).split(dataset, each, 2)]
    times, rest = sums.times(folds)
    filled = sums.fillings.of(folds)
    found = sums.moments(times, rest, filled)
    every = np.arange(matrix.columns)
    second = sums.second_moments(times, rest, sums.products(every), (0, dataset.rows), filled)
    assert rest.sum() == 6
    for number, fold in enumerate(folds):
        matrix.learn(np.arange(dataset.rows))
        matrix.learn(fold.train, drop_unseen=False)
        rows = matrix.values[fold.train]
        assert np.allclose(found.mean[number], rows.mean(axis=0), atol=1e-12)
        assert np.allclose(found.deviation[number], rows.std(axis=0), atol=1e-9)
        assert np.allclose(second[number], rows.T @ rows, atol=1e-9)
        slopes = np.arange(1.0, 1.0 + matrix.columns)[None, None, :].repeat(len(folds), axis=0)
        scores = sums.scored(slopes, filled)[number, 0] @ sums.turned
        assert np.allclose(scores, matrix.values @ slopes[number, 0], atol=1e-9)


@pytest.mark.parametrize(("kind", "within"), [(np.float64, 1e-13), (np.float32, 2e-6)])
def test_exponentials_without_branches_are_right(kind: type, within: float) -> None:
    pytest.importorskip("numba")
    from bestofk.sharing.logistic import arrays, loops

    rng = np.random.default_rng(0)
    scores = np.concatenate([rng.normal(size=(4, 200)) * 300, rng.normal(size=(2, 200))]).astype(kind)
    scores[0, :4] = 1e4, -1e4, 0.0, -0.0
    y, times = rng.integers(2, size=250), rng.integers(3, size=(7, 250)).astype(np.float32)
    which, two = np.array([6, 0, 2, 3, 1, 5]), np.ones((6, 2), dtype=bool)
    mine, theirs = scores.copy(), scores.astype(np.float64)
    loops.two_classes(mine, y.astype(np.float32), times, which, two, 50)
    arrays.two_classes(theirs, y.astype(np.float32), times, which, two, 50)
    assert mine.dtype == kind
    assert np.abs(mine - theirs).max() < within
    three = np.array([[True, True, True], [True, False, True]])
    mine, theirs = scores.copy(), scores.astype(np.float64)
    loops.several_classes(mine, y * 2, times, which[:2], three, 50)
    arrays.several_classes(theirs, y * 2, times, which[:2], three, 50)
    assert np.abs(mine - theirs).max() < within


@pytest.mark.parametrize("name", ["arrays", "loops"])
def test_a_prediction_is_settled_by_the_row_that_is_least_ahead(name: str) -> None:
    if name == "loops":
        pytest.importorskip("numba")
    loops = import_module(f"bestofk.sharing.logistic.{name}")
    first = [[3.0, 1.0, 9.0], [0.0, 0.9, 0.0], [5.0, 5.0, 5.0]]
    scores = np.array([*first, [1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 9.0]])
    moved = np.full_like(scores, 0.01)
    tests, which = (np.array([0, 2, 4]), np.array([0, 1, 0, 1])), np.array([0, 1])
    present, hints = np.array([[True, True, False], [True, True, True]]), np.zeros(2, dtype=np.intp)
    found = loops.settled(scores, moved, tests, which, present, 50.0, hints)
    assert found.tolist() == [False, True]
    assert hints.tolist()[0] == 1
    moved[:] = 0.0
    assert loops.settled(scores, moved, tests, which, present, 50.0, hints).all()


def test_lanes_measure_as_exact_distances_do() -> None:
    pytest.importorskip("numba")
    from bestofk.sharing.neighbours import word_search

    dataset = next(each for each in example_datasets() if each.name == "gaps and categories")
    share = import_module("bestofk.sharing.neighbours.nearest").share
    way = way_for(learner_of("nn"), dataset, [share])
    folds = [fold for each in range(32) for fold in RepeatedFolds(32, 2).split(dataset, each, 9)]
    many = way.together  # type: ignore[union-attr]
    trains, _, _ = many._words([fold.train for fold in folds])
    weights = many.weigher.weigh(trains, np.array([len(fold.train) for fold in folds]))
    lanes = word_search.lane_weights(weights, many.low)
    out, told = np.empty(64, dtype=np.float32), weights.told.all(axis=1)
    assert told.any()
    for number in np.flatnonzero(told)[:5]:
        exact = _distances(matrices_of(dataset), many.rows, weights, number) / weights.least[number]
        for i, j in ((0, 1), (5, 40), (17, 3), (60, 61)):
            word_search.distances(i, j, many.table, lanes, 0, True, out)
            assert abs(out[number] - exact[i, j]) <= 1e-5 * (1.0 + exact[i, j])
