"""MultiTest: 30,000 runs of 5 learners in the 5×2 design, ordered in one call; 1,000 runs of 200 learners."""

from __future__ import annotations

import numpy as np
from scipy import stats

from benchmarks.speed.five_by_two_t import t_of
from benchmarks.speed.measure import Row, contest, same, timed
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
            300.0,
            note=f"peer timed on {PEER_RUNS} runs",
        ),
        _many_learners(),
    ]


def _many_learners() -> Row:
    losses = np.random.default_rng(13).normal(0.3, 0.02, size=(1_000, 200, 5, 2))
    seconds = min(timed(lambda: multitest(losses)) for _ in range(2))
    work = "MultiTest, 1,000 runs × K = 200 (5×2), 19,900 pairs each"
    return Row(work, "one minute", seconds, 60.0, 1.0, ceiling=True)
