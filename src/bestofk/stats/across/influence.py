"""Conclusions when data sets are left out, one or more at a time, and how much every data set speaks for a learner."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.options import count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.across.conclusions import Decided, decide, decide_without, without_ties
from bestofk.stats.across.question import Places, Question, table_of
from bestofk.stats.pairwise.wilcoxon import EXACT_UP_TO


@frozen(eq=False)
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
    if size <= 2 and datasets <= EXACT_UP_TO and without_ties(losses, question):
        return LeftOut(removed, decide_without(losses, removed, question))
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
    return decide(losses, np.arange(losses.shape[1], dtype=np.intp)[None], replace(question, whole=True))


def evidence_for_first(decided: Decided) -> Array:
    """The two-sided p as a normal score, positive where the test speaks for the first learner."""
    half = np.clip(decided.pvalue / 2.0, 1e-300, 0.5)
    return np.asarray(-special.ndtri(half) * decided.side)


def influences(everything: Decided, one_out: LeftOut) -> Array:
    """Return (pairs, data sets): the score with a data set minus that without it; positive where it helps the first.

    Examples
    --------
    >>> from bestofk.stats.across import all_pairs, leave_out
    >>> losses = np.array([[1.0, 1, 1, 1, 5], [2.0, 2.1, 1.9, 2, 2]])
    >>> ask = all_pairs(2, "paired-t")
    >>> influences(on_all(losses, ask), leave_out(losses, ask, 1))[0].argmin()
    np.int64(4)
    """
    return np.asarray((evidence_for_first(everything) - evidence_for_first(one_out.decided)).T)


def resampled(losses: Array, question: Question, *, resamples: int, rng: Seed) -> Decided:
    """Conclude from data sets drawn with replacement: would others like these say the same?"""
    where = "bootstrap over data sets"
    resamples = count_of(resamples, name="resamples", where=where)
    losses = table_of(losses)
    datasets = losses.shape[1]
    drawn = generator(rng, where=where).integers(0, datasets, size=(resamples, datasets))
    return decide(losses, np.asarray(drawn, dtype=np.intp), question)


def share_alike(before: Any, after: Any) -> Array:
    """Share of rows of ``after`` that conclude as ``before`` does, per pair."""
    return np.asarray((np.asarray(after) == np.asarray(before)).mean(axis=0))
