"""Folds answered together, chunk by chunk; what is left goes fold by fold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bestofk.collecting.sharing.linear_scores import folds_at_once
from bestofk.collecting.sharing.way import Predictions
from bestofk.design.folds.base import Fold

Chunk = Callable[[list[Fold]], list[Predictions | None]]


def answered_together(rows: int, classes: int, folds: Sequence[Fold], chunk: Chunk) -> list[Predictions | None]:
    """Answers of all folds; None for those that have no rows or are not sure."""
    found: list[Predictions | None] = [None] * len(folds)
    step = folds_at_once(rows, classes)
    good = [place for place, fold in enumerate(folds) if len(fold.train) and len(fold.test)] if classes > 1 else []
    for at in range(0, len(good), step):
        places = good[at : at + step]
        for place, answer in zip(places, chunk([folds[place] for place in places]), strict=True):
            found[place] = answer
    return found
