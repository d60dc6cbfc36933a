"""A small tree of rules: on which data sets does which learner win?"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, level_inside
from bestofk.core.record import Record
from bestofk.core.rng import Seed, generator
from bestofk.stats.ranks import average_ranks

#: Fewer data sets than these do not make a leaf.
SMALLEST_LEAF = 4


class Leaf(Record):
    """Data sets (by place) that are not divided further, and the mean difference on them."""

    members: tuple[int, ...]
    mean: float


class Branch(Record):
    """A question that survives correction: is the feature at most ``threshold``? ``pvalue`` is over all questions."""

    feature: int
    threshold: float
    pvalue: float
    yes: Leaf | Branch
    no: Leaf | Branch


def grown_tree(
    features: Any, difference: Any, *, alpha: float = 0.05, deepest: int = 2, shuffles: int = 1_999, rng: Seed = 0
) -> Leaf | Branch:
    """Divide data sets by features where the difference changes, as long as chance does not divide them as well.

    Every question (feature, threshold) divides the data sets in two; the best makes the variance of the ranked
    difference within the two parts smallest. It is asked only if shuffled differences, with *their* best question,
    reach it in at most ``alpha`` of cases, ``alpha`` halved with every step down.

    Parameters
    ----------
    features : array_like, (D, F)
    difference : array_like, (D,)
    alpha : float
    deepest : int
        Questions one after the other, at most.
    shuffles : int
    rng : int, Generator or None

    Examples
    --------
    >>> rows = np.arange(20.0)[:, None]
    >>> tree = grown_tree(rows, np.where(rows[:, 0] < 12, 1.0, -1.0), rng=0)
    >>> tree.feature, tree.threshold, tree.yes.members == tuple(range(12))
    (0, 11.5, True)
    """
    where = "tree of data sets"
    table, d = numbers(features, name="features", where=where), numbers(difference, name="difference", where=where)
    level = level_inside(alpha, name="alpha", where=where)
    count_of(deepest, name="deepest", where=where)
    if table.ndim != 2 or d.shape != table.shape[:1]:
        raise InputError(
            f"features has the shape {table.shape} and difference {d.shape}.", where, "give a row per data set."
        )
    random = generator(rng, where=where)
    return _grown(table, d, np.arange(len(d)), level, deepest, count_of(shuffles, name="shuffles", where=where), random)


def _grown(
    table: Array, d: Array, members: Any, alpha: float, deeper: int, shuffles: int, random: np.random.Generator
) -> Leaf | Branch:
    leaf = Leaf(tuple(int(i) for i in members), float(d[members].mean()))
    questions = _questions(table[members])
    if deeper == 0 or not questions:
        return leaf
    sides = np.array([table[members, f] <= at for f, at in questions], dtype=float)
    ranks = average_ranks(d[members])
    gains = _gains(sides, ranks[None])[0]
    dealt = random.permuted(np.tile(ranks, (shuffles, 1)), axis=1)
    reached = (_gains(sides, dealt).max(axis=1) >= gains.max() - 1e-10).sum()
    pvalue = (float(reached) + 1.0) / (shuffles + 1.0)
    if pvalue > alpha:
        return leaf
    best = int(np.argmax(gains))
    yes = sides[best].astype(bool)
    below, above = (
        _grown(table, d, members[part], alpha / 2.0, deeper - 1, shuffles, random)
        for part in (yes, np.logical_not(yes))
    )
    return Branch(questions[best][0], questions[best][1], pvalue, below, above)


def _questions(table: Array) -> list[tuple[int, float]]:
    """Thresholds halfway between neighbours that leave enough on both sides."""
    asked = []
    for feature in range(table.shape[1]):
        values = np.unique(table[:, feature])
        for at in (values[1:] + values[:-1]) / 2.0:
            below = int((table[:, feature] <= at).sum())
            if min(below, len(table) - below) >= SMALLEST_LEAF:
                asked.append((feature, float(at)))
    return asked


def _gains(sides: Array, ranks: Array) -> Array:
    """Variance between the two parts, for every question and every dealing."""
    below = sides.sum(axis=1)
    n = sides.shape[1]
    centred = ranks - ranks.mean(axis=1, keepdims=True)
    total = centred @ sides.T
    return np.asarray(np.square(total) / (below * (n - below) / n))
