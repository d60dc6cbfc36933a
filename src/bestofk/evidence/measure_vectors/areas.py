"""Scores of items of one class against the rest, and areas under their ROC curves: of every fold, or of all items."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, listed
from bestofk.evidence import Evidence, Items, Scores
from bestofk.evidence.divisions import refuse_tested_training
from bestofk.evidence.item_folds import ItemFolds, Places, fold_scores
from bestofk.evidence.measure_vectors.wanted import WHERE
from bestofk.evidence.vectors import VectorMeasure, Vectors
from bestofk.stats.roc import auc

#: When every mean area is below this the scores are likely to be of the other class.
WORSE_THAN_CHANCE = 0.4


@frozen(eq=False)
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

        NaN for a learner in a fold without items, or of which it lacks a probability.
        """
        truth, called = self.truth, self.scores >= threshold
        cells = np.stack([truth & called, truth & ~called, ~truth & called, ~truth & ~called], axis=-1)
        counts = []
        for fold in self.folds.places:
            lacks = np.isnan(self.scores[:, fold]).any(axis=1, keepdims=True) | (fold.size == 0)
            counts.append(np.where(lacks, np.nan, cells[:, fold].sum(axis=1)))
        return np.stack(counts, axis=1).reshape(len(self.learners), 1, *self.folds.shape, 4)

    def areas(self) -> Array:
        """(learners, 1, replications, folds): the area under every ROC curve; NaN without one, as with one class."""
        found = [[self._area(each, fold) for fold in self.folds.places] for each in self.scores]
        return np.array(found).reshape(len(self.learners), 1, *self.folds.shape)

    def _area(self, scores: Array, fold: Places) -> float:
        truth, given = self.truth[fold], scores[fold]
        known = 0 < truth.sum() < truth.size and not np.isnan(given).any()
        return float(auc(truth, given)) if known else np.nan


def no_probabilities(found: Evidence) -> InputError:
    """The error of ROC curves and thresholds of other results."""
    return InputError(
        f"ROC curves and thresholds need probabilities of every item, and there are {found!r}.",
        f"{WHERE}, {found.origin.source}",
        "give a table with a column truth and columns learner:class of probabilities, or learner, item, truth and "
        "probability, a column fold names folds (of ROC curves decision scores will do: decision); or a store "
        "collected with keep_predictions = true; for areas per fold say --measure auc and leave --on out.",
    )


def areas_of_items(items: Items, known: ItemScores, asked: dict[str, Any]) -> Vectors:
    """The areas of a table of items, in every fold where there are folds."""
    none_yet = np.zeros((len(items.learners), len(known.folds.places)))
    scores = fold_scores(items, known.folds, none_yet, "auc", larger_is_better=True)
    origin = replace(scores.origin, notes=(*scores.origin.notes, *_contradicted(items, known)))
    return areas_of(replace(scores, origin=origin), known, asked, items.classes)


def _contradicted(items: Items, known: ItemScores) -> tuple[str, ...]:
    """A note on learners whose predictions say the other class than their probabilities, mostly."""
    if items.probabilities is None or items.predictions is None or len(items.classes) != 2:
        return ()
    said = {name: np.array(labels, dtype=object) for name, labels in items.predictions.items()}
    likely = {name: each > 0.5 for name, each in zip(known.learners, known.scores, strict=True)}
    apart = {name: ((said[name] == known.positive) != likely[name])[said[name] != ""] for name in known.learners}
    turned = [name for name, each in apart.items() if each.size and each.mean() > 0.5]
    if not turned:
        return ()
    words = f"most predictions of {listed(turned)} are of the class that their probabilities speak against"
    return (f"{words}: are they of the other class? They must be larger for class {known.positive} (else give 1 − p)",)


def areas_of(scores: Scores, items: ItemScores, asked: dict[str, Any], classes: tuple[str, ...]) -> Vectors:
    """The areas of all folds in the place of other scores of them; learners are to be listed by their areas alone."""
    areas = items.areas()
    notes = (f"the positive class is {items.positive}", *_turned_round(areas, items.positive))
    origin = replace(scores.origin, notes=(*scores.origin.notes, *notes))
    return scores.as_kind(
        Vectors,
        values=areas,
        origin=origin,
        measure="auc",
        larger_is_better=True,
        others={},
        counts=None,
        measures=(VectorMeasure("auc", True),),
        has_error=False,
        asked=asked,
        positive=items.positive,
        classes=classes,
        items=items,
    )


def _turned_round(areas: Array, positive: str) -> tuple[str, ...]:
    """A note where every learner is far worse than chance, as with the probability of the other class."""
    known = [each[~np.isnan(each)] for each in areas]
    if not all(each.size and each.mean() < WORSE_THAN_CHANCE for each in known):
        return ()
    less = f"every learner has a mean area below {WORSE_THAN_CHANCE:g}, less than by chance"
    return (f"{less}: are these scores of the other class? They must be larger for class {positive} (else give 1 − p)",)


def settled_areas(vectors: Vectors, test: str) -> Vectors:
    """Areas as a test takes them: of all items together for DeLong's, else of every fold, which needs both classes."""
    items = vectors.items
    if not vectors.is_area:
        return vectors
    items.refuse_one_class()
    if len(items.folds.places) == 1:
        return vectors
    if test == "delong":
        return _together(vectors)
    lone = _one_class(items)
    if lone:
        raise InputError(
            f"{counted(len(lone), 'fold')} of {len(items.folds.places)} {'has' if len(lone) == 1 else 'have'} items of "
            "one class only, and a ROC curve needs both.",
            f"{items.source}, {'first ' if len(lone) > 1 else ''}{items.folds.name_of(lone[0])}",
            "use larger or stratified folds; or, of one replication, compare the areas of all items together: --test "
            "delong.",
        )
    return vectors


def _one_class(items: ItemScores) -> list[int]:
    """Folds whose items are all of one class."""
    sizes = [(int(items.truth[fold].sum()), fold.size) for fold in items.folds.places]
    return [number for number, (positives, size) in enumerate(sizes) if size and positives in (0, size)]


def _together(vectors: Vectors) -> Vectors:
    """One area for the items of all folds, each of which may count once only."""
    items, scores = vectors.items, vectors
    refuse_tested_training(scores)
    if len(scores.replications) > 1:
        splits = "random splits" if scores.test_fraction is not None else "replications"
        raise InputError(
            f"delong takes every item once, and there are {len(scores.replications)} {splits} of the same items.",
            "judge, argument test",
            "keep one replication, or use corrected-t (--test auto), which takes folds of several.",
        )
    folds = counted(len(items.folds.places), "fold")
    pooled = f"the items of {folds} were put together, as if one model had scored them all; corrected-t takes folds"
    all_items = replace(items, folds=ItemFolds((np.arange(items.truth.size),), ("1",), ("1",)))
    return replace(
        vectors,
        values=all_items.areas(),
        replications=(),
        folds=(),
        planned=None,
        others={},
        measured_costs={},
        fingerprints=None,
        failures={},
        test_fraction=None,
        divided="",
        origin=replace(scores.origin, notes=(*scores.origin.notes, pooled)),
        items=all_items,
    )
