"""Costs and other criteria beside the measure: fit time, predict time, size, price; who is on the front?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.comparing import Comparison, chosen_test, compare_pairs, sample_of
from bestofk.core.arrays import ROUNDING, Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.phrases import listed
from bestofk.core.record import Record
from bestofk.evidence import Evidence, Scores
from bestofk.measures.catalogue import cost_of_name, is_larger_better

#: Criteria that are looked at where the evidence has them, besides any named by the user.
KNOWN = ("fit_time", "predict_time", "size", "price")


class ParetoFront(Record, kw_only=True):
    """The Pareto front with significance.

    A learner is *dominated* by another whose mean is at least as good in every criterion and which is shown to be
    better in at least one, by a test or by a number that never varies. ``by_mean`` are the learners for which nobody is
    shown to be: a criterion without values per fold or data set is smaller in the mean, and that is all that is known.
    ``front`` are the learners nobody dominates, ``plain_front`` those of the means alone (which takes every difference
    for real), ``dominated_by`` (learner, those that dominate it). On the front are called those of ``plain_front``:
    nobody equals or beats them in every mean and beats them in one, though many may be shown to be worse in one.
    """

    learners: tuple[str, ...]
    criteria: tuple[Criterion, ...]
    front: tuple[str, ...]
    plain_front: tuple[str, ...]
    dominated_by: tuple[tuple[str, tuple[str, ...]], ...]
    by_mean: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """Learners that are shown to be dominated, not by a mean alone."""
        return tuple(name for name, _ in self.dominated_by if name not in self.by_mean)

    @property
    def behind(self) -> dict[str, tuple[str, ...]]:
        """Learners that others equal or beat in every mean and beat in one, though none is shown to; and those."""
        plain, _, _ = _dominance(self.criteria, self.learners)
        return {
            name: tuple(self.learners[j] for j in np.flatnonzero(plain[:, i]))
            for i, name in enumerate(self.learners)
            if name in self.front and name not in self.plain_front
        }

    def finding(self, name: str) -> str:
        """What is to be said of a learner in a few words."""
        if name in self.plain_front:
            return "on the front"
        dominated = dict(self.dominated_by)
        if name in dominated:
            return f"behind {listed(dominated[name])} in the means, {self._how(name, dominated[name])}"
        return f"behind {listed(self.behind[name])} in the means, not shown"

    def _how(self, name: str, others: tuple[str, ...]) -> str:
        i, by = self.learners.index(name), [self.learners.index(other) for other in others]
        if name in self.by_mean:
            return "without a test"
        shown = [criterion.name for criterion in self.criteria if criterion.firm and criterion.better[by, i].any()]
        return f"shown in {listed(shown)}{' only' if len(shown) < len(self.criteria) else ''}"


def pareto_front(
    evidence: Evidence, comparison: Comparison, *, criteria: Sequence[str] | None = None
) -> ParetoFront | None:
    """Put costs and other criteria beside the measure that was compared; None where the evidence has none.

    Criteria with a value per fold or data set are tested as the measure was, on logarithms where all values are
    positive (times and sizes grow by factors), each at alpha over the number of criteria, pairs adjusted as in the
    comparison. A number that is the same in every result is taken as it is; one that is only a mean is compared without
    a test.

    Parameters
    ----------
    evidence : Evidence
        As it was compared.
    comparison : Comparison
    criteria : sequence of str, optional
        Names of costs, of which less is better, or of further measures, each with the direction of its name;
        ``fit_time``, ``predict_time``, ``size`` and ``price`` unless said.
    """
    if comparison.control is not None:
        raise InputError(
            f"pairs were compared with {comparison.control} only.", "pareto_front", "compare all pairs: no control."
        )
    names = _names(evidence, criteria)
    if not names:
        return None
    level = comparison.alpha / (len(names) + 1)
    found = (
        measure_as_criterion(comparison, level),
        *(criterion_of(evidence, comparison, name, level) for name in names),
    )
    plain, firm, seen = _dominance(found, comparison.learners)
    shown = np.where(firm.any(axis=0), firm, seen)  # a mean counts where nothing firmer does
    return ParetoFront(
        learners=comparison.learners,
        by_mean=tuple(np.array(comparison.learners, dtype=object)[shown.any(axis=0) & ~firm.any(axis=0)]),
        criteria=found,
        front=_front(shown, comparison.learners),
        plain_front=_front(plain, comparison.learners),
        dominated_by=tuple(
            (name, tuple(comparison.learners[j] for j in np.flatnonzero(shown[:, i])))
            for i, name in enumerate(comparison.learners)
            if shown[:, i].any()
        ),
    )


def _names(evidence: Evidence, criteria: Sequence[str] | None) -> tuple[str, ...]:
    others = (*evidence.measured_costs, *evidence.others) if isinstance(evidence, Scores) else ()
    known = dict.fromkeys([*evidence.costs, *others])
    if criteria is None:
        return tuple(name for name in known if (cost_of_name(name) or name) in KNOWN and _complete(evidence, name))
    for name in criteria:
        if name not in known:
            raise unknown(name, known, what="criterion", where="pareto_front, argument criteria")
        if not _complete(evidence, name):
            raise InputError(f"{name} is not known for every learner.", "pareto_front", "complete it, or leave it out.")
    return tuple(criteria)


def _complete(evidence: Evidence, name: str) -> bool:
    costs = evidence.costs.get(name, {})
    one_each = all(np.isfinite(costs.get(learner, np.nan)) for learner in evidence.learners)
    return one_each or values_of(evidence, name) is not None


def _dominance(criteria: tuple[Criterion, ...], learners: tuple[str, ...]) -> tuple[Flags, Flags, Flags]:
    """(K, K) each: the row dominates the column by means alone, shown in one, or seen in the mean of one."""
    plain = dominates(
        [
            [(-1.0 if criterion.larger_is_better else 1.0) * criterion.means[name] for name in learners]
            for criterion in criteria
        ]
    )
    seen = np.logical_or.reduce([criterion.better for criterion in criteria])
    firm = np.logical_or.reduce([criterion.better & criterion.firm for criterion in criteria])
    return plain, plain & firm, plain & seen


def dominates(losses: Any) -> Flags:
    """(K, K) from losses (criteria, K): the row is no worse than the column in every criterion, and better in one.

    Examples
    --------
    >>> dominates([[0.1, 0.2, 0.3], [0.1 + 0.2, 0.3, 0.1]]).tolist()
    [[False, True, False], [False, False, False], [False, False, False]]
    """
    each = np.asarray(losses, dtype=float)
    ahead = each[:, None, :] - each[:, :, None]
    rounding = ROUNDING * np.maximum(np.abs(each)[:, :, None], np.abs(each)[:, None, :])  # a last digit is none
    return np.asarray((ahead >= -rounding).all(axis=0) & (ahead > rounding).any(axis=0))


def _front(dominates: Flags, learners: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name, out in zip(learners, np.atleast_1d(dominates.any(axis=0)), strict=True) if not out)


class Criterion(Record):
    """One criterion; of a cost smaller is better, a measure has its own direction.

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


