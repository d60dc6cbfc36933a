"""The quadratic discriminant against the formula written out, and against scikit-learn where that answers."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.utils.estimator_checks import parametrize_with_checks

from bestofk.design.learners.complete_qda import CompleteQDA


def scores_by_formula(train, y, test, reg):
    """Log density of a normal with covariance (1 − r)Σ + rI, plus log share, class by class."""
    columns = []
    for label in np.unique(y):
        rows = train[y == label]
        covariance = (1 - reg) * np.cov(rows.T, bias=True) if len(rows) > 1 else np.zeros((train.shape[1],) * 2)
        covariance = covariance + reg * np.eye(train.shape[1])
        away = test - rows.mean(axis=0)
        squares = np.einsum("ij,ij->i", away @ np.linalg.inv(covariance), away)
        columns.append(-0.5 * (squares + np.linalg.slogdet(covariance)[1]) + np.log(len(rows) / len(train)))
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("counts", [(30, 20), (30, 4), (30, 6), (30, 1), (4, 3), (1, 1, 40), (1, 1)])
def test_every_class_gets_the_density_of_its_regularised_covariance(counts):
    rng = np.random.default_rng(sum(counts))
    y = np.repeat(np.arange(len(counts)), counts)
    train, test = rng.normal(size=(len(y), 6)) + y[:, None], rng.normal(size=(50, 6))
    found = CompleteQDA(reg_param=0.01).fit(train, y)
    expected = scores_by_formula(train, y, test, 0.01)
    np.testing.assert_allclose(found._decision_function(test), expected, rtol=1e-8)
    assert (found.predict(test) == expected.argmax(axis=1)).all()


def test_with_enough_rows_it_is_scikit_learns_to_the_last_bit():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    train, test = rng.normal(size=(120, 5)), rng.normal(size=(40, 5))
    ours, theirs = (each(reg_param=0.01).fit(train, y) for each in (CompleteQDA, QuadraticDiscriminantAnalysis))
    np.testing.assert_array_equal(ours.predict_proba(test), theirs.predict_proba(test))


def test_without_regularisation_scikit_learn_refuses():
    rows = np.random.default_rng(0).normal(size=(6, 8))
    with pytest.raises((np.linalg.LinAlgError, ValueError)):
        CompleteQDA(reg_param=0.0).fit(rows, [0, 0, 0, 1, 1, 1])
    with pytest.raises(ValueError, match="only 1 sample"):
        CompleteQDA(reg_param=0.0).fit(rows[:, :2], [0, 0, 0, 0, 0, 1])


@parametrize_with_checks([CompleteQDA(reg_param=0.01)])
def test_it_is_an_estimator_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("wrong", [{"reg_param": 2.0}, {"reg_param": -1.0}, {"reg_param": 0.01, "priors": [1.0]}])
def test_wrong_parameters_are_refused(wrong):
    rows, y = np.random.default_rng(0).normal(size=(20, 3)), np.array([0, 1] * 10)
    with pytest.raises(ValueError, match=r"reg_param|priors"):
        CompleteQDA(**wrong).fit(rows, y)


def test_covariances_are_stored_where_asked():
    rng = np.random.default_rng(0)
    rows, y = rng.normal(size=(13, 5)), np.array([0] * 10 + [1] * 3)
    found = CompleteQDA(reg_param=0.1, store_covariance=True).fit(rows, y)
    for label, covariance in enumerate(found.covariance_):
        expected = 0.9 * np.cov(rows[y == label].T, bias=True) + 0.1 * np.eye(5)
        np.testing.assert_allclose(covariance, expected, atol=1e-12)
