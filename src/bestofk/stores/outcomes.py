"""What a store knows of every fold beyond one measure: counts of every class, and probabilities that were kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.design.plan.cell import CellResult
from bestofk.evidence import Scores
from bestofk.evidence.outcomes.known import Known
from bestofk.evidence.vectors_all_classes import measure_of_all_classes
from bestofk.measures.checks import measure_of
from bestofk.measures.count_columns import undefined_share
from bestofk.stores.notes import notes_of
from bestofk.stores.plans import keys_of_plan
from bestofk.stores.probabilities import Kept
from bestofk.stores.store import Store

#: Costs and the part of a cell that has them.
COSTS = {"fit_time": "fit_seconds", "predict_time": "predict_seconds", "size": "size"}


@dataclass(frozen=True, eq=False)
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
        facts: dict[str, Any] = {
            "more": partial(_of_counts, scores, cells),
            "undefined_share": partial(_undefined_of_counts, scores, cells),
            "counts_at": kept.counts_at,
            "items": kept.items,
            "untimed": _untimed(scores, cells),
        }
        classes = {cell.classes for cell in cells if cell.confusion is not None}
        if len(classes) != 1 or any(map(lacks_counts, cells)):
            if positive is not None:
                raise _different_classes(positive, classes, scores)
            return scores, Known(mixed=bool(classes), **facts)
        named = classes.pop()
        confusion = _placed(scores, cells, counts_of, (len(named), len(named)))
        chosen = positive or (named[1] if len(named) == 2 else None)  # the second of two classes is the positive one
        counted, (recalls, rows) = _counted(scores, confusion, named, chosen), _recalls(confusion, named)
        return counted, Known(recalls, rows, classes=named, positive=chosen, asked=positive, **facts)

    def _cells(self, scores: Scores) -> list[CellResult]:
        """Cells of the plan, learners and data sets that scores are of."""
        store = self.reopen()
        try:
            record = next((each for each in store.plans() if each.fingerprint == self.plan), None)
            if record is None:
                return []
            keys = keys_of_plan(json.loads(record.text))
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


def _placed(
    scores: Scores, cells: Iterable[CellResult], part: Callable[[CellResult], object], more: tuple[int, ...] = ()
) -> Array:
    """One number, or ``more`` of them, per fold in the shape of the scores; NaN where a fold failed or is missing."""
    values = np.full((*scores.values.shape, *more), np.nan)
    for cell in cells:
        k, d = scores.learners.index(cell.key.learner), scores.datasets.index(cell.key.dataset)
        failed = cell.failed_folds
        found = np.array(np.broadcast_to(np.asarray(part(cell), dtype=float), (*failed.shape, *more)))
        found[failed] = np.nan
        values[k, d, cell.key.start : cell.key.stop, : failed.shape[1]] = found
    return values


def _of_counts(scores: Scores, cells: list[CellResult], name: str) -> Array | None:
    """A registered measure of the counts of all classes; None where it is none, or needs a positive class."""
    measure = measure_of_all_classes(name)
    if measure is None or any(cell.confusion is None for cell in cells):
        return None
    return _placed(scores, cells, lambda cell: measure.compute(cell.confusion))


def _undefined_of_counts(scores: Scores, cells: list[CellResult], name: str) -> Array:
    """How much of such a measure is 0/0 in every fold."""
    return _placed(scores, cells, lambda cell: undefined_share(measure_of(plain(name)), cell.confusion))


def _counted(scores: Scores, confusion: Array, classes: tuple[str, ...], positive: str | None) -> Scores:
    """Scores with the counts of one class against the rest; without a class those of two classes stay."""
    if positive is None:
        return scores
    if positive not in classes:
        raise unknown(positive, classes, what="class", where="judge, argument positive")
    c = classes.index(positive)
    tp = confusion[..., c, c]
    fn, fp = confusion[..., c, :].sum(axis=-1) - tp, confusion[..., :, c].sum(axis=-1) - tp
    tn = confusion.sum(axis=(-2, -1)) - tp - fn - fp
    return replace(scores, counts=np.stack([tp, fn, fp, tn], axis=-1))


def _recalls(confusion: Array, classes: tuple[str, ...]) -> tuple[dict[str, Array], dict[str, Array]]:
    """Recall of every class, and how many rows of it each fold has; 0 rows are left to what 0/0 counts as."""
    rows = confusion.sum(axis=-1)
    right = np.diagonal(confusion, axis1=-2, axis2=-1) / np.where(rows == 0, 1.0, rows)
    names = [f"recall of {name}" for name in classes]
    return {name: right[..., c] for c, name in enumerate(names)}, {name: rows[..., c] for c, name in enumerate(names)}


def _different_classes(positive: str, classes: set[tuple[str, ...]], scores: Scores) -> InputError:
    what = {0: "have no classes", 1: "do not all have counts"}.get(len(classes), "have different classes")
    return InputError(
        f"positive is {positive!r}, and the data sets {what}.",
        f"judge, argument positive, {scores.origin.source}",
        "judge one data set: --dataset NAME (dataset='NAME' of bk.read).",
    )


def lacks_counts(cell: CellResult) -> bool:
    """Whether a cell has results and no counts at all."""
    return cell.confusion is None and not cell.failed_folds.all()


def counts_of(cell: CellResult) -> Array:
    """Confusion counts of every fold, NaN where a fold has none; of a cell without any, a single NaN."""
    if cell.confusion is None:
        return np.array(np.nan)
    counts: Any = cell.confusion.astype(np.float64)
    return np.where(counts.sum(axis=(2, 3), keepdims=True) == 0, np.nan, counts)
