"""Many logistic regressions at once: quasi-Newton steps about one factored Hessian, until no prediction can change.

The way to the optimum is gone in single precision; from where predictions look settled on, or where rounding would be
felt, a model goes on in double precision, and only there its predictions are settled. A model that gets lost in single
precision begins once more, in double precision from its first step on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.collecting.sharing.logistic_models import Columns, Models, loops_of_rows
from bestofk.collecting.sharing.logistic_progress import MEMORY, Progress, lines_of
from bestofk.collecting.sharing.way import Predictions
from bestofk.core.arrays import Array

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
