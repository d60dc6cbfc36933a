"""K102: too few results for any outcome to be significant."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.advice.smallest_pvalue import shown_together, smallest_of_curves, smallest_pvalue
from bestofk.comparing import design_of
from bestofk.core.phrases import counted
from bestofk.ordering import Multi2TestOrder, MultiTestOrder
from bestofk.stats.pairwise import PAIRWISE


def advise(case: Case) -> Advice | None:
    """Fire when even a learner that wins every time against all others, they too told apart, could not be shown."""
    comparison = case.comparison
    if isinstance(case.ordering.graph, Multi2TestOrder):
        return None  # its order rests on tests of its own
    one_sided = isinstance(case.ordering.graph, MultiTestOrder)
    if comparison.kind == "curves":
        paired = "paired" in comparison.design
        smallest = smallest_of_curves(design_of(case.evidence, paired=paired), one_sided)
    elif comparison.kind in ("datasets", "items") and comparison.test in PAIRWISE:
        smallest = smallest_pvalue(comparison.test, _most_units(case), comparison.seed, one_sided)
    else:
        return None
    if shown_together(comparison, smallest):
        return None
    pairs = counted(len(comparison.pairs), "pair")
    side = "one-sided" if one_sided else "two-sided"
    return Advice(
        "K102",
        f"with {comparison.design} the smallest {side} p that {comparison.test} can give is {smallest:.3g}, and after "
        f"adjustment for {pairs} one clear winner could not reach {comparison.alpha:g}",
        "add results, or compare fewer learners"
        + (", or compare with a control" if comparison.control is None else ""),
    )


def _most_units(case: Case) -> int:
    """The largest number of data sets or items that a pair shares."""
    there = ~np.isnan(design_of(case.evidence).rows)
    shared = there.astype(np.int64) @ there.T
    return int(shared[~np.eye(len(there), dtype=bool)].max())
