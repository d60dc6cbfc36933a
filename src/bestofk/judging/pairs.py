"""All pairs of learners by a two-sided test: which differ, and which way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.core.registry import registry
from bestofk.stats.arrays import Array
from bestofk.stats.method import method_of


@dataclass(frozen=True, eq=False)
class Pairs:
    """Adjusted two-sided p values of all pairs, and whether the row learner is the better one."""

    names: tuple[str, ...]
    pvalue: Array
    better: Array

    def p(self, one: str, other: str) -> float:
        """Adjusted two-sided p value of a pair."""
        return float(self.pvalue[self.names.index(one), self.names.index(other)])

    def shows(self, better: str, worse: str, alpha: float) -> bool:
        """Say whether the pair differs and the test says which way."""
        place = self.names.index(better), self.names.index(worse)
        return bool(self.better[place] and self.pvalue[place] <= alpha)


def all_pairs(losses: Mapping[str, Array], test: str, adjust: str, options: dict[str, Any]) -> Pairs:
    """Test every pair once; a test that knows no side takes the direction of the mean difference."""
    run = registry("pairwise").load(test)
    facts = method_of(run)
    table = np.stack(list(losses.values()))
    first, second = np.triu_indices(len(table), 1)
    result = run(table[first], table[second], **options)
    if facts.one_sided:
        less, greater = (run(table[first], table[second], alternative=side, **options) for side in ("less", "greater"))
        first_better, second_better = less.pvalue < greater.pvalue, greater.pvalue < less.pvalue
    else:
        first_better, second_better = result.estimate < 0, result.estimate > 0
    k = len(table)
    pvalue, better = np.ones((k, k)), np.zeros((k, k), dtype=bool)
    pvalue[first, second] = pvalue[second, first] = registry("adjust").load(adjust)(result.pvalue)
    better[first, second], better[second, first] = first_better, second_better
    return Pairs(tuple(losses), pvalue, better)
