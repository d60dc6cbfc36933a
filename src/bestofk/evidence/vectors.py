"""Several measures of the same folds at once: a vector per learner and fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.phrases import listed
from bestofk.core.record import Record
from bestofk.evidence.scores import Scores
from bestofk.measures.count_columns import is_of_one_class
from bestofk.settings import MEASURES


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


class Vectors(Scores, kw_only=True):
    """Scores in several measures: the first in front, the others and the error beside it in ``others``.

    A fold that lacks one of the measures lacks the first as well, so that ``missing()`` names it. ``has_error``
    says that the error of every fold is known too, under that name; ``error_of`` says of what where thresholds are
    named ("at the threshold 0.3", "of the predicted classes"). ``positive`` is the class that counts are of,
    ``classes`` those of the data, where they are known. ``asked`` is what made the vectors: the
    measures as they were named, the class, and what 0/0 counts as; ``filled`` has the measures where it does. ``items``
    are the truth and the probabilities of every item (``measure_vectors.areas.ItemScores``), if any.
    ``complete`` makes them again of items that all learners have, from the vectors and what is done with ``missing``
    results. ``each`` has vectors of every class against the rest.

    Examples
    --------
    >>> Vectors(learners=("a", "b"), values=[[[.9, .8]], [[.7, .6]]], measure="tpr", larger_is_better=True,
    ...         others={"fpr": [[[[.2, .1]]], [[[.1, .1]]]]},
    ...         measures=(VectorMeasure("tpr", True), VectorMeasure("fpr", False)), has_error=False)
    2 learners on 1 data set, 1 replication of 2 folds, measures tpr (larger is better) and fpr (smaller is better)
    """

    measures: tuple[VectorMeasure, ...]
    has_error: bool
    error_of: str = ""
    filled: Mapping[str, float] = field(default_factory=dict)
    asked: Mapping[str, Any] = field(default_factory=dict)
    positive: str | None = None
    classes: tuple[str, ...] = ()
    items: Any = field(default=None, repr=False)
    complete: Any = field(default=None, repr=False)
    each: tuple[Vectors, ...] = ()

    @property
    def held(self) -> frozenset[str]:
        """What scores have, and several measures."""
        return super().held | {MEASURES}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measures, in the order asked for."""
        return tuple(measure.name for measure in self.measures)

    @property
    def vectors(self) -> Array:
        """(learners, data sets, replications, folds, measures), in units of the measures."""
        return np.stack([self.column(name) for name in self.names], axis=-1)

    @property
    def signs(self) -> Array:
        """One per measure: turns its scores into losses."""
        return np.array([measure.sign for measure in self.measures])

    def column(self, name: str) -> Array:
        """One measure of every fold, in the shape of the scores."""
        return self.values if name == self.measure else self.others[name]

    @property
    def error(self) -> Array | None:
        """The error of every fold, in the shape of the scores; None where it is not known."""
        return self.column("error") if self.has_error else None

    @property
    def is_area(self) -> bool:
        """Whether the one measure is the area under ROC curves of items."""
        return self.names == ("auc",) and self.items is not None

    @property
    def counted_class(self) -> str | None:
        """The positive class, where it is known by name and some measure is of it."""
        return self.positive if self.is_area or any(map(is_of_one_class, self.names)) else None

    def without(self, learners: Iterable[str] = (), datasets: Iterable[str] = ()) -> Vectors:
        """Return the evidence without some learners or data sets."""
        kept = super().without(learners, datasets)
        assert isinstance(kept, Vectors)
        return kept if kept.items is None else replace(kept, items=kept.items.of(kept.learners))

    def rows(self) -> Array:
        """Vectors as the tests take them: (learners, folds, measures), or (learners, data sets, measures)."""
        return self._rows(self.vectors)

    def error_rows(self) -> Array | None:
        """The error in the same rows, (learners, rows); None where it is not known."""
        return None if self.error is None else self._rows(self.error[..., None])[..., 0]

    def _rows(self, values: Array) -> Array:
        """Folds of one data set in a row; over several data sets their means, for each counts once."""
        if len(self.datasets) == 1:
            return values[:, 0].reshape(len(self.learners), -1, values.shape[-1])
        planned = np.asarray(self.planned)[None, ..., None]
        return np.asarray(np.where(planned, values, 0.0).sum(axis=(2, 3)) / planned.sum(axis=(2, 3)))

    def _measure_text(self) -> str:
        return f"measure{'s' if len(self.measures) > 1 else ''} {listed(self.measures)}"
