"""cross_validate_many: one estimator, many folds, labels as they were given."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bestofk.core.errors import InputError
from bestofk.sharing.cross_validation import cross_validate_many
from bestofk.sharing.naive_bayes import share as share_naive_bayes
from bestofk.sharing.nearest_mean import share as share_nearest_mean

SHARINGS = [share_naive_bayes, share_nearest_mean]


def _data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    y = rng.integers(3, size=120)
    return rng.normal(size=(120, 4)) + y[:, None], np.array(["x", "y", "z"])[y]


@pytest.mark.parametrize("estimator", [GaussianNB(), make_pipeline(StandardScaler(), NearestCentroid())])
def test_scores_are_those_of_cross_validate(estimator: object) -> None:
    X, y = _data()
    folds = list(ShuffleSplit(12, random_state=1).split(X))
    many = cross_validate_many(estimator, X, y, folds, sharings=SHARINGS)
    assert many.shared in ("class moments", "class sums")
    assert many.test_score.tolist() == cross_validate(estimator, X, y, cv=folds)["test_score"].tolist()
    assert set(np.concatenate(many.predictions)) <= {"x", "y", "z"}


def test_what_is_not_shared_runs_all_the_same() -> None:
    X, y = _data()
    many = cross_validate_many(GaussianNB(), X, y, "3x2", sharings=[])
    shared = cross_validate_many(GaussianNB(), X, y, "3x2", sharings=SHARINGS)
    assert many.shared is None
    assert many.plain_folds == 6
    assert all((a == b).all() for a, b in zip(many.predictions, shared.predictions, strict=True))
    assert "6 folds" in repr(many)
    assert "class moments" in repr(shared)


def test_numbers_are_predicted_too() -> None:
    X, _ = _data()
    amounts = X @ [1.0, 2.0, 0.0, -1.0] + 0.5
    many = cross_validate_many(LinearRegression(), X, amounts, ShuffleSplit(3, random_state=0))
    assert np.allclose(many.test_score, 1.0)


@pytest.mark.parametrize(
    ("folds", "wrong"),
    [
        ([], "there are no folds"),
        ([([0, 1, 500], [2])], "a fold has the rows"),
        ([([0, 1], [])], "a fold has the rows"),
        ([([0.5, 1.5], [2])], "a fold has the rows"),
        ([1, 2], "the folds are"),
        (None, "the folds are"),
    ],
)
def test_wrong_folds_are_refused(folds: object, wrong: str) -> None:
    X, y = _data()
    with pytest.raises(InputError, match=wrong):
        cross_validate_many(GaussianNB(), X, y, folds, sharings=SHARINGS)


def test_masks_are_rows_too() -> None:
    X, y = _data()
    mask = np.arange(120) < 60
    by_mask = cross_validate_many(GaussianNB(), X, y, [(mask, ~mask)], sharings=SHARINGS)
    by_rows = cross_validate_many(GaussianNB(), X, y, [(np.arange(60), np.arange(60, 120))], sharings=SHARINGS)
    assert (by_mask.predictions[0] == by_rows.predictions[0]).all()
