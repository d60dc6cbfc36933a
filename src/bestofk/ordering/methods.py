"""The order of K learners by one of the methods, from a comparison and a preference; names as typed at a shell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.comparing import Comparison, Sample
from bestofk.comparing.compare import ADJUSTED_ALREADY
from bestofk.comparing.sample import fold_test, share_not_known
from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.record import Record
from bestofk.core.shelf import Shelf
from bestofk.evidence import Evidence, Scores
from bestofk.evidence.divisions import refuse_tested_training
from bestofk.ordering.best_learner import anova_best, newman_keuls_best, test_first
from bestofk.ordering.contest import smallest_first
from bestofk.ordering.graph import from_edges
from bestofk.ordering.groups import cliques, ranges
from bestofk.ordering.multi2test import Multi2TestOrder, multi2test
from bestofk.ordering.multitest import multitest
from bestofk.ordering.preference import Preference
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE

#: From losses to an order, a best learner or groups: each method has an answer of its own.
OrderingMethod = Callable[..., Any]

ORDERINGS: Shelf[OrderingMethod] = Shelf(
    "ordering",
    {
        "anova-best": anova_best,
        "cliques": cliques,
        "multi2test": multi2test,
        "multitest": multitest,
        "newman-keuls-best": newman_keuls_best,
        "ranges": ranges,
        "test-first": test_first,
    },
)


Found = dict[str, Any]  # the fields of an Ordering that a method fills


class Ordering(Record, kw_only=True):
    """Learners from best to worst. ``best`` is None when the method finds none.

    ``edges`` (i, j) say that the preferred i is shown to be worse than j; ``groups`` are learners between which no
    difference is shown (methods ``ranges`` and ``cliques``), ``groups_by`` the test and its level. ``prior_from`` names
    the cost behind the preference, ``prior_ties`` the learners of equal cost. ``ranks`` is what Multi²Test found.
    """

    method: str
    best: str | None
    order: tuple[str, ...]
    edges: tuple[tuple[str, str], ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    groups_by: str = ""
    prior: tuple[str, ...] | None = None
    prior_from: str = ""
    prior_ties: tuple[tuple[str, ...], ...] = ()
    ranks: Multi2TestOrder | None = None

    def _repr_html_(self) -> str:
        from bestofk.reporting.notebook import ordering_html

        return ordering_html(self)

    def __repr__(self) -> str:
        from bestofk.reporting.words import ordering_text

        return ordering_text(self)


def ordering_of(method: str, evidence: Evidence, comparison: Comparison, preference: Preference | None) -> Ordering:
    """Find best and order by a method; without a preference the order is by mean alone.

    Means order those that a preference does not tell apart, unless it is what one-sided tests ask about: that is fixed
    before the results.
    """
    if method not in ORDERINGS:
        raise unknown(method, ORDERINGS, what="method", where="order, argument method")
    if preference is None and method not in WITHOUT_PRIOR:
        raise InputError(f"{method} needs a preference.", "argument prior", "name the learners, preferred first.")
    if method not in ("multitest", "cliques") and comparison.several is not None:
        raise InputError(
            f"{method} orders by one measure, and there are {len(comparison.names)}.",
            "arguments method, on",
            "use multitest, or judge by one measure: --measure NAME.",
        )
    if comparison.control is not None and method != "multitest":
        raise InputError(
            f"{method} compares all pairs, and there is a control: {comparison.control}.",
            "arguments method, control",
            "use multitest with a control, or leave the control out.",
        )
    if preference is not None and comparison.sides == "two":
        preference = preference.with_ties_in(means_first(comparison))
    names = comparison.learners if preference is None else preference.names
    find = METHODS.get(method) or _of_losses(method)
    found = find(evidence, comparison, names) if preference or method in GROUPS else _by_mean(comparison)
    chosen = preference or Preference(())
    return Ordering(
        method=method, prior=chosen.names or None, prior_from=chosen.source, prior_ties=chosen.ties, **found
    )


def winner_of(comparison: Comparison) -> str | None:
    """The learner that is better than each other one at alpha; else nobody.

    An intersection–union test: a wrong learner is named in at most alpha of cases, though the data choose it
    (Gutmann and Maymin 1987; Hung and Fithian 2019).
    """
    names = comparison.learners
    found = (one for one in names if all(comparison.wins(one, other) for other in names if other != one))
    return next(found, None)


def best_set_of(comparison: Comparison, order: tuple[str, ...]) -> tuple[str, ...]:
    """All learners that are not shown to be worse than any other, in this order."""
    left = unbeaten(comparison.shown.T)
    return tuple(name for name in order if left[comparison.learners.index(name)])


def unbeaten(worse: Flags) -> Flags:
    """Who is not worse than any other; where that is nobody, who beats, over others, whoever beats it.

    Differences may go round in a circle: then all of the circle are left.
    """
    if worse.any(axis=1).all():
        reach = _reached(worse)
        worse = reach & ~reach.T
    return np.asarray(~worse.any(axis=1))


def without_circles(worse: Flags) -> Flags:
    """The differences that are on no circle: those on one do not tell who is before whom."""
    found = worse.copy()
    inner = np.ix_(*(np.flatnonzero(_leading_to_circles(worse) & _leading_to_circles(worse.T)),) * 2)
    found[inner] &= ~_reached(worse[inner]).T
    return found


def _leading_to_circles(worse: Flags) -> Flags:
    """Whose chain of differences never ends: who is worse than nobody is taken out, and so on until nobody is."""
    left, others = np.ones(len(worse), dtype=bool), worse.sum(axis=1)
    while (ends := np.flatnonzero(left & (others == 0))).size:
        left[ends] = False
        others = others - worse[:, ends].sum(axis=1)
    return left


def _reached(worse: Flags) -> Flags:
    """Who is worse than whom, over others too."""
    reach = worse | np.eye(len(worse), dtype=bool)
    for _ in range(int(np.ceil(np.log2(max(1, len(worse)))))):
        reach = (reach.astype(float) @ reach.astype(float)) > 0
    return reach


def means_first(comparison: Comparison, measure: str | None = None) -> tuple[str, ...]:
    """Learners by mean score, or by mean rank where the test ranks; equal ones by mean score, then by name."""
    if measure is None and comparison.mean_ranks is not None:
        by_mean = means_first(comparison, comparison.measure)
        return tuple(by_mean[i] for i in smallest_first(np.array([comparison.mean_ranks[name] for name in by_mean])))
    measure = measure or comparison.measure
    means, names = comparison.means_of(measure), sorted(comparison.learners)
    larger = comparison.larger_is_better if measure == comparison.measure else comparison.is_larger_better(measure)
    sign = -1.0 if larger else 1.0
    return tuple(names[i] for i in smallest_first(sign * np.array([means[name] for name in names])))


def groups_alike(comparison: Comparison, order: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Maximal groups of learners in which no pair is shown to differ."""
    alike = [[a == b or not comparison.differs(a, b) for b in order] for a in order]
    return cliques(alike, order)


