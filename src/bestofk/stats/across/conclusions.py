"""Conclusions about every pair, for many choices of data sets at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, Flags
from bestofk.core.frozen import frozen
from bestofk.core.special import ndtr
from bestofk.stats.across.question import Places, Question
from bestofk.stats.across.signed_ranks import near_factor, sides_without, signed_rank_sides
from bestofk.stats.distributions import binomial_half_tail, ratio, t_tail
from bestofk.stats.method import fewest_values, method_of
from bestofk.stats.omnibus.friedman import row_ranks
from bestofk.stats.omnibus.nemenyi import control_in, nemenyi
from bestofk.stats.pair import row_squares, row_sums
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.pairwise.permutation_t import ENUMERATE_UP_TO, permutation_t
from bestofk.stats.pairwise.student import of_signs, too_few, untested

#: Values of all pairs held at once: they stay in cache.
MOST_VALUES = 250_000


@frozen(eq=False)
class Decided:
    """One row per choice of data sets, one column per pair.

    ``pvalue`` is raw and two-sided, ``side`` is 1 where it speaks for the first, −1 for the second. ``conclusion`` is
    1 where the first is shown to be better, −1 where the second is, 0 where neither. ``means`` and ``mean_ranks`` have
    a column per learner.
    """

    pvalue: Array
    adjusted: Array
    side: Array
    conclusion: Array
    means: Array
    mean_ranks: Array

    def joined(self, *others: Decided, axis: int = 0) -> Decided:
        """The rows of several, one after the other; or the columns."""
        every = (self, *others)
        names = self.__dataclass_fields__
        return Decided(**{name: np.concatenate([getattr(each, name) for each in every], axis=axis) for name in names})


def decide(losses: Array, kept: Places, question: Question) -> Decided:
    """Conclude from the data sets ``kept`` (choices, data sets left; repeated ones count again) of a table (K, D)."""
    if question.beside is not None:
        table, under = np.split(losses, 2)
        alone = decide(table, kept, replace(question, beside=None))
        under_it = replace(question.beside, whole=question.whole)
        return alone.joined(decide(under, kept, under_it), axis=1)
    pairs = len(question.first)
    per_choice = max(1, pairs * kept.shape[1])
    step = max(1, MOST_VALUES // per_choice)
    ranks = row_ranks(np.ascontiguousarray(losses.T)).T
    parts = [_decide(losses, ranks, kept[i : i + step], question) for i in range(0, len(kept), step)]
    return parts[0].joined(*parts[1:])


def _decide(losses: Array, ranks: Array, kept: Places, question: Question) -> Decided:
    chosen = np.moveaxis(losses[:, kept], 0, 1)  # (choices, K, data sets)
    if question.test == "nemenyi":
        pvalue, side = _by_nemenyi(chosen, question)
    elif question.test in _TESTS:
        pvalue, side = _TESTS[question.test](*_differences(chosen, question), question)
    else:
        pvalue, side = _any_test(chosen, question)
    adjusted = question.adjusted(pvalue)
    conclusion = np.where(adjusted <= question.alpha, side, 0.0)
    return Decided(pvalue, adjusted, side, conclusion, chosen.mean(axis=-1), ranks[:, kept].mean(axis=-1).T)


def without_ties(losses: Array, question: Question) -> bool:
    """Whether the question is Wilcoxon's, and no difference of a pair is 0 or as large as another one of it."""
    if question.test != "wilcoxon" or question.beside is not None:
        return False
    difference, rounding = _differences(losses[None], question)
    size = np.sort(np.abs(difference[0]), axis=-1)
    return bool((np.diff(size, axis=-1, prepend=0.0) > rounding[0]).all())


def decide_without(losses: Array, removed: Places, question: Question) -> Decided:
    """Conclude by Wilcoxon's test without the data sets ``removed`` (choices, 1 or 2), where there are no ties.

    The same as ``decide``, from one count of positive averages that serves all choices.
    """
    less, greater = sides_without(losses[question.first] - losses[question.second], removed)
    pvalue, side = np.minimum(1.0, 2.0 * np.minimum(less, greater)), np.sign(greater - less)
    adjusted = question.adjusted(pvalue)
    ranks = row_ranks(np.ascontiguousarray(losses.T)).T
    left = losses.shape[1] - removed.shape[1]
    means, mean_ranks = ((table.sum(axis=1) - table[:, removed].sum(axis=2).T) / left for table in (losses, ranks))
    conclusion = np.where(adjusted <= question.alpha, side, 0.0)
    return Decided(pvalue, adjusted, side, conclusion, means, mean_ranks)


