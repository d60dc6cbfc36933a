"""Missing results of several measures: learners or data sets are left out, and none can be kept."""

from __future__ import annotations

from bestofk.evidence.missing_results import completed, results_missing
from bestofk.evidence.vectors import Vectors


def completed_scores(scores: Vectors, missing: str) -> tuple[Vectors, str]:
    """Scores without missing results; over data sets none can be kept: each pair would have vectors of others."""
    if missing == "refuse" and len(scores.datasets) > 1 and scores.missing():
        raise results_missing(scores, may_keep=False)
    used, left_out = completed(scores, missing)
    assert isinstance(used, Vectors)
    return used, left_out
