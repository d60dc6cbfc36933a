"""Curves on unequal grids of steps: refused with an offer, or brought to one grid and said so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.stats.arrays import Array
from bestofk.stats.options import one_of

WAYS = ("common", "interpolate")
OFFER = 'or say align="common" (keep the steps that all curves have) or align="interpolate" (draw lines between points)'


@dataclass(frozen=True, eq=False)
class OneCurve:
    """One run of one learner on steps of its own, which grow."""

    learner: str
    run: str
    steps: Array
    values: Array

    @property
    def name(self) -> str:
        """How a person finds it."""
        return f"learner {self.learner}, run {self.run}"


@dataclass(frozen=True, eq=False)
class Aligned:
    """Curves on one grid: ``values`` (runs, steps) and names of runs by learner; ``note`` says what was done."""

    learners: tuple[str, ...]
    steps: tuple[float, ...]
    values: tuple[Array, ...]
    runs: tuple[tuple[str, ...], ...]
    note: str = ""


def aligned(curves: Sequence[OneCurve], how: str | None = None, *, where: str = "curves") -> Aligned:
    """Bring curves to one grid of steps.

    Without ``how`` unequal grids are refused. ``"common"`` keeps the steps that all curves have. ``"interpolate"``
    takes, from the last of all first steps to the first of all last ones, the steps of the curve that has the fewest
    there (two at least), and gives the others the value on the straight line between their neighbouring points; nothing
    is drawn beyond a curve's own ends.

    Examples
    --------
    >>> one = OneCurve("a", "1", np.array([1.0, 2.0, 4.0]), np.array([9.0, 7.0, 5.0]))
    >>> two = OneCurve("b", "1", np.array([1.0, 4.0]), np.array([8.0, 2.0]))
    >>> found = aligned([one, two], "interpolate")
    >>> found.steps, found.note
    ((1.0, 4.0), "curves were brought to 2 steps (1 to 4) by lines between their points: align='interpolate'")
    """
    if how is not None:
        one_of(how, WAYS, name="align", where="read")
    if all(np.array_equal(each.steps, curves[0].steps) for each in curves):
        return _stacked(curves, curves[0].steps, [each.values for each in curves])
    if how is None:
        raise unequal_grids(curves, where)
    for each in curves:
        _refuse_gap(each, where)
    if how == "common":
        return _on_common_steps(curves, where)
    return _on_lines(curves, where)


def unequal_grids(curves: Sequence[OneCurve], where: str) -> InputError:
    """The error for curves on unequal grids: which curve lacks which step, and what may be done."""
    everything = np.unique(np.concatenate([each.steps for each in curves]))
    lacking = next(each for each in curves if len(each.steps) < len(everything))
    step = np.setdiff1d(everything, lacking.steps)[0]
    shared = len(_common(curves))
    return InputError(
        f"the curve of {lacking.name} has no step {step:g}, which other curves have.",
        where,
        f"complete it, {OFFER}: {shared} of {len(everything)} steps are common to all.",
    )


def _on_common_steps(curves: Sequence[OneCurve], where: str) -> Aligned:
    steps = _common(curves)
    if len(steps) < 2:
        raise InputError(f"the curves have {counted(len(steps), 'step')} in common.", where, 'use align="interpolate".')
    most = max(len(each.steps) for each in curves)
    note = f"curves were cut to the {len(steps)} steps that all have, of {most} at most: align='common'"
    return _stacked(curves, steps, [each.values[np.isin(each.steps, steps)] for each in curves], note)


def _on_lines(curves: Sequence[OneCurve], where: str) -> Aligned:
    start, end = max(each.steps[0] for each in curves), min(each.steps[-1] for each in curves)
    inside = [each.steps[(each.steps >= start) & (each.steps <= end)] for each in curves]
    steps = min((each for each in inside if len(each) > 1), key=len, default=None)
    if start >= end or steps is None:
        raise InputError(
            f"all curves together cover steps {start:g} to {end:g} only.", where, "give curves over the same training."
        )
    values = [np.interp(steps, each.steps, each.values) for each in curves]
    note = (
        f"curves were brought to {len(steps)} steps ({steps[0]:g} to {steps[-1]:g}) by lines between their points: "
        "align='interpolate'"
    )
    return _stacked(curves, steps, values, note)


def _common(curves: Sequence[OneCurve]) -> Array:
    return np.asarray(reduce(np.intersect1d, (each.steps for each in curves)))


def _refuse_gap(curve: OneCurve, where: str) -> None:
    gaps = np.isnan(curve.values)
    if gaps.any():
        raise InputError(
            f"the curve of {curve.name} has no value at step {curve.steps[int(np.argmax(gaps))]:g}.",
            where,
            "complete the curve, or leave it out, before curves are aligned.",
        )


def _stacked(curves: Sequence[OneCurve], steps: Array, values: Sequence[Array], note: str = "") -> Aligned:
    learners = tuple(dict.fromkeys(each.learner for each in curves))
    own = {name: [i for i, each in enumerate(curves) if each.learner == name] for name in learners}
    return Aligned(
        learners,
        tuple(float(step) for step in steps),
        tuple(np.stack([values[i] for i in own[name]]) for name in learners),
        tuple(tuple(curves[i].run for i in own[name]) for name in learners),
        note,
    )
