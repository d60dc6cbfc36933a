"""Conclusions when data sets are left out, one, two or more at a time."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import count_of
from bestofk.stats.across.deciding import Decided, decide
from bestofk.stats.across.question import Places, Question, table_of


@dataclass(frozen=True, eq=False)
class LeftOut:
    """What is concluded without the data sets ``removed`` (choices, size), one row each."""

    removed: Places
    decided: Decided


def leave_out(losses: Array, question: Question, size: int) -> LeftOut:
    """Leave out every set of ``size`` data sets of a table (K, D).

    Examples
    --------
    >>> from bestofk.stats.across import all_pairs
    >>> a, b = [80, 73, 85, 68, 82, 75, 73, 64, 75, 69], [85, 70, 85, 74, 71, 65, 77, 73, 75, 76]
    >>> two = leave_out(-np.array([a, b], dtype=float), all_pairs(2, "paired-t"), 2)
    >>> [tuple(int(i) + 1 for i in two.removed[row]) for row in np.flatnonzero(two.decided.conclusion[:, 0])]
    [(5, 6)]
    """
    losses = table_of(losses)
    datasets = losses.shape[1]
    size = count_of(size, name="size", where="leave out")
    if datasets - size < 2:
        raise InputError(
            f"{size} of {datasets} data sets cannot be left out.", "leave out, argument size", "leave at least two."
        )
    removed = subsets(datasets, size)
    return LeftOut(removed, decide(losses, kept_without(removed, datasets), question))


def subsets(datasets: int, size: int, first: int = 0, count: int | None = None) -> Places:
    """All sets of ``size`` data sets, or ``count`` of them from place ``first`` on, in lexicographic order."""
    total = comb(datasets, size) - first
    number = total if count is None else min(total, count)
    chosen = islice(combinations(range(datasets), size), first, first + number)
    flat = np.fromiter((i for each in chosen for i in each), dtype=np.intp, count=number * size)
    return flat.reshape(number, size)


def kept_without(removed: Places, datasets: int) -> Places:
    """The data sets that stay, in their order.

    Examples
    --------
    >>> kept_without(np.array([[0], [2]]), 3).tolist()
    [[1, 2], [0, 1]]
    """
    stays = np.ones((len(removed), datasets), dtype=bool)
    np.put_along_axis(stays, removed, False, axis=1)
    return np.nonzero(stays)[1].reshape(len(removed), -1)


def on_all(losses: Array, question: Question) -> Decided:
    """What is concluded from all data sets."""
    return decide(losses, np.arange(losses.shape[1], dtype=np.intp)[None], question)
