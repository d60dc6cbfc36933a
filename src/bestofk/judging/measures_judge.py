"""From vectors of measures to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bestofk.advice.k13x_measures import MeasuresCase, measures_advice
from bestofk.comparing.measures_areas import compare_areas, compare_fold_areas
from bestofk.comparing.measures_compare import compare_measures
from bestofk.comparing.measures_comparison import MeasuresComparison
from bestofk.core.errors import InputError
from bestofk.core.options import one_of
from bestofk.core.rng import generator
from bestofk.evidence.outcomes.areas import settled_areas
from bestofk.evidence.outcomes.items import completed_items
from bestofk.evidence.vectors import Vectors
from bestofk.judging.measures_costs import costs_of_mistakes
from bestofk.judging.measures_missing import completed_scores
from bestofk.judging.measures_roc import roc_curves
from bestofk.judging.measures_verdict import MeasuresStatus, MeasuresVerdict
from bestofk.judging.preference import preference_of
from bestofk.judging.provenance import provenance_of
from bestofk.ordering.measures_order import MeasuresOrdering, order_by_measures

#: What learners may be for: all positives and nothing else (a search), or telling two kinds apart (a detector).
TASKS = ("retrieval", "detection")
#: Settings of ``judge`` that have no meaning for several measures, and what they are when not said.
_NOT_HERE = {
    "method": "multitest",
    "control": None,
    "paired": False,
    "force": False,
    "rope": None,
    "features": None,
    "groups": "sampled",
    "sides": "two",
}


def judge_measures(
    vectors: Vectors,
    *,
    prior: str | Sequence[str] | None = None,
    test: str = "auto",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    seed: int = 0,
    missing: str = "refuse",
    task: str | None = None,
    **others: Any,
) -> MeasuresVerdict:
    """Compare the learners in all measures at once and say who dominates whom."""
    generator(seed, where="judge", name="seed")  # whether a test draws or not, a wrong seed is one
    for name, value in others.items():
        if value is not _NOT_HERE[name] and value != _NOT_HERE[name]:
            raise InputError(
                f"{name} is {value!r}, and several measures are judged together.",
                f"judge, arguments {name} and on",
                f"leave {name} out, or judge by one measure: --measure NAME.",
            )
    if task is not None:
        task = one_of(task, TASKS, name="task", where="judge")
    if missing == "keep":
        raise InputError(
            "missing is 'keep', and vectors need every result.",
            "judge, argument missing",
            f"use {_drops(vectors)}.",
        )
    if vectors.is_area:
        _refuse_with_areas(undefined=vectors.asked.get("undefined"), task=task)
    vectors, items_left_out = completed_items(vectors, missing)
    vectors = settled_areas(vectors, test)
    complete, scores_left_out = completed_scores(vectors, missing)
    left_out = items_left_out or scores_left_out
    comparison = _compared(complete, test=test, adjust=adjust, alpha=alpha, seed=seed, left_out=left_out)
    roc = roc_curves(complete.items) if complete.items is not None and complete.items.complete else None
    preference = preference_of(prior, complete)
    ordering = order_by_measures(
        comparison,
        None if preference is None else preference.names,
        prior_from="" if preference is None else preference.source,
    )
    settings = {"prior": prior if prior is None or isinstance(prior, str) else list(prior), **vectors.asked}
    settings |= {"test": test, "adjust": adjust, "alpha": alpha, "missing": missing, "task": task}
    return MeasuresVerdict(
        best=ordering.best,
        order=ordering.order,
        status=_status(ordering),
        front=ordering.front,
        rivals=_rivals(ordering),
        measures=vectors.measures,
        task=task,
        positive=vectors.positive,
        comparison=comparison,
        ordering=ordering,
        costs=roc.costs if roc is not None and comparison.of_areas else costs_of_mistakes(complete),
        roc=roc,
        by_class=_by_class(
            vectors, alpha, prior=prior, test=test, adjust=adjust, seed=seed, missing=missing, task=task
        ),
        advice=measures_advice(MeasuresCase(complete, comparison, ordering, task)),
        provenance=provenance_of(vectors, settings, seed),
        evidence=complete,
    )


def _drops(vectors: Vectors) -> str:
    """What may be left out where results are missing."""
    items = [] if vectors.made_from is None else ["drop-items"]
    datasets = ["drop-datasets"] if len(vectors.datasets) > 1 or not items else []
    return ", ".join([*items, *datasets]) + " or drop-learners"


def _refuse_with_areas(**given: Any) -> None:
    """Refuse what has no meaning for areas: they are never 0/0, and are of both classes whatever the task is."""
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"{name} is {value!r}, and areas under ROC curves have no use for it.",
                f"judge, arguments {name} and on",
                f"leave {name} out.",
            )


def _by_class(vectors: Vectors, alpha: float, **settings: Any) -> tuple[MeasuresVerdict, ...]:
    """Every class against the rest, at its share of alpha, so that the level holds for all classes together."""
    found = (judge_measures(each, alpha=alpha / len(vectors.each), **settings) for each in vectors.each)
    return tuple(replace(each, evidence=None) for each in found)


def _compared(vectors: Vectors, *, left_out: str, **settings: Any) -> MeasuresComparison:
    """Areas of one test set by DeLong's test, those of folds by the corrected t test; vectors by Hotelling's."""
    if vectors.is_area:
        if vectors.values[0].size > 1:
            return compare_fold_areas(vectors, left_out=left_out, **settings)
        return compare_areas(vectors.items, left_out=left_out, **settings)
    return compare_measures(vectors, left_out=left_out, **settings)


def _rivals(ordering: MeasuresOrdering) -> tuple[str, ...]:
    """Learners that the best does not dominate; without a best those that nobody does."""
    if ordering.best is None:
        return ordering.front
    dominated = dict(ordering.dominated_by)
    return tuple(name for name in ordering.order[1:] if ordering.best not in dominated.get(name, ()))


def _status(ordering: MeasuresOrdering) -> MeasuresStatus:
    """Decided only where the best dominates every other, not merely where the others are dominated by somebody."""
    if ordering.best is not None and not _rivals(ordering):
        return "decided"
    return "tied" if ordering.prior is None else "preferred"
