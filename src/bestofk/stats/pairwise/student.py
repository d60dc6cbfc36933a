"""What the t tests share: mean over standard error, and the interval that goes with it."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.stats.distributions import ratio, t_tail, t_upper
from bestofk.stats.pair import Pair, row_squares, row_sums
from bestofk.stats.results import Interval, Numeric, Result, alpha_of, around, levels_inside

#: Fewer degrees of freedom show nothing, nor fewer runs of a learner, nor a difference without any variance on fewer
#: units: rounded scores of equal learners often have the same difference two or three times.
FEWEST_DF, FEWEST_RUNS, FEWEST_WITHOUT_VARIANCE = 3.0, 3.0, 6.0


class StudentResult(Result):
    """Result of a t test whose statistic is ``estimate / standard_error``.

    ``rarest`` is the p value of a difference without variance: that of its signs, or of how runs are dealt.
    """

    standard_error: Numeric
    rarest: Numeric = field(default=0.0, kw_only=True, repr=False)

    symbol: ClassVar[str] = "t"

    def confidence_interval(self, level: Any = 0.95) -> Interval:
        """Return the interval of differences that the test would not reject at ``1 - level``; one level or one each."""
        level = levels_inside(level, where=f"{self.test}, confidence_interval")
        alpha = alpha_of(level, self.alternative)
        half = t_upper(alpha / 2.0, self.df[0]) * self.standard_error
        return around(self.estimate, np.where(self.unbounded(alpha), np.inf, half), self.alternative, level)

    def unbounded(self, alpha: Any) -> Flags:
        """Whether a difference without variance excludes no other at this two-sided level."""
        return np.asarray(np.isinf(self.statistic) & (np.asarray(self.rarest) > alpha))


def student_tail(t: Any, df: Any, alternative: str, rarest: Any) -> Array:
    """Return the p value of Student's t, of an infinite one the two-sided ``rarest``, or half of it.

    Examples
    --------
    >>> student_tail([2.0, np.inf, -np.inf], 5.0, "greater", 2.0**-5).round(3).tolist()
    [0.051, 0.016, 1.0]
    """
    pvalue = t_tail(t, df, alternative)
    certain = np.isinf(t)
    if not certain.any():
        return pvalue
    least = np.asarray(rarest) * (1.0 if alternative == "two-sided" else 0.5)
    return np.where(certain, np.maximum(pvalue, least), pvalue)


def of_signs(df: Any) -> Array:
    """The two-sided p value of units, one more than degrees of freedom, that all have the same sign."""
    return np.asarray(np.exp2(-np.asarray(df, dtype=float)))


def too_few(df: Any, without_variance: Any, runs: Any = None) -> Flags:
    """Whether Student's distribution is no guide: with so many degrees of freedom, or runs of the learner with fewer.

    With two runs of one learner Welch's test rejects in up to 12 % of cases, however many the other has.
    """
    units = np.asarray(df) + 1.0 if runs is None else np.asarray(runs)
    few = (np.asarray(df) < FEWEST_DF) | (runs is not None and units < FEWEST_RUNS)
    return np.asarray(few | (np.asarray(without_variance) & (units < FEWEST_WITHOUT_VARIANCE)))


def untested(result: Result, runs: Any = None) -> Flags:
    """Whether a result of Student's distribution shows nothing: too few degrees of freedom or runs, or no variance.

    ``runs`` is the smaller number of runs of two learners, where units are not paired.
    """
    if not result.of_student:
        return np.zeros(np.shape(result.pvalue), dtype=bool)
    error = np.asarray(getattr(result, "standard_error", 1.0))  # a test of ranks has none in units of loss
    constant = (error == 0.0) & (np.asarray(result.estimate) != 0.0)
    return np.asarray(np.isnan(error) | too_few(result.df[0], constant, runs))


def mean_over_error(
    mean: Array, standard_error: Array, df: float, alternative: str, pair: Pair, constant: Flags, rarest: Any = 0.0
) -> tuple[Array, Array, Array]:
    """Return statistic, p value and standard error (exactly 0 where the differences are constant)."""
    error = np.where(constant, 0.0, standard_error)
    t = ratio(mean, error, no_effect=lambda: pair.is_zero_per_test(mean), no_spread=constant)
    return t, student_tail(t, df, alternative, rarest), error


def spread(values: Array, pair: Pair) -> tuple[Array, Array, Flags]:
    """Return mean, sample variance and whether all values are equal up to rounding, along the last axis."""
    n = values.shape[-1]
    mean = row_sums(values) / n
    deviation = values - mean[..., None]
    squares = row_squares(deviation)
    return mean, squares / (n - 1), pair.are_zeros(deviation, squares)
