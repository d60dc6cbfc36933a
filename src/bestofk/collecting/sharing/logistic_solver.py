"""Many logistic regressions at once: quasi-Newton steps about one factored Hessian, until no prediction can change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.collecting.sharing.logistic_models import Models, loops_of_rows
from bestofk.collecting.sharing.way import Predictions
from bestofk.stats.arrays import Array

#: Steps remembered, steps at most, and shortenings of one step at most.
MEMORY, MOST_STEPS, MOST_CUTS = 10, 150, 12
#: A prediction is settled when the best class is ahead by so many times what the next step would change, twice running.
AHEAD = 50.0
#: Gradients per training row above which a model is too far from its optimum for its next step to tell how far.
FLAT = 1e-4
#: Share of the models that are done from which on the others go on without them.
DONE = 0.2


@dataclass
class Progress:
    """The models in work: their weights, scores, gradients and remembered steps; ``open`` are not settled yet.

    ``moved`` and ``residuals`` are room for what every step makes anew.
    """

    models: Models
    which: npt.NDArray[np.intp]
    tests: list[Any]
    weights: Array
    scores: Array
    gradient: Array
    settled_before: npt.NDArray[np.bool_]
    open: npt.NDArray[np.bool_]
    hints: npt.NDArray[np.intp]
    moved: Array
    residuals: Array
    steps: list[tuple[Array, Array, Array]] = field(default_factory=list)

    def keep_open(self) -> None:
        """Go on with the models that are not settled."""
        going = self.open
        self.models, self.which, self.hints = self.models.only(going), self.which[going], self.hints[going]
        self.tests = [rows for rows, stays in zip(self.tests, going, strict=True) if stays]
        self.weights, self.gradient = self.weights[going], self.gradient[going]
        self.scores = self.scores[np.repeat(going, self.models.scores_each)]
        self.settled_before, self.open = self.settled_before[going], self.open[going]
        self.steps = [(step[going], change[going], inverse[going]) for step, change, inverse in self.steps]

    def joined_tests(self) -> tuple[Any, Any]:
        """Where the test rows of each model begin, and all of them."""
        return np.append(0, np.cumsum([len(rows) for rows in self.tests])), np.concatenate(self.tests)


def solve(models: Models, tests: Sequence[Any], start: Array, inverse: Array) -> list[Predictions | None]:
    """Return the classes of the test rows of every model; None for models that do not settle.

    ``inverse`` is that of a Hessian in the units of each fold, all scores of a model after one another.
    """
    scores = models.scores(start)
    count = len(start)
    nobody = np.zeros(count, dtype=bool)
    hints = np.array([rows[0] for rows in tests], dtype=np.intp)
    moved, residuals = np.empty_like(scores), np.empty_like(scores)
    gradient = models.gradient(start, scores, residuals)
    begin = (models, np.arange(count), list(tests), start, scores, gradient, nobody, ~nobody, hints)
    going = Progress(*begin, moved, residuals)
    answers: list[Predictions | None] = [None] * count
    for _ in range(MOST_STEPS):
        step = _direction(going, inverse)
        moved = going.models.scores(step, going.moved)
        done = _settled(going, moved)
        ready = done & going.settled_before & going.open
        going.settled_before = done
        _take(going, step, moved)
        for place in np.flatnonzero(ready):
            rows = going.tests[place]
            answers[going.which[place]] = loops_of_rows().winners(going.scores, place, rows, going.models.present)
        going.open &= ~ready
        if not going.open.any():
            break
        if going.open.mean() < 1.0 - DONE:
            going.keep_open()
    return answers


def _direction(going: Progress, hessian: Array) -> Array:
    """The quasi-Newton step: remembered steps correct the shared Hessian (two loops of limited-memory BFGS)."""
    turned, shares = -going.gradient, []
    for step, change, inverse in reversed(going.steps):
        share = inverse * np.einsum("ijk,ijk->i", step, turned)
        turned -= share[:, None, None] * change
        shares.append(share)
    units = going.models.units[:, None, :]
    turned = ((turned * units).reshape(len(turned), -1) @ hessian).reshape(turned.shape) * units
    for (step, change, inverse), share in zip(going.steps, reversed(shares), strict=True):
        back = inverse * np.einsum("ijk,ijk->i", change, turned)
        turned += (share - back)[:, None, None] * step
    return turned


def _settled(going: Progress, moved: Array) -> Any:
    """Whether every test row of a model is ahead by far more than the next step would move its scores."""
    flat = np.abs(going.gradient).max(axis=(1, 2)) <= FLAT * going.models.times.sum(axis=1)
    if not flat.any():
        return flat
    tests = going.joined_tests()
    return flat & loops_of_rows().settled(going.scores, moved, tests, going.models.present, AHEAD, going.hints)


def _take(going: Progress, step: Array, moved: Array) -> None:
    """Take the step, shortened where the slope at its end still is as steep upwards as it was downwards."""
    before = np.einsum("ijk,ijk->i", going.gradient, step)
    weights, scores = going.weights + step, going.scores
    scores += moved
    gradient = going.models.gradient(weights, scores, going.residuals)
    length, each = np.ones(len(step)), going.models.scores_each
    long = np.flatnonzero(np.einsum("ijk,ijk->i", gradient, step) > 0.9 * np.abs(before))
    for _ in range(MOST_CUTS):
        if not len(long):
            break
        after, old = np.einsum("ijk,ijk->i", gradient[long], step[long]), length[long]
        length[long] *= np.clip(before[long] / np.minimum(before[long] - after, -1e-300), 0.1, 0.7)
        lines = (each * long[:, None] + np.arange(each)).ravel()
        weights[long] = going.weights[long] + length[long, None, None] * step[long]
        scores[lines] += np.repeat(length[long] - old, each)[:, None] * moved[lines]
        gradient[long] = going.models.only(long).gradient(weights[long], scores[lines], going.residuals)
        long = long[np.einsum("ijk,ijk->i", gradient[long], step[long]) > 0.9 * np.abs(before[long])]
    taken, change = length[:, None, None] * step, gradient - going.gradient
    curvature = np.einsum("ijk,ijk->i", taken, change)
    inverse = np.where(curvature > 1e-300, 1.0 / np.maximum(curvature, 1e-300), 0.0)
    going.steps = [*going.steps, (taken, change, inverse)][-MEMORY:]
    going.weights, going.gradient = weights, gradient
