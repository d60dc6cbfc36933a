"""K117: data sets that may have been chosen after their results."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when results over data sets come from a plan that was not locked."""
    if case.comparison.kind != "datasets" or "plan-not-locked" not in case.evidence.origin.assumed:
        return None
    return Advice(
        "K117",
        "the plan was not locked, so nothing shows that the data sets were chosen before their results",
        "lock the plan before the first run: bestofk plan lock plan.toml",
    )
