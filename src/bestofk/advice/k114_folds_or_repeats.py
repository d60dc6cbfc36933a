"""K114: the source does not say whether folds are repeated or are random splits."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when folds in a row were taken as one replication."""
    if "one-replication" not in case.evidence.origin.assumed or case.comparison.kind != "folds":
        return None
    return Advice(
        "K114",
        f"nothing says how the data were divided, and {case.comparison.sample.units_text} were taken as one "
        "cross-validation",
        "repeated folds need --replications, random splits --test-fraction: taken as one cross-validation their p are "
        "too small; return_indices=True would say it",
    )
