"""Which question a node asks, by information gain and gain ratio (Quinlan, 1993 and 1996), and its rows in branches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bestofk.c45.cases import Cases, Features, Ints, Training
from bestofk.c45.rules import BELOW_AVERAGE, CEILING, GAP, SHARE_OF_CLASS, SMALL, Rules
from bestofk.core.arrays import Array


class Question(NamedTuple):
    """What a node asks; ``threshold`` is NaN for a nominal feature."""

    feature: int
    threshold: float
    branches: int


class Share(NamedTuple):
    """The rows that reach a node, and with what weight."""

    rows: npt.NDArray[np.intp]
    weights: Array


def branches_of(question: Question, features: Features, cases: Cases, rows: npt.NDArray[np.intp]) -> Ints:
    """The branch of each row, -1 where the value is missing."""
    slot = features.slot[question.feature]
    if features.levels[question.feature]:
        codes: Ints = cases.codes[slot, rows]
        return codes
    numbers = cases.numbers[slot, rows]
    above = (numbers - question.threshold >= SMALL).astype(np.int32)
    return np.where(np.isnan(numbers), np.int32(-1), above)


def dealt(question: Question, features: Features, cases: Cases, share: Share) -> list[Share]:
    """The share of each branch, by the proportions of the rows whose value is known."""
    branch = branches_of(question, features, cases, share.rows)
    fractions = _fractions(branch, share.weights, question.branches)
    missing = branch < 0
    dealings = []
    for number, fraction in enumerate(fractions):
        mine = branch == number
        takes = mine | missing if fraction > SMALL else mine
        weights = np.where(missing, fraction * share.weights, share.weights)
        dealings.append(Share(share.rows[takes], weights[takes]))
    return dealings


def _fractions(branch: Ints, weights: Array, branches: int) -> Array:
    known = branch >= 0
    bags = np.bincount(branch[known], weights[known], minlength=branches)
    total = bags.sum()
    return bags / total if total > SMALL else np.full(branches, 1.0 / branches)


def question_for(training: Training, rules: Rules, share: Share, counts: Array) -> Question | None:
    """The question of a node with these rows; none where it is to be a leaf."""
    total = counts.sum()
    if 2.0 * rules.min_instances - total > SMALL or total - counts.max() < SMALL:
        return None
    found = {
        feature: split
        for feature in range(len(training.averaged))
        if (split := _split(training, rules, share, feature))
    }
    feature = _best(found, training, rules)
    return None if feature is None else _question(training, feature, found[feature])


def _split(training: Training, rules: Rules, share: Share, feature: int) -> Split | None:
    slot, levels = int(training.features.slot[feature]), int(training.features.levels[feature])
    y = training.y[share.rows]
    if levels:
        codes = training.cases.codes[slot, share.rows]
        return nominal_split(codes, levels, y, share.weights, training.classes, rules)
    return numeric_split(training.cases.numbers[slot, share.rows], y, share.weights, training.classes, rules)


def _best(found: dict[int, Split], training: Training, rules: Rules) -> int | None:
    gains = [split.gain for feature, split in found.items() if training.averaged[feature]]
    if not gains:
        return None
    least = sum(gains) / len(gains) - BELOW_AVERAGE if rules.by_ratio else 0.0
    best, chosen = 0.0, None
    for feature, split in found.items():
        score = split.ratio if rules.by_ratio else split.gain
        if split.gain >= least and score - best > SMALL:
            best, chosen = score, feature
    return chosen


def _question(training: Training, feature: int, split: Split) -> Question:
    levels = int(training.features.levels[feature])
    if levels:
        return Question(feature, np.nan, levels)
    slot = training.features.slot[feature]
    threshold = largest_value(training.all_numbers[slot], training.ascending[slot], split.threshold)
    return Question(feature, threshold, 2)


def largest_value(numbers: Array, ascending: Array, middle: float) -> float:
    """The largest value of the training set that does not exceed the midpoint; NaN sorts last."""
    place = int(np.searchsorted(ascending, middle + SMALL, side="left")) - 1
    if place == 0 or ascending[place] - ascending[place - 1] > SMALL or ascending[place] == ascending[0]:
        return float(ascending[place])
    # Of values that are equal up to the margin the first that J48 meets stays.
    found = -np.inf
    for value in numbers[numbers - middle < SMALL].tolist():
        if value - found > SMALL:
            found = value
    return float(found)


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
