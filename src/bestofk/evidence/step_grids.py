"""Curves on unequal grids of steps: refused with an offer, or brought to one grid, and said so.

Steps of several data sets are shares of each one's last step; so are the training sizes of collected curves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, option_text
from bestofk.evidence import Curves, Origin
from bestofk.evidence.layouts.request import ALIGN

OWN_STEPS = "--curve final or best (curve='final') compares each run's own last or best value, whatever its steps"


@frozen(eq=False)
class OneCurve:
    """One run of one learner on steps of its own, which grow; ``dataset`` where there are several."""

    learner: str
    run: str
    steps: Array
    values: Array
    dataset: str = ""

    @property
    def name(self) -> str:
        """How a person finds it."""
        return f"learner {self.learner}, run {self.run}"


#: A grid, the values of every curve on it, and what was done.
Brought = tuple[Array, Sequence[Array], str]


def aligned(curves: Sequence[OneCurve], how: str, *, where: str = "curves") -> Brought:
    """Bring curves to one grid of steps.

    ``"common"`` keeps the steps that all curves have. ``"interpolate"`` takes, from the last of all first steps to the
    first of all last ones, the steps of the curve that has the fewest there (two at least), and gives the others the
    value on the straight line between their neighbouring points; nothing is drawn beyond a curve's own ends.
    ``"relative"`` takes steps as shares of each data set's last step. An empty value is a step that the curve has not,
    unless another curve of its data set has a value there: then the curve failed. The grid is that of the curves that
    did not fail, and one that did has no value on it from there on, also where no step is left after that.

    Examples
    --------
    >>> one = OneCurve("a", "1", np.array([1.0, 2.0, 4.0]), np.array([9.0, 7.0, 5.0]))
    >>> two = OneCurve("b", "1", np.array([1.0, 4.0]), np.array([8.0, 2.0]))
    >>> steps, values, note = aligned([one, two], "interpolate")
    >>> steps.tolist(), note
    ([1.0, 4.0], "curves were brought to 2 steps (1 to 4) by lines between their points: align='interpolate'")
    """
    known = {name: np.unique(np.concatenate(each)) for name, each in _steps_with_values(curves).items()}
    told = [_without_blanks(each, known[each.dataset]) for each in curves]
    failed = [bool(np.isnan(each.values).any()) for each in told]
    if all(failed):
        failed = [False] * len(told)  # nothing is hidden where nothing is whole
    states = list(zip(told, failed, strict=True))
    brought = _brought(complete := [each for each, gone in states if not gone], how)
    if brought is None:
        raise unequal_grids(complete, where, f"align is {how!r}, which leaves no two steps of all curves: ")
    steps, values, note = brought
    whole = iter(values)
    return steps, [_until_it_failed(each, steps, how) if gone else next(whole) for each, gone in states], note


def mostly_cut(curves: Sequence[OneCurve], steps: Array) -> bool:
    """Whether more than half of the steps of the longest curve are before or after these."""
    longest = max((each.steps for each in curves), key=len)
    return int(((longest >= steps[0]) & (longest <= steps[-1])).sum()) < len(longest) / 2


def _steps_with_values(curves: Sequence[OneCurve]) -> dict[str, list[Array]]:
    """Steps at which the curves of every data set have a value, curve by curve."""
    found: dict[str, list[Array]] = {}
    for each in curves:
        found.setdefault(each.dataset, []).append(each.steps[~np.isnan(each.values)])
    return found


def _without_blanks(curve: OneCurve, known: Array) -> OneCurve:
    """The curve without steps at which no curve has a value, as where a log has rows of other metrics."""
    kept = np.isin(curve.steps, known)
    return replace(curve, steps=curve.steps[kept], values=curve.values[kept])


def _until_it_failed(curve: OneCurve, steps: Array, how: str) -> Array:
    own = curve.steps / curve.steps[-1] if how == "relative" else curve.steps
    there = ~np.isnan(curve.values)
    if not there.any():
        return np.full(len(steps), np.nan)
    values = np.interp(steps, own[there], curve.values[there], left=np.nan, right=np.nan)
    values[min(int(np.searchsorted(steps, own[~there][0])), len(steps) - 1) :] = np.nan
    return values


def _brought(curves: Sequence[OneCurve], how: str) -> Brought | None:
    """The curves on one grid; None where that has fewer than two steps."""
    if all(np.array_equal(each.steps, curves[0].steps) for each in curves):
        return curves[0].steps, [each.values for each in curves], ""
    return {"common": _on_common_steps, "interpolate": _on_lines, "relative": _on_shares}[how](curves)


def single_curves(curves: Curves) -> list[OneCurve]:
    """The curves one by one, each on its own steps."""
    steps = np.array(curves.steps)
    sets = curves.datasets or tuple(("",) * len(each) for each in curves.values)
    planned = curves.planned or tuple(np.ones(each.shape, dtype=bool) for each in curves.values)
    told = zip(curves.learners, curves.runs, curves.values, planned, sets, strict=True)
    return [
        OneCurve(learner, run, steps[there], values[there], dataset)
        for learner, *each in told
        for run, values, there, dataset in zip(*each, strict=True)
    ]


def with_all_steps(curves: Curves, missing: str, *, own_steps: bool) -> tuple[Curves, tuple[tuple[str, str], ...]]:
    """Return the runs that are compared, and by (learner, run) the others, which only ``drop-runs`` leaves out.

    These stopped early, or they lack a step that others have, unless each may have ``own_steps``.
    """
    if missing != "drop-runs":
        if not own_steps:
            refuse_other_steps(curves)
        return curves, ()
    lacking = set(curves.stopped)
    for name, runs, own in zip(curves.learners, curves.runs, curves.planned, strict=bool(curves.planned)):
        lacking |= set() if own_steps else {(name, runs[i]) for i in np.flatnonzero(~own.all(axis=1))}
    told = zip(curves.learners, curves.runs, strict=True)
    short = tuple((name, run) for name, runs in told for run in runs if (name, run) in lacking)
    return curves.without(runs=short) if short else curves, short


def refuse_other_steps(curves: Curves) -> None:
    """Refuse curves with steps of their own where the same are needed."""
    if curves.planned:
        raise unequal_grids(single_curves(curves), curves.origin.source)


def unequal_grids(curves: Sequence[OneCurve], where: str, before: str = "") -> InputError:
    """The error for curves on unequal grids: which curve lacks which step, and the ways that can be gone."""
    everything = np.unique(np.concatenate([each.steps for each in curves]))
    lacking = [each for each in curves if len(each.steps) < len(everything)]
    own = {name: np.unique(np.concatenate(steps)) for name, steps in _steps_with_values(curves).items()}
    one = next((each for each in lacking if len(np.setdiff1d(own[each.dataset], each.steps))), lacking[0])
    step = [*np.setdiff1d(own[one.dataset], one.steps), *np.setdiff1d(everything, one.steps)][0]
    left = Counter(each.learner for each in curves) - Counter(each.learner for each in lacking)
    without = f"{option_text('missing', 'drop-runs')} leaves out {counted(len(lacking), 'run')} without all steps"
    drop = [without] if all(left[each.learner] > 1 for each in curves) else []
    ways = [f'--align {how} (align="{how}")' for how in ALIGN if _brought(curves, how) is not None]
    return InputError(
        f"{before}the curve of {one.name} has no step {step:g}, which other curves have.",
        where,
        f"{'; or '.join(['complete it', *drop, *ways, OWN_STEPS])}.",
    )


def grids_by_dataset(curves: Sequence[OneCurve]) -> dict[str, Array] | None:
    """The steps of every data set; None where the curves of one of them differ in theirs."""
    found: dict[str, Array] = {}
    for each in curves:
        if not np.array_equal(found.setdefault(each.dataset, each.steps), each.steps):
            return None
    return found


def _on_common_steps(curves: Sequence[OneCurve]) -> Brought | None:
    steps = np.asarray(reduce(np.intersect1d, [each.steps for each in curves]))
    most = max(len(each.steps) for each in curves)
    note = f"curves were cut to the {len(steps)} steps that all have, of {most} at most: align='common'"
    return (steps, [each.values[np.isin(each.steps, steps)] for each in curves], note) if len(steps) > 1 else None


def _on_lines(curves: Sequence[OneCurve]) -> Brought | None:
    steps = _line_steps([each.steps for each in curves])
    if steps is None:
        return None
    values = [np.interp(steps, each.steps, each.values) for each in curves]
    note = (
        f"curves were brought to {len(steps)} steps ({steps[0]:g} to {steps[-1]:g}) by lines between their points: "
        "align='interpolate'"
    )
    return steps, values, note


def _on_shares(curves: Sequence[OneCurve]) -> Brought | None:
    sets = grids_by_dataset(curves)
    shares = None if sets is None else shares_of(sets)
    if shares is None:
        return None
    steps = shares.steps
    values = [
        np.interp(steps, each.steps / each.steps[-1], each.values) if shares.lines else each.values for each in curves
    ]
    drawn = ", by lines between points" if shares.lines else ""
    note = (
        f"steps are shares of each data set's last step ({counted(len(steps), 'step')}, {steps[0]:g} to 1{drawn}): "
        "align='relative'"
    )
    return steps, values, note


def _line_steps(grids: Sequence[Array]) -> Array | None:
    """The steps onto which lines can be drawn: none where no stretch of training is covered by all."""
    start, end = max(each[0] for each in grids), min(each[-1] for each in grids)
    inside = [each[(each >= start) & (each <= end)] for each in grids]
    return min((each for each in inside if len(each) > 1), key=len, default=None)


#: Shares of steps that are no whole numbers are the same up to the last digits.
_DIGITS = 1e-9


@frozen(eq=False)
class Shares:
    """One grid of shares for all data sets; ``lines`` says that values must be taken on lines between points."""

    steps: Array
    lines: bool


def shares_of(grids: Mapping[str, Array]) -> Shares | None:
    """Return the shares on which data sets with these steps can be compared; None where there are fewer than two.

    Shares that differ by less than one step are the same: training sizes are cut to whole rows. Otherwise those of the
    data set with the fewest steps are taken, from the last of all first shares on.

    Examples
    --------
    >>> found = shares_of({"iris": np.array([13.0, 67.0, 135.0]), "wine": np.array([16.0, 80.0, 160.0])})
    >>> found.steps.round(3).tolist(), found.lines
    ([0.1, 0.5, 1.0], False)
    """
    if len(grids) < 2 or any(each[0] < 0 or each[-1] <= 0 or len(each) < 2 for each in grids.values()):
        return None
    shares = [each / each[-1] for each in grids.values()]
    ends = [float(each[-1]) for each in grids.values()]
    if _are_same(shares, [_roundings(each) for each in grids.values()]):
        return Shares(_rounded(shares[int(np.argmax(ends))]), lines=False)
    found = _line_steps(shares)
    return None if found is None else Shares(found, lines=True)


def _rounded(shares: Array) -> Array:
    """Shares as people write them, where that keeps them apart."""
    short = np.round(shares, 4)
    return short if len(np.unique(short)) == len(shares) else shares


def _roundings(grid: Array) -> float:
    """How far a share may be from the one that was meant: whole steps are cut, others are what they are."""
    return 1.0 / float(grid[-1]) if bool((grid == np.round(grid)).all()) else _DIGITS


def _are_same(shares: Sequence[Array], roundings: Sequence[float]) -> bool:
    if len({len(each) for each in shares}) > 1:
        return False
    finest = shares[int(np.argmin(roundings))]
    within = [np.abs(each - finest) < rounding for each, rounding in zip(shares, roundings, strict=True)]
    return all(bool(each.all()) for each in within)


SHARES = "training sizes are shares of each data set's largest: the same shares were taken on all data sets"


def curves_by_size(values: Array, sizes: Mapping[str, Array], facts: Mapping[str, Any], where: str) -> Curves:
    """Return curves from (learners, data sets, replications, folds), where folds run through the sizes of training.

    Every replication and fold is a run. Data sets are blocks, and their sizes, which differ, are taken as shares.
    """
    for name, own in sizes.items():
        if len(own) == 0 or values.shape[-1] % len(own):
            raise InputError(
                f"{values.shape[-1]} folds do not fit {len(own)} training sizes on {name}.",
                where,
                "run bestofk collect to the end, or see whether the store is damaged: bestofk store verify.",
            )
    steps = _sizes_or_shares(sizes, where)
    parts = [values[:, place].reshape(len(values), -1, len(steps)) for place in range(len(sizes))]
    runs = _run_names(values, len(steps))
    named: dict[str, Any] = {**facts, "steps": tuple(steps.astype(float)), "runs": (tuple(runs),) * len(values)}
    if len(sizes) > 1:
        named["runs"] = (tuple(f"{name}/{run}" for name in sizes for run in runs),) * len(values)
        named["datasets"] = (tuple(name for name in sizes for _ in runs),) * len(values)
        origin: Origin = facts["origin"]
        named["origin"] = replace(origin, notes=(*origin.notes, SHARES))
    return Curves(values=tuple(np.concatenate(parts, axis=1)), folds=values.shape[-1] // len(steps), **named)


def _sizes_or_shares(sizes: Mapping[str, Array], where: str) -> Array:
    """The sizes of the only data set, or the shares that all data sets have."""
    first = next(iter(sizes.values()))
    if len(sizes) == 1:
        return first
    shares = shares_of(sizes)
    if shares is not None and not shares.lines:
        return shares.steps
    raise InputError(
        "the data sets of the plan have training sizes that are no equal shares.",
        where,
        "make one plan per data set.",
    )


def _run_names(values: Array, points: int) -> list[str]:
    replications, folds = values.shape[-2:]
    return [f"{r + 1}.{f + 1}" for r in range(replications) for f in range(folds // points)]
