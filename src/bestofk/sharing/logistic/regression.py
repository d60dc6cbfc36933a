"""Logistic regression: all folds at once, from a solution for the whole data set and its Hessian."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import scipy  # which loads its parts when they are used

from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold
from bestofk.sharing.case import Case
from bestofk.sharing.fold_matrix import FoldFillings, FoldMatrix
from bestofk.sharing.logistic.solver import Columns, Models, solve
from bestofk.sharing.way import FoldByFold, Predictions, answers_of_good

#: Weights of a model up to which its Hessian is factored, scores held at once, and folds at once.
MOST_WEIGHTS, MOST_SCORES, MOST_FOLDS = 1_200, 3_200_000, 512
#: Starts are made for training parts of so many sizes.
SIZES = 10


def share(case: Case) -> Logistic | None:
    """Recognise ``LogisticRegression`` with the usual penalty, any ``C``, trained by ``lbfgs`` or a Newton method."""
    free = ("C", "tol", "max_iter", "solver", "n_jobs", "verbose", "random_state", "warm_start")
    if not case.is_a("LogisticRegression") or not case.differs_only_in(*free) or not case.preparation.usable:
        return None
    estimator = case.estimator
    if estimator.solver not in ("lbfgs", "newton-cholesky", "newton-cg") or estimator.max_iter < 100:
        return None
    if estimator.warm_start or not 0 < float(estimator.C) < np.inf:
        return None
    way = Logistic(case)
    return way if way.weights_each <= MOST_WEIGHTS else None


class Logistic(FoldByFold):
    """Every model is taken as near to its optimum as its predictions need: no further step can change them.

    The plain way stops at its own tolerance: with a loose one it may differ in rows on the border between classes.
    """

    name = "all folds from one solution"

    def __init__(self, case: Case) -> None:
        super().__init__(case.learner, case.dataset)
        self.matrix = FoldMatrix(case.dataset, case.preparation)
        self.fillings = FoldFillings(self.matrix)
        rows = np.hstack([self.fillings.values, np.ones((len(self.y), 1)), self.fillings.gaps])
        self.columns_in = Columns.of(rows, np.float32), Columns.of(rows, np.float64)
        self.penalty = 1.0 / float(case.estimator.C)
        self.scores_each = 1 if self.classes == 2 else self.classes
        self.targets = self.y.astype(np.float32) if self.scores_each == 1 else self.y
        self.weights_each = self.scores_each * (self.matrix.columns + 1)
        self._starts: dict[int, tuple[Array, tuple[Array, Array]]] = {}

    def at_once(self, folds: Sequence[Fold]) -> list[Predictions | None]:
        """Predict all folds; those with training parts of about one size go together."""
        answers: list[Predictions | None] = [None] * len(folds)
        for size, places in self._chunks(folds):
            solved = self._solved([folds[place] for place in places], size)
            for place, answer in zip(places, solved, strict=True):
                answers[place] = answer
        return answers

    def _chunks(self, folds: Sequence[Fold]) -> Iterator[tuple[int, list[int]]]:
        groups: dict[int, list[int]] = {}
        for place, fold in enumerate(folds):
            present = np.bincount(self.y[fold.train], minlength=self.classes) > 0
            if len(fold.test) and present.sum() >= min(self.classes, 3):
                size = round(SIZES * len(fold.train) / len(self.y))
                groups.setdefault(max(1, size), []).append(place)
        length = max(2, min(MOST_FOLDS, MOST_SCORES // (len(self.y) * self.scores_each)))
        for size, places in groups.items():
            yield from ((size, places[start : start + length]) for start in range(0, len(places), length))

    def _solved(self, folds: list[Fold], size: int) -> list[Predictions | None]:
        filled = self.fillings.of(folds)
        if self.matrix.preparation.refuses_unseen and not filled.seen.all():
            return answers_of_good(folds, filled.seen.all(axis=1), lambda some: self._solved(some, size))
        times = np.stack([np.bincount(fold.train, minlength=len(self.y)) for fold in folds]).astype(np.float64)
        mean, deviation = self.fillings.spread(times, filled)
        present = np.stack([np.bincount(self.y[fold.train], minlength=self.classes) > 0 for fold in folds])
        units = np.where(deviation > 0, self.matrix.units(deviation), 0.0)
        with np.errstate(divide="ignore"):
            penalty = np.where(units > 0, self.penalty / units**2, 0.0)
        one = np.ones((len(folds), 1))
        models = Models(
            *(self.targets, times.astype(np.float32), np.arange(len(folds)), present),
            *(np.hstack([penalty, 0.0 * one]), np.hstack([units, one]), filled),
        )
        start, inverses = self._start(size)
        return solve(models, [fold.test for fold in folds], self._begin(models, mean, start), inverses, self.columns_in)

    def _start(self, size: int) -> tuple[Array, tuple[Array, Array]]:
        if size not in self._starts:
            values = self.matrix.values
            units = self.matrix.units(values.std(axis=0))
            start, inverse = start_of(values, self.y, units, self.penalty, size / SIZES, self.scores_each)
            self._starts[size] = start, (inverse.astype(np.float32), inverse)
        return self._starts[size]

    @staticmethod
    def _begin(models: Models, mean: Array, start: Array) -> Array:
        """The common start in the units of each fold, about its own means."""
        begin: Array = start[None] * models.units[:, None, :]
        begin[:, :, -1] -= np.einsum("fka,fa->fk", begin[:, :, :-1], mean)
        if begin.shape[1] > 1:
            begin *= models.present[:, :, None]
        return begin


#: What is added to a Hessian of diagonal 1, so that columns that say the same leave it an inverse.
SLACK = 1e-12


def start_of(values: Array, y: Any, units: Array, penalty: float, share: float, scores: int) -> tuple[Array, Array]:
    """Weights (scores, columns and 1) and the inverse Hessian of a training part of this share, in these units."""
    from sklearn.linear_model import LogisticRegression

    # A share of every row with the whole penalty: what a training part has on average.
    newton = LogisticRegression(C=share / penalty, solver="newton-cholesky", tol=1e-6, max_iter=200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is only where the folds begin, near its optimum or not
        fitted = newton.fit(values * units, y)
    weights = np.hstack([fitted.coef_, fitted.intercept_[:, None]])
    rows = np.column_stack([values * units, np.ones(len(y))])
    return weights, _inverse(share * _hessian(rows, weights, scores), penalty, scores, len(y))


def _hessian(rows: Array, weights: Array, scores_each: int) -> Array:
    scores = rows @ weights.T
    if scores_each == 1:
        sure = 1.0 / (1.0 + np.exp(-np.clip(scores[:, 0], -700.0, 700.0)))
        return (rows * (sure * (1.0 - sure))[:, None]).T @ rows
    power = np.exp(scores - scores.max(axis=1, keepdims=True))
    power /= power.sum(axis=1, keepdims=True)
    columns = rows.shape[1]
    hessian = np.empty((scores_each, columns, scores_each, columns))
    for one in range(scores_each):
        for other in range(one, scores_each):
            weight = power[:, one] * ((one == other) - power[:, other])
            block = (rows * weight[:, None]).T @ rows
            hessian[one, :, other, :], hessian[other, :, one, :] = block, block.T
    return hessian.reshape(scores_each * columns, -1)


def _inverse(hessian: Array, penalty: float, scores_each: int, rows: int) -> Array:
    columns = len(hessian) // scores_each
    kept = np.full(columns, penalty)
    kept[-1] = 1e-6 * rows  # adding the same to the intercepts of all classes changes nothing: some order is needed
    hessian.flat[:: len(hessian) + 1] += np.tile(kept, scores_each)
    if scores_each > 1:  # no large number may drown the others in single precision
        hessian[columns - 1 :: columns, columns - 1 :: columns] += rows / scores_each
    sizes = np.sqrt(hessian.diagonal())  # columns of very different sizes would leave no order to rounding
    hessian /= sizes[:, None] * sizes
    hessian.flat[:: len(hessian) + 1] += SLACK
    factor = scipy.linalg.cho_factor(hessian, overwrite_a=True, check_finite=False)
    inverse: Array = scipy.linalg.cho_solve(factor, np.eye(len(hessian)), overwrite_b=True, check_finite=False)
    inverse /= sizes[:, None] * sizes
    return np.ascontiguousarray(inverse)
