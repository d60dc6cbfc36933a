"""Which training rows are held out for reduced-error pruning."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.cases import Ints
from bestofk.core.arrays import Flags
from bestofk.core.errors import InputError


def held_out_rows(held_out: float | int, y: Ints, random_state: Any) -> Flags:
    """A share of the rows, drawn at random, or for a whole number k the last of k stratified folds in file order."""
    if isinstance(held_out, int | np.integer):
        if held_out > len(y):
            raise InputError(
                f"held_out is {held_out} folds, and there are {len(y)} rows to train on: none would be held out.",
                "C45Classifier, parameter held_out",
                "give fewer folds, or a share between 0 and 1.",
            )
        return _last_fold(int(held_out), y)
    from sklearn.utils import check_random_state

    number = min(max(1, round(float(held_out) * len(y))), len(y) - 1)
    held = np.zeros(len(y), dtype=bool)
    held[check_random_state(random_state).permutation(len(y))[:number]] = True
    return held


def _last_fold(folds: int, y: Ints) -> Flags:
    """J48's: rows brought together by class, every k-th dealt to the same fold."""
    order = _by_class(y)
    dealt = np.concatenate([order[start::folds] for start in range(folds)])
    held = np.zeros(len(y), dtype=bool)
    held[dealt[len(y) - len(y) // folds :]] = True
    return held


def _by_class(y: Ints) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Classes in the order of their first row; bringing a row forward sends the one in its place to where it was."""
    order, codes = list(range(len(y))), y.tolist()
    index = 1
    while index < len(order):
        current = codes[order[index - 1]]
        for place in range(index, len(order)):
            if codes[order[place]] == current:
                order[index], order[place] = order[place], order[index]
                index += 1
        index += 1
    return np.array(order, dtype=np.intp)
