"""5×2 cv t test: 30,000 pairs in one call."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from benchmarks.speed.measure import Row, contest, same
from bestofk.stats.pairwise import five_by_two_t

PAIRS = 30_000
PEER_PAIRS = 1_000


def t_of(first: np.ndarray, second: np.ndarray) -> float:
    """The statistic of one pair, as one writes it from the formula."""
    difference = first - second
    variance = np.square(difference - difference.mean(axis=1, keepdims=True)).sum(axis=1).mean()
    return difference[0, 0] / math.sqrt(variance)


def rows() -> list[Row]:
    rng = np.random.default_rng(11)
    first, second = rng.normal(0.3, 0.03, size=(PAIRS, 5, 2)), rng.normal(0.28, 0.03, size=(PAIRS, 5, 2))
    few = list(zip(first[:PEER_PAIRS], second[:PEER_PAIRS], strict=True))

    def peer() -> list[tuple[float, float]]:
        values = [t_of(one, two) for one, two in few]
        return [(t, stats.t.sf(t, 5)) for t in values]

    ours = five_by_two_t(first, second, alternative="greater")
    statistic, pvalue = np.array(peer()).T
    same(ours.statistic[:PEER_PAIRS], statistic, "t")
    same(ours.pvalue[:PEER_PAIRS], pvalue, "p of the 5×2 t")
    our_time, peer_time = contest(lambda: five_by_two_t(first, second, alternative="greater"), peer)
    return [
        Row(
            f"5×2 cv t, {PAIRS:,} pairs",
            "a Python loop with `scipy.stats.t.sf`",
            our_time,
            peer_time * PAIRS / PEER_PAIRS,
            note=f"peer timed on {PEER_PAIRS:,} pairs",
        )
    ]
