"""K107: Bonferroni's adjustment hides what Holm's would show."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case
from bestofk.stats.adjust import ADJUST


def advise(case: Case) -> Advice | None:
    """Fire when Holm, which is valid wherever Bonferroni is, separates more pairs."""
    comparison = case.comparison
    if comparison.adjust != "bonferroni":
        return None
    holm = int((ADJUST["holm"](comparison.pvalue) <= comparison.alpha).sum())
    bonferroni = int(comparison.significant.sum())
    if holm == bonferroni:
        return None
    return Advice(
        "K107",
        f"bonferroni separates {bonferroni} of {len(comparison.pairs)} pairs, holm {holm}",
        "holm holds the same level and is never weaker: decide for it before looking at results",
    )
