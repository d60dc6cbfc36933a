"""How often a sum of numbers with random signs is as large as observed: the tail, without drawing signs."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array, Flags

_STEPS = 200  # of Newton's method, which comes nearer from one side: far more than it needs
_FINEST = 5_000  # numbers that are multiples of less than this part of the largest are taken as continuous
_CHUNK = 200_000  # numbers held at once
_HALVINGS, _NEAR = 150, 1e-6  # steps at most to an end of an interval, and how near its normal score comes
_SMALL, _TERMS = 0.4, 13  # up to this t as many terms of the series of log cosh are exact to rounding
_POWERS = 2 * np.arange(1, _TERMS + 1)
_TANH = [1.0]  # tanh u = u − u³/3 + …, by tanh' = 1 − tanh²
for _odd in _POWERS[1:] - 1:
    _TANH.append(-float(np.dot(_TANH, _TANH[::-1])) / _odd)
_SERIES = np.array(_TANH) / _POWERS  # log cosh u = u²/2 − u⁴/12 + …


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
    return np.concatenate([_Tails(rows[part], sums[part]).above() for part in _parts(rows)])


def flip_low(rows: Array, sizes: Array, alpha: Array, rejected: Flags) -> Array:
    """The smallest shift δ, one per row d, at which the tail of Σ ±(dᵢ − δ sizeᵢ) exceeds alpha; larger ones do too.

    ``rejected`` says whether δ = 0 is rejected, which the test of the row knows better: the end lies on that side of 0.
    It is −∞ where alpha is below the share of one pattern. Sums of shifted numbers are taken as continuous.

    Examples
    --------
    >>> row = np.arange(1.0, 21.0)[None]
    >>> low = flip_low(row, np.ones(20), np.array([0.005]), np.array([True]))
    >>> flip_tail(row - low, (row - low).sum(axis=-1)).round(6)
    array([0.005])
    """
    parts = _parts(rows)
    return np.concatenate([_Shifted(rows[part], sizes, alpha[part]).end(rejected[part]) for part in parts])


def _parts(rows: Array) -> list[slice]:
    step = max(1, _CHUNK // rows.shape[-1])
    return [slice(start, start + step) for start in range(0, len(rows), step)]


class _Tails:
    """Sums of numbers with random signs, one set of numbers per row, scaled so that the largest of each is 1."""

    def __init__(self, rows: Array, sums: Array, *, continuous: bool = False) -> None:
        sizes, self.sums = np.abs(rows), sums
        self.scale = np.maximum(sizes.max(axis=-1), np.finfo(float).tiny)
        self.x = sizes / self.scale[:, None]
        self.total, self.some = self.x.sum(axis=-1), (self.x > 0).sum(axis=-1)
        self.gap = 2.0 * np.array([0.0 if continuous else _common_step(row) for row in self.x])
        self.y = np.abs(sums) / self.scale
        self.power_sums = _power_sums(self.x, self.y)

    def above(self) -> Array:
        """The share of all patterns of signs whose sum is at least the given one, one per row."""
        sums, y = self.sums, self.y
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
        powers, series = _POWERS[: len(self.power_sums), None], _SERIES[: len(self.power_sums), None]
        terms = series * powers * self.power_sums
        slope, curvature = _polynomial(terms, t * t) * t, _polynomial(terms * (powers - 1.0), t * t)
        far = np.flatnonzero(t > _SMALL)
        if far.size:
            x = self.x[far]
            height = np.tanh(t[far, None] * x)
            slope[far] = np.einsum("ij,ij->i", x, height)
            curvature[far] = np.einsum("ij,ij,ij->i", x, x, 1.0 - height * height)
        return slope, curvature

    def _cumulant(self, t: Array) -> Array:
        """Σ log cosh(t x)."""
        found = _polynomial(_SERIES[: len(self.power_sums), None] * self.power_sums, t * t) * t * t
        far = np.flatnonzero(t > _SMALL)
        if far.size:
            u = t[far, None] * self.x[far]
            found[far] = (np.logaddexp(u, -u) - np.log(2.0)).sum(axis=-1)
        return found


class _Shifted:
    """Numbers d − δ size, one row each, and the shift δ below their mean at which their tail is alpha.

    As for normal sums the tail is that of S/√V, where S and V are the sum and the sum of squares of the numbers; how
    far the true tail is from that changes little with δ, so that a few steps are enough.
    """

    def __init__(self, rows: Array, sizes: Array, alpha: Array) -> None:
        self.rows, self.sizes, self.alpha = rows, sizes, alpha
        self.mean = rows.sum(axis=-1) / sizes.sum()
        self.lowest = (rows / sizes).min(axis=-1)
        self.total, self.of_sizes = sizes.sum(), np.square(sizes).sum()
        self.both = rows @ sizes - self.mean * self.of_sizes
        self.squares = np.square(rows).sum(axis=-1) - self.mean * (2.0 * self.both + self.mean * self.of_sizes)
        self.squares = np.maximum(self.squares, 0.0)

    def end(self, rejected: Flags) -> Array:
        """The end of the interval, one per row."""
        inside, outside = self.mean.copy(), self.lowest.copy()
        between = (outside <= 0.0) & (inside > 0.0)
        outside, inside = np.where(between & rejected, 0.0, outside), np.where(between & ~rejected, 0.0, inside)
        wanted = -special.ndtri(self.alpha)
        aim, left = wanted.copy(), np.flatnonzero(outside < inside)
        for step in range(_HALVINGS):
            if not left.size:
                break
            at = self._normal_shift(aim[left], left)
            near, far = inside[left], outside[left]
            at = np.where((at > far) & (at < near) & (step % 3 < 2), at, 0.5 * (near + far))
            score, plain = self._scores(at, left)
            with np.errstate(invalid="ignore"):
                aim[left] = wanted[left] - (score - plain)
            found = np.abs(score - wanted[left]) <= _NEAR
            inside[left] = np.where(found | (score < wanted[left]), at, near)
            outside[left] = np.where(score < wanted[left], far, at)
            left = left[~found & (near - far > 1e-14 * np.maximum(np.abs(near), np.abs(far)))]
        return np.where(0.5 ** self.rows.shape[-1] <= self.alpha * (1.0 + 1e-12), inside, -np.inf)

    def _normal_shift(self, score: Array, rows: Any) -> Array:
        """The shift at which S/√V is this: the smaller root of a quadratic equation."""
        square, both, squares = np.square(score), self.both[rows], self.squares[rows]
        with np.errstate(invalid="ignore", divide="ignore"):
            first = self.total**2 - square * self.of_sizes
            root = np.sqrt(np.square(square * both) + first * square * squares)
            return np.where(first > 0, self.mean[rows] - (square * both + root) / first, np.nan)

    def _scores(self, shift: Array, rows: Any) -> tuple[Array, Array]:
        """The normal score of the tail at a shift, and S/√V."""
        values = self.rows[rows] - shift[:, None] * self.sizes
        sums = values.sum(axis=-1)
        plain = sums / np.sqrt(np.maximum(np.square(values).sum(axis=-1), np.finfo(float).tiny))
        return -special.ndtri(_Tails(values, sums, continuous=True).above()), plain


def _power_sums(x: Array, y: Array) -> Array:
    """Σ x², Σ x⁴, … of every row: (terms, rows), as many as t needs, which is nearly y/Σx² where that is small."""
    squares = np.square(x)
    power, sums = squares.copy(), [squares.sum(axis=-1)]
    t = float((y / np.maximum(sums[0], np.finfo(float).tiny)).max())
    terms = _TERMS if t > 0.5 * _SMALL else min(_TERMS, 2 + int(np.log(1e-17) / np.log((0.7 * max(t, 1e-9)) ** 2)))
    for _ in range(1, terms):
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
