"""Features of data sets that go with the difference between two learners: correlations, and a small tree of rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, level_inside
from bestofk.core.record import Record
from bestofk.core.rng import Seed, generator
from bestofk.stats.ranks import average_ranks

#: What of the difference a feature is compared with.
OUTCOMES = ("size", "sign")
_MOST_VALUES = 4_000_000


class Associations(Record):
    """Rank correlations (features, outcomes) of every feature with the size and with the sign of the difference.

    ``pvalue`` is that of each by itself, ``adjusted`` that of the largest among all of them: what is found by looking
    at many features must be larger than the largest that chance finds.
    """

    correlation: Array
    pvalue: Array
    adjusted: Array
    shuffles: int


def associations(features: Any, difference: Any, *, shuffles: int = 9_999, rng: Seed = 0) -> Associations:
    """Permutation-tested rank correlations, with Westfall and Young's correction by the largest.

    Parameters
    ----------
    features : array_like, (D, F)
        One row of features per data set.
    difference : array_like, (D,)
        First minus second, per data set.
    shuffles : int
        Differences are dealt out anew so many times.
    rng : int, Generator or None

    References
    ----------
    Westfall and Young 1993, section 2.6, for the largest statistic. Phipson and Smyth 2010 for (b + 1)/(z + 1).

    Examples
    --------
    >>> features = np.array([[1, 5], [2, 3], [3, 9], [4, 1], [5, 7], [6, 2], [7, 8], [8, 4]])
    >>> found = associations(features, [-4, -3, -2, -1, 1, 2, 3, 5], rng=1)
    >>> found.correlation[0, 0].round(9), bool(found.adjusted[0, 0] < 0.05), bool(found.adjusted[1, 0] > 0.05)
    (np.float64(1.0), True, True)
    """
    where = "associations"
    table, d = _table(features, difference, where, at_least=4)
    shuffles = count_of(shuffles, name="shuffles", where=where)
    rows = _unit(average_ranks(np.ascontiguousarray(table.T)))
    outcomes = np.stack([_unit(average_ranks(d)), _unit(np.sign(d))])
    observed = rows @ outcomes.T
    count, beaten = _beaten(rows, outcomes, np.abs(observed), shuffles, generator(rng, where=where))
    return Associations(observed, (count + 1.0) / (shuffles + 1.0), (beaten + 1.0) / (shuffles + 1.0), shuffles)


def _table(features: Any, difference: Any, where: str, *, at_least: int) -> tuple[Array, Array]:
    """Take features (D, F) and a difference (D,) per data set."""
    table, d = numbers(features, name="features", where=where), numbers(difference, name="difference", where=where)
    if table.ndim != 2 or d.shape != table.shape[:1] or len(d) < at_least:
        raise InputError(
            f"features has the shape {table.shape} and difference {d.shape}.",
            f"{where}, arguments features and difference",
            f"give one row of features per data set, and at least {at_least} of them.",
        )
    return table, d


def _unit(values: Array) -> Array:
    """Centred, of length 1; constants become 0, and so does their correlation with anything."""
    centred = values - values.mean(axis=-1, keepdims=True)
    length = np.sqrt(np.square(centred).sum(axis=-1, keepdims=True))
    return np.asarray(np.where(length > 1e-12, centred / np.where(length > 1e-12, length, 1.0), 0.0))


def _beaten(
    rows: Array, outcomes: Array, observed: Array, shuffles: int, random: np.random.Generator
) -> tuple[Array, Array]:
    """How often chance reaches each correlation by itself, and by the largest of all."""
    count, beaten = np.zeros(observed.shape), np.zeros(observed.shape)
    guard = observed - 1e-10
    step = max(1, _MOST_VALUES // (observed.size + outcomes.size))
    for start in range(0, shuffles, step):
        dealt = random.permuted(np.tile(np.arange(rows.shape[1]), (min(step, shuffles - start), 1)), axis=1)
        null = np.abs(np.einsum("fd,osd->sfo", rows, outcomes[:, dealt], optimize=True))
        count += (null >= guard).sum(axis=0)
        beaten += (null.max(axis=(1, 2))[:, None, None] >= guard).sum(axis=0)
    return count, beaten


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
    table, d = _table(features, difference, where, at_least=1)
    level = level_inside(alpha, name="alpha", where=where)
    count_of(deepest, name="deepest", where=where)
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
