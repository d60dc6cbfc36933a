"""Many logistic regressions at once: quasi-Newton steps about one factored Hessian, until no prediction can change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_solve

from bestofk.collecting.sharing.logistic_models import Models
from bestofk.stats.arrays import Array

#: Steps remembered, steps at most, and shortenings of one step at most.
MEMORY, MOST_STEPS, MOST_CUTS = 10, 150, 12
#: A prediction is settled when the best class is ahead by so many times what the next step would change, twice running.
AHEAD = 50.0
#: Gradients per training row above which a model is too far from its optimum for its next step to tell how far.
FLAT = 1e-4


@dataclass
class Progress:
    """The models that are not settled yet: their weights, scores, gradients and remembered steps."""

    models: Models
    tested: npt.NDArray[np.bool_]
    which: Any
    weights: Array
    scores: Array
    gradient: Array
    settled_before: Any
    steps: list[tuple[Array, Array, Array]] = field(default_factory=list)

    def keep(self, going: Any) -> None:
        """Go on with some of the models."""
        columns = np.repeat(going, self.models.scores_each)
        self.models, self.which, self.tested = self.models.only(going), self.which[going], self.tested[:, going]
        self.weights, self.gradient, self.scores = self.weights[going], self.gradient[going], self.scores[:, columns]
        self.settled_before = self.settled_before[going]
        self.steps = [(step[going], change[going], inverse[going]) for step, change, inverse in self.steps]


def solve(models: Models, tested: Any, start: Array, factor: Any) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return weights of all models from a common start, and which have settled predictions for their test rows."""
    weights = start.copy()
    scores = models.scores(weights)
    count = len(weights)
    settled = np.zeros(count, dtype=bool)
    gradient = models.gradient(weights, scores)
    going = Progress(models, tested, np.arange(count), weights.copy(), scores, gradient, settled.copy())
    for _ in range(MOST_STEPS):
        step = _direction(going, factor)
        moved = going.models.scores(step)
        done = _settled(going, moved)
        ready = done & going.settled_before
        going.settled_before = done
        _take(going, step, moved)
        weights[going.which] = going.weights
        settled[going.which[ready]] = True
        if ready.any():
            going.keep(~ready)
        if not len(going.which):
            break
    return weights, settled


def _direction(going: Progress, factor: Any) -> Array:
    """The quasi-Newton step: remembered steps correct the shared Hessian (two loops of limited-memory BFGS)."""
    turned, shares = -going.gradient, []
    for step, change, inverse in reversed(going.steps):
        share = inverse * np.einsum("ij,ij->i", step, turned)
        turned = turned - share[:, None] * change
        shares.append(share)
    turned = cho_solve(factor, turned.T, check_finite=False).T
    for (step, change, inverse), share in zip(going.steps, reversed(shares), strict=True):
        back = inverse * np.einsum("ij,ij->i", change, turned)
        turned = turned + step * (share - back)[:, None]
    return np.ascontiguousarray(turned)


def _settled(going: Progress, moved: Array) -> Any:
    """Whether every test row of a model is ahead by far more than the next step would move its scores."""
    flat = np.abs(going.gradient).max(axis=1) <= FLAT * going.models.times.sum(axis=0)
    if not flat.any():
        return flat
    columns = np.repeat(flat, going.models.scores_each)
    change = np.abs(moved[:, columns]).reshape(len(moved), int(flat.sum()), -1).max(axis=2)
    safe = going.models.only(flat).margins(going.scores[:, columns]) > AHEAD * change
    done = flat.copy()
    done[flat] = (safe | ~going.tested[:, flat]).all(axis=0)
    return done


def _take(going: Progress, step: Array, moved: Array) -> None:
    """Take the step, shortened where the slope at its end still is as steep upwards as it was downwards."""
    length = np.ones(len(step))
    before = np.einsum("ij,ij->i", going.gradient, step)
    for _ in range(MOST_CUTS):
        weights = going.weights + length[:, None] * step
        scores = going.scores + moved * np.repeat(length, going.models.scores_each)
        gradient = going.models.gradient(weights, scores)
        after = np.einsum("ij,ij->i", gradient, step)
        long = after > 0.9 * np.abs(before)
        if not long.any():
            break
        shorter = np.clip(before / np.minimum(before - after, -1e-300), 0.1, 0.7)
        length = np.where(long, length * shorter, length)
    taken, change = length[:, None] * step, gradient - going.gradient
    curvature = np.einsum("ij,ij->i", taken, change)
    inverse = np.where(curvature > 1e-300, 1.0 / np.maximum(curvature, 1e-300), 0.0)
    going.steps = [*going.steps, (taken, change, inverse)][-MEMORY:]
    going.weights, going.scores, going.gradient = weights, scores, gradient
