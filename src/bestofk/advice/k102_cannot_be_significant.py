"""K102: too few results for any outcome to be significant."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.comparing import Design, design_of
from bestofk.core.phrases import counted
from bestofk.core.registry import registry
from bestofk.ordering import Multi2TestOrder, MultiTestOrder
from bestofk.stats.curves import randomized_t
from bestofk.stats.method import method_of


def advise(case: Case) -> Advice | None:
    """Fire when even a learner that wins every time against all others could not be shown to be better."""
    comparison = case.comparison
    if isinstance(case.ordering.graph, Multi2TestOrder):
        return None  # its order rests on tests of its own
    one_sided = isinstance(case.ordering.graph, MultiTestOrder)
    if comparison.kind == "curves":
        paired = "paired" in comparison.design
        smallest = _smallest_of_curves(design_of(case.evidence, paired=paired), one_sided)
    elif comparison.kind in ("datasets", "items") and comparison.test in registry("pairwise").names():
        smallest = _smallest_pvalue(comparison.test, _most_units(case), comparison.seed, one_sided)
    else:
        return None
    family = np.ones(len(comparison.pairs))
    family[: len(comparison.learners) - 1] = smallest  # the winner against each of the others
    if registry("adjust").load(comparison.adjust)(family).min() <= comparison.alpha:
        return None
    side = "one-sided" if one_sided else "two-sided"
    return Advice(
        "K102",
        f"with {comparison.design} the smallest {side} p that {comparison.test} can give is {smallest:.3g}, and after "
        f"adjustment for {counted(len(family), 'pair')} one clear winner could not reach {comparison.alpha:g}",
        "add results, or compare fewer learners"
        + (", or compare with a control" if comparison.control is None else ""),
    )


def _most_units(case: Case) -> int:
    """The largest number of data sets or items that a pair shares."""
    there = ~np.isnan(design_of(case.evidence).rows)
    shared = there.astype(np.int64) @ there.T
    return int(shared[~np.eye(len(there), dtype=bool)].max())


def _smallest_of_curves(design: Design, one_sided: bool) -> float:
    """The same for whole curves: the two learners with most of them, one below the other throughout."""
    i, j = sorted(range(len(design.curves)), key=lambda place: len(design.curves[place]))[-2:]
    below = np.tile(np.arange(len(design.curves[i]))[:, None] / 1e6, (1, 2))
    above = 1.0 + np.tile(np.arange(len(design.curves[j]))[:, None] / 1e6, (1, 2))
    side = "less" if one_sided else "two-sided"
    blocks = design.blocks_of(i, j)
    return float(randomized_t(below, above, alternative=side, paired=design.paired, blocks=blocks, rng=0).pvalue)


def _smallest_pvalue(test: str, units: int, seed: int, one_sided: bool) -> float:
    """The p value of a learner that wins every time, by unequal amounts."""
    run = registry("pairwise").load(test)
    facts = method_of(run)
    options = {"rng": seed} if facts.seeded else {}
    worse = np.ones(units) if facts.design == "items" else 1.0 + np.arange(units) / max(1, units) / 1e6
    side = {"alternative": "greater"} if one_sided and facts.one_sided else {}
    return float(run(worse, np.zeros(units), **side, **options).pvalue)
