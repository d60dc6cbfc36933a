"""Truth and probabilities that the cells of a store kept: items of ROC curves, and counts at thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.phrases import listed
from bestofk.design.plan.cell import CellResult
from bestofk.evidence import Scores
from bestofk.evidence.item_folds import ItemFolds
from bestofk.evidence.outcomes.areas import ItemScores
from bestofk.evidence.outcomes.wanted import WHERE

#: Data set, replication and fold, all as places in the scores.
_Place = tuple[int, int, int]


@dataclass(frozen=True)
class Kept:
    """What the cells of some scores kept. ``positive`` is the class asked for, None for the second of two."""

    scores: Scores
    cells: list[CellResult]
    positive: str | None

    def counts_at(self, threshold: float) -> Array:
        """(learners, data sets, replications, folds, 4): tp, fn, fp, tn; NaN where a fold failed or is missing."""
        fault = self._fault()
        if fault is not None:
            raise fault
        counts = np.full((*self.scores.values.shape, 4), np.nan)
        for k, place, given, code in self._folds():
            truth, called = self._truths[place] == code, given[:, code] >= threshold
            tp, called_positive = int((truth & called).sum()), int(called.sum())
            fn, fp = int(truth.sum()) - tp, called_positive - tp
            counts[(k, *place)] = tp, fn, fp, truth.size - tp - fn - fp
        return counts

    def items(self) -> ItemScores | InputError:
        """The test rows of all folds of one data set, NaN where a fold failed; else why there are none."""
        fault = self._fault()
        if fault is not None:
            return fault
        if len(self.scores.datasets) > 1:
            return InputError(
                f"there are {len(self.scores.datasets)} data sets, and ROC curves are of one.",
                f"{WHERE}, {self.scores.origin.source}",
                f"judge one: --dataset {self.scores.datasets[0]} (of {', '.join(self.scores.datasets)}).",
            )
        code = self._code(self.cells[0])
        every = [(0, r, f) for r in range(len(self.scores.replications)) for f in range(len(self.scores.folds))]
        sizes = [self._truths[place].size if place in self._truths else 0 for place in every]
        starts = dict(zip(every, np.cumsum([0, *sizes[:-1]]).tolist(), strict=True))
        truth, scores = np.zeros(sum(sizes), dtype=bool), np.full((len(self.scores.learners), sum(sizes)), np.nan)
        for place, codes in self._truths.items():
            truth[starts[place] : starts[place] + codes.size] = codes == code
        for k, place, given, _ in self._folds():
            scores[k, starts[place] : starts[place] + len(given)] = given[:, code]
        places = tuple(np.arange(starts[place], starts[place] + size) for place, size in zip(every, sizes, strict=True))
        folds = ItemFolds(places, self.scores.replications, self.scores.folds)
        name = self.cells[0].classes[code]
        return ItemScores(self.scores.learners, truth, scores, folds, name, self.scores.origin.source)

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

    def _folds(self) -> Iterator[tuple[int, _Place, Array, int]]:
        """Place of the learner, of the fold, its probabilities (rows, classes), and the code of the positive class."""
        for cell in self.cells:
            k, code = self.scores.learners.index(cell.key.learner), self._code(cell)
            for place, given in self._placed(cell, cell.probabilities):
                yield k, place, given, code

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
