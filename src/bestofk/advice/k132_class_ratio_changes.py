"""K132: precision where the ratio of the classes changes."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case

#: The largest share of positives is more than so many times the smallest.
MUCH = 1.5


def advise(case: Case) -> Advice | None:
    """Fire when precision is averaged over folds or data sets whose shares of positives differ much."""
    if case.vectors is None or "precision" not in case.names:
        return None
    known = case.positive_shares()
    if known is None or known.min() <= 0 or known.max() <= MUCH * known.min():
        return None
    return Advice(
        "K132",
        f"between {100 * known.min():.2g} % and {100 * known.max():.2g} % of the rows are positive, and precision "
        "changes with that share even where a learner does not",
        "use stratified folds, or judge on tpr,fpr, which do not depend on the ratio of the classes",
    )
