"""Could any outcome have been significant? The smallest p value that a test can give, against its adjusted level."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.comparing.design import Design
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import randomized_t
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE

#: More units than these give a smaller p than any level, or, where signs are drawn, the same p.
_ENOUGH = 64


def smallest_pvalue(design: Design, test: str, *, one_sided: bool = False) -> float:
    """The p value of a learner that wins every time, by unequal amounts; 0 where a test of the kind has no smallest."""
    if design.kind == "curves":
        return _of_curves(design, one_sided)
    if design.kind == "folds" or test not in PAIRWISE:
        return 0.0
    run = PAIRWISE[test]
    facts = method_of(run)
    options: dict[str, Any] = {"rng": 0} if facts.seeded else {}
    units = min(_most_shared(design), _ENOUGH)
    worse = np.ones(units) if facts.design == "items" else 1.0 + np.arange(units) / max(1, units) / 1e6
    options |= {"alternative": "greater"} if one_sided and facts.one_sided else {}
    return float(run(worse, np.zeros(units), **options).pvalue)


def is_decidable(smallest: float, pairs: int, adjust: str, alpha: float) -> bool:
    """Whether pairs can be shown if every one of them has the smallest p value; if not, none ever is.

    Step-down adjustments show no more of such a family than of one clear pair; those that step up may show all.
    """
    return bool(ADJUST[adjust](np.full(pairs, smallest)).min() <= alpha)


def _of_curves(design: Design, one_sided: bool) -> float:
    """The two learners with most curves, one below the other throughout."""
    i, j = sorted(range(len(design.curves)), key=lambda place: len(design.curves[place]))[-2:]
    below = np.tile(np.arange(len(design.curves[i]))[:, None] / 1e6, (1, 2))
    above = 1.0 + np.tile(np.arange(len(design.curves[j]))[:, None] / 1e6, (1, 2))
    side = "less" if one_sided else "two-sided"
    blocks = design.blocks_of(i, j)
    return float(randomized_t(below, above, alternative=side, paired=design.paired, blocks=blocks, rng=0).pvalue)


def _most_shared(design: Design) -> int:
    """The largest number of data sets or items that a pair shares."""
    there = ~np.isnan(design.rows)
    if there.all():
        return int(there.shape[1])
    shared = there.astype(np.int64) @ there.T
    return int(shared[~np.eye(len(there), dtype=bool)].max())
