"""Planning from results that exist: the effect they show, how sure that is, and how many are needed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import special

from bestofk.core.errors import InputError
from bestofk.core.options import level_inside
from bestofk.core.record import Record
from bestofk.stats.method import method_of
from bestofk.stats.pair import paired
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.power.question import SampleSize
from bestofk.stats.power.sample_size import power_method, sample_size
from bestofk.stats.power.simulation import chance_above

#: The cautious effect is the lower end of the one-sided interval at this level (Perugini, Gallucci, Costantini 2014).
CAUTION = 0.8


def tests_of_values() -> tuple[str, ...]:
    """Tests of one paired value per data set: their effect is the same standardised difference."""
    return tuple(name for name, test in PAIRWISE.items() if method_of(test).design == "values")


class PilotPlan(Record):
    """What a pilot says: ``effect`` in standard deviations, ``difference`` in units of loss, and the sizes they need.

    ``cautious`` is the lower 80 % limit of the effect: pilots that look good are often lucky, and a size planned with
    the effect itself is too small half the time. It is 0 where the limit has the other sign; then no size is enough.
    ``share`` is what the sign test's number rests on: how much of the pilot has the sign of its mean, ties as halves.
    """

    test: str
    pilot_size: int
    difference: float
    spread: float
    effect: float
    cautious: float
    needed: SampleSize
    needed_cautious: SampleSize | None
    share: float | None = None

    def __repr__(self) -> str:
        cautious = (
            f"; with the cautious effect {self.cautious:.3g}: {self.needed_cautious.number}"
            if self.needed_cautious is not None
            else "; the cautious effect is 0: no number is enough"
        )
        return f"pilot of {self.pilot_size}: effect {self.effect:.3g}; {self.needed!r}{self._drawn()}{cautious}"

    def _drawn(self) -> str:
        """What else than the effect says how many are needed: the pilot's own differences."""
        if self.share is None:
            return ""
        normal = float(special.ndtr(abs(self.effect)))
        return (
            f", for the sign test counts wins: {100 * self.share:.3g} % of the pilot's differences have the sign of "
            f"their mean (of normal ones with this effect {100 * normal:.3g} % would)"
        )


def from_pilot(
    first: Any, second: Any, *, test: str = "paired-t", power: float = 0.8, most: int | None = None, **options: Any
) -> PilotPlan:
    """Plan the number of data sets from paired losses on a few of them.

    The t test has its formula, the sign test counts the pilot's differences that are positive, and every other test is
    simulated by drawing them again.

    Parameters
    ----------
    first, second : array_like, (n,)
        Losses on n data sets.
    test : str
        A pairwise test of values: ``paired-t``, ``wilcoxon``, ``sign``, ``permutation-t`` …
    power : float
    most : int, optional
        Larger sizes are given as infinity.
    **options
        ``alpha``, ``alternative``, and ``runs``, ``rng`` for a simulation.

    Examples
    --------
    >>> from_pilot([80, 73, 85, 68, 82, 75], [85, 70, 85, 74, 83, 79]).needed.n
    22.0
    """
    where = "power from a pilot"
    if test not in tests_of_values():
        power_method(test)
        raise InputError(
            f"{test} is not planned from paired losses.",
            f"{where}, argument test",
            f"use {', '.join(tests_of_values())}.",
        )
    pair = paired(first, second, where=where, at_least=3)
    if pair.difference.ndim != 1:
        raise InputError(f"the pilot has the shape {pair.difference.shape}.", where, "give one value per data set.")
    difference = pair.difference
    mean, spread = float(difference.mean()), float(difference.std(ddof=1))
    if pair.is_zero(difference - mean).all():
        raise InputError("the pilot's differences do not vary.", where, "collect more results, or more digits.")
    if test != "paired-t":
        options = {"model": difference, **options}
    t = mean / spread * np.sqrt(len(difference))
    effect, df = mean / spread, len(difference) - 1.0
    plan = planned(test, len(difference), mean, spread, effect, t, df, power=power, most=most, **options)
    return plan if test != "sign" else replace(plan, share=_share(effect, options["model"]))


def _share(effect: float, model: Any) -> float:
    """How much of the pilot has the sign of its mean."""
    above = float(chance_above(np.array(effect), model, where="power from a pilot"))
    return above if effect > 0 else 1.0 - above


def planned(
    test: str,
    size: int,
    difference: float,
    spread: float,
    effect: float,
    t: float,
    df: float,
    *,
    power: float,
    most: int | None = None,
    **options: Any,
) -> PilotPlan:
    """Plan with the effect that a pilot shows, and with a cautious one; t (df may be infinite) says how sure it is."""
    lower = _lower_limit(abs(t), df)
    cautious = effect * lower / abs(t) if lower > 0 else 0.0
    needed = sample_size(test, effect, power=power, most=most, **options)
    careful = sample_size(test, cautious, power=power, most=most, **options) if cautious else None
    return PilotPlan(test, size, difference, spread, effect, cautious, needed, careful)


