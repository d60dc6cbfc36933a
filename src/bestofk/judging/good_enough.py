"""Good enough, shown: how far below the best every learner may be, whoever the best is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property, partial
from math import ceil, floor, log10
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bestofk.comparing import Comparison
from bestofk.comparing.sample import Sample
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.record import Record, jsonable
from bestofk.stats.distributions import normal_critical

#: The chance that so many more results show somebody, if the differences are as they seem.
_PROBABLY = 0.8
#: The level of an interval that reaches one standard error to either side.
_ONE_ERROR = 0.31731050786291415
#: As many of the best means are looked at for that, as many draws of noise, and so many times the units at most.
_CANDIDATES, _DRAWS, _MOST_TIMES = 12, 100, 1e6
#: A number is said where it is not farther, as a share, from either end of the range of what it may be.
_NEAR = 0.25


Places = npt.NDArray[np.intp]


class Needed(NamedTuple):
    """How many more units would probably do: between ``least`` and ``most``.

    ``about`` is one number, where all units it makes are known to a quarter; mostly the results do not tell it.
    """

    about: int | None
    least: int
    most: int


def bound_text(bound: float, relative: bool) -> str:
    """At most so much is lost to the best, rounded up; nothing where no bound is known.

    Examples
    --------
    >>> bound_text(0.0444, False), bound_text(0.0444, True), bound_text(np.inf, False)
    ('≤ 0.045', '≤ 4.5 %', '')
    """
    if not np.isfinite(bound):
        return ""
    bound, unit = (100 * bound, " %") if relative else (bound, "")
    digits = 0 if 100 <= bound < 1e6 else min(300, 1 - floor(log10(bound))) if bound > 0 else 0
    raised = ceil(bound * 10.0**digits * (1.0 - 1e-9)) / 10.0**digits
    return f"≤ {raised:.0f}{unit}" if 100 <= raised < 1e6 else f"≤ {raised:.2g}{unit}"


class Within(Record, kw_only=True):
    """Who is shown to be within a margin of the best.

    ``margin`` is in units of the measure, or a share of the best where ``relative``. No learner is further below the
    best than its bound, all at once with 1 − alpha: ``bounds`` has them, in the same units, infinite where nothing is
    known. ``learners`` are those whose bound is at most the margin, most preferred first.
    """

    margin: float
    relative: bool
    bounds: dict[str, float]
    learners: tuple[str, ...]
    more_of: Callable[[], Needed | None] = field(repr=False)

    @cached_property
    def needed(self) -> Needed | None:
        """Where nobody is shown, how many more units would show one with a chance of 0.8; None if not known."""
        return None if self.learners else self.more_of()  # when first asked for: it is drawn

    @property
    def more(self) -> int | None:
        """About how many more, where all units that this makes are known to a quarter; mostly they are not."""
        return None if self.needed is None else self.needed.about

    @property
    def more_between(self) -> tuple[int, int] | None:
        """Between what that number may be, given how little is known of the differences."""
        return None if self.needed is None else self.needed[1:]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON."""
        return {**super().to_dict(), "more": self.more, "more_between": jsonable(self.more_between)}

    @property
    def on_scale(self) -> float:
        """The margin as differences are compared with it: of shares the logarithm of a ratio."""
        return on_scale(self.margin, self.relative)


def on_scale(margin: float, relative: bool) -> float:
    """A margin as differences are compared with it: of a share the logarithm of a ratio."""
    return float(np.log1p(margin)) if relative else margin


def level_of(comparison: Comparison) -> float:
    """The level of intervals of two sides whose ends are each at alpha/(K − 1)."""
    return min(2.0 * comparison.alpha / (len(comparison.learners) - 1), 0.999)


