"""Wilcoxon's signed-rank test of all pairs, normal form."""

from __future__ import annotations

import numpy as np
from scipy import stats

from benchmarks.speed.measure import Row, contest, same
from bestofk.stats.pairwise import wilcoxon

#: (learners, data sets) → times faster.
DEMANDS = {(10, 100): 50, (50, 500): 8}


def rows() -> list[Row]:
    return [_row(learners, sets, demanded) for (learners, sets), demanded in DEMANDS.items()]


def _row(learners: int, sets: int, demand: float) -> Row:
    losses = np.random.default_rng(7).normal(size=(learners, sets)) + np.linspace(0.0, 0.5, learners)[:, None]
    first, second = np.triu_indices(learners, 1)

    def ours():
        return wilcoxon(losses[first], losses[second], method="normal")

    def peer() -> list:
        return [
            stats.wilcoxon(losses[i], losses[j], zero_method="wilcox", correction=False, method="asymptotic")
            for i, j in zip(first, second, strict=True)
        ]

    mine, theirs = ours(), peer()
    # scipy's two-sided statistic is the smaller of the two rank sums.
    smaller = np.minimum(mine.statistic, sets * (sets + 1) / 2 - mine.statistic)
    same(smaller, [result.statistic for result in theirs], "W")
    same(mine.pvalue, [result.pvalue for result in theirs], "p of Wilcoxon")
    our_time, peer_time = contest(ours, peer)
    work = f"all-pairs Wilcoxon, K = {learners}, N = {sets} ({len(first):,} pairs)"
    return Row(work, "`scipy.stats.wilcoxon` per pair", our_time, peer_time, demand=demand)
