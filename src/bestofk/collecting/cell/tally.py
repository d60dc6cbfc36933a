"""The arrays of a cell while its folds come in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores.cells import BY_FOLD, BY_REPLICATION
from bestofk.stores.notes import NotedCell, Notes, notes_of, notes_together


@dataclass(slots=True)
class FoldOutcome:
    """What one fold gave; a score is NaN where it could not be taken."""

    fit_seconds: float
    predict_seconds: float
    size: float
    truth: Any = None
    predictions: Any = None
    confusion: npt.NDArray[np.intp] | None = None
    scores: dict[str, float] = field(default_factory=dict)
    probabilities: Array | None = None


class Tally:
    """Results of the folds of a cell; a fold that is never heard of stays failed with ``unheard`` as its reason."""

    def __init__(
        self,
        key: CellKey,
        classes: tuple[str, ...],
        folds: int,
        measures: Sequence[str],
        keep: bool,
        truth: npt.NDArray[Any] | None = None,
    ) -> None:
        shape = (key.stop - key.start, folds)
        self.key, self.classes, self.keep = key, classes, keep
        self.confusion = np.zeros((*shape, len(classes), len(classes)), dtype=np.uint32) if classes else None
        self.fit_seconds, self.predict_seconds, self.size = (np.full(shape, np.nan) for _ in range(3))
        self.scores = {name: np.full(shape, np.nan) for name in measures}
        self.fingerprints, self.test_sizes, self.train_sizes = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        self.failures = [[""] * folds for _ in range(shape[0])]
        self.predictions: dict[tuple[int, int], npt.NDArray[np.generic]] = {}
        self.probabilities: dict[tuple[int, int], Array] = {}
        self.truths: dict[tuple[int, int], npt.NDArray[np.generic]] = {}
        self._truth = truth.astype(self._narrow) if keep and truth is not None else None  # of all rows
        self.last: dict[tuple[int, int], Any] = {}  # what the folds of the last ``add`` predicted

    def divide(self, at: tuple[int, int], fold: Fold, fingerprint: int) -> None:
        """Keep which rows the fold has."""
        self.fingerprints[at] = fingerprint
        self.train_sizes[at], self.test_sizes[at] = len(fold.train), len(fold.test)
        if self._truth is not None:
            self.truths[at] = self._truth[fold.test]

    def add(self, done: Sequence[tuple[tuple[int, int], FoldOutcome]]) -> None:
        """Keep what the folds gave, all of them at once."""
        self.last = {at: outcome.predictions for at, outcome in done}
        if not done:
            return
        at = tuple(np.array([at for at, _ in done]).T)
        if self.confusion is not None:
            self.confusion[at] = np.array([outcome.confusion for _, outcome in done])
        for name in ("fit_seconds", "predict_seconds", "size"):
            getattr(self, name)[at] = [getattr(outcome, name) for _, outcome in done]
        for name, kept in self.scores.items():
            kept[at] = [outcome.scores.get(name, np.nan) for _, outcome in done]
        if self.keep:
            self._keep([at for at, _ in done], [outcome.predictions for _, outcome in done])
            self.probabilities |= {
                at: outcome.probabilities for at, outcome in done if outcome.probabilities is not None
            }

    def count(
        self, places: Sequence[tuple[int, int]], confusion: npt.NDArray[np.intp], predictions: Sequence[Any]
    ) -> None:
        """Keep counts of folds that shared their work: they have no time and no size of their own (NaN)."""
        if self.confusion is not None:
            self.confusion[tuple(np.array(places).T)] = confusion
        if self.keep:
            self._keep(places, predictions)

    def _keep(self, places: Sequence[tuple[int, int]], predictions: Sequence[Any]) -> None:
        self.predictions |= {at: each.astype(self._narrow) for at, each in zip(places, predictions, strict=True)}

    @property
    def _narrow(self) -> Any:
        """The type of what is kept per row: codes of classes as narrow as they go, numbers as they are."""
        return np.min_scalar_type(len(self.classes) - 1) if self.classes else np.float64

    def fail(self, at: tuple[int, int], reason: str) -> None:
        """Keep why the fold failed."""
        self.failures[at[0]][at[1]] = reason

    def result(self, notes: Notes | None = None) -> CellResult:
        """The finished cell."""
        return NotedCell(
            key=self.key,
            classes=self.classes,
            failures=tuple(map(tuple, self.failures)),
            scores=self.scores,
            predictions=self.predictions if self.keep else None,
            probabilities=self.probabilities or None,
            truths=None if self._truth is None else {at: self.truths[at] for at in self.predictions},
            notes=notes or Notes(),
            **{name: getattr(self, name) for name in BY_REPLICATION},
        )


def confusions(truth: Any, predicted: Any, lengths: Sequence[int], classes: int) -> npt.NDArray[np.intp]:
    """Confusion counts of folds that stand behind one another, with so many rows each, all in one go."""
    fold = np.repeat(np.arange(len(lengths)), lengths)
    counts = np.bincount((fold * classes + truth) * classes + predicted, minlength=len(lengths) * classes * classes)
    return counts.reshape(-1, classes, classes)


def joined(results: Sequence[CellResult]) -> CellResult:
    """Put cells of following replications together into one."""
    first, last = results[0], results[-1]

    def stacked(name: str) -> npt.NDArray[np.generic] | None:
        parts = [getattr(each, name) for each in results]
        return None if parts[0] is None else np.concatenate(parts)

    changes: dict[str, Any] = {name: stacked(name) for name in BY_REPLICATION}
    changes |= {name: _moved(results, name) for name in BY_FOLD}
    if isinstance(first, NotedCell):
        changes["notes"] = notes_together(map(notes_of, results))
    return replace(
        first,
        key=replace(first.key, stop=last.key.stop),
        failures=tuple(line for each in results for line in each.failures),
        scores={name: np.concatenate([each.scores[name] for each in results]) for name in first.scores},
        **changes,
    )


def _moved(results: Sequence[CellResult], name: str) -> dict[tuple[int, int], Any] | None:
    """Dictionaries by fold, with replications counted from the start of the joined cell."""
    if all(getattr(each, name) is None for each in results):
        return None
    first = results[0].key.start
    return {
        (each.key.start - first + at[0], at[1]): values
        for each in results
        for at, values in (getattr(each, name) or {}).items()
    }
