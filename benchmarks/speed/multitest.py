"""MultiTest: 30,000 runs of 5 learners in the 5×2 design, ordered in one call."""

from __future__ import annotations

import numpy as np
from scipy import stats

from benchmarks.speed.five_by_two_t import t_of
from benchmarks.speed.measure import Row, contest, same
from bestofk.ordering import multitest

RUNS, LEARNERS = 30_000, 5
PEER_RUNS = 200
ALPHA = 0.05


def by_loop(losses: np.ndarray) -> list[int]:
    """One run in plain Python: an edge where the preferred loses more, then always the first without an edge."""
    level = ALPHA / (LEARNERS * (LEARNERS - 1) / 2)
    edges = {
        (i, j)
        for i in range(LEARNERS)
        for j in range(i + 1, LEARNERS)
        if stats.t.sf(t_of(losses[i], losses[j]), 5) <= level
    }
    left, order = list(range(LEARNERS)), []
    while left:
        free = next(i for i in left if not any((i, j) in edges for j in left))
        order.append(free)
        left.remove(free)
    return order


def rows() -> list[Row]:
    rng = np.random.default_rng(12)
    means = np.array([0.30, 0.20, 0.25, 0.12, 0.15])
    losses = means[:, None, None] + 0.02 * rng.normal(size=(RUNS, LEARNERS, 5, 2))

    def peer() -> list[list[int]]:
        return [by_loop(run) for run in losses[:PEER_RUNS]]

    same(multitest(losses, alpha=ALPHA).order[:PEER_RUNS], peer(), "orders")
    our_time, peer_time = contest(lambda: multitest(losses, alpha=ALPHA), peer)
    return [
        Row(
            f"MultiTest, {RUNS:,} runs × K = {LEARNERS} (5×2)",
            "a Python loop with `scipy.stats.t.sf`",
            our_time,
            peer_time * RUNS / PEER_RUNS,
            note=f"peer timed on {PEER_RUNS} runs; 300× is wanted later",
        )
    ]
