"""How large is a difference, beside how sure: effect sizes of two learners' losses.

All of them say by their sign (``a12``: by its side of ½) who loses more: positive, or above ½, is the first.

==================  ============================================================================
``cohens_d``        paired: mean difference in standard deviations of the differences
``rank_biserial``   paired: from −1 to 1, the share of signed ranks that speaks for either side
``a12``             not paired: the chance that the first loses more, from 0 to 1
==================  ============================================================================
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, numbers, squarable
from bestofk.core.record import Record
from bestofk.stats.distributions import ratio
from bestofk.stats.pair import paired
from bestofk.stats.pairwise.student import spread
from bestofk.stats.pairwise.wilcoxon import signed_ranks
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Numeric
from bestofk.stats.shapes import common_batch, wrong_shape

__all__ = ["Effect", "a12", "cohens_d", "rank_biserial"]

#: Cells of a table of values by learner that is counted at once.
_MOST_COUNTS = 4_000_000


class Effect(Record):
    """An effect size: ``value`` above ``neutral`` says that the first loses more, below it that the second does."""

    name: str
    value: Numeric
    neutral: float

    def __repr__(self) -> str:
        if np.ndim(self.value):
            return f"{self.name}, batch of shape {np.shape(self.value)}"
        return f"{self.name} = {self.value:.4g} ({self._loser()})"

    def _loser(self) -> str:
        if self.value == self.neutral:
            return "neither loses more"
        return f"the {'first' if self.value > self.neutral else 'second'} loses more"


def cohens_d(first: Any, second: Any) -> Effect:
    r"""Cohen's d for pairs: the mean difference in standard deviations of the differences (d_z).

    .. math:: d_z = m / S, \qquad S^2 = \sum_i (p_i - m)^2 / (L - 1)

    Positive: the first loses more. The paired t is √L·d_z. Equal on every fold: 0; a constant difference: ±∞.

    Parameters
    ----------
    first, second : array_like, (..., L)
        Losses of the two learners on the same folds or data sets.

    References
    ----------
    Cohen, *Statistical Power Analysis for the Behavioral Sciences*, 1988, section 2.3.5. Lakens 2013 for the name d_z.

    Examples
    --------
    >>> cohens_d([.30, .32, .31, .35], [.28, .29, .31, .30])
    cohens-d = 1.201 (the first loses more)
    """
    pair = paired(first, second, where="cohens-d")
    mean, variance, constant = spread(pair.difference, pair)
    mean = np.where(pair.is_zero_per_test(mean), 0.0, mean)  # a last digit is none
    value = ratio(mean, np.sqrt(variance), no_effect=lambda: mean == 0.0, no_spread=constant)
    return Effect(name="cohens-d", value=value, neutral=0.0)


def rank_biserial(first: Any, second: Any) -> Effect:
    r"""Matched-pairs rank-biserial correlation: how one-sided are Wilcoxon's signed ranks?

    .. math:: r = \frac{W^+ - W^-}{W^+ + W^-}

    1 when the first loses more on every pair, −1 when the second does. Equal pairs are left out; 0 when all are equal.

    Parameters
    ----------
    first, second : array_like, (..., N)
        Losses of the two learners on the same data sets or folds.

    References
    ----------
    Kerby 2014, Comprehensive Psychology 3. King, Rosopa and Minium 2011.

    Examples
    --------
    >>> rank_biserial([3, 5, 8, 4, 9], [1, 4, 3, 4.5, 2])
    rank-biserial = 0.8667 (the first loses more)
    """
    pair = paired(first, second, where="rank-biserial")
    difference = np.where(pair.is_zero(pair.difference), 0.0, pair.difference)
    ranks, _, _ = signed_ranks(difference, "drop", pair.rounding)
    positive, negative = (np.where(side, ranks, 0.0).sum(axis=-1) for side in (difference > 0, difference < 0))
    total = positive + negative
    return Effect(name="rank-biserial", value=(positive - negative) / np.where(total > 0, total, 1.0), neutral=0.0)


def a12(first: Any, second: Any) -> Effect:
    r"""Vargha and Delaney's A₁₂: how likely is a loss of the first larger than a loss of the second?

    .. math:: A_{12} = \Pr[x > y] + \tfrac12 \Pr[x = y] = \left(R_1 - \tfrac{n(n+1)}{2}\right) / (nm)

    over all n·m cross pairs, from the rank sum R₁ of the first among all. Above ½: the first loses more. Nothing is
    paired: fold difficulty stays in. It is the area under a ROC curve, and Mann and Whitney's U over nm.

    Parameters
    ----------
    first, second : array_like, (..., n) and (..., m)
        Losses of the two learners, at least two each; n and m may differ. Losses equal up to rounding are ties.

    References
    ----------
    Vargha and Delaney 2000, J. Educational and Behavioral Statistics 25.

    Examples
    --------
    >>> a12([.3, .5, .4], [.2, .4, .1, .3]).value
    0.8333333333333334
    """
    one, two = _group(first, "first"), _group(second, "second")
    n, m = one.shape[-1], two.shape[-1]
    together = _together(one, two)
    ranks = average_ranks(together, ROUNDING * np.abs(together).max(axis=-1, keepdims=True))
    larger = ranks[..., :n].sum(axis=-1) - n * (n + 1) / 2.0
    return Effect(name="a12", value=larger / (n * m), neutral=0.5)


def a12_of_rows(losses: Any) -> Array:
    """A₁₂ of every pair of rows (K, n), as (K, K): the chance that a loss of the row is larger than one of the column.

    All values are sorted once, not those of every pair; values equal up to rounding, of the largest of all, are ties.

    Examples
    --------
    >>> a12_of_rows([[0.3, 0.5, 0.4], [0.2, 0.4, 0.1]]).round(3)
    array([[0.5  , 0.833],
           [0.167, 0.5  ]])
    """
    rows = _group(losses, "losses")
    k, n = rows.shape
    if ((rows == 0.0) | (rows == 1.0)).all():
        means = rows.mean(axis=1)
        return np.asarray(0.5 + 0.5 * (means[:, None] - means))
    order = np.argsort(rows, axis=None)
    ordered = rows.reshape(-1)[order]
    owner = (order // n).astype(np.int32)
    value = np.concatenate(
        [[0], np.cumsum(np.diff(ordered) > ROUNDING * np.abs(ordered[[0, -1]]).max(), dtype=np.int32)]
    )
    del order, ordered
    number = int(value[-1]) + 1
    if k * number <= _MOST_COUNTS:
        counts = np.bincount(owner * np.int64(number) + value, minlength=k * number).reshape(k, number).astype(float)
        larger = counts @ (np.cumsum(counts, axis=1) - 0.5 * counts).T
    else:
        larger = np.empty((k, k))
        for column in range(k):
            counts = np.bincount(value[owner == column], minlength=number)
            below = np.cumsum(counts) - 0.5 * counts
            larger[:, column] = np.bincount(owner, weights=below[value], minlength=k)
    return np.asarray(larger / float(n * n))


def _group(values: Any, name: str) -> Array:
    group = squarable(numbers(values, name=name, where="a12"), name=name, where="a12")
    if group.ndim < 1 or group.size == 0 or group.shape[-1] < 2:
        raise wrong_shape(group, name, "a12", "give at least two values on the last axis.")
    return group


def _together(one: Array, two: Array) -> Array:
    batch = common_batch(one.shape[:-1], two.shape[:-1], where="a12, arguments first and second")
    return np.concatenate([np.broadcast_to(side, (*batch, side.shape[-1])) for side in (one, two)], axis=-1)
