"""Planning from results that exist: the effect they show, how sure that is, and how many are needed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import numbers
from bestofk.core.errors import InputError
from bestofk.core.options import level_inside
from bestofk.core.record import Record
from bestofk.stats.method import method_of
from bestofk.stats.overlap import fold_spread
from bestofk.stats.pair import paired
from bestofk.stats.pairwise import PAIRWISE, stratified_t
from bestofk.stats.pairwise.sign_test import SignResult
from bestofk.stats.pairwise.welch import welch_from
from bestofk.stats.pairwise.wilcoxon import WilcoxonResult
from bestofk.stats.power.question import SampleSize
from bestofk.stats.power.sample_size import power_method, sample_size
from bestofk.stats.power.simulation import Pilot
from bestofk.stats.results import Result

#: The cautious effect is the lower end of the one-sided interval at this level (Perugini, Gallucci, Costantini 2014).
CAUTION = 0.8
#: Fewer differences are not drawn again: they know of no others, and promise too much (docs/howto/power.md).
FEWEST_DRAWN = 8


def tests_of_values() -> tuple[str, ...]:
    """Tests of one paired value per data set: their effect is the same standardised difference."""
    return tuple(name for name, test in PAIRWISE.items() if method_of(test).design == "values")


class PilotPlan(Record):
    """What a pilot says: ``effect`` in standard deviations, ``difference`` in units of loss, and the sizes they need.

    Both are of what the test is about: the mean, or of ranks and signs the typical difference, and the effect of normal
    differences with as many ranks or signs. An effect is a size, from 0 up; ``turned`` says that the second loses more,
    and power is the chance to find that. ``cautious`` is the lower 80 % limit of the effect: pilots that look good are
    often lucky, and a size planned with the effect itself is too small half the time. It is 0 where the limit has the
    other sign; then the pilot does not show which of the two is better, and nothing can be planned with it. ``share``
    is what the sign test's number rests on: how many of the pilot's differences that are not 0 have the sign that is
    planned for. ``normal`` says that differences were too few to be drawn again, and taken for normal.
    """

    test: str
    pilot_size: int
    difference: float
    spread: float
    effect: float
    cautious: float
    needed: SampleSize
    needed_cautious: SampleSize | None
    turned: bool = False
    share: float | None = None
    normal: bool = False

    def __repr__(self) -> str:
        shown = f"{self.needed!r}{self._drawn()}"
        if self.needed_cautious is None:
            return (
                f"a pilot of {self.pilot_size} does not show which is better, so that nothing can be planned with it; "
                f"were the effect {self.effect:.3g} as in the pilot: {shown}"
            )
        cautious = f"; with the cautious effect {self.cautious:.3g}: {self.needed_cautious.number}"
        return f"pilot of {self.pilot_size}: effect {self.effect:.3g}; {shown}{cautious}"

    def _drawn(self) -> str:
        """What else than the effect says how many are needed: the pilot's own differences."""
        if self.normal:
            return ", for normal differences: the pilot has too few to draw them again"
        if self.share is None:
            return ""
        return (
            f", for the sign test counts wins: {100 * self.share:.3g} % of the pilot's differences that are not 0 have "
            "the same sign"
        )