def _by_mean(comparison: Comparison) -> Found:
    """The winner, if there is one, before the others by mean."""
    winner, order = winner_of(comparison), means_first(comparison)
    return {"best": winner, "order": tuple(sorted(order, key=lambda name: name != winner))}


def _multitest(evidence: Evidence, comparison: Comparison, prior: tuple[str, ...]) -> Found:
    """Best is the winner, or the most preferred of the set of the best; of the others the same, and so on."""
    winner, left, order = winner_of(comparison), list(prior), []
    edges = tuple(_shown_worse(comparison, prior))
    if comparison.sides == "one":
        graph = from_edges(edges, prior)
        return {"best": graph.best, "order": graph.order, "edges": edges}
    worse = comparison.shown.T
    place = {name: i for i, name in enumerate(comparison.learners)}
    if winner is not None:
        left.remove(winner)
        order.append(winner)
        edges = tuple(dict.fromkeys((*edges, *((name, winner) for name in prior[: prior.index(winner)]))))
    while left:
        among = [place[name] for name in left]
        order.append(left.pop(int(np.argmax(unbeaten(worse[np.ix_(among, among)])))))
    return {"best": order[0] if comparison.decidable else None, "order": tuple(order), "edges": edges}


def _shown_worse(comparison: Comparison, prior: tuple[str, ...]) -> list[tuple[str, str]]:
    """Pairs (i, j) of which the preferred i is shown to be worse."""
    return [(i, j) for place, i in enumerate(prior) for j in prior[place + 1 :] if comparison.shows(j, i)]


def _multi2test(evidence: Evidence, comparison: Comparison, prior: tuple[str, ...]) -> Found:
    """Ranks overrule the preference, and so does the comparison."""
    if comparison.sample.runs:
        raise InputError(
            "multi2test takes folds or one value per data set, and these are runs.",
            "argument method",
            "use multitest.",
        )
    if not isinstance(evidence, Scores) or len(evidence.datasets) < 2:
        raise InputError("multi2test orders over many data sets.", "argument method", "use multitest for one.")
    if not np.asarray(evidence.planned).all() or evidence.gaps.any():
        raise InputError(
            "the data sets do not all have the same folds.", "argument method", "use multitest over data sets."
        )
    within, table, options = _within(evidence)
    named = {name: table[:, i] for i, name in enumerate(evidence.learners)}
    adjust = "bonferroni" if comparison.adjust in ADJUSTED_ALREADY else comparison.adjust
    found = multi2test(named, prior, within=within, alpha=comparison.alpha, adjust=adjust, **options)
    edges = tuple(dict.fromkeys((*found.edges, *_shown_worse(comparison, prior))))
    graph = from_edges(edges, prior)
    return {"best": graph.best, "order": graph.order, "edges": graph.edges, "ranks": found}