def _lower_limit(t: float, df: float) -> float:
    """The noncentrality under which a |t| as large as this has the chance 1 − CAUTION; 0 if that is beyond 0."""
    if np.isinf(df):
        return max(0.0, t - float(special.ndtri(CAUTION)))
    if special.stdtr(df, t) <= CAUTION:
        return 0.0
    low, high = 0.0, t
    for _ in range(60):
        middle = 0.5 * (low + high)
        above = 1.0 - float(special.nctdtr(df, middle, t))
        low, high = (middle, high) if above < 1.0 - CAUTION else (low, middle)
    return 0.5 * (low + high)


# From folds of one data set, from items, and from curves.


def from_folds(
    first: Any, second: Any, *, test_fraction: float | None = None, power: float = 0.8, **options: Any
) -> PilotPlan:
    """Plan replications (or random splits, with their share of test data) for the corrected t test.

    ``first`` and ``second`` are losses (replications, folds) of one data set, or (splits,) with ``test_fraction``.

    Examples
    --------
    >>> from_folds([[.31, .30, .33, .29, .31]], [[.29, .28, .29, .28, .28]]).needed.n
    2.0
    """
    where = "power from folds"
    axes = 2 if test_fraction is None else 1
    pair = paired(first, second, where=where, axes=axes)
    if pair.difference.ndim != axes or pair.difference.size < 3:
        raise InputError(f"the pilot has the shape {pair.difference.shape}.", where, "give (replications, folds).")
    if test_fraction is None and pair.difference.shape[1] == 1:
        raise InputError(
            "replications of 1 fold look like random splits, whose share of test data is not known.",
            where,
            "give test_fraction, and the splits in one row.",
        )
    values = pair.difference.reshape(-1)
    mean, spread = _spread(values, where)
    if test_fraction is None:
        folds = pair.difference.shape[1]
        ratio, sizes = 1.0 / (folds - 1.0), {"folds": folds}
    else:
        share = level_inside(test_fraction, name="test_fraction", where=where)
        ratio, sizes = share / (1.0 - share), {"test_fraction": share}
    t = mean / spread / np.sqrt(1.0 / len(values) + ratio)
    n, effect = len(values), mean / spread
    return planned("corrected-t", n, mean, spread, effect, float(t), n - 1.0, power=power, **sizes, **options)


def from_items(
    first: Any, second: Any, *, test: str = "mcnemar-mid-p", power: float = 0.8, **options: Any
) -> PilotPlan:
    """Plan items for McNemar's test from 0/1 losses on the same items.

    Examples
    --------
    >>> from_items([1, 1, 1, 0, 1, 0, 1, 1] * 4, [0, 1, 0, 0, 1, 1, 0, 1] * 4).needed.n
    61.0
    """
    where = "power from items"
    difference = paired(first, second, where=where, at_least=3).difference
    if difference.ndim != 1:
        raise InputError(f"the pilot has the shape {difference.shape}.", where, "give one loss per item.")
    apart = float((difference != 0).mean())
    mean, spread = _spread(difference, where)
    n, sure = len(difference), mean / spread * np.sqrt(len(difference))
    asked = {"power": power, "most": 200_000, "disagreement": apart, **options}
    return planned(test, n, mean, spread, mean, sure, np.inf, **asked)


def from_curves(first: Any, second: Any, *, power: float = 0.8, **options: Any) -> PilotPlan:
    """Plan curves per learner for the randomized t test, drawing the pilot's curves (runs, points) again.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> low, high = rng.normal(0, 1, (6, 1)) + np.zeros((6, 3)), rng.normal(2, 1, (6, 1)) + np.zeros((6, 3))
    >>> from_curves(low, high, runs=200).needed.unit
    'curves per learner'
    """
    where = "power from curves"
    one, two = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if one.ndim != 2 or two.ndim != 2 or min(len(one), len(two)) < 2:
        raise InputError(
            f"the pilot has the shapes {one.shape} and {two.shape}.", where, "give (curves, points), two or more each."
        )
    df = len(one) + len(two) - 2.0
    level = [side.mean(axis=1) for side in (one, two)]
    pooled = np.sqrt(sum(float(np.square(side - side.mean()).sum()) for side in level) / df)
    points = np.sqrt(sum(float(np.square(side - side.mean(axis=0)).sum()) for side in (one, two)) / df / one.shape[1])
    if not (pooled > 0 and points > 0):
        raise InputError("the pilot's curves do not vary.", where, "give curves that vary.")
    difference = float(level[0].mean() - level[1].mean())
    t = difference / pooled / np.sqrt(1.0 / len(one) + 1.0 / len(two))
    size = min(len(one), len(two))
    asked = {"power": power, "most": 500, "pilot": (one, two), **options}
    return planned("randomized-t", size, difference, float(points), difference / float(points), float(t), df, **asked)


def _spread(values: Any, where: str) -> tuple[float, float]:
    mean, spread = float(values.mean()), float(values.std(ddof=1))
    if spread <= 1e-12 * max(abs(mean), 1e-300):
        raise InputError("the pilot's differences do not vary.", where, "collect more results, or more digits.")
    return mean, spread
