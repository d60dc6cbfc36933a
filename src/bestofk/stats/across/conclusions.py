"""Conclusions about every pair, for many choices of data sets at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, Flags
from bestofk.stats.across.question import Places, Question
from bestofk.stats.across.sign_flips import SignFlips
from bestofk.stats.across.signed_ranks import near_factor, signed_rank_sides
from bestofk.stats.distributions import binomial_half_tail, t_tail
from bestofk.stats.omnibus.friedman import row_ranks
from bestofk.stats.omnibus.nemenyi import control_in, nemenyi
from bestofk.stats.ratio import ratio
from bestofk.stats.sums import row_squares, row_sums

#: Values of all pairs held at once: they stay in cache; for sign patterns, which all choices share, as fit in memory.
MOST_VALUES, MOST_SHARING = 250_000, 25_000_000


@dataclass(frozen=True, eq=False)
class Decided:
    """One row per choice of data sets, one column per pair.

    ``less`` and ``greater`` are raw one-sided p values (the first loses less, more), ``pvalue`` and ``adjusted``
    two-sided. ``conclusion`` is 1 where the first is shown to be better, −1 where the second is, 0 where neither.
    """

    less: Array
    greater: Array
    pvalue: Array
    adjusted: Array
    side: Array
    conclusion: Array
    means: Array

    def joined(self, *others: Decided) -> Decided:
        """The rows of several, one after the other."""
        every = (self, *others)
        names = self.__dataclass_fields__
        return Decided(**{name: np.concatenate([getattr(each, name) for each in every]) for name in names})


def decide(losses: Array, kept: Places, question: Question) -> Decided:
    """Conclude from the data sets ``kept`` (choices, data sets left; repeated ones count again) of a table (K, D)."""
    pairs = len(question.first)
    per_choice = max(1, pairs * kept.shape[1])
    flips = SignFlips(losses, question) if question.test == "permutation-t" else None
    step = max(1, (MOST_VALUES if flips is None else MOST_SHARING) // per_choice)
    parts = [_decide(losses, kept[i : i + step], question, flips) for i in range(0, len(kept), step)]
    return parts[0].joined(*parts[1:])


def _decide(losses: Array, kept: Places, question: Question, flips: SignFlips | None) -> Decided:
    chosen = np.moveaxis(losses[:, kept], 0, 1)  # (choices, K, data sets)
    if question.test == "nemenyi":
        less, greater, pvalue, side = _mean_ranks(chosen, question)
    elif flips is not None:
        less, greater, pvalue, side = flips.pvalues(kept)
    else:
        less, greater, pvalue, side = _TESTS[question.test](*_differences(chosen, question), question)
    adjusted = question.adjusted(pvalue)
    conclusion = np.where(adjusted <= question.alpha, side, 0.0)
    return Decided(less, greater, pvalue, adjusted, side, conclusion, chosen.mean(axis=-1))


def _differences(chosen: Array, question: Question) -> tuple[Array, Array]:
    """(choices, pairs, data sets), what is rounding exactly 0; and what is rounding in each test."""
    largest = np.abs(chosen).max(axis=-1)
    rounding = ROUNDING * np.maximum(largest[:, question.first], largest[:, question.second])[..., None]
    difference = chosen[:, question.first] - chosen[:, question.second]
    difference[np.abs(difference) <= rounding] = 0.0
    return np.asarray(difference), np.asarray(rounding)


Sides = tuple[Array, Array, Array, Array]


def _paired_t(difference: Array, rounding: Array, question: Question) -> Sides:
    n = difference.shape[-1]
    mean = row_sums(difference) / n
    rest = difference - mean[..., None]
    squares = row_squares(rest)
    flat: Flags = np.asarray(squares <= n * np.square(rounding[..., 0]))
    nothing = np.abs(mean) <= rounding[..., 0]
    t = ratio(mean, np.sqrt(squares / (n * (n - 1.0))), no_effect=lambda: nothing, no_spread=flat)
    two_sided = t_tail(t, n - 1.0, "two-sided")
    above = np.where(t > 0, 0.5 * two_sided, 1.0 - 0.5 * two_sided)
    above = np.where(t == 0, 0.5, above)
    return 1.0 - above, above, two_sided, -np.sign(t)


def _sign(difference: Array, rounding: Array, question: Question) -> Sides:
    above, below = (difference > 0).sum(axis=-1), (difference < 0).sum(axis=-1)
    n = above + below
    greater, less = binomial_half_tail(above, n, "greater"), binomial_half_tail(above, n, "less")
    return less, greater, np.minimum(1.0, 2.0 * np.minimum(less, greater)), np.sign(below - above).astype(float)


def _wilcoxon(difference: Array, rounding: Array, question: Question) -> Sides:
    def decisive(pvalue: Array) -> Flags:
        adjusted = question.adjusted(pvalue)  # no adjustment magnifies a relative error
        factor = near_factor(pvalue)
        return np.asarray((adjusted >= question.alpha / factor) & (adjusted <= question.alpha * factor))

    less, greater = signed_rank_sides(difference, rounding, decisive)
    return less, greater, np.minimum(1.0, 2.0 * np.minimum(less, greater)), np.sign(greater - less)


_TESTS: dict[str, Any] = {"paired-t": _paired_t, "sign": _sign, "wilcoxon": _wilcoxon}


def _mean_ranks(chosen: Array, question: Question) -> Sides:
    """Nemenyi's p values, which have no sides: its p on the side of the better ranks, 1 on the other.

    The pairs with a control are Bonferroni–Dunn's, K − 1 of them.
    """
    control = control_in(question.first, question.second, chosen.shape[1])
    found = nemenyi(np.moveaxis(chosen, 1, 2), control=control)
    matrix = np.asarray(found.pvalue)
    pvalue = matrix[:, question.second] if control is not None else matrix[:, question.first, question.second]
    ranks = np.asarray(found.mean_ranks)
    gap = ranks[:, question.first] - ranks[:, question.second]
    return np.where(gap < 0, pvalue, 1.0), np.where(gap > 0, pvalue, 1.0), pvalue, -np.sign(gap)


def ranks_of(losses: Array) -> Array:
    """Mean ranks of the learners (K,) over all data sets of a table (K, D)."""
    return np.asarray(row_ranks(losses.T).mean(axis=0))
