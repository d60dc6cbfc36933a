"""How often a sum of numbers with random signs is as large as observed: the tail, without drawing signs."""

from __future__ import annotations

import numpy as np
from scipy import special

from bestofk.core.arrays import Array

_STEPS = 200  # of Newton's method, which comes nearer from one side: far more than it needs
_FINEST = 5_000  # numbers that are multiples of less than this part of the largest are taken as continuous
_CHUNK = 2_000_000  # numbers held at once


def flip_tail(rows: Array, sums: Array) -> Array:
    r"""P[Σ ±dᵢ ≥ s] for every row d (tests, L) and its sum s, signs being those of a fair coin.

    The saddlepoint approximation of Lugannani and Rice with K(t) = Σ log cosh(t dᵢ); where all dᵢ are multiples of one
    number, in Daniels' form for such sums. It is good in the tail, where no number of drawn signs is enough.

    References
    ----------
    Lugannani and Rice 1980. Robinson 1982. Daniels 1987, *Tail probability approximations*.

    Examples
    --------
    >>> flip_tail(np.ones((1, 20)), np.array([16.0])).round(7)  # exactly 211/2^20 = 0.0002012
    array([0.0002088])
    """
    step = max(1, _CHUNK // rows.shape[-1])
    parts = [_tail(np.abs(rows[i : i + step]), sums[i : i + step]) for i in range(0, len(rows), step)]
    return np.concatenate(parts)


def flip_critical(rows: Array, alpha: Array) -> Array:
    """The largest sum, one per row, whose tail exceeds alpha (tests,): a larger one is rejected.

    Examples
    --------
    >>> flip_critical(np.ones((1, 20)), np.array([0.005])).round(6)
    array([12.262029])
    """
    sizes = np.abs(rows)
    low, high = np.zeros(len(rows)), sizes.sum(axis=-1)
    sure = flip_tail(rows, high) <= alpha  # else even the largest sum is not rejected
    for _ in range(60):
        middle = 0.5 * (low + high)
        above = flip_tail(rows, middle) > alpha
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.where(sure, low, np.inf)


def _tail(sizes: Array, sums: Array) -> Array:
    scale = np.maximum(sizes.max(axis=-1), np.finfo(float).tiny)
    x, y = sizes / scale[:, None], np.abs(sums) / scale
    total, some = x.sum(axis=-1), (x > 0).sum(axis=-1)
    largest = y >= total * (1.0 - 1e-12)
    inner = np.where(largest, 0.5 * total, y)
    t, curvature = _saddlepoint(x, inner)
    cumulant = (np.logaddexp(t[:, None] * x, -t[:, None] * x) - np.log(2.0)).sum(axis=-1)
    w = np.sqrt(np.maximum(2.0 * (t * inner - cumulant), 0.0))
    gap = 2.0 * np.array([_common_step(row) for row in x])
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(gap > 0, -np.expm1(-gap * t) / np.where(gap > 0, gap, 1.0), t)
        found = special.ndtr(-w) + np.exp(-0.5 * w * w) / np.sqrt(2.0 * np.pi) * (
            1.0 / (slope * np.sqrt(curvature)) - 1.0 / w
        )
    found = np.where(w < 1e-4, 0.5, np.clip(found, 0.0, 1.0))
    found = np.where(largest, 0.5**some, found)
    return np.where(sums > 0, found, np.where(sums < 0, 1.0 - found, 1.0))


def _saddlepoint(x: Array, y: Array) -> tuple[Array, Array]:
    """Solve Σ x tanh(t x) = y; from below, where Newton's method never oversteps, for the sum is concave in t."""
    squares = np.square(x)
    t = y / np.maximum(squares.sum(axis=-1), np.finfo(float).tiny)
    curvature = np.ones_like(t)
    for _ in range(_STEPS):
        height = np.tanh(t[:, None] * x)
        curvature = np.einsum("ij,ij->i", squares, 1.0 - height * height)
        missing = y - np.einsum("ij,ij->i", x, height)
        if np.all(missing <= 1e-12 * np.maximum(y, 1e-300)):
            break
        t = t + np.where(curvature > 0, missing / np.where(curvature > 0, curvature, 1.0), 0.0)
    return t, curvature


def _common_step(sizes: Array) -> float:
    """The number of which all (at most 1) are multiples, 0 where there is none; sums lie on a grid of twice it."""
    if len(np.unique(sizes[:300].round(9))) > 100:
        return 0.0
    step = 0.0
    for size in np.unique(sizes[sizes > 1e-7].round(9)):
        while size > 1e-7:
            step, size = size, step % size if step > 1e-7 else 0.0
        if step * _FINEST < 1.0:
            return 0.0
    return float(step)
