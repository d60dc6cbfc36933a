"""Means of every learner in every group of items."""

from __future__ import annotations

import numpy as np

from bestofk.core.record import Record
from bestofk.evidence import Evidence, Items


class GroupMeans(Record):
    """One group: how many items it has, and the mean of every learner on them, weighted as the items are."""

    group: str
    items: int
    means: dict[str, float]


class ByGroup(Record):
    """Means by group, the largest group first; means alone, no test."""

    measure: str
    group_name: str
    groups: tuple[GroupMeans, ...]


def by_group(items: Evidence | None) -> ByGroup | None:
    """Of items in two groups or more; None for anything else, and where every item is a group of its own."""
    if not isinstance(items, Items) or not 1 < len(items.group_names) < len(items.items):
        return None
    number = len(items.group_names)
    weights = np.ones(len(items.items)) if items.weights is None else items.weights
    sizes, total = (np.bincount(items.group_codes, weights=each, minlength=number) for each in (None, weights))
    sums = [np.bincount(items.group_codes, weights=row * weights, minlength=number) for row in items.values]
    means = (np.array(sums) / total).T.tolist()
    return ByGroup(
        items.measure,
        items.group_name,
        tuple(
            GroupMeans(items.group_names[g], int(sizes[g]), dict(zip(items.learners, means[g], strict=True)))
            for g in np.argsort(-sizes, kind="stable")
        ),
    )
