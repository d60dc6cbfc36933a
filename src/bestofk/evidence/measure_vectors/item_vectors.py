"""Vectors of items: counts of every fold or group, rates at thresholds, recalls, and areas under ROC curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import counted, listed
from bestofk.evidence.item_folds import ItemFolds, fold_scores, has_folds, item_folds
from bestofk.evidence.items import Items
from bestofk.evidence.measure_vectors.areas import ItemScores, areas_of_items, no_probabilities
from bestofk.evidence.measure_vectors.finder import NoPositive
from bestofk.evidence.measure_vectors.fold_vectors import vectors_of
from bestofk.evidence.measure_vectors.known import Known, one_against_rest
from bestofk.evidence.measure_vectors.wanted import AREAS, RECALLS, WHERE, Ask, one_dataset, threshold_in
from bestofk.evidence.missing_results import LeftOut, completed
from bestofk.evidence.natural_order import class_order
from bestofk.evidence.scores import Scores
from bestofk.evidence.vectors import Vectors
from bestofk.measures.counts import error
from bestofk.tables.cells import class_word


def vectors_of_items(items: Items, ask: Ask, *, may_be_one_set: bool = False) -> Vectors:
    """Areas where they are asked for, else measures of every fold or group of items.

    One test set has one vector, which is enough where there are other data sets.
    """
    if items.fold_datasets and ask.areas:
        raise curves_of_one(items.fold_datasets, items.origin.source)
    if items.weighted:
        raise InputError(
            "the items have weights, and several measures count every item alike.",
            f"{WHERE}, {items.origin.source}",
            "remove the weights, or leave --on out.",
        )
    make = partial(_vectors_of_items, ask=ask, may_be_one_set=may_be_one_set)
    vectors = make(items)
    gaps = np.where(_lacking(items, ask), np.nan, 0.0)
    return replace(vectors, complete=partial(_completed, replace(items, values=gaps), make))


def _completed(
    items: Items, make: Callable[[Items], Vectors], vectors: Vectors, missing: str
) -> tuple[Vectors, LeftOut]:
    """Vectors of items that all learners have, and what was left out."""
    whole, left_out = completed(items, missing)
    if not left_out:
        return vectors, left_out
    assert isinstance(whole, Items)
    kept = set(whole.items)
    gone = [name for name in items.items if name not in kept]
    again = make(items.without([name for name in items.learners if name not in whole.learners], gone))
    return replace(again, each=vectors.each, asked=vectors.asked, complete=None), left_out


def _vectors_of_items(items: Items, ask: Ask, may_be_one_set: bool) -> Vectors:
    ask.refuse_areas_among_others(AREAS)
    if ask.areas:
        known = _item_scores(items, ask.positive)
        if known is None:
            raise no_probabilities(items)
        return areas_of_items(items, known, ask.said)
    scores, found = _scores_of_items(items, ask, may_be_one_set)
    if items.probabilities is None and any(threshold_in(name) for name in ask.names):
        raise no_probabilities(items)
    try:
        vectors = vectors_of(scores, ask, found)
    except NoPositive:
        true = class_order(set(items.truth or ()))
        if len(true) == 2:
            _refuse_foreign_class(items, true)
        raise
    return vectors if found.positive is None else replace(vectors, items=_item_scores(items, ask.positive))


def _scores_of_items(items: Items, ask: Ask, may_be_one_set: bool) -> tuple[Scores, Known]:
    """The error and the counts of all classes in every fold of items, or in every group, which stands for one.

    No class is positive where recalls alone are asked for, or where nobody says which of three or more is.
    """
    chosen, classes = None, _classes(items)
    recalls = [*map(plain, ask.names)] == [RECALLS]
    if items.truth is None or ask.positive is not None or (not recalls and len(classes) < 3):
        chosen, classes = _positive_of(items, ask.positive)
    _refuse_no_counts(items, may_be_one_set)
    _refuse_foreign_class(items, classes)
    folds = item_folds(items)
    confusion = _confusion(items, classes, folds)
    by_groups = items.folds is None and items.replications is None and len(set(items.groups or ())) > 1
    notes = (*items.origin.notes, *(("groups of items were read as folds",) if by_groups else ()))
    noted = replace(items, origin=replace(items.origin, notes=notes))
    scores = fold_scores(noted, folds, error(confusion), "error", larger_is_better=False)
    found = Known((confusion,), classes, chosen)
    if chosen is None:
        return scores, found
    counts = one_against_rest(confusion[:, None], classes.index(chosen))
    known = None if items.probabilities is None else _item_scores(items, chosen)
    return replace(scores, counts=counts), replace(found, counts_at=None if known is None else known.counts_at)


def _confusion(items: Items, classes: tuple[str, ...], folds: ItemFolds) -> Array:
    """(learners, replications, folds, classes, classes), rows the truth; NaN where a prediction is missing."""
    codes = {label: code for code, label in enumerate(classes)}
    number = len(classes)
    truth = np.array([codes[label] for label in items.truth or ()])
    said = np.array([[codes.get(label, -1) for label in (items.predictions or {})[each]] for each in items.learners])
    cells, missing = truth * number + said, said < 0
    table = np.full((len(items.learners), len(folds.places), number * number), np.nan)
    for k, row in enumerate(cells):
        for f, fold in enumerate(folds.places):
            if not missing[k, fold].any():
                table[k, f] = np.bincount(row[fold], minlength=number * number)
    return table.reshape(len(items.learners), *folds.shape, number, number)


def _lacking(items: Items, ask: Ask) -> Flags:
    """(learners, items): what is missing of a learner that the measures need."""
    gone = np.zeros(items.values.shape, dtype=bool)
    known = _item_scores(items, ask.positive) if ask.areas or ask.thresholds else None
    if known is not None:
        gone |= np.isnan(known.scores)
    if not ask.areas:
        gone |= np.array([[label == "" for label in (items.predictions or {})[name]] for name in items.learners])
    return gone


def _item_scores(items: Items, positive: str | None) -> ItemScores | None:
    """Truth and scores of the positive class; None where neither probabilities nor decision scores were given."""
    if (items.probabilities is None and items.decisions is None) or items.truth is None:
        return None
    chosen, classes = _positive_of(items, positive)
    place, truth = classes.index(chosen), np.array([label == chosen for label in items.truth])
    if items.probabilities is not None:
        scores = np.stack([items.probabilities[name][:, place] for name in items.learners])
    else:
        sign = 1.0 if place == 1 else -1.0  # decision scores are larger for the second class
        scores = sign * np.stack([(items.decisions or {})[name] for name in items.learners])
    return ItemScores(items.learners, truth, scores, item_folds(items), chosen, items.origin.source)


def _positive_of(items: Items, positive: str | None) -> tuple[str, tuple[str, ...]]:
    """The class that is positive, and all classes; the second of two where nobody says it."""
    where = f"judge, argument positive, {items.origin.source}"
    if items.truth is None:
        raise InputError(
            f"several measures need folds, or items with their true class, and there are {items!r}.",
            f"{WHERE}, {items.origin.source}",
            "give a table with a column truth and one column of predictions per learner, or results per fold.",
        )
    classes = _classes(items)
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
            f"say which: --positive {classes[0]} (of {', '.join(classes)}); measures are of all with --positive each.",
        )
    return classes[1], classes


def _classes(items: Items) -> tuple[str, ...]:
    said = {label for labels in (items.predictions or {}).values() for label in labels if label}
    return items.classes or class_order({*(items.truth or ()), *said})


def _refuse_foreign_class(items: Items, classes: tuple[str, ...]) -> None:
    """Refuse a prediction of another class, with its learner and item.

    It would count as the negative one, and be right half of the time; a third class that no item is of may be a slip.
    """
    for name, labels in (items.predictions or {}).items():
        place = next((i for i, label in enumerate(labels) if label and label not in classes), None)
        if place is not None:
            label, item = labels[place], items.items[place]
            raise InputError(
                f"{name} predicts {label} for item {item}, and the classes are {listed(classes)}.",
                f"{WHERE}, {items.origin.source}",
                f"mend the prediction; or, if {label} is a class, give it probabilities, or say which is "
                f"positive: --positive {classes[-1]}; --measure error counts it as wrong.",
            )


def _refuse_no_counts(items: Items, may_be_one_set: bool) -> None:
    silent = [name for name in items.learners if not any((items.predictions or {}).get(name, ()))]
    if items.predictions is None or (items.decisions is not None and silent):
        raise InputError(
            f"counts need predicted classes, and {listed(silent)} have none: {items!r}.",
            f"{WHERE}, {items.origin.source}",
            "give a column truth and one column of predictions per learner; decision scores on one side of 0 have "
            "areas alone: --on roc.",
        )
    if not has_folds(items) and not may_be_one_set:
        raise InputError(
            f"vectors of measures need folds, and there is one test set of {counted(len(items.items), 'item')}.",
            f"{WHERE}, {items.origin.source}",
            "name the fold of every row in a column fold; or compare areas under ROC curves (--on roc, of "
            "probabilities); or leave --on out: McNemar's test takes items.",
        )


def curves_of_one(datasets: Sequence[str], source: str) -> InputError:
    """The error of ROC curves over several data sets."""
    those = f"{len(datasets)} data sets, {listed(datasets[:3])}{' …' if len(datasets) > 3 else ''}"
    return one_dataset(f"there are items of {those}, and ROC curves are of one.", datasets, source)
