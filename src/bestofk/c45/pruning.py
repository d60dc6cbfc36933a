"""What both backends prune by: the errors that a leaf must expect, and rows held out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bestofk.c45.cases import Ints
from bestofk.c45.rules import SMALL
from bestofk.c45.tree import Answers, Tree
from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError


def added_errors(weight: float, errors: float, confidence: float, deviate: float) -> float:
    """How many errors to add to those seen among the training rows of a leaf.

    From one error on it is the normal limit with continuity correction; for none the exact limit; between, a straight
    line.

    Examples
    --------
    >>> round(added_errors(6.0, 0.0, 0.25, 0.6744897501960817), 3)  # Quinlan 1993, section 4.2: 6 × 0.206
    1.238
    """
    counted = max(errors, 1.0)
    if counted + 0.5 >= weight:
        added = max(weight - counted, 0.0)
    else:
        share, square = (counted + 0.5) / weight, deviate * deviate
        spread = math.sqrt(share / weight - share * share / weight + square / (4.0 * weight * weight))
        limit = (share + square / (2.0 * weight) + deviate * spread) / (1.0 + square / weight)
        added = limit * weight - counted
    if errors >= 1.0:
        return added
    none = weight * (1.0 - math.pow(confidence, 1.0 / weight))
    return none + errors * (added - none)


def reduced(tree: Tree, says: Answers, held: Array) -> Tree:
    """Return the pruned tree; ``held`` has the weight of each class among the held-out rows that pass each node."""
    own = held.sum(axis=1) - held[np.arange(len(held)), says.label]
    errors, leaf = own.copy(), tree.width == 0
    for node in np.flatnonzero(~leaf)[::-1]:
        below = errors[tree.first[node] : tree.first[node] + tree.width[node]].sum()
        leaf[node] = own[node] - below < SMALL
        errors[node] = own[node] if leaf[node] else below
    return cut(tree, leaf)


def cut(tree: Tree, leaf: Flags) -> Tree:
    """Leave out all that is below the leaves."""
    kept = np.ones(len(leaf), dtype=bool)
    for node in np.flatnonzero(tree.width):
        kept[tree.first[node] : tree.first[node] + tree.width[node]] = kept[node] and not leaf[node]
    inner = kept & ~leaf
    width = np.where(inner, tree.width, 0)[kept]
    return Tree(
        np.where(inner, tree.feature, -1)[kept].astype(np.int32),
        np.where(inner, tree.threshold, np.nan)[kept],
        np.where(width > 0, 1 + np.cumsum(width) - width, 0).astype(np.int32),
        width.astype(np.int32),
        tree.counts[kept],
    )


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
