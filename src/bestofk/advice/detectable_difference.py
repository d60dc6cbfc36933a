"""What a comparison could have seen: the smallest difference of every pair that is found with a given chance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from bestofk.comparing import Comparison, Sample
from bestofk.comparing.pair_tests import MOST_VALUES
from bestofk.core import special
from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.core.phrases import plural
from bestofk.stats import power as planning
from bestofk.stats.distributions import normal_critical
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.pairwise.student import FEWEST_DF
from bestofk.stats.power.formulas import fold_error, runs_power, t_noncentrality, t_power
from bestofk.stats.power.sample_size import power_method

#: From so many runs of every learner on every data set on, no pair has too few degrees of freedom.
DF_ENOUGH_FROM = FEWEST_DF + 1.0
#: Of fewer, shares of the variance that power is averaged over, standard errors that are looked at, and halvings.
SHARES, FARTHEST, HALVINGS = 128, 256, 16
#: With so many items in disagreement the normal form of McNemar's power is within a few percent.
MANY_APART = 60

Places = Any
#: The level of a pair, and its alternative.
At = tuple[float, str]


@frozen(eq=False)
class Seeing:
    """How differences of each pair relate to power: of ``n`` ``unit`` by ``test`` at ``level``.

    ``side`` is the alternative: "two-sided", or "greater" where one side is asked about. ``spread`` is that of one
    difference, in units of loss; a pair without any has no power to speak of. Differences beyond what is ``possible``
    of a pair are not spoken of.
    """

    test: str
    n: int
    unit: str
    level: float
    side: str
    spread: Array
    possible: Array | None = field(default=None, kw_only=True)

    def smallest(self, wanted: float, places: Iterable[int] | None = None) -> Array:
        """The smallest difference seen with the chance ``wanted``, per pair; infinite where none is."""
        every = np.arange(len(self.spread)) if places is None else np.array(list(places), dtype=int)
        found = self._all_seen(every, wanted)
        return found if self.possible is None else np.where(found > self.possible[every], np.inf, found)

    def power(self, difference: float, pair: int) -> float:
        """The chance to see a difference of a pair; certain where the pair has no spread."""
        return self._power(abs(difference), pair) if self.spread[pair] > 0 else 1.0

    def _all_seen(self, pairs: Places, wanted: float) -> Array:
        return np.array([self._seen(int(i), wanted) if self.spread[i] > 0 else 0.0 for i in pairs])

    def _seen(self, pair: int, wanted: float) -> float:
        return np.inf

    def _power(self, size: float, pair: int) -> float:
        return 0.0


@frozen(eq=False)
class ByStudent(Seeing):
    """A t statistic: ``error`` is the standard error of the mean difference, which the test takes for ``wider``."""

    error: Array
    df: Array
    wider: float = 1.0
    test_df: Array | None = None

    def _entered(self, pair: int) -> dict[str, Any]:
        """How the test's table is entered."""
        return {"wider": self.wider, "test_df": None if self.test_df is None else float(self.test_df[pair])}

    def _seen(self, pair: int, wanted: float) -> float:
        df = float(self.df[pair])
        return float(self.error[pair]) * t_noncentrality(wanted, df, self.level, self.side, **self._entered(pair))

    def _power(self, size: float, pair: int) -> float:
        centre, df = size / float(self.error[pair]), float(self.df[pair])
        return float(t_power(centre, df, self.level, self.side, **self._entered(pair)))


@frozen(eq=False)
class ByRuns(Seeing):
    """Welch's degrees of freedom of so few runs that they are often too few to show anything.

    ``variances`` of one run and ``sizes`` are (pairs, parts) of the mean difference.
    """

    variances: Array
    sizes: Array

    def _all_seen(self, pairs: Places, wanted: float) -> Array:
        error = np.sqrt((self.variances / self.sizes)[pairs].sum(axis=1))
        low, high = np.zeros(len(pairs)), np.full(len(pairs), float(FARTHEST))
        never = self._reached(high * error, pairs) < wanted
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            enough = self._reached(middle * error, pairs) >= wanted
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return np.where(self.spread[pairs] > 0, np.where(never, np.inf, high * error), 0.0)

    def _power(self, size: float, pair: int) -> float:
        return float(self._reached(np.array([size]), np.array([pair]))[0])

    def _reached(self, sizes: Array, pairs: Places) -> Array:
        variances = np.where(self.spread[pairs, None] > 0, self.variances[pairs], 1.0)
        return runs_power(sizes, variances, self.sizes[pairs], self.level, self.side, shares=SHARES)


