"""Shared logistic regressions settle whoever stands beside them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.folds.base import Fold
from bestofk.design.learners import learner_of
from bestofk.sharing import way_for
from bestofk.sharing.logistic.regression import share


def hard_table(seed):
    """Three classes, columns of very different sizes, hardly any penalty: single precision is not enough."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(190, 6)) * [1e3, 1.0, 1e-2, 1e-3, 1e-3, 1e-2]
    y = (X / X.std(axis=0) @ rng.normal(size=(6, 3)) + rng.gumbel(size=(190, 3))).argmax(axis=1)
    halves = [rng.permutation(190) for _ in range(12)]
    features = tuple(Feature(f"x{at}", column, ()) for at, column in enumerate(X.T))
    folds = [Fold(np.sort(each[:95]), np.sort(each[95:])) for each in halves]
    return Dataset("hard", features, y.astype(float), ("a", "b", "c")), folds


@pytest.mark.parametrize("seed", [1, 2])
def test_models_that_get_lost_in_single_precision_settle_in_double(seed):
    dataset, folds = hard_table(seed)
    learner = learner_of(LogisticRegression(C=1000.0), name="hard")
    together, alone = (way_for(learner, dataset, [share]) for _ in range(2))
    answers = together.predict(folds)
    ones = [alone.predict([fold])[0] for fold in folds]
    assert together.plain_folds == alone.plain_folds == 0
    assert all(np.array_equal(*both) for both in zip(answers, ones, strict=True))


def test_short_steps_far_from_the_optimum_settle_nothing():
    """Classes that hardly overlap and a small penalty; the reference is Newton's method with a tight tolerance."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(63, 8)) @ rng.normal(size=(8, 8))
    X[:, -1] = X[:, 0] + 1e-4 * X[:, -1]
    y = ((X - X.mean(axis=0)) / X.std(axis=0) @ rng.normal(size=(8, 2)) + rng.gumbel(size=(63, 2))).argmax(axis=1)
    features = tuple(Feature(f"x{at}", column, ()) for at, column in enumerate(X.T))
    dataset = Dataset("apart", features, y.astype(float), ("a", "b"))
    folds = [Fold(np.sort(rng.integers(63, size=40)), np.arange(63)) for _ in range(20)]
    way = way_for(learner_of(make_pipeline(StandardScaler(), LogisticRegression(C=1e4)), name="l"), dataset, [share])
    tight = make_pipeline(StandardScaler(), LogisticRegression(C=1e4, solver="newton-cholesky", tol=1e-10))
    for fold, answer in zip(folds, way.predict(folds), strict=True):
        tight.fit(X[fold.train], y[fold.train])
        sure = np.abs(tight.decision_function(X)) > 1e-3
        np.testing.assert_array_equal(answer[sure], tight.predict(X)[sure])
    assert way.plain_folds == 0


@pytest.mark.slow
def test_columns_of_very_different_sizes_are_no_failure():
    dataset, folds = hard_table(1)
    large = tuple(Feature(each.name, each.values * 10.0 ** (3 * at), ()) for at, each in enumerate(dataset.features))
    way = way_for(learner_of(LogisticRegression(), name="large"), replace(dataset, features=large), [share])
    assert [len(answer) for answer in way.predict(folds)] == [95] * 12


def test_a_score_that_is_no_number_stays_with_its_model():
    pytest.importorskip("numba")
    from bestofk.sharing.logistic import loops

    scores = np.array([[np.inf, 1.0], [0.0, 0.0]], dtype=np.float32)
    y, times = np.zeros(2, dtype=np.float32), np.ones((2, 2), dtype=np.float32)
    loops.two_classes(scores, y, times, np.arange(2), np.ones((2, 2), dtype=bool), 0)
    np.testing.assert_allclose(scores, [[1.0, 1 / (1 + np.exp(-1))], [0.5, 0.5]], rtol=1e-6)


@pytest.mark.parametrize("name", ["loops", "arrays"])
@pytest.mark.parametrize("spoilt", [(np.nan, 0.1), (5.0, np.nan), (5.0, np.inf)])
def test_what_is_no_number_is_not_settled(name, spoilt):
    if name == "loops":
        pytest.importorskip("numba")
    from importlib import import_module

    settled = import_module(f"bestofk.sharing.logistic.{name}").settled
    scores, moved = np.full((6, 1), 1.0), np.full((6, 1), 1e-3)
    scores[[0, 3]], moved[[0, 3]] = 5.0, 1e-3
    scores[0], moved[0] = spoilt
    tests = np.array([0, 1, 2]), np.array([0, 0])
    told = tests, np.arange(2), np.ones((2, 3), dtype=bool), 50.0, np.zeros(2, dtype=np.intp)
    assert settled(scores, moved, *told).tolist() == [False, True]
