"""Do features of data sets go with the difference between two learners?"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import count_of
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
    table, d = numbers(features, name="features", where=where), numbers(difference, name="difference", where=where)
    shuffles = count_of(shuffles, name="shuffles", where=where)
    if table.ndim != 2 or d.shape != table.shape[:1] or len(d) < 4:
        raise InputError(
            f"features has the shape {table.shape} and difference {d.shape}.",
            f"{where}, arguments features and difference",
            "give one row of features per data set, and at least four data sets.",
        )
    rows = _unit(average_ranks(np.ascontiguousarray(table.T)))
    outcomes = np.stack([_unit(average_ranks(d)), _unit(np.sign(d))])
    observed = rows @ outcomes.T
    count, beaten = _beaten(rows, outcomes, np.abs(observed), shuffles, generator(rng, where=where))
    return Associations(observed, (count + 1.0) / (shuffles + 1.0), (beaten + 1.0) / (shuffles + 1.0), shuffles)


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
