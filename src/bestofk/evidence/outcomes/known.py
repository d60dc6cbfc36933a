"""What a source knows of folds beside their scores, and who tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.evidence.scores import Scores


@dataclass(frozen=True)
class Known:
    """What is known of the folds beside the scores: recalls by class, and how to find more of the same folds."""

    recalls: Mapping[str, Array] = field(default_factory=dict)
    recall_rows: Mapping[str, Array] = field(default_factory=dict)  # rows of the class, by the name of its recall
    untimed: Mapping[str, int] = field(default_factory=dict)  # folds that shared their work, by the cost they lack
    more: Callable[[str], Array | None] | None = None
    undefined_share: Callable[[str], Array] | None = None  # of what ``more`` gives: how much of it is 0/0
    counts_at: Callable[[float], Array] | None = None  # tp, fn, fp, tn of every fold at a threshold of probabilities
    items: Callable[[], Any | InputError] | None = None  # ItemScores of all folds, or why there are none
    positive: str | None = None
    asked: str | None = None  # the positive class as the user named it
    classes: tuple[str, ...] = ()
    mixed: bool = False  # data sets with different classes


class Outcomes(Protocol):
    """What scores were made of, which is read when somebody asks: ``Scores.outcomes``."""

    def known(self, scores: Scores, positive: str | None) -> tuple[Scores, Known]:
        """Return the scores with the counts of the positive class, and what else is known of their folds."""
