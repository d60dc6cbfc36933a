"""Signs and places dealt anew: how often chance alone is as extreme as what was seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from math import factorial

import numpy as np

from bestofk.core.arrays import Array

#: Up to this many patterns all are counted.
ENUMERATE_UP_TO = 2**16
#: Rows of which all sign patterns are counted; of more so many are drawn.
ALL_SIGNS_UP_TO, SHUFFLES = 17, 10_000
_CHUNK = 4_000_000  # numbers held at once
_TIES = 1e-9  # statistics this close, relative to the observed one, are the same sum in another order of adding


def flip_patterns(n: int, shuffles: int, random: np.random.Generator) -> tuple[bool, Iterator[Array]]:
    """Return whether all are there, and sign patterns in blocks (patterns, 1, n); the first sign stays.

    A pattern and its opposite give the same quadratic statistic, so half of the 2^n are enough.
    """
    step = max(1, _CHUNK // n)
    if n <= ALL_SIGNS_UP_TO:
        bits = (np.arange(2 ** (n - 1))[:, None] >> np.arange(n)) & 1
        return True, iter([np.asarray(1.0 - 2.0 * bits)[:, None]])
    sizes = [min(step, shuffles - start) for start in range(0, shuffles, step)]
    return False, (np.asarray(1.0 - 2.0 * random.integers(0, 2, size=(size, 1, n))) for size in sizes)


def smallest_share(n: int, shuffles: int = SHUFFLES) -> float:
    """The smallest p value that signs of n rows can give.

    Examples
    --------
    >>> smallest_share(6)
    0.03125
    """
    return 2.0 ** (1 - n) if n <= ALL_SIGNS_UP_TO else 1.0 / (shuffles + 1.0)


def place_patterns(n: int, k: int, shuffles: int, random: np.random.Generator) -> tuple[bool, Iterator[Array]]:
    """Return whether all are there, and deals of k places within n blocks, as 0/1 blocks (patterns, k, n·k).

    The first block stays as it is: naming the learners anew in all blocks changes nothing.
    """
    step = max(1, _CHUNK // (n * k * k))
    if factorial(k) ** (n - 1) <= ENUMERATE_UP_TO:
        every = list(permutations(range(k)))
        deals = np.array([[every[0], *deal] for deal in product(every, repeat=n - 1)])
        return True, (_as_zero_one(deals[i : i + step]) for i in range(0, len(deals), step))
    sizes = [min(step, shuffles - start) for start in range(0, shuffles, step)]
    return False, (_as_zero_one(np.argsort(random.random((size, n, k)), axis=-1)) for size in sizes)


def _as_zero_one(deals: np.ndarray) -> Array:
    """(patterns, n, k) of places → (patterns, k, n·k): 1 where the learner gets that value of that block."""
    count, n, k = deals.shape
    chosen = deals[:, :, :, None] == np.arange(k)  # (patterns, block, learner, value)
    return np.asarray(np.moveaxis(chosen, 2, 1).reshape(count, k, n * k), dtype=np.float64)


def share_as_extreme(rows: Array, observed: Array, patterns: Iterator[Array], exact: bool) -> tuple[Array, int]:
    """Return p values of Σ‖pattern · rows‖² ≥ observed, and how many patterns were counted.

    ``rows`` is (tests, values, r); ``observed`` (tests,). Exact p is a share, the observed pattern among them;
    otherwise (b + 1)/(patterns + 1).
    """
    tests, values, r = rows.shape
    flat = np.moveaxis(rows, 0, -1).reshape(values, r * tests)  # one matrix product serves all tests
    threshold = observed * (1.0 - _TIES) - 1e-12
    extreme, counted = np.zeros(tests), 0
    for block in patterns:
        step = max(1, _CHUNK // (block.shape[1] * r * tests))
        for start in range(0, len(block), step):
            part = block[start : start + step]
            sums = (part.reshape(-1, values) @ flat).reshape(len(part), -1, tests)
            extreme += (np.square(sums).sum(axis=1) >= threshold).sum(axis=0)
        counted += len(block)
    return (extreme / counted if exact else (extreme + 1.0) / (counted + 1.0)), counted
