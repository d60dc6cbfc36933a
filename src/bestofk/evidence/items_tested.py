"""Items as tests of one measure take them: one outcome per item, or a mean per fold where items occur repeatedly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, listed
from bestofk.evidence.evidence import Evidence
from bestofk.evidence.fold_scores import fold_means
from bestofk.evidence.item_folds import item_folds
from bestofk.evidence.items import Items
from bestofk.evidence.missing_results import LeftOut, completed
from bestofk.evidence.scores import Scores


def as_tested(evidence: Evidence) -> Evidence:
    """Items that occur in several replications as means of folds, or of each item; anything else as it is."""
    if not isinstance(evidence, Items):
        return evidence
    _refuse_undecided(evidence)
    if evidence.units is None:
        _refuse_share(evidence)
        return evidence
    return _by_fold(evidence) if _goes_by_fold(evidence) else _by_item(evidence)


def _goes_by_fold(items: Items) -> bool:
    return items.units is not None and (len(set(items.folds or ())) > 1 or items.test_fraction is not None)


def completed_as_tested(evidence: Evidence, missing: str) -> tuple[Evidence, LeftOut]:
    """As tested, without missing results, and what was left out: of repeated items before folds hide which."""
    if not isinstance(evidence, Items) or not _goes_by_fold(evidence):
        return completed(as_tested(evidence), missing)
    _refuse_undecided(evidence)
    whole, left_out = completed(evidence, missing)
    return as_tested(whole), left_out


def _by_fold(items: Items) -> Scores:
    """The mean outcome of every fold."""
    return fold_means(items, item_folds(items), items.values, items.measure, items.larger_is_better)


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
    unit_of = dict(zip(items.items, units, strict=True))
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
        gap_places={(name, unit_of[entry]): place for (name, entry), place in items.gap_places.items()},
    )


def _refuse_share(items: Items) -> None:
    if items.test_fraction is not None:
        raise InputError(
            f"test_fraction is {items.test_fraction:g}, but every item occurs once, and items are compared one by one.",
            items.origin.source,
            "leave test_fraction out, or compare measures of folds: --on tpr,fpr.",
        )


def _refuse_undecided(items: Items) -> None:
    if items.undecided:
        raise InputError(
            f"the decision scores of {listed(items.undecided)} are on one side of 0, where they predict no class.",
            items.origin.source,
            "compare areas under ROC curves, which need no more: --on roc; or add predicted classes.",
        )
