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

    A difference without variance has p = 0; among many pairs of rounded results some are so by chance. ``rarest`` is
    the two-sided p value of its signs, or of how runs are dealt.
    """

    standard_error: Numeric
    rarest: Numeric = field(default=0.0, kw_only=True, repr=False)

    symbol: ClassVar[str] = "t"

    def confidence_interval(self, level: Any = 0.95) -> Interval:
        r"""Return the interval of differences that the test would not reject at ``1 - level``; one level or one each.

        .. math:: \hat d \pm t_{1 - \alpha/2}\, e

        with the difference of mean losses, the quantile of Student's distribution with the test's degrees of freedom,
        and the standard error e: what the difference is divided by in the test's t.
        """
        level = levels_inside(level, where=f"{self.test}, confidence_interval")
        tail = alpha_of(level, self.alternative) / 2.0
        return around(self.estimate, t_upper(tail, self.df[0]) * self.standard_error, self.alternative, level)

    @property
    def careful_pvalue(self) -> Array:
        """The p value, of a difference without variance ``rarest``, on one side half of it, in place of 0."""
        least = np.asarray(self.rarest) * (1.0 if self.alternative == "two-sided" else 0.5)
        return np.where(np.isinf(self.statistic), np.maximum(self.pvalue, least), self.pvalue)


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
        return np.zeros(np.shape(result.statistic), dtype=bool)
    error = np.asarray(getattr(result, "standard_error", 1.0))  # a test of ranks has none in units of loss
    constant = (error == 0.0) & (np.asarray(result.estimate) != 0.0)
    return np.asarray(np.isnan(error) | too_few(result.df[0], constant, runs))


def mean_over_error(
    mean: Array, standard_error: Array, df: float, alternative: str, pair: Pair, constant: Flags
) -> tuple[Array, Array, Array]:
    """Return statistic, p value and standard error (exactly 0 where the differences are constant)."""
    error = np.where(constant, 0.0, standard_error)
    t = ratio(mean, error, no_effect=lambda: pair.is_zero_per_test(mean), no_spread=constant)
    return t, t_tail(t, df, alternative), error


def spread(values: Array, pair: Pair) -> tuple[Array, Array, Flags]:
    """Return mean, sample variance and whether all values are equal up to rounding, along the last axis."""
    n = values.shape[-1]
    mean = row_sums(values) / n
    deviation = values - mean[..., None]
    squares = row_squares(deviation)
    return mean, squares / (n - 1), pair.are_zeros(deviation, squares)
