"""K102: too few results for any outcome to be significant."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.comparing import design_of
from bestofk.core.registry import registry
from bestofk.stats.method import method_of


def advise(case: Case) -> Advice | None:
    """Fire when even a learner that wins every time could not be shown to be better."""
    comparison = case.comparison
    if comparison.kind not in ("datasets", "items") or comparison.test not in registry("pairwise").names():
        return None
    smallest = _smallest_pvalue(comparison.test, design_of(case.evidence).rows.shape[1], comparison.seed)
    family = np.full(len(comparison.pairs), 1.0)
    family[0] = smallest
    if registry("adjust").load(comparison.adjust)(family)[0] <= comparison.alpha:
        return None
    return Advice(
        "K102",
        f"with {comparison.design} the smallest p that {comparison.test} can give is {smallest:.3g}, and after "
        f"adjustment for {len(family)} pairs one clear winner could not reach {comparison.alpha:g}",
        "add results, compare fewer learners, or compare with a control",
    )


def _smallest_pvalue(test: str, units: int, seed: int) -> float:
    """The p value of a learner that wins every time, by unequal amounts."""
    run = registry("pairwise").load(test)
    facts = method_of(run)
    options = {"rng": seed} if facts.seeded else {}
    worse = np.ones(units) if facts.design == "items" else 1.0 + np.arange(units) / max(1, units) / 1e6
    return float(run(worse, np.zeros(units), **options).pvalue)
