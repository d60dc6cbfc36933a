"""Missing results of several measures: items are left out before folds hide them, else learners or data sets are."""

from __future__ import annotations

from bestofk.comparing import completed
from bestofk.evidence.completeness import results_missing
from bestofk.evidence.vectors import Vectors


def completed_items(vectors: Vectors, missing: str) -> tuple[Vectors, str]:
    """Vectors of items that all learners have, and what was left out; vectors that are of no items as they are."""
    return (vectors, "") if vectors.made_from is None else vectors.made_from.completed(vectors, missing)


def completed_scores(scores: Vectors, missing: str) -> tuple[Vectors, str]:
    """Scores without missing results; over data sets none can be kept: each pair would have vectors of others."""
    if missing == "refuse" and len(scores.datasets) > 1 and scores.missing():
        raise results_missing(scores, may_keep=False)
    used, left_out = completed(scores, missing)
    assert isinstance(used, Vectors)
    return used, left_out
