"""The class of the largest linear score for the test rows of many folds: one product of matrices for all."""

from __future__ import annotations

from typing import Any

from bestofk.collecting.sharing.kernels import kernels
from bestofk.collecting.sharing.way import Predictions
from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold

#: Scores that are held at once.
MOST_SCORES = 2_000_000


def folds_at_once(rows: int, classes: int) -> int:
    """An even number of folds whose scores fit."""
    return max(2, min(256, MOST_SCORES // (rows * classes)) // 2 * 2)


def largest_scores(
    turned: Array, slopes: Array, offsets: Array, folds: list[Fold], allowed: Array
) -> list[Predictions | None]:
    """Answers of each fold; None where in some row the second score is as large but for what is allowed.

    ``turned`` (columns, rows); ``slopes`` (folds, classes, columns); ``offsets`` (folds, classes), -inf for a class
    without training rows.
    """
    count, classes, columns = slopes.shape
    scores = (slopes.reshape(-1, columns) @ turned).reshape(count, classes, -1)
    winners: Any = kernels().winners
    answers: list[Predictions | None] = []
    for place, fold in enumerate(folds):
        answer, close = winners(scores[place], offsets[place], fold.test)
        answers.append(None if close <= allowed[place] else answer)
    return answers
