"""Vectors from items: areas under ROC curves, counts of groups, and rates at several thresholds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.evidence import Evidence, Items, Scores
from bestofk.evidence.columns import plain
from bestofk.evidence.vectors import VectorMeasure, Vectors
from bestofk.evidence.vectors_items import ItemScores, item_scores, recalls_of_items, scores_of_items, threshold_in
from bestofk.evidence.vectors_making import vectors_of
from bestofk.evidence.vectors_names import RECALLS, WHERE, names_in
from bestofk.stats.roc import auc

#: What asks for ROC curves and the areas under them.
AREAS = ("roc", "auc")


def _names(on: Any) -> list[str]:
    names = names_in(on) if isinstance(on, str) else on if isinstance(on, list | tuple) else []
    return [each.strip() for each in names if isinstance(each, str)]


def asks_areas(on: Any) -> bool:
    """Whether ROC curves are asked for, and nothing else."""
    names = _names(on)
    return len(names) == 1 and plain(names[0]) in AREAS


def asks_thresholds(on: Any) -> bool:
    """Whether some measure is asked for at a threshold."""
    return any("@" in name for name in _names(on))


def is_area(vectors: Vectors) -> bool:
    """Whether these vectors are areas of items, for DeLong's test."""
    return vectors.names == ("auc",) and vectors.items is not None


def refuse_areas(on: Any, found: Evidence) -> None:
    """Refuse ROC curves and thresholds of results that have no probabilities of items."""
    if not asks_areas(on) and not any(threshold_in(name) for name in _names(on)):
        return
    raise InputError(
        f"ROC curves and thresholds need probabilities of every item, and there are {found!r}.",
        f"{WHERE}, {found.origin.source}",
        "give a table with a column truth and columns learner:class of probabilities (a column group names folds; a "
        "store keeps no truth of rows); for areas per fold say --measure auc and leave --on out.",
    )


def vectors_of_items(
    items: Items, on: Any, positive: str | None, undefined: float | None, larger_is_better: bool | None
) -> Vectors:
    """Areas of all items together where they are asked for, else measures of every group of items."""
    asked = {"on": _names(on), "positive": positive, "undefined": undefined}
    if asks_areas(on):
        known = item_scores(items, positive)
        if known is None:
            refuse_areas(on, items)
        assert known is not None
        return _areas(items, known, asked)
    alone = [plain(name) for name in _names(on)] == [RECALLS] and positive is None and items.truth is not None
    scores, found = recalls_of_items(items) if alone else scores_of_items(items, positive)
    if items.probabilities is None:
        refuse_thresholds(on, items)
    vectors = vectors_of(scores, on, known=found, undefined=undefined, larger_is_better=larger_is_better)
    return vectors if alone else replace(vectors, items=item_scores(items, positive))


def refuse_thresholds(on: Any, items: Items) -> None:
    """Refuse thresholds where predicted classes are all there is."""
    if asks_thresholds(on):
        refuse_areas(on, items)


def _areas(items: Items, known: ItemScores, asked: dict[str, Any]) -> Vectors:
    areas = np.array([float(auc(known.truth, each)) for each in known.scores])
    scores = Scores(
        learners=items.learners,
        values=areas[:, None, None, None],
        measure="auc",
        larger_is_better=True,
        costs=items.costs,
        origin=items.origin,
    )
    return Vectors(
        scores=scores,
        measures=(VectorMeasure("auc", True),),
        has_error=False,
        asked=asked,
        positive=known.positive,
        classes=items.classes,
        items=known,
    )
