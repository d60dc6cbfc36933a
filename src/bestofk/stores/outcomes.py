"""What a store knows of every fold beyond one measure: counts of every class, and probabilities that were kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.phrases import listed
from bestofk.design.plan.cell import CellResult
from bestofk.evidence import Scores
from bestofk.evidence.item_folds import ItemFolds
from bestofk.evidence.measure_vectors.areas import ItemScores
from bestofk.evidence.measure_vectors.known import Known, known_of_counts
from bestofk.evidence.measure_vectors.wanted import WHERE, one_dataset
from bestofk.stores.notes import notes_of
from bestofk.stores.plans import keys_of_plan, wanted_of
from bestofk.stores.store import Store

#: Data set, replication and fold, all as places in the scores.
_Place = tuple[int, int, int]
#: Costs and the part of a cell that has them.
COSTS = {"fit_time": "fit_seconds", "predict_time": "predict_seconds", "size": "size"}


@frozen(eq=False)
class StoredOutcomes:
    """The cells that scores were made of: ``reopen`` opens their store once more, ``plan`` is the plan's fingerprint.

    A function, because a URL may have a password, which is to be seen nowhere.
    """

    reopen: Callable[[], Store] = field(repr=False)
    plan: str

    def known(self, scores: Scores, positive: str | None) -> tuple[Scores, Known]:
        """Read the folds once more: recalls by class, counts of the positive class, and kept probabilities."""
        cells = self._cells(scores)
        _refuse_regrouped(scores, cells)
        kept = Kept(scores, cells, positive)
        classes = {cell.classes for cell in cells if cell.confusion is not None}
        counted = bool(classes) and not any(map(lacks_counts, cells))
        number = len(next(iter(classes))) if len(classes) == 1 else 0
        confusion = tuple(_confusion(scores, cells, name, number) for name in scores.datasets) if counted else ()
        found, known = known_of_counts(scores, confusion, classes, positive)
        return found, replace(known, untimed=_untimed(scores, cells), counts_at=kept.counts_at, items=kept.items)

    def _cells(self, scores: Scores) -> list[CellResult]:
        """Cells of the plan, learners and data sets that scores are of."""
        store = self.reopen()
        try:
            record = next((each for each in store.plans() if each.fingerprint == self.plan), None)
            wanted = None if record is None else wanted_of(record)
            keys = [] if wanted is None else keys_of_plan(wanted)
            kept = [key for key in keys if key.learner in scores.learners and key.dataset in scores.datasets]
            return list(store.read([key.series for key in kept]))
        finally:
            store.close()


def _untimed(scores: Scores, cells: list[CellResult]) -> dict[str, int]:
    """Folds that are there without a cost because they shared their work, by the cost."""
    if not any(notes_of(cell).shared for cell in cells):
        return {}
    gaps = {name: np.isnan(values) & ~np.isnan(scores.values) for name, values in scores.measured_costs.items()}
    return {name: int(each.sum()) for name, each in gaps.items() if each.any()}


def _refuse_regrouped(scores: Scores, cells: list[CellResult]) -> None:
    """Folds that were read in other groups than they were collected in cannot be found again in the cells."""
    most = max((cell.key.stop for cell in cells), default=0), max((len(c.failures[0]) for c in cells), default=0)
    if most[0] > scores.values.shape[2] or most[1] > scores.values.shape[3]:
        raise InputError(
            f"the folds were collected as {most[0]} × {most[1]} and read as "
            f"{scores.values.shape[2]} × {scores.values.shape[3]}.",
            f"judge, argument on, {scores.origin.source}",
            "leave replications and test_fraction out: a store knows its folds.",
        )


def _confusion(scores: Scores, cells: Iterable[CellResult], dataset: str, classes: int) -> Array:
    """Counts of all classes of a data set, (learners, replications, folds, C, C); NaN where a fold has none."""
    own = [cell for cell in cells if cell.key.dataset == dataset and cell.confusion is not None]
    number = classes or max((len(cell.classes) for cell in own), default=1)
    table = np.full((len(scores.learners), *scores.values.shape[2:], number, number), np.nan)
    for cell in own:
        place = table[scores.learners.index(cell.key.learner), cell.key.start : cell.key.stop]
        place[:, : cell.failed_folds.shape[1]] = counts_of(cell)
    return table


def lacks_counts(cell: CellResult) -> bool:
    """Whether a cell has results and no counts at all."""
    return cell.confusion is None and not cell.failed_folds.all()


def counts_of(cell: CellResult) -> Array:
    """Confusion counts of every fold, NaN where a fold has none."""
    if cell.confusion is None:
        return np.full((*cell.failed_folds.shape, len(cell.classes), len(cell.classes)), np.nan)
    counts: Any = cell.confusion.astype(np.float64)
    gone = cell.failed_folds | (counts.sum(axis=(2, 3)) == 0)
    return np.where(gone[..., None, None], np.nan, counts)


@frozen
class Kept:
    """What the cells of some scores kept. ``positive`` is the class asked for, None for the second of two."""

    scores: Scores
    cells: list[CellResult]
    positive: str | None

    def counts_at(self, threshold: float) -> Array:
        """(learners, data sets, replications, folds, 4): tp, fn, fp, tn; NaN where a fold failed or is missing."""
        if self._fault is not None:
            raise self._fault
        return np.concatenate([each.counts_at(threshold) for each in self._items], axis=1)

    def items(self) -> ItemScores | InputError:
        """The test rows of all folds of one data set, NaN where a fold failed; else why there are none."""
        datasets = self.scores.datasets
        if self._fault is not None or len(datasets) == 1:
            return self._fault or self._items[0]
        wrong = f"there are {len(datasets)} data sets, and ROC curves are of one."
        return one_dataset(wrong, datasets, self.scores.origin.source)

    @cached_property
    def _items(self) -> list[ItemScores]:
        """Truth and probabilities of the test rows of every data set."""
        return [self._of_dataset(d) for d in range(len(self.scores.datasets))]

    def _of_dataset(self, d: int) -> ItemScores:
        scores = self.scores
        cells = [cell for cell in self.cells if cell.key.dataset == scores.datasets[d]]
        code = self._code(cells[0]) if cells else 0
        every = [(d, r, f) for r in range(len(scores.replications)) for f in range(len(scores.folds))]
        truths = [self._truths.get(place, np.zeros(0)) for place in every]
        ends = np.cumsum([len(each) for each in truths])
        places = np.split(np.arange(ends[-1]), ends[:-1])
        given = np.full((len(scores.learners), ends[-1]), np.nan)
        for cell in cells:
            for (_, r, f), chances in self._placed(cell, cell.probabilities):
                rows = places[r * len(scores.folds) + f]
                given[scores.learners.index(cell.key.learner), rows] = chances[:, code]
        folds = ItemFolds(tuple(places), scores.replications, scores.folds)
        positive = cells[0].classes[code] if cells else ""
        return ItemScores(scores.learners, np.concatenate(truths) == code, given, folds, positive, scores.origin.source)

    @cached_property
    def _fault(self) -> InputError | None:
        """The error of a store that lacks probabilities or the truth, which says how to collect with them."""
        where = f"{WHERE}, {self.scores.origin.source}"
        if any(cell.confusion is None for cell in self.cells):
            return InputError("numbers were learnt, and ROC curves are of classes.", where, "leave --on out.")
        if all(cell.predictions is None for cell in self.cells):
            return InputError(
                "ROC curves and thresholds need the probabilities of test rows, and the store kept none.",
                where,
                "add keep_predictions = true to the plan and collect again: bestofk collect plan.toml --into STORE.",
            )
        without = [name for name in self.scores.learners if self._lacks_probabilities(name)]
        if without:
            rest = [name for name in self.scores.learners if name not in without]
            them = "it" if len(without) == 1 else "them"
            leave = f"leave {them} out: --learners {','.join(rest)}; or " if len(rest) > 1 else ""
            return InputError(
                f"ROC curves and thresholds need probabilities, and {listed(without)} gave none.",
                where,
                f"{leave}use learners that have predict_proba.",
            )
        known = (place for cell in self.cells for place, _ in self._placed(cell, cell.probabilities))
        if any(place not in self._truths for place in known):
            return InputError(
                "the store has probabilities and not the truth of the test rows: an older bestofk collected them.",
                where,
                "collect into a new store: bestofk collect plan.toml --into NEW.db.",
            )
        return None

    def _lacks_probabilities(self, learner: str) -> bool:
        """Whether some fold that went well has no probabilities."""
        return any(
            not reason and (r, f) not in (cell.probabilities or {})
            for cell in self.cells
            if cell.key.learner == learner
            for r, line in enumerate(cell.failures)
            for f, reason in enumerate(line)
        )

    @cached_property
    def _truths(self) -> dict[_Place, npt.NDArray[np.generic]]:
        """Classes of the test rows of every fold: all learners have the same folds, so any cell may tell."""
        return {place: codes for cell in self.cells for place, codes in self._placed(cell, cell.truths)}

    def _placed(self, cell: CellResult, kept: Mapping[tuple[int, int], Any] | None) -> Iterator[tuple[_Place, Any]]:
        d = self.scores.datasets.index(cell.key.dataset)
        for (r, f), values in (kept or {}).items():
            yield (d, cell.key.start + r, f), values

    def _code(self, cell: CellResult) -> int:
        """The positive class among those of a cell's data set; the second of two where nobody says it."""
        if self.positive is not None:
            if self.positive not in cell.classes:
                raise unknown(self.positive, cell.classes, what="class", where="judge, argument positive")
            return cell.classes.index(self.positive)
        if len(cell.classes) != 2:
            of = f" of {cell.key.dataset}" if len(self.scores.datasets) > 1 else ""
            raise InputError(
                f"curves and thresholds are of one class against the rest, and there are {len(cell.classes)} "
                f"classes{of}.",
                f"{WHERE}, {self.scores.origin.source}",
                f"say which: --positive {cell.classes[0]} (of {', '.join(cell.classes)})"
                + (", or judge one data set: --dataset NAME." if of else "."),
            )
        return 1
