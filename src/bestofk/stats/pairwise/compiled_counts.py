"""Sums of ranks with random signs counted out in compiled loops (extra ``fast``), for many samples with ties."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled


@compiled
def tails(doubled: npt.NDArray[np.int64], statistic: npt.NDArray[np.int64]) -> tuple[Array, Array]:
    """P[W ≤ w] and P[W = w] of every row of at most 500 sorted ranks; 0 = not taking part."""
    below, point = np.empty(len(doubled)), np.empty(len(doubled))
    patterns, before = np.empty(statistic.max() + 1), np.empty(statistic.max() + 1)
    for row in range(len(doubled)):
        upto, reached, taking_part = statistic[row], 0, 0
        patterns[: upto + 1] = 0.0
        patterns[0] = 1.0
        for rank in doubled[row]:
            if rank > 0:
                end = min(reached + rank, upto)
                moved, here = before[: max(0, end + 1 - rank)], patterns[rank : end + 1]
                moved[:] = patterns[: len(moved)]
                for place in range(len(here)):  # in views, whose places are never below 0, so that it runs in registers
                    here[place] += moved[place]
                reached, taking_part = end, taking_part + 1
        scale = 0.5**taking_part
        below[row], point[row] = patterns[: upto + 1].sum() * scale, patterns[upto] * scale
    return below, point
