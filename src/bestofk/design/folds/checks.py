"""What no way of dividing allows, and what is worth a note: order, groups, leaks, tests on single rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def refusal(wrong: str, dataset: Dataset, spec: str, fix: str) -> InputError:
    """The error of a data set that cannot be divided like this."""
    return InputError(wrong, f"data set {dataset.name}, folds {spec}", fix)


def enough(dataset: Dataset, parts: int, *, spec: str) -> None:
    """Refuse more parts than there are rows, or groups of rows, to put into them."""
    unit, units = ("row", dataset.rows) if dataset.groups is None else ("group", len(np.unique(dataset.groups)))
    if units < parts:
        fix = f"ask for at most {units} folds, or give more data." if units > 1 else "give more data."
        raise refusal(f"{spec} needs at least {parts} {unit}s; {dataset.name} has {units}.", dataset, spec, fix)


def refuse_order(dataset: Dataset, *, spec: str) -> None:
    """Refuse to shuffle rows that are in the order of time: a learner would be trained on the future."""
    if dataset.ordered:
        wrong = f"{spec} shuffles rows, and those of {dataset.name} are in the order of time."
        fix = 'use folds = "forward-5", which trains on the past only, or drop ordered if the order means nothing.'
        raise refusal(wrong, dataset, spec, fix)


def refuse_groups(dataset: Dataset, *, spec: str, fix: str) -> None:
    """Refuse a division that cannot keep the rows of a group together."""
    if dataset.groups is not None:
        raise refusal(f"{spec} cannot keep the groups of {dataset.name} on one side.", dataset, spec, fix)


def refuse_unstratifiable(dataset: Dataset, least: int, *, spec: str) -> None:
    """Refuse to stratify numbers or groups, and classes with fewer members than parts."""
    if dataset.task == "regression":
        wrong = f"{spec} needs classes, and the target of {dataset.name} holds numbers."
        raise refusal(wrong, dataset, spec, f"use folds = {spec.removesuffix('-stratified')!r}.")
    refuse_groups(dataset, spec=spec, fix="leave -stratified out, or give scikit-learn's StratifiedGroupKFold.")
    fewer = "leave -stratified out, or merge or drop rare classes."
    counts = np.bincount(dataset.y.astype(np.intp), minlength=len(dataset.classes))
    rare = int(counts.argmin())
    if counts[rare] < least:
        wrong = f"{spec} needs at least {least} rows of each class; class {dataset.classes[rare]} has {counts[rare]}."
        fix = f"ask for at most {counts[rare]} folds, {fewer}" if counts[rare] > 1 else fewer
        raise refusal(wrong, dataset, spec, fix)


def refuse_leaks(dataset: Dataset, folds: list[Fold], *, spec: str) -> None:
    """Refuse folds that train on what they test: the same rows, the future of ordered rows, members of their groups."""
    for number, fold in enumerate(folds, start=1):
        found = _leak(dataset, fold)
        if found is not None:
            raise refusal(found[0], dataset, f"{spec}, fold {number}", found[1])


def _leak(dataset: Dataset, fold: Fold) -> tuple[str, str] | None:
    """What is wrong with a fold, and what to do."""
    if not len(fold.train) or not len(fold.test):
        return "the fold has no rows on one side.", "ask for fewer folds, or give more data."
    both = np.intersect1d(fold.train, fold.test)
    if len(both):
        wrong = f"{_that_are(len(both), 'row')} trained on and tested, row {both[0] + 1} for one."
        return wrong, "use a splitter that keeps the two apart, or leave such rows out of the test set."
    if dataset.ordered and fold.train.max() >= fold.test.min():
        last, first = fold.train.max() + 1, fold.test.min() + 1
        wrong = f"row {last} is trained on and row {first}, which is not later, tested."
        return wrong, 'use folds = "forward-5" or scikit-learn\'s TimeSeriesSplit for rows in the order of time.'
    return None if dataset.groups is None else _split_groups(dataset.groups, fold)


def _split_groups(groups: np.typing.NDArray[np.int64], fold: Fold) -> tuple[str, str] | None:
    both = np.intersect1d(groups[fold.train], groups[fold.test])
    if not len(both):
        return None
    row = int(fold.test[np.isin(groups[fold.test], both)][0])
    wrong = f"{_that_are(len(both), 'group')} on both sides, that of row {row + 1} for one."
    return wrong, "use a splitter that keeps groups together, or leave groups out of the data set."


def _that_are(count: int, noun: str) -> str:
    return f"{counted(count, noun)} {'is' if count == 1 else 'are'}"


def refuse_undividable(folds: Folds, datasets: Iterable[Dataset], seed: int) -> None:
    """Refuse folds that a data set does not allow; a fault in someone's own folds is left to the failed rows."""
    for dataset in datasets:
        try:
            folds.split(dataset, 0, seed)
        except BestOfKError:
            raise
        except Exception:  # noqa: S112  collecting keeps it as the reason of failed folds
            continue


_ERROR = {
    "classification": "its error can only be 0 or 1",
    "regression": "its error is that of one row, and r2 is undefined",
}


def notes_on_folds(folds: Folds, datasets: Sequence[Dataset], seed: int) -> list[str]:
    """Say, data set by data set, that order is taken for time where nobody said so, and that a test is a single row."""
    order = [
        f"{folds.spec} takes the order of the rows of {each.name} for time; say ordered = true if it is, or choose "
        "folds that shuffle, such as 5x2."
        for each in datasets
        if getattr(folds, "in_order", False) and not each.ordered
    ]
    small = [
        f"{folds.spec} tests on a single row of {each.name} in a fold: {_ERROR[each.task]}; ask for a larger "
        "share, or for fewer folds."
        for each in datasets
        if min(len(fold.test) for fold in folds.split(each, 0, seed)) == 1
    ]
    return order + small