def from_pilot(
    first: Any,
    second: Any,
    *,
    test: str = "paired-t",
    power: float = 0.8,
    one_sided: bool = False,
    most: int | None = None,
    **options: Any,
) -> PilotPlan:
    """Plan the number of data sets from paired losses on a few of them.

    The t test has its formula, the sign test counts the pilot's differences that are positive, and every other test is
    simulated by drawing them again; fewer than 8 are not drawn again but taken for normal.

    Parameters
    ----------
    first, second : array_like, (n,)
        Losses on n data sets.
    test : str
        A pairwise test of values: ``paired-t``, ``wilcoxon``, ``sign``, ``permutation-t`` …
    power : float
        Chance to find a difference in the pilot's direction.
    one_sided : bool
        Ask for that direction alone.
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
    typical, effect = mean, mean / spread
    t, df = effect * np.sqrt(len(difference)), len(difference) - 1.0
    found = PAIRWISE[test](first, second)
    if hasattr(found, "typical_interval"):  # which need not go with the mean
        typical, df = float(found.typical_interval()[0]), np.inf
        t = float(found.side * -special.ndtri(max(0.5 * float(found.pvalue), 1e-300)))
        effect = _normal_effect(found, t / np.sqrt(len(difference)))
    few = test != "paired-t" and len(difference) < FEWEST_DRAWN
    if test != "paired-t" and not few:
        drawn = Pilot(np.where(pair.is_zero(difference), 0.0, difference), where=where, own=effect)
        options = {"model": drawn, **options}
    options = _towards(effect, test, one_sided, options)
    plan = planned(test, len(difference), typical, spread, effect, t, df, power=power, most=most, **options)
    if test != "sign" or few:
        return replace(plan, normal=few)
    towards = (difference[~pair.is_zero(difference)] > 0) != plan.turned
    return replace(plan, share=float(towards.mean()))


def _normal_effect(found: Result, seen: float) -> float:
    """The effect of normal differences that would have this share of the ranks, or of the signs, above 0.

    Of another test, the one that is ``seen`` as surely.
    """
    if not isinstance(found, WilcoxonResult | SignResult):
        return seen
    n = float(found.n)
    total = n if isinstance(found, SignResult) else 0.5 * n * (n + 1.0)
    share = float(np.clip(float(found.statistic) / total, 0.5 / total, 1.0 - 0.5 / total))
    score = float(special.ndtri(share))  # P[X > 0] is that of d, P[X + Y > 0] that of √2 d
    return score if isinstance(found, SignResult) else score / np.sqrt(2.0)


def _towards(effect: float, test: str, one_sided: bool, options: dict[str, Any]) -> dict[str, Any]:
    """Ask for the pilot's direction: of a two-sided test that is one side at half the level."""
    side = "greater" if effect > 0 else "less"
    if one_sided:
        return {**options, "alternative": side}
    if options.get("alternative", "two-sided") != "two-sided" or not method_of(PAIRWISE[test]).one_sided:
        return options
    return {**options, "alpha": options.get("alpha", 0.05) / 2.0, "alternative": side, "asked": "two-sided"}


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
    least: int = 1,
    asked: str | None = None,
    **options: Any,
) -> PilotPlan:
    """Plan with the effect that a pilot shows, and with a cautious one; t (df may be infinite) says how sure it is.

    ``asked`` is the alternative of the test where the options ask for the side of it that counts.
    """
    lower = _lower_limit(abs(t), df)
    cautious = effect * lower / abs(t) if lower > 0 else 0.0
    shown: dict[str, Any] = {} if asked is None else {"alternative": asked, "alpha": 2.0 * options["alpha"]}

    def needed(size: float) -> SampleSize:
        found = sample_size(test, size, power=power, most=most, least=least, **options)
        return replace(found, **{**_upwards(found, size), **shown})

    careful = needed(cautious) if cautious else None
    return PilotPlan(test, size, difference, spread, abs(effect), abs(cautious), needed(effect), careful, effect < 0)


def _upwards(found: SampleSize, effect: float) -> dict[str, Any]:
    """The same of an effect above 0."""
    turned = {"less": "greater", "greater": "less"} if effect < 0 else {}
    return {"effect": abs(effect), "alternative": turned.get(found.alternative, found.alternative)}


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


# From folds of one data set, from items, from runs, and from curves.


def from_folds(
    first: Any,
    second: Any,
    *,
    test: str = "corrected-t",
    test_fraction: float | None = None,
    power: float = 0.8,
    **options: Any,
) -> PilotPlan:
    """Plan replications (or random splits, with their share of test data) for a corrected t test.

    ``first`` and ``second`` are losses (replications, folds) of one data set, or (splits,) with ``test_fraction``;
    ``test`` is ``corrected-t`` or ``repeated-cv-t``. With an axis of several data sets in front the plan is for the
    stratified t test, and replications are counted per data set.

    Examples
    --------
    >>> from_folds([[.31, .30, .33, .29, .31]], [[.29, .28, .29, .28, .28]]).needed.n
    2.0
    """
    where = "power from folds"
    axes = 2 if test_fraction is None else 1
    pair = paired(first, second, where=where, axes=axes)
    several = pair.difference.ndim == axes + 1 and len(pair.difference) > 1
    if not (several or pair.difference.ndim == axes) or pair.difference.size < 3:
        raise InputError(f"the pilot has the shape {pair.difference.shape}.", where, "give (replications, folds).")
    if test_fraction is None and pair.difference.shape[-1] == 1:
        raise InputError(
            "replications of 1 fold look like random splits, whose share of test data is not known.",
            where,
            "give test_fraction, and the splits in one row.",
        )
    if test_fraction is None:
        sizes: dict[str, Any] = {"folds": pair.difference.shape[-1]}
    else:
        sizes = {"test_fraction": level_inside(test_fraction, name="test_fraction", where=where)}
    values = pair.difference.reshape(*pair.difference.shape[:1] * several, -1)
    n, number = values.shape[-1], len(values) if several else 1
    spreads = np.atleast_1d(values.std(axis=-1, ddof=1))
    mean, spread = float(values.mean()), float(np.sqrt(np.mean(spreads**2)))
    _refuse_constant(mean, spread, where)
    replications = pair.difference.shape[-axes]
    error = spread * np.sqrt(float(fold_spread(replications, **sizes).of_mean) / number)
    df = (n - 1.0) * float(np.sum(spreads**2) ** 2 / np.sum(spreads**4))
    asked = {"power": power, **sizes, **options}
    if several:
        test, asked = "stratified-t", {**asked, "within": test, "spreads": spreads / spread}
    return planned(test, n, mean, spread, mean / spread, mean / error, df, **asked)


