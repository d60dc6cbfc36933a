"""Vectors from items: areas under ROC curves, counts of groups, and rates at several thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bestofk.comparing import completed
from bestofk.core.arrays import Flags
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence import Evidence, Items, Scores
from bestofk.evidence.vectors import Vectors
from bestofk.evidence.vectors_items import (
    item_scores,
    needs_no_class,
    recalls_of_items,
    refuse_foreign_class,
    scores_of_items,
)
from bestofk.evidence.vectors_making import vectors_of
from bestofk.evidence.vectors_names import RECALLS, WHERE, names_in, threshold_in
from bestofk.evidence.vectors_refusals import NoPositive
from bestofk.judging.measures_fold_areas import areas_of_items

#: What asks for ROC curves and the areas under them.
AREAS = ("roc", "auc")


@dataclass(frozen=True, eq=False)
class MadeFrom:
    """The items that vectors are of, what is missing of which (learners, items), and how to make vectors of fewer."""

    items: Items
    lacking: Flags
    make: Callable[[Items], Vectors]

    def completed(self, vectors: Vectors, missing: str) -> tuple[Vectors, str]:
        """Vectors of items that all learners have, and what was left out."""
        outcomes = np.where(self.lacking, np.nan, 0.0)
        whole, left_out = completed(replace(self.items, values=outcomes), missing)
        if not left_out:
            return vectors, ""
        kept = set(whole.items)  # type: ignore[attr-defined]
        gone = [name for name in self.items.items if name not in kept]
        without = [name for name in self.items.learners if name not in whole.learners]
        again = self.make(self.items.without(without, gone))
        return replace(again, each=vectors.each, asked=vectors.asked, made_from=None), left_out


def names_asked(on: Any) -> list[str]:
    """The measures as they were named."""
    names = names_in(on) if isinstance(on, str) else on if isinstance(on, Iterable) else []
    return [each.strip() for each in names if isinstance(each, str)]


def asks_areas(on: Any) -> bool:
    """Whether ROC curves are asked for, and nothing else."""
    names = names_asked(on)
    return len(names) == 1 and plain(names[0]) in AREAS


def asks_thresholds(on: Any) -> bool:
    """Whether some measure is asked for at a threshold."""
    return any("@" in name for name in names_asked(on))


def refuse_areas_among_others(on: Any, areas: tuple[str, ...] = ("roc",)) -> None:
    """Refuse ROC curves beside other measures: areas are compared alone, and curves stand beside rates anyway."""
    names = names_asked(on)
    asked = [name for name in names if plain(name) in areas]
    if len(names) > 1 and asked:
        rest = ",".join(name for name in names if name not in asked)
        raise InputError(
            f"{asked[0]} is asked for beside {rest}.",
            WHERE,
            f"ask for areas alone: --on roc; with probabilities ROC curves stand beside --on {rest} anyway"
            + (", which needs a second measure." if len(names) == 2 else "."),
        )


def refuse_areas(on: Any, found: Evidence) -> None:
    """Refuse ROC curves and thresholds of results that have no probabilities of items."""
    if asks_areas(on) or any(threshold_in(name) for name in names_asked(on)):
        raise no_probabilities(repr(found), found.origin.source, per_fold=isinstance(found, Scores))


def no_probabilities(found: str, source: str, *, per_fold: bool) -> InputError:
    """The error of curves and thresholds where there is ``found``; areas per fold are a measure like any other."""
    areas = "; for areas per fold say --measure auc and leave --on out" if per_fold else ""
    return InputError(
        f"ROC curves and thresholds need probabilities of every item, and there are {found}.",
        f"{WHERE}, {source}",
        "give a table with a column truth and columns learner:class of probabilities (or learner:decision), or learner,"
        " item, truth and probability (or decision), a column fold names folds; or a store collected with "
        f"keep_predictions = true{areas}.",
    )


def vectors_of_items(
    items: Items,
    on: Any,
    positive: str | None,
    undefined: float | None,
    larger_is_better: bool | None,
    *,
    may_be_one_set: bool = False,
) -> Vectors:
    """Areas where they are asked for, else measures of every fold or group of items."""
    if items.fold_datasets and asks_areas(on):
        raise curves_of_one(items.fold_datasets, items.origin.source)

    def make(some: Items) -> Vectors:
        return _vectors_of_items(some, on, positive, undefined, larger_is_better, may_be_one_set)

    return replace(make(items), made_from=MadeFrom(items, _lacking(items, on, positive), make))


def _lacking(items: Items, on: Any, positive: str | None) -> Flags:
    """(learners, items): what is missing of a learner that the measures need."""
    gone = np.zeros(items.values.shape, dtype=bool)
    known = item_scores(items, positive) if asks_areas(on) or asks_thresholds(on) else None
    if known is not None:
        gone |= np.isnan(known.scores)
    if not asks_areas(on):
        gone |= np.array([[label == "" for label in (items.predictions or {})[name]] for name in items.learners])
    return gone


def curves_of_one(datasets: Sequence[str], source: str) -> InputError:
    """The error of ROC curves over several data sets."""
    those = f"{len(datasets)} data sets, {listed(datasets[:3])}{' …' if len(datasets) > 3 else ''}"
    return InputError(
        f"there are items of {those}, and ROC curves are of one.",
        f"{WHERE}, {source}",
        f"judge one of them: --dataset {datasets[0]}; or on rates: --on tpr,fpr.",
    )


def _vectors_of_items(
    items: Items,
    on: Any,
    positive: str | None,
    undefined: float | None,
    larger_is_better: bool | None,
    may_be_one_set: bool,
) -> Vectors:
    asked = {"on": names_asked(on), "positive": positive, "undefined": undefined}
    refuse_areas_among_others(on, AREAS)
    if asks_areas(on):
        known = item_scores(items, positive)
        if known is None:
            refuse_areas(on, items)
        assert known is not None
        return areas_of_items(items, known, asked)
    alone = [plain(name) for name in names_asked(on)] == [RECALLS] and positive is None and items.truth is not None
    alone = alone or needs_no_class(items, positive)
    scores, found = (
        recalls_of_items(items, may_be_one_set=may_be_one_set)
        if alone
        else scores_of_items(items, positive, may_be_one_set=may_be_one_set)
    )
    if items.probabilities is None:
        refuse_thresholds(on, items)
    try:
        vectors = vectors_of(scores, on, known=found, undefined=undefined, larger_is_better=larger_is_better)
    except NoPositive:
        refuse_foreign_class(items)
        raise
    return vectors if alone else replace(vectors, items=item_scores(items, positive))


def refuse_thresholds(on: Any, items: Items) -> None:
    """Refuse thresholds where there are no probabilities."""
    if not asks_thresholds(on):
        return
    if items.decisions is not None:
        raise InputError(
            f"{next(name for name in names_asked(on) if '@' in name)} is at a threshold of probabilities, and there "
            "are decision scores.",
            f"{WHERE}, {items.origin.source}",
            "give probabilities; or compare areas under ROC curves, --on roc, or predicted classes, --on tpr,fpr.",
        )
    refuse_areas(on, items)
