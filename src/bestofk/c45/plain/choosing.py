"""Which question a node asks: the best gain ratio among those of at least average gain."""

from __future__ import annotations

import numpy as np

from bestofk.c45.cases import Training
from bestofk.c45.margins import BELOW_AVERAGE, SMALL
from bestofk.c45.plain.dealing import Question, Share
from bestofk.c45.plain.splits import Split, nominal_split, numeric_split
from bestofk.c45.rules import Rules
from bestofk.core.arrays import Array


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