@frozen(eq=False)
class ByEffect(Seeing):
    """A test whose power is asked for in units of the spread, by enumeration, or by simulation once for all pairs."""

    options: tuple[tuple[str, Any], ...] = ()

    @property
    def _asked(self) -> tuple[tuple[str, Any], ...]:
        return self.options if self.side == "two-sided" else (*self.options, ("alternative", self.side))

    def _seen(self, pair: int, wanted: float) -> float:
        return float(self.spread[pair]) * _detectable(self.test, self.n, wanted, self.level, self._asked)

    def _power(self, size: float, pair: int) -> float:
        effect = size / float(self.spread[pair])
        if not power_method(self.test).simulated:
            return float(planning.power(self.test, effect, self.n, alpha=self.level, **dict(self._asked)).power)
        # The power of a simulated test grows as that of a t test that sees the same difference with 0.8.
        seen, df = _detectable(self.test, self.n, 0.8, self.level, self._asked), max(1.0, self.n - 1.0)
        centre = effect / seen * t_noncentrality(0.8, df, self.level, self.side)
        return float(t_power(centre, df, self.level, self.side))


@frozen(eq=False)
class ByItems(Seeing):
    """McNemar's test: ``disagreement`` is the share of items that exactly one of a pair gets wrong."""

    disagreement: Array

    def _seen(self, pair: int, wanted: float) -> float:
        return _items_seen(self.test, self.n, float(self.disagreement[pair]), wanted, self.level, self.side)

    def _power(self, size: float, pair: int) -> float:
        apart = min(1.0, max(float(self.disagreement[pair]), size))  # no less than the difference
        asked: dict[str, Any] = {"alpha": self.level, "alternative": self.side, "disagreement": apart}
        return float(planning.power(self.test, size, self.n, **asked).power)


def seeing(sample: Sample, comparison: Comparison, *, level: float | None = None) -> Seeing | None:
    """Say how the power of a comparison is found; None where it is not known, or differences have no size.

    Without ``level`` it is that of one pair if all m pairs share alpha equally: what Bonferroni takes, and the least
    that step-down adjustments take; see ``beside_others`` for those that step up.
    """
    if sample.incomplete or not comparison.sized or sample.joint:
        return None
    alone = comparison.adjust in ("none", "nemenyi")
    if level is None:
        level = comparison.alpha * (1.0 if alone else comparison.alpha_share / len(comparison.pairs))
    first, second = comparison.places
    at = level, "two-sided" if comparison.sides == "two" else "greater"
    found = _of(sample, comparison, first, second, at)
    if found is None:
        return None
    if comparison.smallest <= level:
        return replace(found, possible=_possible(comparison, first, second))
    return Seeing(found.test, found.n, found.unit, *at, found.spread)  # no outcome reaches the level


def _possible(comparison: Comparison, first: Places, second: Places) -> Array | None:
    """The largest difference of every pair, one of the two staying where it is; None of measures without bounds.

    The mean of values between 0 and 1 whose variance is s² has at least s² = m(1 − m): runs that vary much, as those do
    of which one failed, cannot have a mean near an end.
    """
    sample, top = comparison.sample, comparison.rate_range
    if sample.scale != "difference" or top is None:
        return None
    means = np.array([comparison.means[name] for name in comparison.learners])
    of_runs = bool(sample.runs) and not sample.datasets
    variance = np.array([each.var() for each in sample.runs]) if of_runs else np.zeros(len(means))
    reach = np.sqrt(np.maximum(0.25 * top**2 - variance, 0.0))
    ends = np.stack([0.5 * top - reach, 0.5 * top + reach])
    moved = (np.abs(means[i] - ends[:, j]).max(axis=0) for i, j in ((first, second), (second, first)))
    return np.asarray(np.maximum(*moved))


