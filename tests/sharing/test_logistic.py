"""Shared logistic regressions settle whoever stands beside them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, softmax
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.folds.base import Fold
from bestofk.design.learners import learner_of
from bestofk.sharing import way_for
from bestofk.sharing.logistic import solver
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


def test_columns_of_very_different_sizes_are_no_failure():
    dataset, folds = hard_table(1)
    large = tuple(Feature(each.name, each.values * 10.0 ** (3 * at), ()) for at, each in enumerate(dataset.features))
    way = way_for(learner_of(LogisticRegression(), name="large"), replace(dataset, features=large), [share])
    assert [len(answer) for answer in way.predict(folds)] == [95] * 12


@pytest.mark.parametrize(("kind", "within"), [(np.float64, 1e-14), (np.float32, 1e-6)])
def test_residuals_are_probabilities_less_labels(kind, within):
    rng = np.random.default_rng(0)
    scores = np.concatenate([rng.normal(size=(4, 200)) * 300, rng.normal(size=(2, 200))]).astype(kind)
    scores[0, :5] = 1e4, -1e4, 0.0, -0.0, np.inf
    labels, often = rng.integers(2, size=200), rng.integers(3, size=(6, 200)).astype(np.float32)
    found = scores.copy()
    with np.errstate(over="ignore"):
        solver.two_classes(found, labels.astype(np.float32), often)
    assert found.dtype == kind
    assert np.abs(found - often * (expit(scores.astype(float)) - labels)).max() < within
    scores[0, 4] = 0.0
    found, present = scores.reshape(2, 3, 200).copy(), np.array([[True, True, True], [True, False, True]])
    expected = softmax(np.where(present[:, :, None], found.astype(float), -np.inf), axis=1)
    expected[:, 2 * labels, np.arange(200)] -= 1.0
    solver.several_classes(found, 2 * labels, often[:2], present)
    assert np.abs(found - often[:2, None] * expected).max() < within


def _settled(scores, moved, present, hints):
    tests = np.array([0, 2, 4]), np.array([0, 1, 0, 1])
    return solver.settled(solver.times_ahead(scores, moved, present), tests, np.arange(2), hints).tolist()


def test_a_prediction_is_settled_by_the_row_that_is_least_ahead():
    first = [[3.0, 1.0, 9.0], [0.0, 0.9, 0.0], [5.0, 5.0, 5.0]]
    scores = np.array([first, [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 9.0]]])
    moved = np.full_like(scores, 0.01)
    present, hints = np.array([[True, True, False], [True, True, True]]), np.zeros(2, dtype=np.intp)
    assert _settled(scores, moved, present, hints) == [False, True]
    assert hints.tolist()[0] == 1
    moved[:] = 0.0
    assert _settled(scores, moved, present, hints) == [True, True]


@pytest.mark.parametrize("spoilt", [(np.nan, 0.1), (np.inf, 0.1), (5.0, np.nan), (5.0, np.inf)])
def test_what_is_no_number_is_not_settled(spoilt):
    scores, moved = np.ones((2, 3, 2)), np.full((2, 3, 2), 1e-3)
    scores[:, 0] = 5.0
    scores[0, 0, 0], moved[0, 0, 0] = spoilt
    with np.errstate(invalid="ignore"):
        found = _settled(scores, moved, np.ones((2, 3), dtype=bool), np.zeros(2, dtype=np.intp))
    assert found == [False, True]
