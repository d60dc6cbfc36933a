"""Several measures of the same folds at once: a vector per learner and fold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.phrases import listed
from bestofk.core.record import Record
from bestofk.evidence.scores import Scores


class VectorMeasure(Record):
    """One measure of a vector, and which way it points."""

    name: str
    larger_is_better: bool

    @property
    def sign(self) -> float:
        """Turns scores into losses."""
        return -1.0 if self.larger_is_better else 1.0

    def __repr__(self) -> str:
        return f"{self.name} ({'larger' if self.larger_is_better else 'smaller'} is better)"


class Vectors(Record, kw_only=True):
    """Vectors of measures. ``scores`` holds every measure of the vector, the first in front, and the counts.

    A fold that lacks one of the measures lacks the first as well, so that ``scores.missing()`` names it. ``has_error``
    says that the error of every fold is known too, under that name; ``error_of`` says of what where thresholds are
    named ("at the threshold 0.3", "of the predicted classes"). ``positive`` is the class that counts are of,
    ``classes`` those of the data, where they are known. ``asked`` is what made the vectors: the
    measures as they were named, the class, and what 0/0 counts as; ``filled`` has the measures where it does. ``items``
    are the truth and the probabilities of every item (``vectors_items.ItemScores``), where there are any. ``made_from``
    keeps the items as they were read (``measures_from_items.MadeFrom``), to leave some out. ``each`` has vectors of
    every class against the rest.

    Examples
    --------
    >>> from bestofk.evidence.scores import Scores
    >>> one = Scores(learners=("a", "b"), values=[[[.9, .8]], [[.7, .6]]], measure="tpr", larger_is_better=True,
    ...              others={"fpr": [[[[.2, .1]]], [[[.1, .1]]]]})
    >>> Vectors(scores=one, measures=(VectorMeasure("tpr", True), VectorMeasure("fpr", False)), has_error=False)
    2 learners on 1 data set, 1 replication of 2 folds, measures tpr (larger is better) and fpr (smaller is better)
    """

    scores: Scores
    measures: tuple[VectorMeasure, ...]
    has_error: bool
    error_of: str = ""
    filled: Mapping[str, float] = field(default_factory=dict)
    asked: Mapping[str, Any] = field(default_factory=dict)
    positive: str | None = None
    classes: tuple[str, ...] = ()
    items: Any = None
    made_from: Any = None
    each: tuple[Vectors, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measures, in the order asked for."""
        return tuple(measure.name for measure in self.measures)

    @property
    def values(self) -> Array:
        """(learners, data sets, replications, folds, measures), in units of the measures."""
        return np.stack([self.column(name) for name in self.names], axis=-1)

    @property
    def signs(self) -> Array:
        """One per measure: turns its scores into losses."""
        return np.array([measure.sign for measure in self.measures])

    def column(self, name: str) -> Array:
        """One measure of every fold, in the shape of the scores."""
        return self.scores.values if name == self.scores.measure else self.scores.others[name]

    @property
    def error(self) -> Array | None:
        """The error of every fold, in the shape of the scores; None where it is not known."""
        return self.column("error") if self.has_error else None

    def on(self, scores: Scores) -> Vectors:
        """The same measures of fewer learners or data sets."""
        items = None if self.items is None else self.items.of(scores.learners)
        return replace(self, scores=scores, items=items)

    def rows(self) -> Array:
        """Vectors as the tests take them: (learners, folds, measures), or (learners, data sets, measures)."""
        return _rows(self.values, self.scores)

    def error_rows(self) -> Array | None:
        """The error in the same rows, (learners, rows); None where it is not known."""
        return None if self.error is None else _rows(self.error[..., None], self.scores)[..., 0]

    def means(self) -> Array:
        """(learners, measures): mean over data sets of the mean over folds, in units of the measures."""
        return np.asarray(self.rows().mean(axis=1))

    def __repr__(self) -> str:
        said = repr(self.scores).rsplit(", measure ", 1)[0]
        return f"{said}, measure{'s' if len(self.measures) > 1 else ''} {listed(self.measures)}"


def _rows(values: Array, scores: Scores) -> Array:
    """Folds of one data set in a row; over several data sets their means, for each counts once."""
    if len(scores.datasets) == 1:
        return values[:, 0].reshape(len(scores.learners), -1, values.shape[-1])
    planned = np.asarray(scores.planned)[None, ..., None]
    return np.asarray(np.where(planned, values, 0.0).sum(axis=(2, 3)) / planned.sum(axis=(2, 3)))
