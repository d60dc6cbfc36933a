"""How often a sum of numbers with random signs is as large as observed: the tail, without drawing signs."""

from __future__ import annotations

import numpy as np
from scipy import special

from bestofk.core.arrays import Array

_STEPS = 200  # of Newton's method, which comes nearer from one side: far more than it needs
_FINEST = 5_000  # numbers that are multiples of less than this part of the largest are taken as continuous
_CHUNK = 2_000_000  # numbers held at once
_SMALL, _TERMS = 0.4, 13  # up to this t as many terms of the series of log cosh are exact to rounding
_POWERS = 2 * np.arange(1, _TERMS + 1)
_SERIES = 2.0**_POWERS * (2.0**_POWERS - 1.0) * special.bernoulli(2 * _TERMS)[_POWERS] / _POWERS
_SERIES /= special.factorial(_POWERS)  # log cosh u = u²/2 − u⁴/12 + …


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
    return np.concatenate([_Tails(rows[part]).above(sums[part]) for part in _parts(rows)])


def flip_critical(rows: Array, alpha: Array) -> Array:
    """The largest sum, one per row, whose tail exceeds alpha (tests,): a larger one is rejected.

    Examples
    --------
    >>> flip_critical(np.ones((1, 20)), np.array([0.005])).round(6)
    array([12.262029])
    """
    return np.concatenate([_Tails(rows[part]).critical(alpha[part]) for part in _parts(rows)])


def _parts(rows: Array) -> list[slice]:
    step = max(1, _CHUNK // rows.shape[-1])
    return [slice(start, start + step) for start in range(0, len(rows), step)]


class _Tails:
    """Sums of numbers with random signs, one set of numbers per row, scaled so that the largest of each is 1."""

    def __init__(self, rows: Array) -> None:
        sizes = np.abs(rows)
        self.scale = np.maximum(sizes.max(axis=-1), np.finfo(float).tiny)
        self.x = sizes / self.scale[:, None]
        self.total, self.some = self.x.sum(axis=-1), (self.x > 0).sum(axis=-1)
        self.gap = 2.0 * np.array([_common_step(row) for row in self.x])
        self.power_sums = _power_sums(self.x)

    def above(self, sums: Array) -> Array:
        """The share of all patterns of signs whose sum is at least this, one per row."""
        y = np.abs(sums) / self.scale
        largest = y >= self.total * (1.0 - 1e-12)
        inner = np.where(largest, 0.5 * self.total, y)
        t, curvature = self._saddlepoint(inner)
        w = np.sqrt(np.maximum(2.0 * (t * inner - self._cumulant(t)), 0.0))
        gap = self.gap
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.where(gap > 0, -np.expm1(-gap * t) / np.where(gap > 0, gap, 1.0), t)
            found = special.ndtr(-w) + np.exp(-0.5 * w * w) / np.sqrt(2.0 * np.pi) * (
                1.0 / (slope * np.sqrt(curvature)) - 1.0 / w
            )
        found = np.where(w < 1e-4, 0.5, np.clip(found, 0.0, 1.0))
        found = np.where(largest, 0.5**self.some, found)
        return np.where(sums > 0, found, np.where(sums < 0, 1.0 - found, 1.0))

    def critical(self, alpha: Array) -> Array:
        """The largest sum whose tail exceeds alpha, one per row; by Hoeffding it is at most √(2 Σd² log(1/alpha))."""
        bound = np.minimum(self.total, np.sqrt(-2.0 * self.power_sums[0] * np.log(alpha)))
        low, high = np.zeros(len(self.x)), bound * self.scale
        sure = 0.5**self.some <= alpha  # else even the largest sum is not rejected
        for _ in range(60):
            middle = 0.5 * (low + high)
            exceeds = self.above(middle) > alpha
            low, high = np.where(exceeds, middle, low), np.where(exceeds, high, middle)
        return np.where(sure, low, np.inf)

    def _saddlepoint(self, y: Array) -> tuple[Array, Array]:
        """Solve Σ x tanh(t x) = y; from below, where Newton's method never oversteps, for the sum is concave in t."""
        t = y / np.maximum(self.power_sums[0], np.finfo(float).tiny)
        curvature = np.ones_like(t)
        for _ in range(_STEPS):
            slope, curvature = self._slope(t)
            missing = y - slope
            if np.all(missing <= 1e-12 * np.maximum(y, 1e-300)):
                break
            t = t + np.where(curvature > 0, missing / np.where(curvature > 0, curvature, 1.0), 0.0)
        return t, curvature

    def _slope(self, t: Array) -> tuple[Array, Array]:
        """First and second derivative of Σ log cosh(t x): by power sums where t is small."""
        terms = _SERIES[:, None] * _POWERS[:, None] * self.power_sums
        slope, curvature = _polynomial(terms, t * t) * t, _polynomial(terms * (_POWERS[:, None] - 1.0), t * t)
        far = np.flatnonzero(t > _SMALL)
        if far.size:
            x = self.x[far]
            height = np.tanh(t[far, None] * x)
            slope[far] = np.einsum("ij,ij->i", x, height)
            curvature[far] = np.einsum("ij,ij,ij->i", x, x, 1.0 - height * height)
        return slope, curvature

    def _cumulant(self, t: Array) -> Array:
        """Σ log cosh(t x)."""
        found = _polynomial(_SERIES[:, None] * self.power_sums, t * t) * t * t
        far = np.flatnonzero(t > _SMALL)
        if far.size:
            u = t[far, None] * self.x[far]
            found[far] = (np.logaddexp(u, -u) - np.log(2.0)).sum(axis=-1)
        return found


def _power_sums(x: Array) -> Array:
    """Σ x², Σ x⁴, … of every row: (terms, rows)."""
    squares = np.square(x)
    power, sums = squares.copy(), [squares.sum(axis=-1)]
    for _ in range(1, _TERMS):
        power *= squares
        sums.append(power.sum(axis=-1))
    return np.stack(sums)


def _polynomial(coefficients: Array, argument: Array) -> Array:
    """Σ cₘ aᵐ with one column of coefficients per argument."""
    found = np.zeros_like(argument)
    for each in coefficients[::-1]:
        found = found * argument + each
    return found


def _common_step(sizes: Array) -> float:
    """The number of which all (at most 1) are multiples, 0 where there is none; sums lie on a grid of twice it."""
    first = np.unique(sizes[:300].round(9))
    if len(first) > 100:
        return 0.0
    step = _divisor(first)
    if step > 0 and np.abs(sizes / step - np.rint(sizes / step)).max() * step < 1e-9:
        return step  # of the first numbers, and of all others
    return _divisor(np.unique(sizes.round(9)))


def _divisor(sizes: Array) -> float:
    """The largest number of which all are multiples, 0 where it is too small to count."""
    step = 0.0
    for size in sizes[sizes > 1e-7]:
        while size > 1e-7:
            step, size = size, step % size if step > 1e-7 else 0.0
        if step * _FINEST < 1.0:
            return 0.0
    return float(step)
