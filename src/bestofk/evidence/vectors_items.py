"""Items of two classes, or one class against the rest, as the measures of a vector take them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.phrases import counted, listed
from bestofk.evidence.fold_scores import fold_means
from bestofk.evidence.item_folds import ItemFolds, Places, has_folds, item_folds
from bestofk.evidence.items import Items
from bestofk.evidence.natural_order import class_order
from bestofk.evidence.scores import Scores
from bestofk.evidence.vectors_all_classes import of_all_classes, undefined_of_all_classes
from bestofk.evidence.vectors_known import Known
from bestofk.evidence.vectors_names import WHERE
from bestofk.evidence.vectors_refusals import NoPositive
from bestofk.stats.roc import auc
from bestofk.tables.cells import class_word


@dataclass(frozen=True, eq=False)
class ItemScores:
    """The truth (True for the positive class) and each learner's score of it, (learners, items).

    Scores are probabilities, or decision scores, of which the ranks count alone; NaN where a learner has none.
    ``folds`` says which items are of which fold; there is one for all items where nothing names folds.
    """

    learners: tuple[str, ...]
    truth: Flags
    scores: Array
    folds: ItemFolds
    positive: str
    source: str

    def of(self, learners: tuple[str, ...]) -> ItemScores:
        """The same items of some learners."""
        rows = [self.learners.index(name) for name in learners]
        return replace(self, learners=learners, scores=self.scores[rows])

    @property
    def complete(self) -> bool:
        """Whether every learner has a probability of every item."""
        return not bool(np.isnan(self.scores).any())

    def refuse_one_class(self) -> None:
        """Refuse items that are all of one class: they have no ROC curve."""
        if self.truth.all() or not self.truth.any():
            raise InputError(
                f"every item is {'' if self.truth.any() else 'not '}of class {self.positive}, and a ROC curve needs "
                "both kinds.",
                self.source,
                "give items of both classes.",
            )

    def counts_at(self, threshold: float) -> Array:
        """(learners, 1, replications, folds, 4): tp, fn, fp, tn where rows from the threshold on are called positive.

        NaN for a learner in a fold of which it lacks a probability.
        """
        counts = _counts(self.truth, self.scores >= threshold, self.folds)
        return np.where(self._lacking()[..., None], np.nan, counts)

    def areas(self) -> Array:
        """(learners, 1, replications, folds): the area under every ROC curve; NaN without one, as with one class."""
        found = [[self._area(each, fold) for fold in self.folds.places] for each in self.scores]
        return np.array(found).reshape(len(self.learners), 1, *self.folds.shape)

    def _area(self, scores: Array, fold: Places) -> float:
        truth, given = self.truth[fold], scores[fold]
        known = 0 < truth.sum() < truth.size and not np.isnan(given).any()
        return float(auc(truth, given)) if known else np.nan

    def _lacking(self) -> Flags:
        """(learners, 1, replications, folds): whether a probability is missing, or the fold has no item."""
        gone = np.isnan(self.scores)
        table = [gone[:, fold].any(axis=1) | (fold.size == 0) for fold in self.folds.places]
        return np.stack(table, axis=-1).reshape(len(self.learners), 1, *self.folds.shape)


def positive_of(items: Items, positive: str | None, *, curves: bool = False) -> tuple[str, tuple[str, ...]]:
    """The class that is positive, and all classes; the second of two where nobody says it.

    ``curves`` are of one class: a refusal offers nothing else.
    """
    where = f"judge, argument positive, {items.origin.source}"
    if items.truth is None:
        raise InputError(
            f"several measures need folds, or items with their true class, and there are {items!r}.",
            f"{WHERE}, {items.origin.source}",
            "give a table with a column truth and one column of predictions per learner, or results per fold.",
        )
    classes = _classes(items)
    if not curves:
        _refuse_other_predictions(items, classes)
    if positive is not None:
        named = positive if positive in classes else class_word(positive)
        if named not in classes:
            raise unknown(positive, classes, what="class", where=where)
        return named, classes
    if len(classes) != 2:
        number = f"there are {len(classes)} classes" if len(classes) > 1 else f"there is one class, {classes[0]}"
        raise NoPositive(
            f"{number}, and none is said to be positive.",
            where,
            f"say which: --positive {classes[0]} (of {', '.join(classes)})"
            + ("." if curves else ", or --positive each; or --on recalls."),
        )
    return classes[1], classes


def _classes(items: Items) -> tuple[str, ...]:
    said = {label for labels in (items.predictions or {}).values() for label in labels if label}
    return items.classes or class_order({*(items.truth or ()), *said})


def _refuse_other_predictions(items: Items, classes: tuple[str, ...]) -> None:
    """A class that is none of those counted would count as the negative one, and be right half of the time."""
    for name, labels in (items.predictions or {}).items():
        other = next((label for label in labels if label and label not in classes), None)
        if other is not None:
            raise InputError(
                f"{name} predicts {other}, and the classes are {listed(classes)}.",
                f"{WHERE}, {items.origin.source}",
                "mend these predictions, or give that class probabilities too; --measure error counts them as wrong.",
            )


def refuse_foreign_class(items: Items) -> None:
    """Refuse a prediction of a third class that no item is of, with its learner and item: it may be a slip."""
    true = class_order(set(items.truth or ()))
    for name, labels in (items.predictions or {}).items():
        place = next((i for i, label in enumerate(labels) if label and label not in true), None)
        if place is not None and len(true) == 2:
            raise InputError(
                f"{name} predicts {labels[place]} for item {items.items[place]}, and every item is of {listed(true)}.",
                f"{WHERE}, {items.origin.source}",
                f"mend the prediction; or, if {labels[place]} is a class, say which is positive: --positive {true[1]}.",
            )


def item_scores(items: Items, positive: str | None) -> ItemScores | None:
    """Truth and scores of the positive class; None where neither probabilities nor decision scores were given."""
    if (items.probabilities is None and items.decisions is None) or items.truth is None:
        return None
    chosen, classes = positive_of(items, positive, curves=True)
    place, truth = classes.index(chosen), np.array([label == chosen for label in items.truth])
    if items.probabilities is not None:
        scores = np.stack([items.probabilities[name][:, place] for name in items.learners])
    else:
        sign = 1.0 if place == 1 else -1.0  # decision scores are larger for the second class
        scores = sign * np.stack([(items.decisions or {})[name] for name in items.learners])
    return ItemScores(items.learners, truth, scores, item_folds(items), chosen, items.origin.source)


def scores_of_items(items: Items, positive: str | None, *, may_be_one_set: bool = False) -> tuple[Scores, Known]:
    """Counts of every fold of items, or of every group, which stands for one, and counts at thresholds.

    One test set has one vector, which is enough where there are other data sets.
    """
    chosen, classes = positive_of(items, positive)
    _refuse_no_counts(items, may_be_one_set)
    truth = np.array([label == chosen for label in items.truth or ()])
    called = np.array([[label == chosen for label in (items.predictions or {})[name]] for name in items.learners])
    missing = np.array([[label == "" for label in (items.predictions or {})[name]] for name in items.learners])
    folds = item_folds(items)
    counts = _counts(truth, called, folds)
    counts[_counts(truth, missing, folds)[..., [0, 2]].sum(axis=-1) > 0] = np.nan
    scores = replace(_errors(items, folds), counts=counts)
    known = item_scores(items, chosen)
    at = None if known is None or items.probabilities is None else known.counts_at
    facts = _of_all_classes(items, classes, folds)
    return scores, Known(counts_at=at, positive=chosen, asked=positive, classes=classes, **facts)


def _errors(items: Items, folds: ItemFolds) -> Scores:
    """The share of wrong predictions of all classes in every fold; NaN where one is missing."""
    truth = np.array(items.truth or ())
    said = np.array([(items.predictions or {})[name] for name in items.learners])
    wrong = np.where(said == "", np.nan, said != truth)
    by_groups = items.folds is None and items.replications is None and len(set(items.groups or ())) > 1
    notes = (*items.origin.notes, *(("groups of items were read as folds",) if by_groups else ()))
    said_back = replace(items, origin=replace(items.origin, notes=notes))
    return fold_means(said_back, folds, wrong, "error", larger_is_better=False)


def recalls_of_items(items: Items, *, may_be_one_set: bool = False) -> tuple[Scores, Known]:
    """The recall of every class in every fold or group of items."""
    _refuse_no_counts(items, may_be_one_set)
    classes = _classes(items)
    made = [scores_of_items(items, name, may_be_one_set=may_be_one_set)[0] for name in classes]
    rows = {f"recall of {name}": each.counts[..., :2].sum(axis=-1) for name, each in zip(classes, made, strict=True)}  # type: ignore[index]
    right = {f"recall of {name}": each.counts[..., 0] for name, each in zip(classes, made, strict=True)}  # type: ignore[index]
    recalls = {name: right[name] / np.where(rows[name] == 0, 1.0, rows[name]) for name in rows}
    facts = _of_all_classes(items, classes, item_folds(items))
    return replace(made[0], counts=None), Known(recalls, rows, classes=classes, **facts)


def _of_all_classes(items: Items, classes: tuple[str, ...], folds: ItemFolds) -> dict[str, Any]:
    """How to find measures of all classes, and where they are 0/0."""
    both = {"more": of_all_classes, "undefined_share": undefined_of_all_classes}
    return {name: partial(each, items, classes, folds) for name, each in both.items()}


def needs_no_class(items: Items, positive: str | None) -> bool:
    """Whether nobody says which of three classes or more is positive: measures of all of them are known."""
    return items.truth is not None and positive is None and len(_classes(items)) > 2


def _counts(truth: Flags, called: Flags, folds: ItemFolds) -> Array:
    """(learners, 1, replications, folds, 4): tp, fn, fp, tn."""
    cells = (truth & called, truth & ~called, ~truth & called, ~truth & ~called)
    table = [[each[:, fold].sum(axis=1) for each in cells] for fold in folds.places]  # folds × 4 × learners
    return np.moveaxis(np.array(table, dtype=float), -1, 0).reshape(len(called), 1, *folds.shape, 4)


def _refuse_no_counts(items: Items, may_be_one_set: bool) -> None:
    silent = [name for name in items.learners if not any((items.predictions or {}).get(name, ()))]
    if items.predictions is None or (items.decisions is not None and silent):
        scores = f"decision scores of {listed(silent)} on one side of 0" if items.decisions is not None else "outcomes"
        raise InputError(
            f"counts need predicted classes, and there are {scores} only: {items!r}.",
            f"{WHERE}, {items.origin.source}",
            "give a column truth and one column of predictions per learner"
            + ("." if items.decisions is None else "; or compare areas under ROC curves: --on roc."),
        )
    if not has_folds(items) and not may_be_one_set:
        has_scores = items.probabilities is not None or items.decisions is not None
        needs = "" if has_scores else ", which needs probabilities"
        raise InputError(
            f"vectors of measures need folds, and there is one test set of {counted(len(items.items), 'item')}.",
            f"{WHERE}, {items.origin.source}",
            f"name the fold of every row in a column fold; or compare areas under ROC curves (--on roc{needs}); or "
            "leave --on out: McNemar's test takes items.",
        )