def _within(scores: Scores) -> tuple[str, Array, Found]:
    """The test of each data set's folds, losses (data sets, learners, folds) as it takes them, and its options."""
    losses = np.moveaxis(scores.losses(), 1, 0)  # (data sets, learners, replications, folds)
    replications, folds = losses.shape[2:]
    if replications * folds == 1:
        return "corrected-t", losses.reshape(losses.shape[:2]), {}
    refuse_tested_training(scores)
    test = fold_test(replications, folds, scores.test_fraction, scores.divided)
    if scores.test_fraction is not None:
        return test, losses.reshape(*losses.shape[:2], -1), {"test_fraction": scores.test_fraction}
    if folds == 1:
        raise share_not_known(replications, "argument method", "use multitest over data sets")
    return test, losses, {}


def _best_first(best: str | None, comparison: Comparison) -> Found:
    """A method that names the best alone: the others follow by mean."""
    order = means_first(comparison)
    rest = tuple(name for name in order if name != best)
    return {"best": best, "order": order if best is None else (best, *rest)}


def _test_first(evidence: Evidence, comparison: Comparison, prior: tuple[str, ...]) -> Found:
    losses = _losses(comparison.sample, _axes(comparison))
    return _best_first(test_first(losses, prior, test=comparison.test, alpha=comparison.alpha), comparison)


def _ranges(evidence: Evidence, comparison: Comparison, prior: tuple[str, ...]) -> Found:
    found = ranges(_losses(comparison.sample, _axes(comparison)), comparison.test, comparison.alpha)
    by = f"{comparison.test} at {comparison.alpha:g} between the ends of a group, not adjusted"
    return {"best": None, "order": found.order, "groups": found.ranges, "groups_by": by}


def _cliques(evidence: Evidence, comparison: Comparison, prior: tuple[str, ...]) -> Found:
    order = means_first(comparison)
    how = "" if comparison.adjust == comparison.test else f", adjust {comparison.adjust}"
    by = f"{comparison.test} at {comparison.alpha:g}{how}"
    return {"best": None, "order": order, "groups": groups_alike(comparison, order), "groups_by": by}


def _of_losses(method: str) -> Callable[[Evidence, Comparison, tuple[str, ...]], Found]:
    """A way of ordering called as ``f(losses, prior, alpha=…)``, which returns the best or an order."""

    def find(evidence: Evidence, comparison: Comparison, prior: tuple[str, ...]) -> Found:
        found = ORDERINGS[method](_losses(comparison.sample, 1), prior, alpha=comparison.alpha)
        if not hasattr(found, "order"):
            return _best_first(found, comparison)
        return {"best": found.order[0], "order": tuple(found.order), "edges": tuple(getattr(found, "edges", ()))}

    return find


def _axes(comparison: Comparison) -> int:
    """Number of design axes that the pairwise test takes."""
    if comparison.test not in PAIRWISE:
        raise InputError(
            f"{comparison.test} tests all pairs at once, and this method tests one by one.",
            "argument method",
            "use multitest, or a pairwise test: bestofk list pairwise.",
        )
    return method_of(PAIRWISE[comparison.test]).axes


def _losses(sample: Sample, axes: int) -> dict[str, Any]:
    alone = sample.joint or (sample.runs and not sample.paired and not sample.datasets)
    if sample.curves or sample.incomplete or alone:
        single = f"is made of {sample.kind} that are not shared by all learners"
        what = "is made of curves" if sample.curves else single if alone else "lacks results"
        raise InputError(
            f"the evidence {what}, and this method needs a full table.", "argument method", "use multitest."
        )
    return dict(zip(sample.learners, sample.rows if axes == 1 else sample.losses, strict=True))


METHODS: dict[str, Callable[[Evidence, Comparison, tuple[str, ...]], Found]] = {
    "multitest": _multitest,
    "multi2test": _multi2test,
    "test-first": _test_first,
    "ranges": _ranges,
    "cliques": _cliques,
}
#: Methods that say between which learners no difference is shown, not which is best.
GROUPS = ("ranges", "cliques")
WITHOUT_PRIOR = ("multitest", *GROUPS)
#: Methods whose order is the preference, changed where tests contradict it; others name a best and go on by mean.
CORRECTED = ("multitest", "multi2test")
