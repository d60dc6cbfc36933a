"""Which pairs of K learners can be equal at the same time: those inside the groups of a partition."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import isqrt

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError

#: Bell's number of partitions grows fast: 21,147 for 9 learners, 115,975 for 10.
MOST_LEARNERS = 9


def learners_of(pairs: int, *, where: str) -> int:
    """Return K from the number of its pairs K(K−1)/2.

    Examples
    --------
    >>> learners_of(10, where="example")
    5
    """
    k = (1 + isqrt(1 + 8 * pairs)) // 2
    if k * (k - 1) // 2 != pairs:
        raise InputError(
            f"p has {pairs} values, which is not K(K−1)/2 for any K.",
            f"{where}, argument p",
            "give the p values of all pairs of learners, in the order (0,1), (0,2), …, (1,2), …",
        )
    return k


@lru_cache(maxsize=16)
def possible_sets(k: int, where: str) -> npt.NDArray[np.bool_]:
    """Return every set of pairs that can be true together, as rows over the pairs (0,1), (0,2), …"""
    if k > MOST_LEARNERS:
        raise InputError(
            f"{where} lists all partitions of the learners; {k} learners have too many.",
            f"{where}, argument p",
            f"use it for at most {MOST_LEARNERS} learners, or take holm or shaffer (static).",
        )
    labels = np.array(list(_partitions(k)))
    i, j = np.triu_indices(k, 1)
    together = labels[:, i] == labels[:, j]
    return np.asarray(together[together.any(axis=1)])


def _partitions(k: int) -> Iterator[list[int]]:
    """Group labels of every partition of k things, each once: a label is at most one above those before."""

    def grow(labels: list[int], groups: int) -> Iterator[list[int]]:
        if len(labels) == k:
            yield labels
            return
        for label in range(groups + 1):
            yield from grow([*labels, label], max(groups, label + 1))

    yield from grow([0], 1)
