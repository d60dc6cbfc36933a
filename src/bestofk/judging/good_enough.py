"""Good enough, shown: how far below the best every learner may be, whoever the best is."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.record import Record
from bestofk.measures.catalogue import is_bounded

WHERE = "argument within"
#: The chance that so many more results show somebody, if the differences are as they seem.
_PROBABLY = 0.8


class Within(Record, kw_only=True):
    """Who is shown to be within a margin of the best.

    ``margin`` is in units of the measure, or a share of the best where ``relative``. No learner is further below the
    best than its bound, all at once with 1 − alpha: ``bounds`` has them, in the same units, infinite where nothing is
    known. ``learners`` are those whose bound is at most the margin, most preferred first. Where there are none,
    ``more`` is how many more units would probably show one, None where that cannot be said.
    """

    margin: float
    relative: bool
    bounds: dict[str, float]
    learners: tuple[str, ...]
    more: int | None = None


def level_of(comparison: Comparison) -> float:
    """The level of intervals of two sides whose ends are each at alpha/(K − 1)."""
    return min(2.0 * comparison.alpha / (len(comparison.learners) - 1), 0.999)


def within_of(given: Any, comparison: Comparison, order: Sequence[str]) -> Within:
    """Bound every learner's loss to the best; ``order`` has the learners, most preferred first.

    Intervals of the comparison must be those at ``level_of``.
    """
    margin, relative = _margin(given, comparison)
    upper, estimate = _upper_bounds(comparison)
    most = np.maximum(0.0, upper.max(axis=1))
    shown = most <= (np.log1p(margin) if relative else margin)
    bounds = np.expm1(most) if relative else most
    names = comparison.learners
    return Within(
        margin=margin,
        relative=relative,
        bounds=dict(zip(names, bounds.tolist(), strict=True)),
        learners=tuple(name for name in order if shown[names.index(name)]),
        more=None if shown.any() else _more(comparison, upper, estimate, np.log1p(margin) if relative else margin),
    )


def _upper_bounds(comparison: Comparison) -> tuple[Array, Array]:
    """Upper bounds (K, K) of the loss of a learner minus that of another, and the differences themselves.

    Each is of one side at alpha/(K − 1). Only the comparisons with the unknown best must hold together, and there are
    K − 1 of them (Hsu 1981).
    """
    k = len(comparison.learners)
    first, second = comparison.places
    found = comparison.intervals.of(np.arange(len(first)))
    if found is None:
        raise InputError(
            f"{comparison.test} has no interval to bound a difference by.",
            "arguments within, test",
            "leave the test to bestofk, or name one that has intervals.",
        )
    difference, low, high = found
    upper, estimate = np.zeros((k, k)), np.zeros((k, k))
    upper[first, second], upper[second, first] = high, -low
    estimate[first, second], estimate[second, first] = difference, -difference
    return upper, estimate


def _more(comparison: Comparison, upper: Array, estimate: Array, margin: float) -> int | None:
    """Units beyond those there are until somebody is probably shown: half widths shrink with their square root."""
    sample, k = comparison.sample, len(comparison.learners)
    if sample.kind == "folds":
        return None  # more folds of the same data tell little more
    z = NormalDist().inv_cdf(1 - comparison.alpha / (k - 1))
    wider = 1 + NormalDist().inv_cdf(_PROBABLY) / z
    room = margin - estimate
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(room > 0, (wider * (upper - estimate) / room) ** 2, np.inf)
    np.fill_diagonal(times, 0.0)
    fewest = float(times.max(axis=1).min())
    units = min(len(each) for each in sample.runs) if sample.runs else sample.units
    return int(np.ceil(units * (fewest - 1))) if 1 < fewest < np.inf else None


def _margin(given: Any, comparison: Comparison) -> tuple[float, bool]:
    """The margin as a number, and whether it is a share."""
    text = str(given).strip()
    relative = text.endswith("%")
    try:
        value = float(text.removesuffix("%")) / (100.0 if relative else 1.0)
    except ValueError:
        raise InputError(f"within is {given!r}.", WHERE, "give a number, 0.02, or a share, 2%.") from None
    if not 0 < value < np.inf:
        raise InputError(f"within is {given}.", WHERE, "give how much may be lost to the best: a number above 0.")
    scale, measure = comparison.sample.scale, comparison.measure
    if relative and scale == "difference":
        raise InputError(
            f"within is {given}, and {measure} is compared by differences.",
            WHERE,
            f"say it in units of {measure}: --within 0.02 is two points of a rate between 0 and 1.",
        )
    if not relative and scale == "log-ratio":
        raise InputError(
            f"within is {given}, and {measure} has other units on every data set.", WHERE, "give a share: --within 2%."
        )
    if scale == "rank":
        raise InputError(f"{measure} is compared by ranks alone.", WHERE, "leave within out: ranks have no size.")
    largest = max(map(abs, comparison.means.values()))
    if is_bounded(measure) and value >= (1.0 if largest <= 1 else 100.0):
        raise InputError(
            f"within is {given}, as much as {measure} can differ at all.", WHERE, "give how much may be lost: 0.02."
        )
    return value, relative
