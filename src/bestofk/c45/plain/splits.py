"""How good is a question at a node: information gain and gain ratio (Quinlan, 1993 and 1996)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bestofk.c45.cases import Ints
from bestofk.c45.margins import CEILING, GAP, SHARE_OF_CLASS, SMALL
from bestofk.c45.rules import Rules
from bestofk.core.arrays import Array


class Split(NamedTuple):
    """``threshold`` is midway between two values of the node's rows; NaN for a nominal feature."""

    gain: float
    ratio: float
    threshold: float


def nominal_split(codes: Ints, levels: int, y: Ints, weights: Array, classes: int, rules: Rules) -> Split | None:
    """A branch for each level; none unless two branches are heavy enough."""
    known = codes >= 0
    place = codes[known].astype(np.intp) * classes + y[known]
    sums: Array = np.bincount(place, weights[known], minlength=levels * classes).astype(np.float64)
    counts = sums.reshape(levels, classes)
    bags = counts.sum(axis=1)
    if (rules.min_instances - bags < SMALL).sum() < 2:
        return None
    total = float(weights.sum())
    before = _bits(bags.sum()) - _bits(counts.sum(axis=0)).sum()
    gain = float(_gain(before - (_bits(bags).sum() - _bits(counts).sum()), bags.sum(), total))
    return Split(gain, _ratio(gain, bags, total), np.nan)


def numeric_split(numbers: Array, y: Ints, weights: Array, classes: int, rules: Rules) -> Split | None:
    """The threshold of the largest gain; none unless the gain pays for choosing among thresholds."""
    known = np.flatnonzero(~np.isnan(numbers))
    if len(known) == 0:
        return None
    known = known[np.argsort(numbers[known], kind="stable")]
    numbers = numbers[known]
    total = float(weights.sum())
    ends, sides = _allowed(numbers, _sums(y[known], weights[known], classes), classes, rules)
    if len(ends) == 0:
        return None
    gains = _gains(sides, total)
    best = _first_clearly_largest(gains)
    gain = 0.0 if best is None else float(gains[best])
    if rules.penalty:
        gain -= float(np.log2(len(ends))) / total
    if best is None or gain < SMALL:
        return None
    threshold = _midway(float(numbers[ends[best]]), float(numbers[ends[best] + 1]))
    return Split(gain, _ratio(gain, sides[:, best].sum(axis=1), total), threshold)


def _sums(y: Ints, weights: Array, classes: int) -> Array:
    """Weight of each class up to each row."""
    ones = np.zeros((len(y), classes))
    ones[np.arange(len(y)), y] = weights
    return np.cumsum(ones, axis=0)


def _allowed(numbers: Array, sums: Array, classes: int, rules: Rules) -> tuple[Array, Array]:
    """Places after which a threshold may lie, and the class weights on its two sides."""
    known = sums[-1].sum()
    least = SHARE_OF_CLASS * known / classes
    least = rules.min_instances if least - rules.min_instances < SMALL else min(least, CEILING)
    ends = np.flatnonzero(numbers[:-1] + GAP < numbers[1:])
    sides = np.stack([sums[ends], sums[-1] - sums[ends]])
    heavy = (least - sides.sum(axis=2) < SMALL).all(axis=0)
    return ends[heavy], sides[:, heavy]


def _gains(sides: Array, total: float) -> Array:
    known = sides[:, 0].sum()
    before = _bits(known) - _bits(sides[:, 0].sum(axis=0)).sum()
    after = (_bits(sides.sum(axis=2)) - _bits(sides).sum(axis=2)).sum(axis=0)
    return _gain(before - after, known, total)


def _bits(weights: Array) -> Array:
    """w log2 w, the entropy's part."""
    return weights * np.log2(np.where(weights < SMALL, 1.0, weights))


def _gain(saved: Array, known: float, total: float) -> Array:
    """Bits saved per row; rows whose value is missing save nothing."""
    saved = saved * (known / total)
    return np.where(saved < SMALL, 0.0, saved / known)


def _ratio(gain: float, bags: Array, total: float) -> float:
    """Gain per bit of the question itself; the missing are a branch of their own here."""
    whole, missing = _bits(np.array([total, total - bags.sum()]))
    bits = float(whole - missing - _bits(bags).sum())
    return 0.0 if bits < SMALL else gain / (bits / total)


def _first_clearly_largest(gains: Array) -> int | None:
    best, place = 0.0, None
    for index in np.flatnonzero(gains >= np.maximum.accumulate(gains)).tolist():
        if gains[index] - best > SMALL:
            best, place = gains[index], index
    return place


def _midway(low: float, high: float) -> float:
    middle = (low + high) / 2.0
    return low if middle == high else middle