def within_of(given: Any, comparison: Comparison, order: Sequence[str]) -> Within:
    """Bound every learner's loss to the best; ``order`` has the learners, most preferred first.

    Intervals of the comparison must be those at ``level_of``.
    """
    margin, relative = margin_of(given, comparison, name="within")
    most = np.maximum(0.0, upper_bounds(comparison)[0].max(axis=1))
    shown = most <= on_scale(margin, relative) * (1.0 + 1e-9)  # as equal as rounding lets a bound and a margin be
    bounds = np.expm1(most) if relative else most
    names = comparison.learners
    return Within(
        margin=margin,
        relative=relative,
        bounds=dict(zip(names, bounds.tolist(), strict=True)),
        learners=tuple(name for name in order if shown[names.index(name)]),
        more_of=partial(units_needed, comparison, on_scale(margin, relative)),
    )


def upper_bounds(comparison: Comparison) -> tuple[Array, Array]:
    """Upper bounds (K, K) of the loss of a learner minus that of another, and the differences themselves.

    Each is of one side at alpha/(K − 1). Only the comparisons with the unknown best must hold together, and there are
    K − 1 of them (Hsu 1981).
    """
    k = len(comparison.learners)
    first, second = comparison.places
    if comparison.about != "mean":
        raise InputError(
            f"{comparison.test} is about a typical difference, and a margin is about the mean.",
            "argument test",
            "leave the test to bestofk, or name one of means: permutation-t, paired-t.",
        )
    found = comparison.difference, comparison.low, comparison.high
    if found[1] is None or found[2] is None:
        raise InputError(
            f"{comparison.test} has no interval to bound a difference by.",
            "argument test",
            "leave the test to bestofk, or name one that has intervals.",
        )
    difference, low, high = (comparison.sign_of_losses * each for each in found if each is not None)
    low, high = (high, low) if comparison.larger_is_better else (low, high)
    upper, estimate = np.zeros((k, k)), np.zeros((k, k))
    upper[first, second], upper[second, first] = high, -low
    estimate[first, second], estimate[second, first] = difference, -difference
    return upper, estimate


def units_needed(comparison: Comparison, margin: float, only: int | None = None) -> Needed | None:
    """Units beyond those there are until somebody is probably shown.

    ``only`` is the place of the learner that is to be shown, where it must be that one.

    The range is for differences that may be behind these results, and reaches to those that are not shown being none.
    Where N units are enough and n are there, what a difference leaves of the margin is known to about √(N/n)/2.5 of
    itself, and N to twice that: one number is seldom known.
    """
    sample, k = comparison.sample, len(comparison.learners)
    if sample.kind == "folds":
        return None  # more folds of the same data tell little more
    upper, estimate = upper_bounds(comparison)
    error = upper_bounds(comparison.bounded_at(_ONE_ERROR))[0] - estimate
    first = np.argsort(estimate.mean(axis=1))[:_CANDIDATES]
    upper, estimate, error = (each[np.ix_(first, first)] for each in (upper, estimate, error))
    apart = ~np.eye(len(first), dtype=bool)
    if not np.isfinite(upper).all() or not (error[apart] > 0).all():
        return None
    z = normal_critical(comparison.alpha / (k - 1))
    wider = np.maximum((upper - estimate)[apart] / error[apart] - z, 1e-3)  # Student's quantile beyond the normal one
    rng = np.random.default_rng(comparison.seed)
    df = float(np.median((z**3 + z) / 4.0 / wider))  # by the first term of Fisher and Cornish
    scale = np.sqrt(df / rng.chisquare(df, size=_DRAWS))
    future, wider_by = _noise(error, rng), float(np.median(wider))
    none = np.where(np.abs(estimate) < upper - estimate, 0.0, estimate)
    may = [(none, 1.0), *zip(estimate + scale[:, None, None] * _noise(error, rng), scale.tolist(), strict=True)]
    asked = np.flatnonzero(first == only) if only is not None else np.arange(len(first))
    about, most, *others = (
        _times(margin - each, by * future, by * error, z, wider_by, asked) for each, by in ((estimate, 1.0), *may)
    )
    if about >= _MOST_TIMES:
        return None  # as it seems, none is within the margin
    low, high = np.quantile(others, (0.05, 0.95))
    units = units_there(sample)
    low, high = max(units + 1.0, units * min(low, about)), max(units + 1.0, units * max(high, most, about))
    known = (1.0 - _NEAR) * high <= (1.0 + _NEAR) * low
    number = float(np.clip(units * about, max(low, (1.0 - _NEAR) * high), min(high, (1.0 + _NEAR) * low)))
    more, least, largest = (int(np.ceil(each)) - units for each in (number, low, high))
    return Needed(more if known else None, least, largest)


