"""K132: precision where the ratio of the classes changes."""

from __future__ import annotations

from typing import Any

from bestofk.advice.advice import Advice
from bestofk.advice.k13x_measures import MeasuresCase

#: The largest share of positives is more than so many times the smallest.
MUCH = 1.5


def advise(case: Any) -> Advice | None:
    """Fire when precision is averaged over folds or data sets whose shares of positives differ much."""
    if not isinstance(case, MeasuresCase) or "precision" not in case.names:
        return None
    share = case.positive_share()
    if share is None:
        return None
    known = share[case.vectors.planned]
    if known.min() <= 0 or known.max() <= MUCH * known.min():
        return None
    return Advice(
        "K132",
        f"between {100 * known.min():.2g} % and {100 * known.max():.2g} % of the rows are positive, and precision "
        "changes with that share even where a learner does not",
        "use stratified folds, or judge on tpr,fpr, which do not depend on the ratio of the classes",
    )
