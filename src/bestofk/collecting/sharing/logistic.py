"""Logistic regression: all folds at once, from the solution for the whole data set and its factored Hessian."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import cho_factor

from bestofk.collecting.sharing.case import Case
from bestofk.collecting.sharing.fold_matrix import CONSTANT, FoldMatrix
from bestofk.collecting.sharing.logistic_models import Models
from bestofk.collecting.sharing.logistic_solver import solve
from bestofk.collecting.sharing.way import FoldByFold, Predictions
from bestofk.design.folds.base import Fold
from bestofk.stats.arrays import Array

#: Weights of a model up to which its Hessian is factored, and scores held at once.
MOST_WEIGHTS, MOST_SCORES = 1_200, 1_000_000


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
        self.penalty = 1.0 / float(case.estimator.C)
        self.scores_each = 1 if self.classes == 2 else self.classes
        self.weights_each = self.scores_each * (self.matrix.columns + 1)

    def all_of(self, folds: Sequence[Fold]) -> list[Predictions]:
        """Class codes of the test rows of each fold; folds with the same filled-in values go together."""
        answers: list[Predictions | None] = [None] * len(folds)
        for places in self._alike(folds):
            for chunk in _chunks(places, max(2, MOST_SCORES // (len(self.y) * self.scores_each))):
                chosen = [folds[place] for place in chunk]
                for place, answer in zip(chunk, self._solved(chosen), strict=True):
                    answers[place] = answer
        return [self._sure(fold, answer) for fold, answer in zip(folds, answers, strict=True)]

    @cached_property
    def whole(self) -> tuple[Array, Array, float]:
        """Weights and Hessian for the whole data set without its penalty, and its number of rows."""
        rows = self._rows()
        weights = _fitted(rows[:, :-1], self.y, self.matrix.units(rows[:, :-1].std(axis=0)), self.penalty)
        return weights, _hessian(rows, weights, self.scores_each), float(len(rows))

    def _rows(self) -> Array:
        return np.column_stack([self.matrix.values, np.ones(len(self.y))])

    def _alike(self, folds: Sequence[Fold]) -> list[list[int]]:
        groups: dict[bytes, list[int]] = {}
        for place, fold in enumerate(folds):
            present = np.bincount(self.y[fold.train], minlength=self.classes) > 0
            if len(fold.test) and present.sum() >= min(self.classes, 3):
                groups.setdefault(self.matrix.filled_by(fold.train), []).append(place)
        return list(groups.values())

    def _solved(self, folds: list[Fold]) -> list[Predictions | None]:
        start, hessian, total = self.whole
        if not all(self.matrix.learn(fold.train, drop_unseen=False) for fold in folds):
            return [None] * len(folds)
        models = self._models(folds)
        share = models.times.sum(axis=0).mean() / total
        factor = _factor(hessian, share, models.penalty.mean(axis=0), self.scores_each, total)
        tested = np.zeros(models.times.shape, dtype=bool)
        for place, fold in enumerate(folds):
            tested[fold.test, place] = True
        begin = np.tile(start, (len(folds), 1)).reshape(len(folds), self.scores_each, -1)
        if self.scores_each > 1:
            begin = np.where(models.present[:, :, None], begin, 0.0)
        weights, settled = solve(models, tested, begin.reshape(len(folds), -1), factor)
        return [
            self._answer(fold, models, weights[place], place) if settled[place] else None
            for place, fold in enumerate(folds)
        ]

    def _models(self, folds: list[Fold]) -> Models:
        count = len(self.y)
        times = np.stack([np.bincount(fold.train, minlength=count) for fold in folds], axis=1).astype(np.float64)
        present = np.stack([np.bincount(self.y[fold.train], minlength=self.classes) > 0 for fold in folds])
        units = np.stack([self.matrix.units(each) for each in _deviations(self.matrix.values, times)])
        penalty = np.column_stack([self.penalty / units**2, np.zeros(len(folds))])
        return Models(self._rows(), self.y, times, present, penalty)

    def _answer(self, fold: Fold, models: Models, weights: Array, place: int) -> Predictions:
        one = models.only(np.array([place]))
        weights = weights.reshape(self.scores_each, -1).copy()
        weights[:, self.matrix.unseen_in(fold.train)] = 0.0
        scores = models.rows[fold.test] @ weights.T
        answer: Predictions = one.winners(scores)[:, 0]
        return answer


def _chunks(places: list[int], length: int) -> list[list[int]]:
    return [places[start : start + length] for start in range(0, len(places), length)]


def _deviations(values: Array, times: Array) -> Array:
    """Deviation of every column over the training rows of every fold."""
    total = times.sum(axis=0)[:, None]
    mean = times.T @ values / total
    variance = times.T @ (values * values) / total - mean * mean
    for fold, column in zip(*np.nonzero(variance <= 1e-3 * (1.0 + mean * mean)), strict=True):
        rows = np.repeat(values[:, column], times[:, fold].astype(np.intp))
        variance[fold, column] = rows.var()
    return np.where(variance > CONSTANT**2, np.sqrt(np.maximum(variance, 0.0)), 0.0)


def _fitted(values: Array, y: Any, units: Array, penalty: float) -> Array:
    """The optimum for the whole data set, in the units of the matrix."""
    from sklearn.linear_model import LogisticRegression

    newton = LogisticRegression(C=1.0 / penalty, solver="newton-cholesky", tol=1e-6, max_iter=200)
    fitted = newton.fit(values * units, y)
    return np.hstack([fitted.coef_ * units, fitted.intercept_[:, None]]).ravel()


def _hessian(rows: Array, weights: Array, scores_each: int) -> Array:
    scores = rows @ weights.reshape(scores_each, -1).T
    if scores_each == 1:
        sure = 1.0 / (1.0 + np.exp(-scores[:, 0]))
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


def _factor(hessian: Array, share: float, penalty: Array, scores_each: int, rows: float) -> Any:
    """Factor the share of the Hessian that falls on a training part, with its penalty."""
    kept = penalty.copy()
    kept[-1] = 1e-6 * rows  # adding the same to the intercepts of all classes changes nothing: some order is needed
    part = share * hessian
    part.flat[:: len(part) + 1] += np.tile(kept, scores_each)
    return cho_factor(part, overwrite_a=True, check_finite=False)