def units_there(sample: Sample) -> int:
    """The units there are; of runs those of the learner with the fewest."""
    return min(len(each) for each in sample.runs) if sample.runs else sample.units


def _noise(error: Array, rng: np.random.Generator) -> Array:
    """Draws (draws, K, K) of the noise in all differences, whose standard errors these are."""
    centre = np.eye(len(error)) - 1.0 / len(error)
    values, vectors = np.linalg.eigh(-0.25 * centre @ (error**2 + error.T**2) @ centre)  # means, but for their mean
    noise = rng.normal(size=(_DRAWS, len(error))) @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    return np.asarray(noise[:, :, None] - noise[:, None, :])


def _times(room: Array, noise: Array, error: Array, z: float, wider: float, asked: Places) -> float:
    """How many times the units there are, so that one ``asked`` about is shown in a share ``_PROBABLY`` of draws.

    With n times the units noise and errors are 1/√n of what they are, and Student's quantile is z + wider/n: x = 1/√n
    is the largest that leaves every bound below the margin.
    """
    room, width = np.maximum(room, 0.0), np.maximum(noise + z * error, 1e-12)
    x = room / width
    for _ in range(6):
        x = room / (width + error * wider * np.minimum(x, 1.5) ** 2)
    x[:, np.eye(len(error), dtype=bool)] = np.inf
    shown = float(np.quantile(x.min(axis=2)[:, asked].max(axis=1), 1.0 - _PROBABLY))
    return min(1.0 / shown**2, _MOST_TIMES) if shown > 0 else _MOST_TIMES


def margin_number(given: Any, *, name: str) -> tuple[float, bool]:
    """A number above 0, and whether it is a share, whatever it is set beside."""
    text = str(given).strip()
    relative = text.endswith("%")
    try:
        value = float(text.removesuffix("%")) / (100.0 if relative else 1.0)
    except ValueError:
        raise InputError(f"{name} is {given!r}.", f"argument {name}", f"give a number: --{name} 0.02.") from None
    if not 0 < value < np.inf:
        raise InputError(f"{name} is {given}.", f"argument {name}", "give how much may be lost: a number above 0.")
    return value, relative


def margin_of(given: Any, comparison: Comparison, *, name: str) -> tuple[float, bool]:
    """The margin as a number, and whether it is a share; ``name`` is that of the argument."""
    where = f"argument {name}"
    scale, measure, whole = comparison.sample.scale, comparison.measure, comparison.rate_range
    unit = "NUMBER" if whole is None else f"{0.02 * whole:g}"
    value, relative = margin_number(given, name=name)
    if relative and scale == "difference":
        raise InputError(
            f"{name} is {given}, and {measure} is compared by differences.",
            where,
            f"say it in units of {measure}: --{name} {unit if whole is None else f'{value * whole:g}'}.",
        )
    if not relative and scale == "log-ratio":
        raise InputError(
            f"{name} is {given}, and {measure} has other units on every data set.", where, f"give a share: --{name} 2%."
        )
    if scale == "rank":
        raise InputError(f"{measure} is compared by ranks alone.", where, f"leave {name} out: ranks have no size.")
    if whole is not None and value >= whole:
        raise InputError(
            f"{name} is {given}, as much as {measure} can differ at all.",
            where,
            f"give how much may be lost: --{name} {unit} is two points.",
        )
    return value, relative
