"""Nearest neighbours: scikit-learn's answers where nothing is tied, and the stated rule where something is."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from bestofk.design.learners.exact_neighbours import ExactNeighbours, nearest


def by_hand(train, y, test, k):
    """Sort by (distance, row) in plain Python; of equally frequent classes the first."""
    answers = []
    for row in test:
        order = sorted(range(len(train)), key=lambda i: (sum((row - train[i]) ** 2), i))[:k]
        votes = [sum(y[i] == label for i in order) for label in sorted(set(y))]
        answers.append(sorted(set(y))[votes.index(max(votes))])
    return answers


@pytest.mark.parametrize("k", [1, 2, 5, 20])
def test_ties_go_to_the_lowest_row_and_the_first_class(k):
    rng = np.random.default_rng(k)
    train, test = rng.integers(0, 3, (60, 4)).astype(float), rng.integers(0, 3, (40, 4)).astype(float)
    y = rng.integers(0, 3, 60)
    found = ExactNeighbours(n_neighbors=k).fit(train, y).predict(test)
    assert found.tolist() == by_hand(train.tolist(), y.tolist(), test, k)


@pytest.mark.parametrize("k", [1, 3, 20])
def test_without_ties_the_answer_is_scikit_learns(k):
    rng = np.random.default_rng(0)
    train, test, y = rng.normal(size=(200, 5)), rng.normal(size=(100, 5)), rng.integers(0, 3, 200)
    ours, theirs = (each(n_neighbors=k).fit(train, y) for each in (ExactNeighbours, KNeighborsClassifier))
    assert (ours.predict(test) == theirs.predict(test)).all()
    np.testing.assert_array_equal(ours.predict_proba(test), theirs.predict_proba(test))


@pytest.mark.parametrize("options", [{"weights": "distance"}, {"metric": "manhattan"}, {"p": 1}])
def test_other_weights_and_metrics_are_scikit_learns(options):
    rng = np.random.default_rng(1)
    train, test, y = rng.normal(size=(80, 3)), rng.normal(size=(50, 3)), rng.integers(0, 2, 80)
    ours, theirs = (
        each(n_neighbors=4, **options).fit(train, y).predict(test) for each in (ExactNeighbours, KNeighborsClassifier)
    )
    assert (ours == theirs).all()


def test_sparse_rows_are_scikit_learns():
    train, y = sparse.csr_matrix(np.eye(6)), np.array([0, 0, 0, 1, 1, 1])
    assert (ExactNeighbours(n_neighbors=1).fit(train, y).predict(train) == y).all()


def test_blocks_do_not_change_the_answer(monkeypatch):
    rng = np.random.default_rng(2)
    train, test, y = rng.integers(0, 3, (50, 3)), rng.integers(0, 3, (30, 3)), rng.integers(0, 2, 50)
    model = ExactNeighbours(n_neighbors=3).fit(train, y)
    whole = model.predict(test)
    monkeypatch.setattr("bestofk.design.learners.exact_neighbours._MOST_DISTANCES", 170)
    assert (model.predict(test) == whole).all()


def test_exactly_k_rows_are_marked():
    distances = np.array([[1.0, 0.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]])
    assert nearest(distances, 2).tolist() == [[1, 1, 0, 0], [1, 1, 0, 0]]
    assert nearest(distances, 1).tolist() == [[0, 1, 0, 0], [1, 0, 0, 0]]


@parametrize_with_checks([ExactNeighbours(n_neighbors=1), ExactNeighbours(n_neighbors=3)])
def test_it_is_an_estimator_of_scikit_learn(estimator, check):
    check(estimator)


def test_weights_of_columns_are_scikit_learns():
    rng = np.random.default_rng(3)
    train, test, y = rng.normal(size=(60, 2)), rng.normal(size=(40, 2)), rng.integers(0, 2, 60)
    options = {"n_neighbors": 1, "metric_params": {"w": [1.0, 0.0]}}
    ours, theirs = (each(**options).fit(train, y) for each in (ExactNeighbours, KNeighborsClassifier))
    assert (ours.predict(test) == theirs.predict(test)).all()
    assert (ours.predict(None) == theirs.predict(None)).all()
