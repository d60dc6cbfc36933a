"""One good beside the measure: tested where it has a value per fold or data set, else taken as it is or by its mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.comparing import Comparison, compare_pairs
from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.record import Record
from bestofk.evidence import Evidence, Scores
from bestofk.evidence.columns import cost_of_name
from bestofk.evidence.measures import is_larger_better


class Good(Record):
    """One good; of a cost smaller is better, a measure has its own direction.

    ``better`` (K, K): row better than column. ``tested``: shown by a test at ``level``. ``fixed``: the same number in
    every result, or a price, which is taken as it is. Neither: only a mean is known, and it is compared without a test.
    """

    name: str
    means: dict[str, float]
    larger_is_better: bool
    better: Flags
    tested: bool
    level: float
    fixed: bool = False

    @property
    def firm(self) -> bool:
        """Whether a difference in it is more than one of means that chance may have made."""
        return self.tested or self.fixed


def measure_as_good(comparison: Comparison, level: float) -> Good:
    """The measure that was compared, at the level of one good."""
    means = dict(comparison.means)
    return Good(comparison.measure, means, comparison.larger_is_better, _shown(comparison, level), True, level)


def good_of(evidence: Evidence, comparison: Comparison, name: str, level: float) -> Good:
    """A cost or a further measure: tested as the measure was, on logarithms where all values are positive."""
    values, larger = values_of(evidence, name), _is_larger_better(evidence, name)
    if values is None or not isinstance(evidence, Scores):
        means = {learner: float(evidence.costs[name][learner]) for learner in comparison.learners}
        return _as_it_is(name, means, larger, level, fixed=cost_of_name(name) == "price")
    means = _means(evidence, name, values)
    if _constant(values):
        return _as_it_is(name, means, larger, level, fixed=True)
    there = ~np.isnan(values)
    scaled = np.log(values, out=np.full_like(values, np.nan), where=there) if (values[there] > 0).all() else values
    alone = _alone(evidence, name, larger, _over_folds(evidence, scaled))
    found = compare_pairs(
        alone, choice=comparison.choice, adjust=_adjust(comparison), alpha=level, seed=comparison.seed
    )
    return Good(name, means, larger, _shown(found, level), True, level)


def _is_larger_better(evidence: Evidence, name: str) -> bool:
    """As a measure of that name points; of a cost less is better; anything else is asked about, never guessed."""
    known = is_larger_better(name)
    measured = isinstance(evidence, Scores) and name in evidence.others
    if known is None and measured:
        raise InputError(
            f"the direction of the good {name!r} is not known.",
            "other goods, argument goods",
            "name a measure that is known (accuracy, auc, log_loss …); or give it among the costs (measured_costs), of "
            "which less is better.",
        )
    return bool(known)


def values_of(evidence: Evidence, name: str) -> Array | None:
    """A value per fold, in the shape of the scores, NaN where not measured; None where that is too often for a test."""
    if not isinstance(evidence, Scores):
        return None
    known = {**evidence.measured_costs, **evidence.others}
    if name not in known:
        return None
    values = np.where(np.asarray(evidence.planned), known[name], np.nan)
    missing = np.isnan(_over_folds(evidence, values)) & ~np.isnan(_over_folds(evidence, np.asarray(evidence.values)))
    if len(evidence.datasets) == 1:
        missing = np.isnan(values) & np.asarray(evidence.planned)
    return None if missing.any() else values


def _over_folds(evidence: Scores, values: Array) -> Array:
    """Over data sets each counts once, with the mean of the folds that were measured; folds of one stay as they are."""
    if len(evidence.datasets) == 1:
        return values
    there = ~np.isnan(values)
    total, number = np.where(there, values, 0.0).sum(axis=(2, 3)), there.sum(axis=(2, 3))
    means = np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)
    return np.asarray(means[:, :, None, None])


def _alone(evidence: Scores, name: str, larger: bool, values: Array) -> Scores:
    facts: dict[str, Any] = {"others": {}, "measured_costs": {}, "costs": {}, "counts": None}
    if values.shape != evidence.values.shape:  # folds have become one mean per data set
        facts |= {"planned": None, "replications": (), "folds": (), "fingerprints": None, "failures": {}}
        facts |= {"test_fraction": None}
    return replace(evidence, values=values, measure=name, larger_is_better=larger, **facts)


def _means(evidence: Scores, name: str, values: Array) -> dict[str, float]:
    """The means that costs have everywhere else, where they are known."""
    known = evidence.costs.get(name, {})
    if all(np.isfinite(known.get(learner, np.nan)) for learner in evidence.learners):
        return {learner: float(known[learner]) for learner in evidence.learners}
    means = np.nanmean(_over_folds(evidence, values).reshape(len(values), -1), axis=1)
    return dict(zip(evidence.learners, means.tolist(), strict=True))


def _constant(values: Array) -> bool:
    """Whether every learner has one number throughout: then it is a fact, and there is no chance to allow for."""
    each = values.reshape(len(values), -1)
    return bool((np.nanmax(each, axis=1) == np.nanmin(each, axis=1)).all())


def _as_it_is(name: str, means: dict[str, float], larger: bool, level: float, *, fixed: bool) -> Good:
    row = np.array(list(means.values())) * (-1.0 if larger else 1.0)
    return Good(name, means, larger, row[:, None] < row[None, :], False, level, fixed)


def _adjust(comparison: Comparison) -> str:
    return "none" if comparison.test == "nemenyi" else comparison.adjust


def _shown(comparison: Comparison, level: float) -> Flags:
    """(K, K): the row is shown to be better than the column at the level."""
    k = len(comparison.learners)
    better = np.zeros((k, k), dtype=bool)
    for pair, adjusted, side in zip(comparison.pairs, comparison.adjusted, comparison.better, strict=True):
        i, j = (comparison.learners.index(name) for name in pair)
        if adjusted <= level and side != 0:
            better[(i, j) if side > 0 else (j, i)] = True
    return better