def from_items(first: Any, second: Any, *, test: str = "mcnemar-auto", power: float = 0.8, **options: Any) -> PilotPlan:
    """Plan items for McNemar's test from 0/1 losses on the same items.

    Examples
    --------
    >>> from_items([1, 1, 1, 0, 1, 0, 1, 1] * 4, [0, 1, 0, 0, 1, 1, 0, 1] * 4).needed.n
    62.0
    """
    where = "power from items"
    difference = paired(first, second, where=where, at_least=3).difference
    if difference.ndim != 1:
        raise InputError(f"the pilot has the shape {difference.shape}.", where, "give one loss per item.")
    apart = float((difference != 0).mean())
    mean, spread = float(difference.mean()), float(difference.std(ddof=1))
    _refuse_constant(mean, spread, where)
    n, sure = len(difference), mean / spread * np.sqrt(len(difference))
    asked = {"power": power, "most": 200_000, "disagreement": apart, **options}
    return planned(test, n, mean, spread, mean, sure, np.inf, **asked)


def from_runs(first: Any, second: Any, *, test: str | None = None, power: float = 0.8, **options: Any) -> PilotPlan:
    """Plan runs per learner for Welch's test, from independent runs (l₁,) and (l₂,) with spreads like theirs.

    Runs of several tasks are (tasks, l₁) and (tasks, l₂): the test is the stratified one, of the mean difference over
    these tasks, and runs are counted per learner and task.

    Examples
    --------
    >>> from_runs([.21, .25, .22, .24], [.18, .20, .19]).needed.n
    4.0
    """
    where = "power from runs"
    one, two = (np.atleast_2d(numbers(each, name=name, where=where))
                for each, name in ((first, "first"), (second, "second")))  # fmt: skip
    if one.ndim != 2 or two.ndim != 2 or len(one) != len(two) or min(one.shape[1], two.shape[1]) < 2:
        raise InputError(
            f"the pilot has the shapes {one.shape} and {two.shape}.", where, "give two runs or more of each learner."
        )
    means, variances, sizes = (
        np.array([[moment(runs) for runs in each] for each in (one, two)]) for moment in (np.mean, _variance, np.size)
    )
    return runs_planned(means, variances, sizes, test=test, power=power, **options)


def _variance(runs: Any) -> float:
    return float(np.var(runs, ddof=1))


def runs_planned(
    means: Any,
    variances: Any,
    sizes: Any,
    *,
    divisor_df: Any = None,
    test: str | None = None,
    power: float = 0.8,
    **options: Any,
) -> PilotPlan:
    """The same from means, sample variances and numbers of runs (2, tasks) of two learners.

    ``divisor_df`` as for the stratified t test.
    """
    tasks = means.shape[1]
    found = welch_from(tuple(means), tuple(variances), tuple(sizes))
    pooled = stratified_t(found, divisor_df=divisor_df) if tasks > 1 else found
    moments = pooled.estimate, pooled.standard_error, pooled.df[0]
    difference, error, df = (float(np.ravel(each)[0]) for each in moments)
    typical = float(np.sqrt(np.mean(variances)))
    if typical <= 1e-12 * max(float(np.abs(means).max()), 1e-300):  # means of equal numbers are rounded
        raise InputError("the pilot's runs do not vary.", "power from runs", "collect more results, or more digits.")
    spreads = np.maximum(np.sqrt(variances) / typical, 1e-6)  # one learner may always end the same
    asked: dict[str, Any] = {"power": power, "most": 100_000, **options}
    asked["spreads"] = spreads if tasks > 1 else tuple(spreads[:, 0].tolist())
    if divisor_df is not None:
        asked["differences"] = np.where(np.isinf(divisor_df), 0.0, found.estimate) / typical
        asked["learners"] = np.where(np.isinf(divisor_df), 2.0, divisor_df) / (sizes.mean(axis=0) - 1.0)
    test = test or ("stratified-t" if tasks > 1 else "welch-t")
    return planned(test, int(sizes.min()), difference, typical, difference / typical, difference / error, df, **asked)


def renamed(plan: PilotPlan, unit: str) -> PilotPlan:
    """The same plan of results that are called something else."""
    careful = None if plan.needed_cautious is None else replace(plan.needed_cautious, unit=unit)
    return replace(plan, needed=replace(plan.needed, unit=unit), needed_cautious=careful)


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


def _refuse_constant(mean: float, spread: float, where: str) -> None:
    if spread <= 1e-12 * max(abs(mean), 1e-300):
        raise InputError("the pilot's differences do not vary.", where, "collect more results, or more digits.")