def _of(sample: Sample, comparison: Comparison, first: Places, second: Places, at: At) -> Seeing | None:
    test = comparison.test
    if test == "stratified-t":
        return _of_strata(sample, first, second, at)
    if sample.runs and not sample.paired and not sample.datasets:
        return _of_runs(sample, test, first, second, at)
    n = sample.rows.shape[1]
    spread, disagreement = _differences(sample.rows, first, second)
    unit = _unit(sample)
    if test.startswith("mcnemar"):
        return ByItems(test, n, unit, *at, spread, disagreement)
    usual = spread * usual_factor(n - 1.0)
    if sample.kind == "folds":
        return _of_folds(sample, test, usual, at)
    if test != "nemenyi" and (test not in PAIRWISE or method_of(PAIRWISE[test]).design != "values"):
        return None
    known = power_method(test)
    if n >= known.as_t_from:
        error = usual * np.sqrt(known.as_t_variance / n)
        return ByStudent(test, n, unit, *at, usual, error, np.full(len(usual), n - 1.0))
    options: tuple[tuple[str, Any], ...] = (("runs", known.quick_runs),) if known.simulated else ()
    if test == "nemenyi":
        k = len(comparison.learners)
        runs = int(np.clip(1_000_000 // (n * k), 100, known.quick_runs))
        options = (("runs", runs), ("learners", k), ("control", comparison.control is not None))
    return ByEffect(test, n, unit, *at, usual, options)


def _of_folds(sample: Sample, test: str, spread: Array, at: At) -> Seeing | None:
    replications, folds = sample.replications_and_folds
    if test == "5x2cv-t":
        return ByEffect(test, 5, "replications of 2 folds", *at, spread)
    if test not in ("paired-t", "corrected-t", "repeated-cv-t", "calibrated-t") or sample.share is None:
        return None
    whole = sample.corrected_by is None
    values = replications * folds
    shape = (replications, folds) if whole else (values, 1)
    found = fold_error(test, *shape, test_fraction=sample.corrected_by)
    unit = f"replication{'' if replications == 1 else 's'} of {folds} folds" if whole else _unit(sample)
    error, df = spread * float(found.error), np.full(len(spread), values - 1.0)
    test_df = np.full(len(spread), float(found.test_df))
    return ByStudent(test, shape[0], unit, *at, spread, error, df, float(found.wider), test_df)


def _of_runs(sample: Sample, test: str, first: Places, second: Places, at: At) -> Seeing | None:
    """Independent runs of each learner, by Welch's statistic; of curves by their means."""
    sizes = np.array([len(each) for each in sample.runs], dtype=float)
    if sizes.min() < 2 or test not in ("welch-t", "welch-permutation", "randomized-t"):
        return None
    variance = np.array([each.var(ddof=1) for each in sample.runs]) * usual_factor(sizes - 1.0) ** 2
    one, numbers = (np.stack([each[first], each[second]], axis=-1) for each in (variance, sizes))
    fewest, unit, spread = int(sizes.min()), f"{sample.kind} per learner", np.sqrt(one.mean(axis=1))
    if test == "welch-t" and fewest < DF_ENOUGH_FROM:
        return ByRuns(test, fewest, unit, *at, spread, one, numbers)
    error, df = np.sqrt((one / numbers).sum(axis=1)), satterthwaite(one / numbers, numbers - 1.0)
    return ByStudent(test, fewest, unit, *at, spread, error, df)


def _of_strata(sample: Sample, first: Places, second: Places, at: At) -> Seeing | None:
    """Folds or runs of several data sets, whose mean differences are averaged: with Satterthwaite's df of each pair."""
    wider = 1.0
    if sample.replicates is None:
        _, variances, sizes = sample.runs_by_block()
        of_runs, numbers = (np.concatenate([each[first], each[second]], axis=1) for each in (variances, sizes))
        each = (variances / sizes)[first] + (variances / sizes)[second]
        one = 0.5 * (variances[first] + variances[second])
        df = test_df = satterthwaite(of_runs / numbers, numbers - 1.0)
    else:
        shape = sample.replicates.shape[2:]
        values = int(np.prod(shape))
        difference = (sample.replicates[first] - sample.replicates[second]).reshape(len(first), -1, values)
        one = difference.var(axis=-1, ddof=1)
        folds = shape if sample.corrected_by is None else (values, 1)
        found = fold_error(sample.fold_test, *folds, test_fraction=sample.corrected_by)
        each, wider = one * float(found.error) ** 2, float(found.wider)
        df, test_df = satterthwaite(each, values - 1.0), satterthwaite(each, float(found.test_df))
    usual, number = usual_factor(df), each.shape[1]
    error, spread = usual * np.sqrt(each.sum(axis=1)) / number, usual * np.sqrt(one.mean(axis=1))
    if sample.replicates is None and numbers.min() < DF_ENOUGH_FROM:
        scaled = np.square(usual)[:, None] * of_runs / number**2
        return ByRuns("stratified-t", number, "data sets", *at, spread, scaled, numbers)
    return ByStudent("stratified-t", number, "data sets", *at, spread, error, df, wider, test_df)


def satterthwaite(parts: Array, df: Any) -> Array:
    """Degrees of freedom of a sum of variances (..., parts) that have so many each; all of them where there is none.

    Examples
    --------
    >>> satterthwaite(np.array([[1.0, 1.0], [5.0, 0.0]]), 4.0).tolist()
    [8.0, 4.0]
    """
    whole, none = np.square(parts.sum(axis=-1)), parts.sum(axis=-1) == 0
    spread = np.where(none, 1.0, (np.square(parts) / df).sum(axis=-1))
    return np.asarray(np.where(none, np.broadcast_to(df, parts.shape).sum(axis=-1), whole / spread))


def _differences(rows: Array, first: Places, second: Places) -> tuple[Array, Array]:
    """Standard deviation of the differences of every pair, and the share of them that are not 0; some pairs at once."""
    spread, apart = np.zeros((2, len(first)))
    step = max(1, MOST_VALUES // rows.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        difference = rows[first[part]] - rows[second[part]]
        apart[part] = (difference != 0).mean(axis=1)
        if rows.shape[1] > 1:
            spread[part] = difference.std(axis=1, ddof=1)
    return spread, apart


def usual_factor(df: Any) -> Any:
    """By how much a sample's standard deviation must grow to be too small as often as too large."""
    df = np.maximum(np.asarray(df, dtype=float), 1.0)
    return np.sqrt(df / (2.0 * special.gammaincinv(0.5 * df, 0.5)))


def beside_others(found: Seeing, comparison: Comparison) -> bool:
    """Whether pairs that are never seen by themselves, however different, can be shown beside others as clear."""
    if len(comparison.pairs) == 1 or comparison.adjust == "none" or isinstance(found, ByItems):
        return False
    return comparison.adjusted_at_best(comparison.smallest) <= comparison.alpha


def _unit(sample: Sample) -> str:
    if sample.kind == "folds":
        return "random splits" if sample.test_fraction is not None and not sample.divided else "folds"
    return "data sets" if sample.datasets or sample.kind == "datasets" else plural(sample.unit)


@lru_cache(maxsize=256)
def _detectable(test: str, n: int, wanted: float, level: float, options: tuple[tuple[str, Any], ...]) -> float:
    return float(planning.detectable(test, n, power=wanted, alpha=level, **dict(options)).effect)


@lru_cache(maxsize=1024)
def _items_seen(test: str, n: int, disagreement: float, wanted: float, level: float, side: str = "two-sided") -> float:
    """The difference of error rates that McNemar's test sees; by the normal form where many items disagree."""
    if disagreement <= 0:
        return np.inf
    if n * disagreement < MANY_APART:
        asked: dict[str, Any] = {"disagreement": disagreement, "alpha": level, "alternative": side}
        return float(planning.detectable(test, n, power=wanted, **asked).effect)
    # Connor 1987: (δ√n − z√ψ)/√(ψ − δ²) is the normal score of the power; it grows with δ.
    reach, margin = normal_critical(level / 2.0 if side == "two-sided" else level), normal_critical(1.0 - wanted)
    low, high = 0.0, disagreement
    for _ in range(60):
        middle = 0.5 * (low + high)
        gap = middle * np.sqrt(n) - reach * np.sqrt(disagreement)
        low, high = (low, middle) if gap >= margin * np.sqrt(disagreement - middle**2) else (middle, high)
    return high
