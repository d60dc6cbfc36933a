"""Which items belong to which fold, scores of those folds, and items as tests of one measure take them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, listed
from bestofk.evidence import Curves, Evidence, Items, Scores
from bestofk.evidence.filled_results import fills
from bestofk.evidence.items import BY_LEARNER, PER_ITEM
from bestofk.evidence.missing_results import LeftOut, completed
from bestofk.evidence.natural_order import natural
from bestofk.measures.catalogue import is_comparable, negated_measure

Places = npt.NDArray[np.intp]
_ALL = ("1",)


@frozen(eq=False)
class ItemFolds:
    """Places of the items of every fold, replications one after another, and the names of both.

    Examples
    --------
    >>> ItemFolds((np.array([0, 2]), np.array([1, 3])), ("1",), ("a", "b")).shape
    (1, 2)
    """

    places: tuple[Places, ...]
    replications: tuple[str, ...]
    folds: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Replications, and folds of each."""
        return len(self.replications), len(self.folds)

    def name_of(self, number: int) -> str:
        """A fold in words."""
        replication, fold = divmod(number, len(self.folds))
        several = f"replication {self.replications[replication]}, " if len(self.replications) > 1 else ""
        return f"{several}fold {self.folds[fold]}"


def item_folds(items: Items) -> ItemFolds:
    """Items of each fold, in the order of their names as in Scores; every replication has to have all of them."""
    if items.fold_fault is not None:
        raise InputError(*items.fold_fault)
    number = len(items.items)
    fold = items.folds if items.folds is not None or items.replications is not None else items.groups
    names = fold or _ALL * number
    replication = items.replications or _ALL * number
    folds, replications = (tuple(sorted(set(each), key=natural)) for each in (names, replication))
    place = {name: at for at, name in enumerate(folds)}
    start = {name: at * len(folds) for at, name in enumerate(replications)}
    codes = np.array([start[r] + place[f] for r, f in zip(replication, names, strict=True)])
    sizes = np.bincount(codes, minlength=len(folds) * len(replications))
    places = np.split(np.argsort(codes, kind="stable"), np.cumsum(sizes)[:-1])
    made = ItemFolds(tuple(places), replications, folds)
    _refuse_empty(made, items)
    return made


def has_folds(items: Items) -> bool:
    """Whether items are of two folds or more; a fault in the column that names them is for ``item_folds`` to tell."""
    if items.fold_fault is not None:
        return True
    named = (each for each in (items.folds, items.replications, items.groups) if each is not None)
    return any(len(set(each)) > 1 for each in named)


def _refuse_empty(made: ItemFolds, items: Items) -> None:
    empty = next((number for number, places in enumerate(made.places) if not places.size), None)
    if empty is not None:
        raise InputError(
            f"{made.name_of(empty)} has no item; there are {counted(made.shape[0], 'replication')} of "
            f"{counted(made.shape[1], 'fold')}.",
            items.origin.source,
            "give every replication the same folds, under the same names.",
        )


def fold_scores(items: Items, folds: ItemFolds, values: Array, measure: str, larger_is_better: bool) -> Scores:
    """Scores of the folds of items from values with one entry per learner and fold, replications one after another."""
    return items.as_kind(
        Scores,
        values=values.reshape(len(items.learners), 1, *folds.shape),
        replications=folds.replications,
        folds=folds.folds,
        test_fraction=items.test_fraction,
        measure=measure,
        larger_is_better=larger_is_better,
    )


def fold_means(items: Items, folds: ItemFolds, outcomes: Array, measure: str, larger_is_better: bool) -> Scores:
    """The mean outcome, (learners, items), of every fold, weighted as items are; NaN where one is missing."""
    weights = items.weights if items.weights is not None else np.ones(len(items.items))
    means = np.stack(
        [np.average(outcomes[:, places], axis=1, weights=weights[places]) for places in folds.places], axis=-1
    )
    return fold_scores(items, folds, means, measure, larger_is_better)


def as_tested(evidence: Evidence) -> Evidence:
    """Items that occur in several replications as means of folds, or of each item; losses below 0 as they were."""
    if not isinstance(evidence, Items):
        return _without_minus(evidence)
    _refuse_undecided(evidence)
    if evidence.units is None:
        _refuse_share(evidence)
        return evidence
    if not _goes_by_fold(evidence):
        return _by_item(evidence)
    return fold_means(evidence, item_folds(evidence), evidence.values, evidence.measure, evidence.larger_is_better)


def _without_minus(evidence: Evidence) -> Evidence:
    """Amounts that are all below 0, on several data sets: without the minus, so that they have ratios."""
    if not isinstance(evidence, Scores | Curves):
        return evidence
    several = len(evidence.datasets if isinstance(evidence, Scores) else evidence.shared_datasets()) > 1
    flat = np.concatenate([np.ravel(each) for each in evidence.values])
    if not several or not ((flat < 0) | np.isnan(flat)).all() or is_comparable(evidence.measure, flat):
        return evidence
    turned: dict[str, Any] = {
        "measure": negated_measure(evidence.measure) or f"neg_{evidence.measure}",
        "larger_is_better": not evidence.larger_is_better,
    }
    if isinstance(evidence, Scores):
        return replace(evidence, values=-evidence.values, **turned)
    return replace(evidence, values=tuple(-each for each in evidence.values), **turned)


def _goes_by_fold(items: Items) -> bool:
    return items.units is not None and (len(set(items.folds or ())) > 1 or items.test_fraction is not None)


def completed_as_tested(evidence: Evidence, missing: str) -> tuple[Evidence, LeftOut]:
    """As tested, without missing results, and what was left out: of repeated items before folds hide which."""
    if not isinstance(evidence, Items) or not (_goes_by_fold(evidence) or fills(missing)):
        return completed(as_tested(evidence), missing)
    _refuse_undecided(evidence)
    whole, left_out = completed(evidence, missing)
    return as_tested(whole), left_out


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
            "say --test-fraction 0.3 (test_fraction=0.3) if 30 % were tested on, or add a column fold; if the same "
            "items were asked again, call the column repeat: outcomes are then averaged within their item.",
        )
    order = np.argsort(codes, kind="stable").reshape(len(names), len(rounds))
    unit_of = dict(zip(items.items, units, strict=True))
    whole: dict[str, Any] = dict.fromkeys((*PER_ITEM, *BY_LEARNER))  # what is of single entries is gone
    if items.groups is not None:
        whole["groups"] = tuple(items.groups[row[0]] for row in order)
    if items.weights is not None:
        whole["weights"] = items.weights[order[:, 0]]
    return replace(
        items,
        items=names,
        values=items.values[:, order].mean(axis=-1),
        **whole,
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
