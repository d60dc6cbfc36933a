"""Items as tests of one measure take them: one outcome per item, or a mean per fold where items occur repeatedly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence.evidence import Evidence
from bestofk.evidence.item_folds import item_folds
from bestofk.evidence.items import Items
from bestofk.evidence.scores import Scores


def as_tested(evidence: Evidence) -> Evidence:
    """Items that occur in several replications as means of folds, or of each item; anything else as it is."""
    if not isinstance(evidence, Items):
        return evidence
    _refuse_undecided(evidence)
    if evidence.units is None:
        _refuse_share(evidence)
        return evidence
    if len(set(evidence.folds or ())) > 1 or evidence.test_fraction is not None:
        return _by_fold(evidence)
    return _by_item(evidence)


def _by_fold(items: Items) -> Scores:
    """The mean outcome of every fold."""
    folds = item_folds(items)
    means = np.stack([items.values[:, places].mean(axis=1) for places in folds.places], axis=-1)
    return Scores(
        learners=items.learners,
        values=means.reshape(len(items.learners), 1, *folds.shape),
        replications=folds.replications,
        folds=folds.folds,
        test_fraction=items.test_fraction,
        measure=items.measure,
        larger_is_better=items.larger_is_better,
        costs=items.costs,
        origin=items.origin,
        prior=items.prior,
    )


def _by_item(items: Items) -> Items:
    """The mean outcome of every item over its replications, each of which has to have all items."""
    units, replications = items.units or (), items.replications or ()
    names, rounds = tuple(dict.fromkeys(units)), tuple(dict.fromkeys(replications))
    if "" in names:
        raise InputError(
            f"{counted(len(units), 'row')} of {len(rounds)} replications may be of the same items, and no column names "
            "them.",
            items.origin.source,
            "add a column item; or a column fold, or say --test-fraction 0.3 if replications are random splits with "
            "30 % test data.",
        )
    place = {name: at for at, name in enumerate(names)}
    codes = np.array([place[unit] for unit in units])
    sizes = np.bincount(codes)
    if (sizes < len(rounds)).any():
        lacking = int(np.argmin(sizes))
        raise InputError(
            f"item {names[lacking]} occurs in {sizes[lacking]} of {len(rounds)} replications, so that they are random "
            "splits, whose share of test data is not known.",
            items.origin.source,
            "say --test-fraction 0.3 (test_fraction=0.3) if 30 % were tested on, or add a column fold.",
        )
    order = np.argsort(codes, kind="stable").reshape(len(names), len(rounds))
    return replace(
        items,
        items=names,
        values=items.values[:, order].mean(axis=-1),
        groups=None if items.groups is None else tuple(items.groups[row[0]] for row in order),
        folds=None,
        replications=None,
        truth=None,
        predictions=None,
        probabilities=None,
        decisions=None,
        units=None,
        classes=(),
    )


def _refuse_share(items: Items) -> None:
    if items.test_fraction is not None:
        raise InputError(
            f"test_fraction is {items.test_fraction:g}, but every item occurs once, and items are compared one by one.",
            items.origin.source,
            "leave test_fraction out, or compare measures of folds: --on tpr,fpr.",
        )


def _refuse_undecided(items: Items) -> None:
    if items.decisions is not None and np.isnan(items.values).all():
        raise InputError(
            "there are decision scores and no predicted classes.",
            items.origin.source,
            "compare areas under ROC curves, which need no more: --on roc; or add a column prediction.",
        )