def measure_as_criterion(comparison: Comparison, level: float) -> Criterion:
    """The measure that was compared, at the level of one criterion."""
    means = dict(comparison.means)
    larger, shown = comparison.larger_is_better, _shown(comparison, level)
    return Criterion(comparison.measure, means, larger, shown, comparison.tested, level)


def criterion_of(evidence: Evidence, comparison: Comparison, name: str, level: float) -> Criterion:
    """A cost or a further measure: tested as the measure was, on logarithms where all values are positive."""
    values, larger = values_of(evidence, name), _is_larger_better(evidence, name)
    if values is None or not isinstance(evidence, Scores):
        means = {learner: float(evidence.costs[name][learner]) for learner in comparison.learners}
        return _as_it_is(name, means, larger, level, fixed=cost_of_name(name) == "price")
    means = _means(evidence, name, values)
    if _constant(values):
        return _as_it_is(name, means, larger, level, fixed=True)
    there = ~np.isnan(values)
    positive = len(evidence.datasets) == 1 and bool((values[there] > 0).all())  # over data sets the sample does it
    scaled = np.log(values, out=np.full_like(values, np.nan), where=there) if positive else values
    alone, choice = _alone(evidence, name, larger, _over_folds(evidence, scaled)), comparison.choice
    if comparison.test == "stratified-t":  # folds of every data set are what it takes, where all have a logarithm
        by_folds = _alone(evidence, name, larger, scaled)
        whole = sample_of(by_folds).replicates is not None
        alone, choice = (by_folds, choice) if whole else (alone, chosen_test("auto", sample_of(alone)))
    adjust = "none" if comparison.test == "nemenyi" else comparison.adjust
    found = compare_pairs(alone, choice=choice, adjust=adjust, alpha=level, seed=comparison.seed)
    return Criterion(name, means, larger, _shown(found, level), True, level)


def _is_larger_better(evidence: Evidence, name: str) -> bool:
    """As a measure of that name points; of a cost less is better; anything else is asked about, never guessed."""
    known = is_larger_better(name)
    measured = isinstance(evidence, Scores) and name in evidence.others
    if known is None and measured:
        raise InputError(
            f"the direction of the criterion {name!r} is not known.",
            "pareto_front, argument criteria",
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


def _as_it_is(name: str, means: dict[str, float], larger: bool, level: float, *, fixed: bool) -> Criterion:
    row = np.array(list(means.values())) * (-1.0 if larger else 1.0)
    return Criterion(name, means, larger, row[:, None] < row[None, :], False, level, fixed)


def _shown(comparison: Comparison, level: float) -> Flags:
    """(K, K): the row is shown to be better than the column at the level."""
    k, (first, second) = len(comparison.learners), comparison.places
    better, shown = np.zeros((k, k), dtype=bool), comparison.adjusted <= level
    better[first, second] = shown & (comparison.better > 0)
    better[second, first] = shown & (comparison.better < 0)
    return better