def _differences(chosen: Array, question: Question) -> tuple[Array, Array]:
    """(choices, pairs, data sets), what is rounding exactly 0; and what is rounding in each test."""
    largest = np.abs(chosen).max(axis=-1)
    rounding = ROUNDING * np.maximum(largest[:, question.first], largest[:, question.second])[..., None]
    difference = chosen[:, question.first] - chosen[:, question.second]
    difference[np.abs(difference) <= rounding] = 0.0
    return np.asarray(difference), np.asarray(rounding)


Sided = tuple[Array, Array]  # two-sided p values, and the side that each speaks for


def _paired_t(difference: Array, rounding: Array, question: Question) -> Sided:
    n = difference.shape[-1]
    mean = row_sums(difference) / n
    rest = difference - mean[..., None]
    squares = row_squares(rest)
    flat: Flags = np.asarray(squares <= n * np.square(rounding[..., 0]))
    nothing = np.abs(mean) <= rounding[..., 0]
    t = ratio(mean, np.sqrt(squares / (n * (n - 1.0))), no_effect=lambda: nothing, no_spread=flat)
    pvalue = np.where(np.isinf(t), of_signs(n - 1.0), t_tail(t, n - 1.0, "two-sided"))
    return np.where(too_few(n - 1.0, flat & ~nothing), 1.0, pvalue), -np.sign(t)


def _sign(difference: Array, rounding: Array, question: Question) -> Sided:
    above, below = (difference > 0).sum(axis=-1), (difference < 0).sum(axis=-1)
    return binomial_half_tail(above, above + below, "two-sided"), np.sign(below - above).astype(float)


def _wilcoxon(difference: Array, rounding: Array, question: Question) -> Sided:
    def decisive(pvalue: Array) -> Flags:
        factor = near_factor(pvalue)  # no adjustment magnifies a relative error; a winner's tests are not adjusted
        near = (
            (p >= question.alpha / factor) & (p <= question.alpha * factor) for p in (question.adjusted(pvalue), pvalue)
        )
        return np.logical_or(*near)

    less, greater = signed_rank_sides(difference, rounding, decisive)
    return np.minimum(1.0, 2.0 * np.minimum(less, greater)), np.sign(greater - less)


#: A normal tail farther from the level than this, up or down, decides as the sign flips themselves would.
_FAR = 2.0


def _permutation(difference: Array, rounding: Array, question: Question) -> Sided:
    """Sign flips where they may decide; of all choices most are far from the level."""
    total, spread = difference.sum(axis=-1), np.sqrt(np.square(difference).sum(axis=-1))
    pvalue = 2.0 * ndtr(-np.abs(total) / np.where(spread > 0, spread, 1.0))
    near = np.full(pvalue.shape, difference.shape[-1] <= ENUMERATE_UP_TO or question.whole)
    for p in (question.adjusted(pvalue), pvalue):
        near |= (p >= question.alpha / _FAR) & (p <= question.alpha * _FAR)
    if near.any():
        rows = difference[near]
        pvalue[near] = permutation_t(rows, np.zeros_like(rows), rng=question.seed, refine=question.whole).pvalue
    return pvalue, -np.sign(total)


_TESTS: dict[str, Any] = {"paired-t": _paired_t, "sign": _sign, "wilcoxon": _wilcoxon, "permutation-t": _permutation}


def _any_test(chosen: Array, question: Question) -> Sided:
    """Any other test of values, on the batch of all choices and pairs; fewer values than it takes show nothing."""
    run, first, second = PAIRWISE[question.test], chosen[:, question.first], chosen[:, question.second]
    if chosen.shape[-1] < fewest_values(run):
        gap = (first - second).mean(axis=-1)
        return np.ones_like(gap), -np.sign(gap)
    options: dict[str, Any] = {"rng": question.seed} if method_of(run).seeded else {}
    found = run(first, second, **options)
    return np.where(untested(found), 1.0, found.pvalue), -np.asarray(found.side)


def _by_nemenyi(chosen: Array, question: Question) -> Sided:
    """Nemenyi's p values, for the side of the better ranks; with a control Bonferroni–Dunn's, K − 1 of them."""
    control = control_in(question.first, question.second, chosen.shape[1])
    found = nemenyi(np.moveaxis(chosen, 1, 2), control=control)
    matrix = np.asarray(found.pvalue)
    pvalue = matrix[:, question.second] if control is not None else matrix[:, question.first, question.second]
    ranks = np.asarray(found.mean_ranks)
    gap = ranks[:, question.first] - ranks[:, question.second]
    return pvalue, -np.sign(gap)
