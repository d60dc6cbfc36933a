"""Items of two classes, or one class against the rest, as the measures of a vector take them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.phrases import counted
from bestofk.evidence.items import Items
from bestofk.evidence.scores import COUNTS, Scores
from bestofk.evidence.vectors_making import Known
from bestofk.evidence.vectors_names import WHERE
from bestofk.stats.arrays import Array, Flags
from bestofk.stats.multivariate.measures import RATIOS

Places = npt.NDArray[np.intp]
_AT = re.compile(r"(?P<measure>[a-z0-9_]+)@(?P<threshold>[^@]+)")


@dataclass(frozen=True, eq=False)
class ItemScores:
    """The truth (True for the positive class) and each learner's probability of it, (learners, items).

    ``folds`` are the places of the items of every fold; one for all items where nothing names folds.
    """

    learners: tuple[str, ...]
    truth: Flags
    scores: Array
    folds: tuple[Places, ...]
    positive: str
    source: str


def positive_of(items: Items, positive: str | None) -> tuple[str, tuple[str, ...]]:
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
        if positive not in classes:
            raise unknown(positive, classes, what="class", where=where)
        return positive, classes
    if len(classes) != 2:
        number = f"there are {len(classes)} classes" if len(classes) > 1 else f"there is one class, {classes[0]}"
        raise InputError(
            f"{number}, and none is said to be positive.",
            where,
            f"say which: --positive {classes[0]} (of {', '.join(classes)}), or --positive each; or --on recalls.",
        )
    return classes[1], classes


def _classes(items: Items) -> tuple[str, ...]:
    said = {label for labels in (items.predictions or {}).values() for label in labels if label}
    return items.classes or tuple(sorted(set(items.truth or ()) | said))


def item_scores(items: Items, positive: str | None) -> ItemScores | None:
    """Truth and probabilities of the positive class; None where no probabilities were given."""
    if items.probabilities is None or items.truth is None:
        return None
    chosen, classes = positive_of(items, positive)
    place, truth = classes.index(chosen), np.array([label == chosen for label in items.truth])
    scores = np.stack([items.probabilities[name][:, place] for name in items.learners])
    return ItemScores(items.learners, truth, scores, _folds(items), chosen, items.origin.source)


def _folds(items: Items) -> tuple[Places, ...]:
    """Items of each group, in the order in which groups come; all of them where there are no groups."""
    if items.groups is None:
        return (np.arange(len(items.items)),)
    names = np.array(items.groups)
    return tuple(np.flatnonzero(names == name) for name in dict.fromkeys(items.groups))


def scores_of_items(items: Items, positive: str | None) -> tuple[Scores, Known]:
    """Counts of every group of items, which stands for a fold, and measures at thresholds of the probabilities."""
    chosen, classes = positive_of(items, positive)
    _refuse_one_set(items)
    truth = np.array([label == chosen for label in items.truth or ()])
    called = np.array([[label == chosen for label in (items.predictions or {})[name]] for name in items.learners])
    missing = np.array([[label == "" for label in (items.predictions or {})[name]] for name in items.learners])
    counts = _counts(truth, called, _folds(items))
    counts[_counts(truth, missing, _folds(items))[..., [0, 2]].sum(axis=-1) > 0] = np.nan
    scores = Scores(
        learners=items.learners,
        values=_error(items),
        counts=counts,
        folds=tuple(dict.fromkeys(items.groups or ())),
        measure="error",
        larger_is_better=False,
        costs=items.costs,
        origin=replace(items.origin, notes=(*items.origin.notes, "groups of items were read as folds")),
    )
    known = item_scores(items, chosen)

    def more(name: str) -> Array | None:
        return None if known is None else at_threshold(known, name)

    return scores, Known(more=more, positive=chosen, asked=positive, classes=classes)


def _error(items: Items) -> Array:
    """(learners, 1, 1, groups): share of wrong predictions of all classes; NaN where one is missing."""
    truth = np.array(items.truth or ())
    said = np.array([(items.predictions or {})[name] for name in items.learners])
    wrong = np.where(said == "", np.nan, said != truth)
    return np.stack([wrong[:, fold].mean(axis=1) for fold in _folds(items)], axis=-1)[:, None, None]


def recalls_of_items(items: Items) -> tuple[Scores, Known]:
    """The recall of every class in every group of items."""
    _refuse_one_set(items)
    classes = _classes(items)
    made = [scores_of_items(items, name)[0] for name in classes]
    rows = {f"recall of {name}": each.counts[..., :2].sum(axis=-1) for name, each in zip(classes, made, strict=True)}  # type: ignore[index]
    right = {f"recall of {name}": each.counts[..., 0] for name, each in zip(classes, made, strict=True)}  # type: ignore[index]
    recalls = {name: right[name] / np.where(rows[name] == 0, 1.0, rows[name]) for name in rows}
    return replace(made[0], counts=None), Known(recalls, rows, classes=classes)


def at_threshold(items: ItemScores, name: str) -> Array | None:
    """A measure such as ``tpr@0.3`` of every fold: rows of probability 0.3 or more are called positive."""
    found = threshold_in(name)
    if found is None:
        return None
    measure, threshold = found
    counts = _counts(items.truth, items.scores >= threshold, items.folds)
    above, below = (part({each: counts[..., i] for i, each in enumerate(COUNTS)}) for part in RATIOS[measure])
    if (below == 0).any():
        raise InputError(
            f"{name} is 0/0 in {counted(int((below == 0).any(axis=0).sum()), 'fold')}.",
            f"{WHERE}, {items.source}",
            "use larger folds, with both classes in each, or other thresholds.",
        )
    return np.asarray(above / below)


def threshold_in(name: str) -> tuple[str, float] | None:
    """The measure and the threshold of a name such as ``tpr@0.3``.

    Examples
    --------
    >>> threshold_in("fpr@0.25"), threshold_in("fpr")
    (('fpr', 0.25), None)
    """
    found = _AT.fullmatch(name)
    if found is None or found["measure"] not in RATIOS:
        return None
    try:
        threshold = float(found["threshold"])
    except ValueError:
        return None
    return (found["measure"], threshold) if 0.0 < threshold < 1.0 else None


def _counts(truth: Flags, called: Flags, folds: tuple[Places, ...]) -> Array:
    """(learners, 1, 1, folds, 4): tp, fn, fp, tn."""
    cells = (truth & called, truth & ~called, ~truth & called, ~truth & ~called)
    table = [[each[:, fold].sum(axis=1) for each in cells] for fold in folds]  # folds × 4 × learners
    return np.moveaxis(np.array(table, dtype=float), -1, 0)[:, None, None]


def _refuse_one_set(items: Items) -> None:
    if items.groups is None or len(set(items.groups)) < 2:
        raise InputError(
            f"vectors of measures need folds, and there is one test set of {counted(len(items.items), 'item')}.",
            f"{WHERE}, {items.origin.source}",
            "name the fold of every row in a column group; or compare areas under the curve (--on roc), which needs "
            "columns learner:class with probabilities; or leave --on out: McNemar's test takes items.",
        )
    if items.predictions is None:
        raise InputError(
            f"counts need predicted classes, and there are outcomes only: {items!r}.",
            f"{WHERE}, {items.origin.source}",
            "give a column truth and one column of predictions per learner.",
        )
