"""What a source knows of folds beside their scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bestofk.core.arrays import Array


@dataclass(frozen=True)
class Known:
    """What is known of the folds beside the scores: recalls by class, further columns, and how to read one more."""

    recalls: Mapping[str, Array] = field(default_factory=dict)
    recall_rows: Mapping[str, Array] = field(default_factory=dict)  # rows of the class, by the name of its recall
    columns: Mapping[str, Array] = field(default_factory=dict)
    untimed: Mapping[str, int] = field(default_factory=dict)  # folds that shared their work, by the cost they lack
    more: Callable[[str], Array | None] | None = None
    undefined_share: Callable[[str], Array] | None = None  # of what ``more`` gives: how much of it is 0/0
    counts_at: Callable[[float], Array] | None = None  # tp, fn, fp, tn of every fold at a threshold of probabilities
    items: Callable[[], Any] | None = None  # makes ItemScores of all folds, or says why there are none
    positive: str | None = None
    asked: str | None = None  # the positive class as the user named it
    classes: tuple[str, ...] = ()
    mixed: bool = False  # data sets with different classes
