"""Adjustments for all pairs of K learners, by which of them can be equal at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import one_of
from bestofk.stats.adjust.stepwise import in_order, pvalues
from bestofk.stats.method import adjustment

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


@adjustment(
    "family",
    name="shaffer",
    all_pairs=True,
    papers=("shaffer",),
    called="Shaffer's method",
    assumes="p values of all pairs of learners; nothing of how they depend on each other",
    not_for="pairs with a control, or other families than all pairs (holm)",
)
def shaffer(p: Any, kind: str = "static") -> Array:
    """Shaffer: Holm's step-down with the number of hypotheses that can still be true, for all pairs.

    If one pair of learners differs, not all the other pairs can be equal: the multiplier falls faster than Holm's.

    Parameters
    ----------
    p : array_like, (..., K(K−1)/2)
        p values of all pairs in the order (0,1), (0,2), …, (1,2), …
    kind : {"static", "dynamic"}
        ``static`` counts what may be true after that many rejections of whichever pairs; ``dynamic`` after the
        rejection of these very pairs (at most 9 learners; more power).

    References
    ----------
    Shaffer 1986. García and Herrera 2008.

    Examples
    --------
    >>> shaffer([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.03])
    """
    where = "shaffer"
    kind = one_of(kind, ("static", "dynamic"), name="kind", where=where)
    array = pvalues(p, where=where)
    k = learners_of(array.shape[-1], where=where)
    if kind == "dynamic":
        return _dynamic(array, k)
    multipliers = np.array(_static_multipliers(k), dtype=float)
    return in_order(array, lambda ordered, _: np.maximum.accumulate(multipliers * ordered, axis=-1), where=where)


@lru_cache(maxsize=256)
def _possible_counts(k: int) -> frozenset[int]:
    """How many pairs of k learners can be true at once, over all groupings."""
    if k < 2:
        return frozenset({0})
    return frozenset(size * (size - 1) // 2 + rest for size in range(1, k + 1) for rest in _possible_counts(k - size))


@lru_cache(maxsize=256)
def _static_multipliers(k: int) -> tuple[int, ...]:
    m = k * (k - 1) // 2
    return tuple(max(count for count in _possible_counts(k) if count <= m - i) for i in range(m))


def _dynamic(array: Array, k: int) -> Array:
    sets = possible_sets(k, "shaffer (dynamic)")
    sizes = sets.sum(axis=1)
    flat = array.reshape(-1, array.shape[-1])
    adjusted = np.empty(flat.shape)
    for row, p in enumerate(flat):
        alive = np.ones(len(sets), dtype=bool)  # sets without a rejected pair
        so_far = 0.0
        for pair in np.argsort(p, kind="stable"):
            most = int(sizes[alive].max()) if alive.any() else 1
            so_far = max(so_far, most * p[pair])
            adjusted[row, pair] = so_far
            alive &= ~sets[:, pair]
    return np.clip(adjusted, flat, 1.0).reshape(array.shape)


@adjustment(
    "family",
    name="bergmann-hommel",
    all_pairs=True,
    papers=("bergmann",),
    called="the Bergmann–Hommel procedure",
    assumes="p values of all pairs of learners; nothing of how they depend on each other",
    not_for="more than 9 learners, or other families than all pairs (holm)",
)
def bergmann_hommel(p: Any) -> Array:
    r"""Bergmann–Hommel: test every set of pairs that can be true together; the strongest for all pairs.

    .. math:: \tilde p_i = \max\{ |I| \min_{j \in I} p_j : I \text{ exhaustive},\ i \in I \}

    Adjusted values are made monotone in p. At most 9 learners (21,147 partitions).

    Parameters
    ----------
    p : array_like, (..., K(K−1)/2)
        p values of all pairs in the order (0,1), (0,2), …, (1,2), …

    References
    ----------
    Bergmann and Hommel 1988. García and Herrera 2008.

    Examples
    --------
    >>> bergmann_hommel([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.03])
    """
    where = "bergmann-hommel"
    array = pvalues(p, where=where)
    sets = possible_sets(learners_of(array.shape[-1], where=where), where)
    sizes = sets.sum(axis=1)
    flat = array.reshape(-1, array.shape[-1])
    adjusted = np.empty(flat.shape)
    for row, values in enumerate(flat):
        weight = sizes * np.where(sets, values, np.inf).min(axis=1)
        adjusted[row] = np.where(sets, weight[:, None], 0.0).max(axis=0)
    order = np.argsort(flat, axis=-1, kind="stable")
    monotone = np.maximum.accumulate(np.take_along_axis(adjusted, order, axis=-1), axis=-1)
    np.put_along_axis(adjusted, order, monotone, axis=-1)
    return np.clip(adjusted, flat, 1.0).reshape(array.shape)
