"""Logistic regression: all folds at once, from a solution for the whole data set and its Hessian."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy  # which loads its parts when they are used

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.frozen import frozen
from bestofk.design.folds.base import Fold
from bestofk.sharing.case import Case
from bestofk.sharing.fold_matrix import FilledFolds, FoldFillings, FoldMatrix
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


#: Bytes of scores that are made, turned into residuals and summed while they are in a near cache, and fewest rows.
CACHE, FEWEST = 1_000_000, 256


@frozen(eq=False)
class Columns:
    """The columns of the matrix, a column of 1, then the gap columns, in single or double precision; and turned."""

    rows: Any
    turned: Any

    @classmethod
    def of(cls, rows: Array, kind: Any) -> Columns:
        """In this precision."""
        kept = np.ascontiguousarray(rows, dtype=kind)
        return cls(kept, np.ascontiguousarray(kept.T))


@frozen(eq=False)
class Models:
    """M models on the same rows: ``times[which[i]]`` says how often the i-th trains on each row.

    Weights of gap columns follow from the others by what each fold fills in. ``penalty`` (M, columns) is that of each
    weight, 0 for the column of 1; ``units`` (M, columns) are the fold's own, 0 for columns without a weight. Weights
    are (M, scores, columns); two classes have one score, of the second, and ``y`` in floating point. Scores are
    (M · scores, rows).
    """

    y: Any
    times: Any
    which: Any
    present: Any
    penalty: Array
    units: Array
    filled: FilledFolds

    @property
    def scores_each(self) -> int:
        """Scores per model and row."""
        return 1 if self.present.shape[1] == 2 else int(self.present.shape[1])

    def whole(self, weights: Array) -> Array:
        """Weights of all columns, those of the gaps as well."""
        if not self.filled.sources.shape[1]:
            return weights
        return np.concatenate([weights, self.filled.gap_weights(weights)], axis=2)

    def scores(self, weights: Array, columns: Columns) -> Any:
        """Scores of all rows in the precision of the columns."""
        return self._lines(weights, columns) @ columns.turned

    def _lines(self, weights: Array, columns: Columns) -> Any:
        whole = self.whole(weights)
        return whole.reshape(-1, whole.shape[2]).astype(columns.turned.dtype, copy=False)

    def gradient(self, weights: Array, columns: Columns) -> Array:
        """Gradient of the penalised loss in all weights; 0 for columns without one."""
        count, sums = weights.shape[2], self._sums(self._lines(weights, columns), columns)
        slopes = sums.reshape(*weights.shape[:2], -1)
        if self.scores_each > 1:  # residuals of a row add up to 0 over the classes: what does not is rounding
            share = self.present / self.present.sum(axis=1, keepdims=True)
            slopes -= share[:, :, None] * slopes.sum(axis=1, keepdims=True)
        own: Array = slopes[:, :, :count] + self.penalty[:, None, :] * weights
        if self.filled.sources.shape[1]:
            self.filled.add_gap_slopes(own, slopes[:, :, count:])
        own *= (self.units > 0)[:, None, :]
        return own

    def _sums(self, lines: Any, columns: Columns) -> Array:
        """Sums of the columns, each row times its residual, some rows after the others."""
        loops, rows = loops_of_rows(), len(columns.rows)
        loop = loops.two_classes if self.scores_each == 1 else loops.several_classes
        length = max(FEWEST, CACHE // (len(lines) * lines.itemsize))
        length = -(-rows // -(-rows // length))
        sums, room = np.zeros((len(lines), columns.rows.shape[1])), np.empty(len(lines) * length, dtype=lines.dtype)
        for first in range(0, rows, length):
            turned = columns.turned[:, first : first + length]
            scores = np.matmul(lines, turned, out=room[: len(lines) * turned.shape[1]].reshape(len(lines), -1))
            loop(scores, self.y, self.times, self.which, self.present, first)
            sums += scores @ columns.rows[first : first + length]
        return sums

    def only(self, models: Any) -> Models:
        """Some of the models."""
        return replace(
            self,
            which=self.which[models],
            present=self.present[models],
            penalty=self.penalty[models],
            units=self.units[models],
            filled=self.filled.only(models),
        )


def loops_of_rows() -> Any:
    """The loops over rows: compiled where numba is there, in numpy elsewhere."""
    if compiled_wanted():
        from bestofk.sharing.logistic import loops

        return loops
    from bestofk.sharing.logistic import arrays

    return arrays


#: Steps remembered.
MEMORY = 10


class Progress:
    """``live`` models are not settled yet; ``exact`` ones are worked on in double precision, ``models`` are the live.

    ``settled`` models were so in the step before, ``hints`` are a test row of each that was not.
    """

    def __init__(
        self, models: Models, tests: Sequence[Any], start: Array, columns: tuple[Columns, Columns], exact: bool = False
    ) -> None:
        self.all = self.models = models
        self.weights, (self.single, self.double) = start, columns
        count, size = len(start), start[0].size
        self.live = np.arange(count)
        self.exact, self.settled = np.full(count, exact), np.zeros(count, dtype=bool)
        self.tests = np.append(0, np.cumsum([len(rows) for rows in tests])), np.concatenate(tests)
        self.hints = np.array([rows[0] for rows in tests], dtype=np.intp)
        self.size = models.times.sum(axis=1, dtype=np.float64)[models.which]
        self.steps, self.changes = np.zeros((2, MEMORY, count, size))
        self.inverses, self.slots = np.zeros((MEMORY, count)), np.zeros(0, dtype=np.intp)
        self.gradient = models.gradient(start, self.single)

    def gradient_at(self, weights: Array, places: Any) -> Array:
        """Gradients of some live models, each in its precision."""
        exact, out = self.exact[self.live[places]], np.empty_like(weights)
        for columns, kind in ((self.single, ~exact), (self.double, exact)):
            if kind.all() and len(places) == len(self.live):
                return self.models.gradient(weights, columns)
            if kind.any():
                out[kind] = self.models.only(places[kind]).gradient(weights[kind], columns)
        return out

    def flatness(self) -> Array:
        """Largest slope of every live model per training row."""
        slopes: Array = np.abs(lines_of(self.gradient[self.live])).max(axis=1) / self.size[self.live]
        return slopes

    def distances(self, places: Any) -> Array:
        """How far some live models are at most from their optimum, as a share of their weights.

        The loss bends at least as the penalty does: weights are off, in the norm of the penalty, by no more than the
        slope in the norm of its inverse.
        """
        which, penalty = self.live[places], self.models.penalty[places][:, None, :]
        slopes = self.gradient[which] ** 2 / np.where(penalty > 0, penalty, np.inf)
        weights = penalty * self.weights[which] ** 2
        ratio: Array = np.sqrt(slopes.sum(axis=(1, 2)) / np.maximum(weights.sum(axis=(1, 2)), 1e-300))
        return ratio

    def go_on_with(self, going: Any) -> None:
        """Leave the other models as they are."""
        self.live = self.live[going]
        self.models = self.all.only(self.live)

    def remember(self, step: Array, change: Array) -> None:
        """Keep a step of every live model and what it changed in the slopes, in place of the oldest."""
        slot = (self.slots[-1] + 1) % MEMORY if len(self.slots) else 0
        self.slots = np.append(self.slots, slot)[-MEMORY:].astype(np.intp)
        curvature = np.einsum("ijk,ijk->i", step, change)
        self.steps[slot, self.live], self.changes[slot, self.live] = lines_of(step), lines_of(change)
        self.inverses[slot, self.live] = np.where(curvature > 1e-300, 1.0 / np.maximum(curvature, 1e-300), 0.0)


def lines_of(weights: Array) -> Array:
    """All weights of a model in one line."""
    return weights.reshape(len(weights), -1)


#: Steps at most, those of models that begin once more, and shortenings of one step at most.
MOST_STEPS, MOST_AGAIN, MOST_CUTS = 150, 500, 12
#: A prediction is settled when the best class is ahead by so many times what the next step would change, twice running.
AHEAD = 50.0
#: Gradients per training row above which a model is too far from its optimum for its next step to tell how far.
FLAT = 1e-4
#: Share of a model's weights by which it may at most be away from its optimum when its predictions are settled: where
#: classes hardly overlap and the penalty is small, steps become short long before it is near.
NEAR = 0.005
#: Gradients per training row below which those in single precision are mostly rounding.
ROUNDED = 1e-7


@np.errstate(over="ignore", invalid="ignore")
def solve(
    models: Models, tests: Sequence[Any], start: Array, inverses: tuple[Any, Any], columns: tuple[Columns, Columns]
) -> list[Predictions | None]:
    """Return the classes of the test rows of every model; None for models that do not settle.

    ``inverses`` are that of a Hessian in the units of each fold, all scores of a model after one another, and
    ``columns`` the rows, both in single and in double precision.
    """
    answers = _answers(Progress(models, tests, start.copy(), columns), tests, inverses[0], MOST_STEPS)
    lost = [model for model, answer in enumerate(answers) if answer is None]
    if lost:
        theirs = [tests[model] for model in lost]
        again = Progress(models.only(lost), theirs, start[lost], (columns[1], columns[1]), exact=True)
        for model, answer in zip(lost, _answers(again, theirs, inverses[1], MOST_AGAIN), strict=True):
            answers[model] = answer
    return answers


def _answers(going: Progress, tests: Sequence[Any], inverse: Any, most: int) -> list[Predictions | None]:
    """Go on until every model is settled or lost: a step that was too large leaves no number behind."""
    answers: list[Predictions | None] = [None] * len(tests)
    for _ in range(most):
        step, flatness = _direction(going, inverse), going.flatness()
        done, found = _settled(going, step, flatness, tests)
        for model, answer in found.items():
            answers[model] = answer
        ready = np.isin(going.live, list(found)) | ~np.isfinite(flatness)
        going.settled[going.live] = done
        going.exact[going.live] |= done | (flatness < ROUNDED)
        if ready.any():
            step = step[~ready]
            going.go_on_with(~ready)
        if not len(going.live):
            break
        _take(going, step)
    return answers


def _direction(going: Progress, inverse: Any) -> Array:
    """The quasi-Newton step: remembered steps correct the shared Hessian (two loops of limited-memory BFGS)."""
    gradient, units, loops = going.gradient[going.live], going.models.units[:, None, :], loops_of_rows()
    turned, shares = -lines_of(gradient), np.empty((MEMORY, len(gradient)))
    told = going.live, going.slots, going.steps, going.changes, going.inverses, shares
    loops.back(turned, *told)
    scaled = lines_of(turned.reshape(gradient.shape) * units).astype(inverse.dtype, copy=False) @ inverse
    turned = lines_of(scaled.reshape(gradient.shape) * units)
    loops.forth(turned, *told)
    return turned.reshape(gradient.shape)


def _settled(going: Progress, step: Array, flatness: Array, tests: Sequence[Any]) -> tuple[Any, dict[int, Predictions]]:
    """Whether every test row of a model is ahead by far more than the step would move its scores; sure predictions."""
    done, found = (flatness <= FLAT) & np.isfinite(lines_of(step)).all(axis=1), {}
    places = np.flatnonzero(done)
    exact = going.exact[going.live[places]]
    if exact.any():
        exact[exact] = going.distances(places[exact]) > NEAR
        places = places[~exact]
    places = places[_hint_is_ahead(going, step, places)] if len(places) else places
    done[:] = False
    exact = going.exact[going.live[places]]
    for columns, some in ((going.single, places[~exact]), (going.double, places[exact])):
        if not len(some):
            continue
        models, which = going.models.only(some), going.live[some]
        scores, moved = models.scores(going.weights[which], columns), models.scores(step[some], going.single)
        told = going.tests, which, models.present, AHEAD, going.hints
        done[some] = loops_of_rows().settled(scores, moved, *told)
        if columns is going.double:
            for place in np.flatnonzero(done[some] & going.settled[which]):
                model = int(which[place])
                found[model] = loops_of_rows().winners(scores, place, tests[model], models.present)
    return done, found


def _hint_is_ahead(going: Progress, step: Array, places: Any) -> Any:
    """The same for one test row of each model, which was not ahead before: most often it is not yet."""
    models, which = going.models.only(places), going.live[places]
    rows = going.double.rows[going.hints[which]][:, :, None]
    scores, moved = ((models.whole(each) @ rows)[:, :, 0] for each in (going.weights[which], step[places]))
    if models.scores_each == 1:
        return np.abs(scores[:, 0]) > AHEAD * np.abs(moved[:, 0])
    two = np.partition(np.where(models.present, scores, -np.inf), -2, axis=1)[:, -2:]
    return two[:, 1] - two[:, 0] > AHEAD * np.where(models.present, np.abs(moved), 0.0).max(axis=1)


def _take(going: Progress, step: Array) -> None:
    """Take the step, shortened where the slope at its end still is as steep upwards as it was downwards."""
    live, length, places = going.live, np.ones(len(step)), np.arange(len(step))
    old, weights = going.gradient[live], going.weights[live] + step
    before = np.einsum("ijk,ijk->i", old, step)
    gradient = going.gradient_at(weights, places)
    long = places
    for _ in range(MOST_CUTS):
        after = np.einsum("ijk,ijk->i", gradient[long], step[long])
        steep = after > 0.9 * np.abs(before[long])
        long, after = long[steep], after[steep]
        if not len(long):
            break
        length[long] *= np.clip(before[long] / np.minimum(before[long] - after, -1e-300), 0.1, 0.7)
        weights[long] = going.weights[live[long]] + length[long, None, None] * step[long]
        gradient[long] = going.gradient_at(weights[long], long)
    going.remember(length[:, None, None] * step, gradient - old)
    going.weights[live], going.gradient[live] = weights, gradient
