"""Conclusions about every pair, for many choices of data sets at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, Flags
from bestofk.stats.across.question import Places, Question
from bestofk.stats.across.signed_ranks import near_factor, sides_without, signed_rank_sides
from bestofk.stats.distributions import binomial_half_tail, t_tail
from bestofk.stats.flip_tail import flip_tail
from bestofk.stats.method import method_of
from bestofk.stats.omnibus.friedman import row_ranks
from bestofk.stats.omnibus.nemenyi import control_in, nemenyi
from bestofk.stats.pair import row_squares, row_sums
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.pairwise.permutation_t import _TIES, ENUMERATE_UP_TO, FEWEST_EXTREME, _all_signs, _random_signs
from bestofk.stats.pairwise.student import too_few, untested
from bestofk.stats.ratio import ratio

#: Values of all pairs held at once: they stay in cache; for sign patterns, which all choices share, as fit in memory.
MOST_VALUES, MOST_SHARING = 250_000, 25_000_000


@dataclass(frozen=True, eq=False)
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
        return alone.joined(decide(under, kept, question.beside), axis=1)
    pairs = len(question.first)
    per_choice = max(1, pairs * kept.shape[1])
    flips = SignFlips(losses, question) if question.test == "permutation-t" else None
    step = max(1, (MOST_VALUES if flips is None else MOST_SHARING) // per_choice)
    ranks = row_ranks(np.ascontiguousarray(losses.T)).T
    parts = [_decide(losses, ranks, kept[i : i + step], question, flips) for i in range(0, len(kept), step)]
    return parts[0].joined(*parts[1:])


def _decide(losses: Array, ranks: Array, kept: Places, question: Question, flips: SignFlips | None) -> Decided:
    chosen = np.moveaxis(losses[:, kept], 0, 1)  # (choices, K, data sets)
    if question.test == "nemenyi":
        pvalue, side = _by_nemenyi(chosen, question)
    elif flips is not None:
        pvalue, side = flips.pvalues(kept)
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
    return np.where(too_few(n - 1.0, flat & ~nothing), 1.0, t_tail(t, n - 1.0, "two-sided")), -np.sign(t)


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


_TESTS: dict[str, Any] = {"paired-t": _paired_t, "sign": _sign, "wilcoxon": _wilcoxon}


def _any_test(chosen: Array, question: Question) -> Sided:
    """Any other test of values, on the batch of all choices and pairs."""
    run = PAIRWISE[question.test]
    options: dict[str, Any] = {"rng": question.seed} if method_of(run).seeded else {}
    found = run(chosen[:, question.first], chosen[:, question.second], **options)
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


# The permutation test for many choices of data sets: one set of sign patterns serves them all.


#: Sign patterns where not all are counted, as in ``permutation_t``.
SHUFFLES = 10_000
#: Choices whose patterns are looked at together.
TOGETHER = 128
#: Sums held at once.
MOST_SUMS = 2_000_000


class SignFlips:
    """Sums of differences under sign patterns drawn for the whole table.

    A choice of data sets takes the columns of its data sets (a data set drawn twice has two columns of its own). Of at
    most 16 all patterns are counted: dropping a column leaves every shorter pattern equally often, so p stays exact.
    """

    def __init__(self, losses: Array, question: Question) -> None:
        one, two = losses[question.first], losses[question.second]
        difference = one - two
        scale = ROUNDING * np.maximum(np.abs(one).max(axis=-1), np.abs(two).max(axis=-1))
        self.difference = np.where(np.abs(difference) <= scale[:, None], 0.0, difference)
        self.seed = question.seed

    def pvalues(self, kept: Places) -> Sided:
        """Two-sided p values and the side, for every choice and pair."""
        n = kept.shape[1]
        if n <= ENUMERATE_UP_TO:
            return self._one_by_one(kept, next(_all_signs(n)), 0.0)
        if (np.diff(np.sort(kept, axis=1), axis=1) == 0).any():
            return self._one_by_one(kept, self._signs(n), 1.0)
        signs, left = self._signs(self.difference.shape[1]), _left_out(kept, self.difference.shape[1])
        counts = [_counted(d, d[kept], left, signs) for d in self.difference]
        pvalue, side = (np.stack(part, axis=1) for part in zip(*counts, strict=True))
        return pvalue, side

    def _one_by_one(self, kept: Places, signs: Array, itself: float) -> Sided:
        """Few data sets, or repeated ones: nothing is shared but the patterns.

        ``itself`` is what the observed signs count for, which are among all patterns but not among random ones.
        """
        chosen = np.moveaxis(self.difference[:, kept], 0, 1)
        rows = chosen.reshape(-1, kept.shape[1])
        observed, slack = rows.sum(axis=1), _TIES * np.abs(rows).sum(axis=1)
        count = np.empty(len(rows))
        step = max(1, MOST_SUMS // len(signs))
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            beyond = np.abs(rows[part] @ signs.T) >= np.abs(observed[part, None]) - slack[part, None]
            count[part] = _true(beyond)
        pvalue = (count + itself) / (len(signs) + itself)
        pvalue = _in_the_tail(rows, pvalue, len(signs)) if itself else pvalue
        return pvalue.reshape(chosen.shape[:2]), -np.sign(observed).reshape(chosen.shape[:2])

    def _signs(self, n: int) -> Array:
        return np.concatenate(list(_random_signs(n, SHUFFLES, np.random.default_rng(self.seed))))


def _counted(difference: Array, chosen: Array, left: Places, signs: Array) -> Sided:
    """Count, for one pair, the patterns whose sum is as far out as the observed one, on either side."""
    observed = chosen.sum(axis=1)
    far = np.abs(observed) - _TIES * np.abs(chosen).sum(axis=1)
    if (np.abs(observed) < np.sqrt(np.square(chosen).sum(axis=1))).all():
        signs = signs[: len(signs) // 10]  # no choice is beyond one standard deviation: no level is near
    # A sum of 0 is as far out on either side, and counts twice.
    pvalue = np.minimum(1.0, (_beyond(difference, far, left, signs) + 1.0) / (len(signs) + 1.0))
    return _in_the_tail(chosen, pvalue, len(signs)), -np.sign(observed)


def _in_the_tail(rows: Array, pvalue: Array, patterns: int) -> Array:
    """P values by the tail formula where too few of the drawn patterns are as extreme, as in ``permutation_t``."""
    enough = (FEWEST_EXTREME + 1.0) / (patterns + 1.0)
    found, rare = pvalue.copy(), np.flatnonzero(pvalue < enough * (1.0 - 1e-12))
    if rare.size:
        most = FEWEST_EXTREME / (patterns + 1.0)
        found[rare] = np.minimum(2.0 * flip_tail(rows[rare], np.abs(rows[rare].sum(axis=1))), most)
    return found


def _beyond(difference: Array, far: Array, left: Places, signs: Array) -> Array:
    """How many patterns have a sum of at least ``far``, or of at most −far, without the data sets that are left out.

    Leaving out moves a sum by no more than the sizes of what is left out. With patterns in the order of their full sums
    only those within that distance of ``far`` need a look; the choices that move sums by nearly the same look together.
    """
    moved = np.abs(difference)[left].sum(axis=1) + 4.0 * _TIES * np.abs(difference).sum()
    lowest, highest = float((far - moved).min()), float((far + moved).max())
    sums = signs @ difference
    sure = np.count_nonzero(sums > highest) + np.count_nonzero(sums < -highest)
    some = np.flatnonzero((np.abs(sums) >= lowest) & (np.abs(sums) <= highest))
    some = some[np.argsort(sums[some])]
    total, flipped = sums[some], np.ascontiguousarray((signs[some] * difference).T)
    beyond = np.empty(len(far))
    by_move = np.argsort(moved, kind="stable")
    for start in range(0, len(far), TOGETHER):
        rows = by_move[start : start + TOGETHER]
        nearest, furthest = float((far - moved)[rows].min()), float((far + moved)[rows].max())
        a, c = np.searchsorted(total, [nearest, -furthest])
        b, d = np.searchsorted(total, [furthest, -nearest], side="right")
        edge = far[rows, None]
        here, there = _without(total, flipped, left[rows], a, b), _without(total, flipped, left[rows], c, d)
        beyond[rows] = sure + len(total) - b + c + _true(here >= edge) + _true(there <= -edge)
    return beyond


def _without(total: Array, flipped: Array, left: Places, start: int, end: int) -> Array:
    """Sums of some patterns without the data sets that each choice leaves out."""
    here = np.broadcast_to(total[start:end], (len(left), end - start)).copy()
    for column in left.T:
        here -= flipped[column, start:end]
    return here


def _true(flags: Flags) -> Array:
    return np.array([np.count_nonzero(row) for row in flags], dtype=float)


def _left_out(kept: Places, datasets: int) -> Places:
    """Data sets that a choice lacks, the same number for all."""
    there = np.zeros((len(kept), datasets), dtype=bool)
    np.put_along_axis(there, kept, True, axis=1)
    return np.nonzero(~there)[1].reshape(len(kept), -1)
