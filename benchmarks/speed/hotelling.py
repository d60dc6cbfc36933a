"""Paired Hotelling: 10,000 pairs of learners, 10 folds, 2 measures."""

from __future__ import annotations

import numpy as np
import pingouin

from benchmarks.speed.measure import Row, contest, same
from bestofk.stats.multivariate import hotelling

PAIRS, FOLDS, MEASURES = 10_000, 10, 2
PEER_PAIRS = 50


def rows() -> list[Row]:
    rng = np.random.default_rng(1)
    first = rng.normal(size=(PAIRS, FOLDS, MEASURES))
    second = first + rng.normal(0.3, 1.0, size=first.shape)
    few = list(zip(first[:PEER_PAIRS], second[:PEER_PAIRS], strict=True))

    def peer() -> list:
        return [pingouin.multivariate_ttest(one, two, paired=True) for one, two in few]

    ours, theirs = hotelling(first, second), peer()
    same(ours.statistic[:PEER_PAIRS], [float(table["T2"].iloc[0]) for table in theirs], "T²")
    same(ours.pvalue[:PEER_PAIRS], [float(table["pval"].iloc[0]) for table in theirs], "p of Hotelling")
    our_time, peer_time = contest(lambda: hotelling(first, second), peer)
    return [
        Row(
            f"paired Hotelling, {PAIRS:,} pairs (k = {FOLDS}, p = {MEASURES})",
            "`pingouin.multivariate_ttest` in a loop",
            our_time,
            peer_time * PAIRS / PEER_PAIRS,
            demand=500,
            note=f"peer timed on {PEER_PAIRS} pairs",
        )
    ]
