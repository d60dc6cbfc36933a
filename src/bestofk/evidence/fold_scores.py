"""Items of folds as scores: one number per learner and fold, such as the mean outcome."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array
from bestofk.evidence.item_folds import ItemFolds
from bestofk.evidence.items import Items
from bestofk.evidence.scores import Scores


def fold_scores(items: Items, folds: ItemFolds, values: Array, measure: str, larger_is_better: bool) -> Scores:
    """Scores of the folds of items from values with one entry per learner and fold, replications one after another."""
    return Scores(
        learners=items.learners,
        values=values.reshape(len(items.learners), 1, *folds.shape),
        replications=folds.replications,
        folds=folds.folds,
        test_fraction=items.test_fraction,
        measure=measure,
        larger_is_better=larger_is_better,
        costs=items.costs,
        origin=items.origin,
        prior=items.prior,
    )


def fold_means(items: Items, folds: ItemFolds, outcomes: Array, measure: str, larger_is_better: bool) -> Scores:
    """The mean outcome, (learners, items), of every fold; NaN where one is missing."""
    means = np.stack([outcomes[:, places].mean(axis=1) for places in folds.places], axis=-1)
    return fold_scores(items, folds, means, measure, larger_is_better)
