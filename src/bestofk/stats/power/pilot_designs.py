"""Planning from folds of one data set, from items, and from curves that exist."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import level_inside
from bestofk.stats.pair import paired
from bestofk.stats.power.pilot import PilotPlan, Shown, planned


def from_folds(
    first: Any, second: Any, *, test_fraction: float | None = None, power: float = 0.8, **options: Any
) -> PilotPlan:
    """Plan replications (or random splits, with their share of test data) for the corrected t test.

    ``first`` and ``second`` are losses (replications, folds) of one data set, or (splits,) with ``test_fraction``.

    Examples
    --------
    >>> from_folds([[.31, .30, .33, .29, .31]], [[.29, .28, .29, .28, .28]]).needed.n
    2.0
    """
    where = "power from folds"
    axes = 2 if test_fraction is None else 1
    pair = paired(first, second, where=where, axes=axes)
    if pair.difference.ndim != axes or pair.difference.size < 3:
        raise InputError(f"the pilot has the shape {pair.difference.shape}.", where, "give (replications, folds).")
    if test_fraction is None and pair.difference.shape[1] == 1:
        raise InputError(
            "replications of 1 fold look like random splits, whose share of test data is not known.",
            where,
            "give test_fraction, and the splits in one row.",
        )
    values = pair.difference.reshape(-1)
    mean, spread = _spread(values, where)
    if test_fraction is None:
        folds = pair.difference.shape[1]
        ratio, sizes = 1.0 / (folds - 1.0), {"folds": folds}
    else:
        share = level_inside(test_fraction, name="test_fraction", where=where)
        ratio, sizes = share / (1.0 - share), {"test_fraction": share}
    t = mean / spread / np.sqrt(1.0 / len(values) + ratio)
    shown = Shown("corrected-t", len(values), mean, spread, mean / spread, float(t), len(values) - 1.0)
    return planned(shown, power=power, **sizes, **options)


def from_items(
    first: Any, second: Any, *, test: str = "mcnemar-mid-p", power: float = 0.8, **options: Any
) -> PilotPlan:
    """Plan items for McNemar's test from 0/1 losses on the same items.

    Examples
    --------
    >>> from_items([1, 1, 1, 0, 1, 0, 1, 1] * 4, [0, 1, 0, 0, 1, 1, 0, 1] * 4).needed.n
    61.0
    """
    where = "power from items"
    difference = paired(first, second, where=where, at_least=3).difference
    if difference.ndim != 1:
        raise InputError(f"the pilot has the shape {difference.shape}.", where, "give one loss per item.")
    apart = float((difference != 0).mean())
    mean, spread = _spread(difference, where)
    shown = Shown(test, len(difference), mean, spread, mean, mean / spread * np.sqrt(len(difference)), np.inf)
    return planned(shown, power=power, most=200_000, disagreement=apart, **options)


def from_curves(first: Any, second: Any, *, power: float = 0.8, **options: Any) -> PilotPlan:
    """Plan curves per learner for the randomized t test, drawing the pilot's curves (runs, points) again.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> low, high = rng.normal(0, 1, (6, 1)) + np.zeros((6, 3)), rng.normal(2, 1, (6, 1)) + np.zeros((6, 3))
    >>> from_curves(low, high, runs=200).needed.unit
    'curves per learner'
    """
    where = "power from curves"
    one, two = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if one.ndim != 2 or two.ndim != 2 or min(len(one), len(two)) < 2:
        raise InputError(
            f"the pilot has the shapes {one.shape} and {two.shape}.", where, "give (curves, points), two or more each."
        )
    df = len(one) + len(two) - 2.0
    level = [side.mean(axis=1) for side in (one, two)]
    pooled = np.sqrt(sum(float(np.square(side - side.mean()).sum()) for side in level) / df)
    points = np.sqrt(sum(float(np.square(side - side.mean(axis=0)).sum()) for side in (one, two)) / df / one.shape[1])
    if not (pooled > 0 and points > 0):
        raise InputError("the pilot's curves do not vary.", where, "give curves that vary.")
    difference = float(level[0].mean() - level[1].mean())
    t = difference / pooled / np.sqrt(1.0 / len(one) + 1.0 / len(two))
    size = min(len(one), len(two))
    shown = Shown("randomized-t", size, difference, float(points), difference / float(points), float(t), df)
    return planned(shown, power=power, most=500, pilot=(one, two), **options)


def _spread(values: Any, where: str) -> tuple[float, float]:
    mean, spread = float(values.mean()), float(values.std(ddof=1))
    if spread <= 1e-12 * max(abs(mean), 1e-300):
        raise InputError("the pilot's differences do not vary.", where, "collect more results, or more digits.")
    return mean, spread
