"""Other goods beside the measure: fit time, predict time, size, price; who is worth having?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bestofk.comparing import Comparison, compare_pairs
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.phrases import listed
from bestofk.evidence import Evidence, Scores
from bestofk.evidence.columns import cost_of_name
from bestofk.stats.arrays import ROUNDING, Array, Flags
from bestofk.stats.results import Fields

#: Goods that are looked at where the evidence has them, besides any named by the user.
KNOWN = ("fit_time", "predict_time", "size", "price")


@dataclass(frozen=True, eq=False, repr=False)
class Good(Fields):
    """One good, smaller is better except for a measure where larger is.

    ``better`` (K, K): row shown to be better than column. ``tested`` says whether that is a test at ``level``; a good
    known as one number per learner (a price, a size) is taken as it is.
    """

    name: str
    means: dict[str, float]
    larger_is_better: bool
    better: Flags
    tested: bool
    level: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class OtherGoods(Fields):
    """The Pareto front with significance.

    A learner is *dominated* by another whose mean is at least as good in every good and which is shown to be better in
    at least one. ``front`` are the learners nobody dominates, ``plain_front`` those of the means alone (which takes
    every difference for real), ``dominated_by`` (learner, those that dominate it).
    """

    learners: tuple[str, ...]
    goods: tuple[Good, ...]
    front: tuple[str, ...]
    plain_front: tuple[str, ...]
    dominated_by: tuple[tuple[str, tuple[str, ...]], ...]

    def __repr__(self) -> str:
        names = listed([good.name for good in self.goods])
        lines = [f"Worth having by {names}: {listed(self.front)}."]
        lines += [f"{name} is dominated by {listed(others)}." for name, others in self.dominated_by]
        return "\n".join(lines)


def other_goods(evidence: Evidence, comparison: Comparison, *, goods: Sequence[str] | None = None) -> OtherGoods | None:
    """Put other goods beside the measure that was compared; None where the evidence has none.

    Goods with a value per fold or data set are tested as the measure was, on logarithms where all values are positive
    (times and sizes grow by factors), each at alpha over the number of goods, pairs adjusted as in the comparison.

    Parameters
    ----------
    evidence : Evidence
        As it was compared.
    comparison : Comparison
    goods : sequence of str, optional
        Names of costs or of further measures; ``fit_time``, ``predict_time``, ``size`` and ``price`` unless said.
    """
    if comparison.control is not None:
        raise InputError(
            f"pairs were compared with {comparison.control} only.", "other goods", "compare all pairs: no control."
        )
    names = _names(evidence, goods)
    if not names:
        return None
    level = comparison.alpha / (len(names) + 1)
    found = (_measure(comparison, level), *(_good(evidence, comparison, name, level) for name in names))
    plain, shown = _dominance(found, comparison.learners)
    return OtherGoods(
        learners=comparison.learners,
        goods=found,
        front=_front(shown, comparison.learners),
        plain_front=_front(plain, comparison.learners),
        dominated_by=tuple(
            (name, tuple(comparison.learners[j] for j in np.flatnonzero(shown[:, i])))
            for i, name in enumerate(comparison.learners)
            if shown[:, i].any()
        ),
    )


def _names(evidence: Evidence, goods: Sequence[str] | None) -> tuple[str, ...]:
    others = tuple(evidence.others) if isinstance(evidence, Scores) else ()
    known = dict.fromkeys([*evidence.costs, *others])
    if goods is None:
        return tuple(name for name in known if (cost_of_name(name) or name) in KNOWN and _complete(evidence, name))
    for name in goods:
        if name not in known:
            raise unknown(name, known, what="good", where="other goods, argument goods")
        if not _complete(evidence, name):
            raise InputError(f"{name} is not known for every learner.", "other goods", "complete it, or leave it out.")
    return tuple(goods)


def _complete(evidence: Evidence, name: str) -> bool:
    costs = evidence.costs.get(name, {})
    one_each = all(np.isfinite(costs.get(learner, np.nan)) for learner in evidence.learners)
    return one_each or _values(evidence, name) is not None


def _values(evidence: Evidence, name: str) -> Array | None:
    """A value per fold, in the shape of the scores; None where there are none, or some are missing."""
    if not isinstance(evidence, Scores) or name not in evidence.others:
        return None
    values = np.asarray(evidence.others[name])
    return None if np.isnan(values[:, np.asarray(evidence.planned)]).any() else values


def _measure(comparison: Comparison, level: float) -> Good:
    means = dict(comparison.means)
    better = _shown(comparison, level)
    return Good(comparison.measure, means, comparison.larger_is_better, better, True, level)


def _good(evidence: Evidence, comparison: Comparison, name: str, level: float) -> Good:
    values = _values(evidence, name)
    if values is None or not isinstance(evidence, Scores):
        costs = {learner: float(evidence.costs[name][learner]) for learner in comparison.learners}
        row = np.array(list(costs.values()))
        return Good(name, costs, False, row[:, None] < row[None, :], False, level)
    positive = bool((values[:, np.asarray(evidence.planned)] > 0).all())
    scaled = np.log(np.where(values > 0, values, 1.0)) if positive else values
    alone = replace(evidence, values=scaled, measure=name, larger_is_better=False, others={}, counts=None, costs={})
    found = compare_pairs(alone, test=comparison.test, adjust=_adjust(comparison), alpha=level, seed=comparison.seed)
    plain = replace(evidence, values=values, measure=name, larger_is_better=False, others={}, counts=None, costs={})
    return Good(name, plain.means(), False, _shown(found, level), True, level)


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


def _dominance(goods: tuple[Good, ...], learners: tuple[str, ...]) -> tuple[Flags, Flags]:
    """(K, K) twice: the row dominates the column by means alone, and with at least one good shown to be better."""
    k = len(learners)
    no_worse, strictly, shown = np.ones((k, k), dtype=bool), np.zeros((k, k), dtype=bool), np.zeros((k, k), dtype=bool)
    for good in goods:
        loss = np.array([(-1.0 if good.larger_is_better else 1.0) * good.means[name] for name in learners])
        ahead = loss[None, :] - loss[:, None]
        rounding = ROUNDING * np.maximum(np.abs(loss)[:, None], np.abs(loss)[None, :])  # a last digit is no difference
        no_worse &= ahead >= -rounding
        strictly |= ahead > rounding
        shown |= good.better
    return no_worse & strictly, no_worse & strictly & shown


def _front(dominates: Flags, learners: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name, out in zip(learners, np.atleast_1d(dominates.any(axis=0)), strict=True) if not out)
