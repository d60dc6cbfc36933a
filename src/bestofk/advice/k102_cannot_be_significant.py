"""K102: too few results for any outcome to be significant."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case
from bestofk.core.phrases import counted


def advise(case: Case) -> Advice | None:
    """Fire when even a learner that wins every time against all others, they too told apart, could not be shown."""
    comparison = case.comparison
    if comparison.decidable:
        return None
    pairs = counted(len(comparison.pairs), "pair")
    ways = ["add results", "compare fewer learners"]
    ways += ["compare with a control"] if comparison.control is None else []
    ways += ["claim it of these groups only: --groups fixed"] if comparison.sample.groups else []
    return Advice(
        "K102",
        f"with {comparison.sample.units_text} {comparison.test} can give p = {comparison.smallest:.3g} at best, and "
        f"after adjustment for {pairs} one clear winner could not reach {comparison.alpha:g}",
        ", or ".join(ways),
    )
