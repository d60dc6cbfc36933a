"""The smallest p value that a test can give, and whether an adjustment lets pairs that all have it be shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.comparing import Comparison, Design
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import randomized_t
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE


def smallest_pvalue(test: str, units: int, seed: int, one_sided: bool = False) -> float:
    """The p value of a learner that wins every time, by unequal amounts."""
    run = PAIRWISE[test]
    facts = method_of(run)
    options: dict[str, Any] = {"rng": seed} if facts.seeded else {}
    worse = np.ones(units) if facts.design == "items" else 1.0 + np.arange(units) / max(1, units) / 1e6
    side = {"alternative": "greater"} if one_sided and facts.one_sided else {}
    return float(run(worse, np.zeros(units), **side, **options).pvalue)


def smallest_of_curves(design: Design, one_sided: bool) -> float:
    """The same for whole curves: the two learners with most of them, one below the other throughout."""
    i, j = sorted(range(len(design.curves)), key=lambda place: len(design.curves[place]))[-2:]
    below = np.tile(np.arange(len(design.curves[i]))[:, None] / 1e6, (1, 2))
    above = 1.0 + np.tile(np.arange(len(design.curves[j]))[:, None] / 1e6, (1, 2))
    side = "less" if one_sided else "two-sided"
    blocks = design.blocks_of(i, j)
    return float(randomized_t(below, above, alternative=side, paired=design.paired, blocks=blocks, rng=0).pvalue)


def shown_together(comparison: Comparison, smallest: float) -> bool:
    """Whether pairs can be shown if every one of them has the smallest p value; if not, none ever is.

    Step-down adjustments show no more of such a family than of one clear pair; those that step up may show all.
    """
    family = np.full(len(comparison.pairs), smallest)
    return bool(ADJUST[comparison.adjust](family).min() <= comparison.alpha)
