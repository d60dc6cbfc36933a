"""What no way of dividing allows, and what is worth a note: order, groups, leaks, tests on single rows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bestofk.core.errors import BestOfKError, InputError
from bestofk.core.phrases import counted
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold, Folds

MOST = 1_000_000


def within(count: int, least: int, *, what: str, spec: str) -> int:
    """Return a count of folds or replications, or refuse one that makes no sense."""
    if least <= count <= MOST:
        return count
    raise InputError(
        f"{spec} asks for {counted(count, what.removesuffix('s'))}.",
        f"plan, folds {spec}",
        f"choose between {least} and {MOST:,} {what}.",
    )


def enough(dataset: Dataset, parts: int, *, spec: str) -> None:
    """Refuse more parts than there are rows, or groups of rows, to put into them."""
    units = dataset.rows if dataset.groups is None else len(np.unique(dataset.groups))
    if units < parts:
        raise InputError(
            f"{spec} needs at least {parts} {_unit(dataset)}s; {dataset.name} has {units}.",
            f"data set {dataset.name}, folds {spec}",
            f"ask for at most {units} folds, or give more data." if units > 1 else "give more data.",
        )


def refuse_order(dataset: Dataset, *, spec: str) -> None:
    """Refuse to shuffle rows that are in the order of time: a learner would be trained on the future."""
    if dataset.ordered:
        raise InputError(
            f"{spec} shuffles rows, and those of {dataset.name} are in the order of time.",
            f"data set {dataset.name}, folds {spec}",
            'use folds = "forward-5", which trains on the past only, or drop ordered if the order means nothing.',
        )


def refuse_groups(dataset: Dataset, *, spec: str, fix: str) -> None:
    """Refuse a division that cannot keep the rows of a group together."""
    if dataset.groups is not None:
        raise InputError(
            f"{spec} cannot keep the groups of {dataset.name} on one side.",
            f"data set {dataset.name}, folds {spec}",
            fix,
        )


def refuse_leaks(dataset: Dataset, folds: list[Fold], *, spec: str) -> None:
    """Refuse folds that train on what they test: the same rows, the future of ordered rows, members of their groups."""
    for number, fold in enumerate(folds, start=1):
        where = f"data set {dataset.name}, folds {spec}, fold {number}"
        if not len(fold.train) or not len(fold.test):
            raise InputError("the fold has no rows on one side.", where, "ask for fewer folds, or give more data.")
        both = np.intersect1d(fold.train, fold.test)
        if len(both):
            raise InputError(
                f"{_that_are(len(both), 'row')} trained on and tested, row {both[0] + 1} for one.",
                where,
                "use a splitter that keeps the two apart, or leave such rows out of the test set.",
            )
        if dataset.ordered and fold.train.max() >= fold.test.min():
            raise InputError(
                f"row {fold.train.max() + 1} is trained on and row {fold.test.min() + 1}, which is not later, tested.",
                where,
                'use folds = "forward-5" or scikit-learn\'s TimeSeriesSplit for rows in the order of time.',
            )
        if dataset.groups is not None:
            _refuse_split_groups(dataset.groups, fold, where)


def _refuse_split_groups(groups: np.typing.NDArray[np.int64], fold: Fold, where: str) -> None:
    both = np.intersect1d(groups[fold.train], groups[fold.test])
    if len(both):
        row = int(fold.test[np.isin(groups[fold.test], both)][0])
        raise InputError(
            f"{_that_are(len(both), 'group')} on both sides, that of row {row + 1} for one.",
            where,
            "use a splitter that keeps groups together, or leave groups out of the data set.",
        )


def _that_are(count: int, noun: str) -> str:
    return f"{counted(count, noun)} {'is' if count == 1 else 'are'}"


def _unit(dataset: Dataset) -> str:
    return "row" if dataset.groups is None else "group"


def refuse_undividable(folds: Folds, datasets: Iterable[Dataset], seed: int) -> None:
    """Refuse folds that a data set does not allow; a fault in someone's own folds is left to the failed rows."""
    for dataset in datasets:
        try:
            folds.split(dataset, 0, seed)
        except BestOfKError:
            raise
        except Exception:
            continue


_ERROR = {
    "classification": "its error can only be 0 or 1",
    "regression": "its error is that of one row, and r2 is undefined",
}


def notes_on_small_tests(folds: Folds, datasets: Iterable[Dataset], seed: int) -> list[str]:
    """Say, data set by data set, that a fold tests on a single row, and what that makes of its error."""
    return [
        f"{folds.spec} tests on a single row of {each.name} in a fold: {_ERROR[each.task]}; ask for a larger "
        "share, or for fewer folds."
        for each in datasets
        if min(len(fold.test) for fold in folds.split(each, 0, seed)) == 1
    ]


def notes_on_order(folds: Folds, datasets: Iterable[Dataset]) -> list[str]:
    """Say, data set by data set, that the order of rows is taken for time where nobody said that it is."""
    if not getattr(folds, "in_order", False):
        return []
    return [
        f"{folds.spec} takes the order of the rows of {each.name} for time; say ordered = true if it is, or choose "
        "folds that shuffle, such as 5x2."
        for each in datasets
        if not each.ordered
    ]
