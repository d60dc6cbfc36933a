"""Folds that fill in the same, answered together; what is left goes fold by fold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bestofk.collecting.sharing.fold_sums import FoldSums, SumsOfFilling
from bestofk.collecting.sharing.linear_scores import folds_at_once
from bestofk.collecting.sharing.way import Predictions
from bestofk.design.folds.base import Fold

Chunk = Callable[[FoldSums, list[Fold]], list[Predictions | None]]


def answered_together(sums: SumsOfFilling, folds: Sequence[Fold], chunk: Chunk) -> list[Predictions | None]:
    """Answers of groups of folds, chunk by chunk; None for those that are in no group or not sure."""
    found: list[Predictions | None] = [None] * len(folds)
    step = folds_at_once(len(sums.y), sums.classes)
    for group in sums.groups(folds) if sums.classes > 1 else []:
        for at in range(0, len(group), step):
            places = group[at : at + step]
            chosen = [folds[place] for place in places]
            for place, answer in zip(places, chunk(sums.of(chosen[0]), chosen), strict=True):
                found[place] = answer
    return found
