"""Cross-validation of one estimator over many folds, with the work that folds share done once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError, glimpse
from bestofk.core.frozen import frozen
from bestofk.design.datasets.arrays import dataset_of_arrays
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.table import Wishes
from bestofk.design.encoding import encoded
from bestofk.design.folds.base import Fold
from bestofk.design.folds.shelf import folds_of
from bestofk.design.learners import learner_of
from bestofk.design.learners.learner import Learner
from bestofk.sharing.plain_fold import Estimators
from bestofk.sharing.shelf import Sharing, way_for

WHERE = "cross_validate_many, argument folds"


@frozen(eq=False)
class ManyFolds:
    """Predictions of every fold, and how they came about.

    ``predictions`` are labels as in y, one array per fold; ``test_score`` is the accuracy of each fold, or R² for
    numbers. ``shared`` names the way in which work was shared, None where every fold was run by itself; ``ties`` counts
    predictions that an exact tie left open, ``plain_folds`` the folds that were run by themselves all the same.
    """

    predictions: tuple[npt.NDArray[Any], ...]
    folds: tuple[Fold, ...]
    test_score: Array
    shared: str | None
    ties: int
    plain_folds: int

    def __repr__(self) -> str:
        how = f"shared by {self.shared}" if self.shared else "every fold by itself"
        return f"{len(self.folds)} folds, mean score {self.test_score.mean():.4g}, {how}"


def cross_validate_many(
    estimator: Any, X: Any, y: Any, folds: Any, *, seed: int = 0, sharings: Iterable[Sharing] | None = None
) -> ManyFolds:
    """Train and test an estimator on every fold; the predictions are those of fitting each fold by itself.

    Parameters
    ----------
    estimator : estimator of scikit-learn, or the name of a registered learner
        Known ones (nearest neighbours, nearest centroid, discriminants, naive Bayes, logistic regression, the most
        frequent class; alone or behind a scaler or 1-of-n encoder) share work across folds. All others run as usual.
    X, y : array-like or data frame, array-like
        What ``cross_validate`` takes.
    folds : str, splitter, or iterable of (train, test)
        ``"5x2"``, ``"bootstrap-200"``, a splitter of scikit-learn, or rows to train and test on.
    seed : int
        For folds by name, and for estimators that draw random numbers.
    sharings : iterable, optional
        Ways of sharing to ask instead of the registered ones.

    Examples
    --------
    >>> from sklearn.neighbors import NearestCentroid
    >>> rows, labels = [[0.0], [0.1], [0.2], [2.0], [2.1], [2.2]], list("aaabbb")
    >>> cross_validate_many(NearestCentroid(), rows, labels, [([0, 2, 3, 5], [1, 4])], sharings=[]).predictions
    (array(['a', 'b'], dtype='<U1'),)
    """
    dataset = dataset_of_arrays(X, y, Wishes(name="data"))
    learner = learner_of(estimator)
    divided = _folds(folds, dataset, seed)
    way = way_for(learner, dataset, sharings)
    codes = [_plain(learner, dataset, fold, seed) for fold in divided] if way is None else way.predict(divided)
    labels = _labels(dataset, y)
    scores = [_score(dataset, fold, answer) for fold, answer in zip(divided, codes, strict=True)]
    return ManyFolds(
        tuple(answer if labels is None else labels[answer] for answer in codes),
        tuple(divided),
        np.array(scores),
        None if way is None else way.name,
        0 if way is None else way.ties,
        len(divided) if way is None else way.plain_folds,
    )


def _folds(folds: Any, dataset: Dataset, seed: int) -> list[Fold]:
    if isinstance(folds, str) or hasattr(folds, "split"):
        ways = folds_of(folds)
        return [fold for each in range(ways.replications) for fold in ways.split(dataset, each, seed)]
    try:
        pairs = [(fold.train, fold.test) if isinstance(fold, Fold) else tuple(fold) for fold in folds]
        made = [Fold(_rows(train, dataset.rows), _rows(test, dataset.rows)) for train, test in pairs]
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"the folds are {glimpse(folds)}.", WHERE, 'give "5x2", a splitter, or pairs of (train, test) rows.'
        ) from None
    if not made:
        raise InputError("there are no folds.", WHERE, "give at least one pair of (train, test) rows.")
    return made


def _rows(rows: Any, count: int) -> npt.NDArray[np.intp]:
    chosen = np.asarray(rows)
    if chosen.dtype == bool and chosen.shape == (count,):
        chosen = np.flatnonzero(chosen)
    numbers = chosen.ndim == 1 and len(chosen) > 0 and chosen.dtype.kind in "iu"
    if not numbers or chosen.min() < 0 or chosen.max() >= count:
        raise InputError(f"a fold has the rows {glimpse(rows)}.", WHERE, f"give row numbers from 0 to {count - 1}.")
    return chosen.astype(np.intp)


def _plain(learner: Learner, dataset: Dataset, fold: Fold, seed: int) -> npt.NDArray[Any]:
    train, test = encoded(dataset, learner.encoding, fold.train, fold.test)
    target = dataset.y.astype(np.int64) if dataset.classes else dataset.y
    estimator = Estimators(learner, dataset).fresh(seed)  # told which columns are nominal, as in a collected cell
    return np.asarray(estimator.fit(train, target[fold.train]).predict(test))


def _labels(dataset: Dataset, y: Any) -> npt.NDArray[Any] | None:
    if not dataset.classes:
        return None
    given = np.asarray(y).ravel()
    return np.array([given[np.flatnonzero(dataset.y == code)[0]] for code in range(len(dataset.classes))])


def _score(dataset: Dataset, fold: Fold, answer: npt.NDArray[Any]) -> float:
    truth = dataset.y[fold.test]
    if dataset.classes:
        return float((answer == truth).mean())
    spread = float(((truth - truth.mean()) ** 2).sum())
    return 1.0 - float(((truth - answer) ** 2).sum()) / spread if spread else float("nan")
