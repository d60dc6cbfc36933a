"""Missing results of several measures: items are left out before folds hide them, else learners or data sets are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.comparing import completed
from bestofk.comparing.completeness import results_missing
from bestofk.evidence import Scores
from bestofk.evidence.vectors import Vectors


def completed_items(vectors: Vectors, missing: str) -> tuple[Vectors, str]:
    """Vectors of items that all learners have, and what was left out; vectors that are of no items as they are."""
    made_from = vectors.made_from
    if made_from is None:
        return vectors, ""
    items = made_from.items
    outcomes = np.where(made_from.lacking, np.nan, 0.0)
    whole, left_out = completed(replace(items, values=outcomes), missing)
    if not left_out:
        return vectors, ""
    kept = set(whole.items)  # type: ignore[attr-defined]
    gone = [name for name in items.items if name not in kept]
    again = made_from.make(items.without([name for name in items.learners if name not in whole.learners], gone))
    return replace(vectors, scores=again.scores, items=again.items, made_from=None), left_out


def completed_scores(scores: Scores, missing: str) -> tuple[Scores, str]:
    """Scores without missing results; over data sets none can be kept: each pair would have vectors of others."""
    if missing == "refuse" and len(scores.datasets) > 1 and scores.missing():
        raise results_missing(scores, may_keep=False)
    used, left_out = completed(scores, missing)
    assert isinstance(used, Scores)
    return used, left_out
