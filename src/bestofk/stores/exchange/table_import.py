"""A table of folds, as ``export_store`` writes it, back into cells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.evidence.layouts.grid import is_absurd
from bestofk.evidence.layouts.shelf import RESULTS
from bestofk.evidence.programs.confusion_tables import classes_of, matrix_of
from bestofk.measures.counts import error
from bestofk.stores.cells import BY_FOLD, stretches
from bestofk.stores.exchange.table_export import COSTS, COUNTS, KEYS, RESERVED, STEP
from bestofk.stores.memory import MemoryStore
from bestofk.stores.store import PlanRecord, Store
from bestofk.tables.files import table_from_file
from bestofk.tables.table import Table

Grid = np.ndarray[Any, Any]
Names = tuple[str, ...]
#: How far a written error may be from that of the counts beside it: numbers are rounded when they are written.
_ROUNDING = 1e-6
#: Stands for the fingerprint of what a table does not describe.
_IMPORTED = "imported"
#: Classes of counts tp, fn, fp, tn, which do not tell them.
_TWO = ("negative", "positive")
_NO_RESULT = "the table has no result for this fold"


def store_from_table(path: str | Path) -> MemoryStore:
    """A store in memory with the cells of a CSV, TSV or Parquet file with one row per fold, and their plans.

    A complete export gives the very cells it was made from and brings its plans along. The cells of a plain one are
    marked as imported: they never mix with those of a plan, and get one that says so, so that they are judged like
    those of any store.
    """
    rows = _Rows(table_from_file(path, RESULTS))
    store = MemoryStore(imported=not rows.complete)
    store.write([rows.result(cell) for cell in rows.cells()])
    for plan in rows.plans() if rows.complete else _plans_of_imported(store):
        store.record_plan(plan)
    return store


@frozen
class _Cell:
    """A cell and where its folds are: rows of the table by replication and fold."""

    key: CellKey
    classes: Names
    scores: Names
    grid: Grid


@dataclass
class _Rows:
    """The table, and its rows by cell."""

    table: Table

    def __post_init__(self) -> None:
        for name in (*KEYS, "fingerprint"):
            if name not in self.table.names:
                fix = "give a table that bestofk store export wrote."
                raise InputError(f"the table has no column {name}.", self.table.source, fix)
        self.words = {name: self._words(name) for name in self.table.names if name in RESERVED}
        measures = [name for name in self.table.names if name not in RESERVED]
        self.results = _RowResults(self.table, measures, self.words)
        self.complete = "cell" in self.table.names
        self.replication, self.fold = self._counted("replication") - 1, self._counted("fold") - 1
        if STEP in self.table.names and not self.complete:
            # Folds of a learning curve are numbered through, as cells do: all sizes of one fold after another.
            sizes, place = np.unique(self._counted(STEP), return_inverse=True)
            self.fold = self.fold * len(sizes) + place

    def _counted(self, name: str) -> Grid:
        """Whole numbers from 1 up, one per row."""
        for row, word in enumerate(self.words[name]):
            if re.fullmatch("0*[1-9][0-9]{0,8}", word) is None:
                raise self._refusal(f"{name} is {word!r}.", row, name, "number replications and folds from 1 up.")
        return np.array(self.words[name], dtype=np.int64)

    def _refusal(self, wrong: str, row: int, column: str, fix: str = "export the table again.") -> InputError:
        """The error of a cell of the table that cannot be used."""
        return InputError(wrong, self.table.where(row=int(row), column=column), fix)

    def plans(self) -> Iterator[PlanRecord]:
        """Plans that a complete table brings along."""
        for row, text in enumerate(self.words.get("plans", ())):
            try:
                yield from (PlanRecord(**each) for each in (json.loads(text) if text else ()))
            except (ValueError, TypeError, RecursionError):
                raise self._refusal("the plan in the table is damaged.", row, "plans") from None

    def _words(self, name: str) -> list[str]:
        text = self.table.text(name)
        return text.words

    def cells(self) -> Iterator[_Cell]:
        """All cells of the table."""
        names = ("cell",) if self.complete else ("learner", "dataset")
        groups: dict[Names, list[int]] = {}
        for row, group in enumerate(zip(*(self.words[name] for name in names), strict=True)):
            groups.setdefault(group, []).append(row)
        for group, rows in groups.items():
            if self.complete:
                key, classes, scores = self._told_key(group[0], rows[0])
                yield _Cell(key, classes, scores, self._grid(rows, range(key.start, key.stop)))
            else:
                yield from self._imported(group, rows)

    def _told_key(self, text: str, row: int) -> tuple[CellKey, Names, Names]:
        try:
            told = json.loads(text)
            classes, scores = (tuple(map(str, told.pop(name))) for name in ("classes", "scores"))
            key = CellKey(**told)
            wrong = [each.name for each in fields(key) if type(getattr(key, each.name)).__name__ != each.type]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            wrong = ["cell"]
        if wrong:
            raise self._refusal(f"the key of the cell is damaged: {text[:40]!r}.", row, "cell")
        return key, classes, scores

    def _imported(self, group: Names, rows: list[int]) -> Iterator[_Cell]:
        learner, dataset = group
        kind = "learning-curve-" if STEP in self.table.names else ""
        folds = len(np.unique(self.fold[rows]))
        scores = self.results.scores
        about = (dataset, _IMPORTED, learner, _IMPORTED, f"{kind}{_IMPORTED}-{folds}", 0)
        for each in stretches(np.unique(self.replication[rows]).tolist()):
            key = CellKey(*about, each.start, each.stop, ",".join(sorted(scores)))
            inside = [row for row in rows if int(self.replication[row]) in each]  # of NumPy's it would be searched
            classes = self.results.classes(dataset, inside)
            yield _Cell(key, classes, scores, self._grid(inside, each))

    def _grid(self, rows: list[int], replications: range) -> Grid:
        """Rows of the table by replication and fold; each exactly once."""
        shape = (len(replications), int(self.fold[rows].max()) + 1)
        if is_absurd(shape[0] * shape[1], len(rows)):
            wrong = f"{len(rows):,} rows are numbered as {shape[0]:,} replications of {shape[1]:,} folds."
            raise self._refusal(wrong, rows[0], "fold", "number replications and folds from 1 up.")
        grid = np.full(shape, -1)
        for row in rows:
            replication, fold = int(self.replication[row]), int(self.fold[row])
            if replication not in replications or grid[replication - replications.start, fold] >= 0:
                raise InputError(
                    f"replication {replication + 1}, fold {fold + 1} is out of place or there twice.",
                    self.table.where(row=row),
                    "give one row per learner, data set, replication and fold.",
                )
            grid[replication - replications.start, fold] = row
        if (grid < 0).any():
            replication, fold = np.argwhere(grid < 0)[0]
            raise InputError(
                f"replication {replications.start + replication + 1}, fold {fold + 1} is missing.",
                f"{self.table.source}, learner {self.words['learner'][rows[0]]}, "
                f"data set {self.words['dataset'][rows[0]]}",
                "give every fold of a replication; one that failed has an empty result and a failure.",
            )
        return grid

    def result(self, cell: _Cell) -> CellResult:
        """The results of one cell."""
        grid = cell.grid
        confusion, gone = self._confusion(cell)
        costs = {name: self._numbers(name, grid) for name in COSTS}
        train, test = self._sizes(grid)
        return CellResult(
            key=cell.key,
            classes=cell.classes,
            confusion=confusion,
            fit_seconds=costs["fit_time"],
            predict_seconds=costs["predict_time"],
            size=costs["size"],
            fingerprints=np.array([[self._mark(row) for row in line] for line in grid], dtype=np.int64),
            failures=self._failures(grid, gone),
            scores={name: self._score(name, grid) for name in cell.scores},
            train_sizes=train,
            test_sizes=test,
            **{name: self._kept(name, grid, len(cell.classes)) for name in BY_FOLD},
        )

    def _kept(self, name: str, grid: Grid, classes: int) -> Any:
        """Predictions, probabilities or truths; a text that cannot be read is a damaged table."""
        if name not in self.words:
            return None
        texts = {at: text for at, row in np.ndenumerate(grid) if (text := self.words[name][row])}
        try:
            return {at: _values(text, classes, name) for at, text in texts.items()} or None
        except (ValueError, OverflowError, RecursionError):
            raise self._refusal(f"the {name} of a fold are damaged.", grid[0, 0], name) from None

    def _numbers(self, name: str, grid: Grid) -> Grid:
        return self.table.numbers(name)[grid] if name in self.table.names else np.full(grid.shape, np.nan)

    def _score(self, name: str, grid: Grid) -> Grid:
        """A measure of every fold; the error of a plain table also where its counts alone say it."""
        return self.results.errors[grid] if name == "error" and not self.complete else self._numbers(name, grid)

    def _confusion(self, cell: _Cell) -> tuple[Any, Grid]:
        """Matrices where there are any, and which folds have no result."""
        grid, classes = cell.grid, len(cell.classes)
        if not self.complete:
            return self._matrices(grid, classes) if classes else None, ~self.results.there[grid]
        known = any(self.results.texts[row] for row in grid.ravel())
        return self._matrices(grid, classes) if known else None, np.zeros(grid.shape, dtype=bool)

    def _matrices(self, grid: Grid, classes: int) -> Grid:
        """Counts of all classes of every fold; those of a plain table may be of two classes by name, or empty."""
        if not any(self.results.texts[row] for row in grid.ravel()):
            return self.results.of_two[grid].astype(np.uint32)
        flat = [[self._matrix(self.results.texts[row], classes, grid) for row in line] for line in grid]
        return np.array(flat, dtype=np.uint32)

    def _matrix(self, text: str, classes: int, grid: Grid) -> list[list[int]]:
        found = [[0] * classes] * classes if not text and not self.complete else matrix_of(text)
        if found is None or len(found) != classes:
            wrong = f"the confusion matrix {text!r} has no {classes} × {classes} counts."
            raise self._refusal(wrong, grid[0, 0], "confusion")
        return found

    def _sizes(self, grid: Grid) -> tuple[Any, Any]:
        if "sizes" not in self.words:
            return None, None
        pairs = [[self.words["sizes"][row].partition("/")[::2] for row in line] for line in grid]
        both = [[[pair[side] for pair in line] for line in pairs] for side in (0, 1)]
        try:
            train, test = (np.array(side, dtype=np.int64) if side[0][0] else None for side in both)
        except (ValueError, OverflowError):
            raise self._refusal("the sizes of a fold are damaged.", grid[0, 0], "sizes") from None
        return train, test

    def _mark(self, row: int) -> int:
        word = self.words["fingerprint"][row]
        try:
            return int(np.int64(int(word.removeprefix("#"))))
        except (ValueError, OverflowError):
            wrong = f"the fingerprint is {word!r}."
            raise self._refusal(wrong, row, "fingerprint", "give the fold's number, 64 bits.") from None

    def _failures(self, grid: Grid, gone: Grid) -> tuple[Names, ...]:
        said = self.words.get("failure") or [""] * len(self.table)
        return tuple(
            tuple(_in_lines(said[row]) or (_NO_RESULT if gone[i, j] else "") for j, row in enumerate(line))
            for i, line in enumerate(grid)
        )


class _RowResults:
    """Results by row; ``scores`` are the measures that the cells of the table keep beside their counts.

    They are one list for the whole table, so that its cells are of one plan. The error is among them unless it follows
    from counts wherever there is a result.
    """

    def __init__(self, table: Table, measures: Sequence[str], words: Mapping[str, Sequence[str]]) -> None:
        self._table, self._words = table, words
        rows, counts = len(table), set(COUNTS) <= set(table.names)
        four = np.array([table.numbers(name) for name in COUNTS]) if counts else np.full((4, rows), np.nan)
        by_name: Grid = ~np.isnan(four).any(axis=0)
        tp, fn, fp, tn = np.where(by_name, four, 0)
        self.of_two: Grid = np.stack([tn, fp, fn, tp], axis=-1).reshape(rows, 2, 2)
        self.texts = words.get("confusion") or [""] * rows
        known = {text: matrix_of(text) for text in set(self.texts)}
        told_errors = {text: float(error(each)) if each and np.sum(each) else np.nan for text, each in known.items()}
        self.computed = np.where(by_name, error(self.of_two), [told_errors[text] for text in self.texts])
        self.counted: Grid = by_name | ~np.isnan(self.computed)
        told = [table.numbers(name) for name in measures]
        self.there: Grid = self.counted | ~np.isnan(np.array(told).reshape(-1, rows)).all(axis=0)
        self.errors = self._errors() if "error" in measures else np.full(rows, np.nan)
        follows = bool(self.counted[self.there].all()) and bool(self.counted.any() or counts)
        self.scores = tuple(name for name in measures if name != "error" or not follows)
        self._classes = self._classes_by_dataset(any_row=counts and "error" not in measures)

    def classes(self, dataset: str, rows: Sequence[int]) -> Names:
        """The classes where the rows of a cell have counts; one that failed as a whole has what others have there."""
        known = bool(self.counted[rows].any() or not self.there[rows].any())
        return self._classes.get(dataset, ()) if known else ()

    def _classes_by_dataset(self, *, any_row: bool) -> dict[str, Names]:
        """Of data sets with counts in some row; where there is nothing but counts (``any_row``), of all."""
        said = self._words.get("classes") or [""] * len(self.counted)
        rows = zip(self._words["dataset"], said, self.counted, strict=True)
        return {name: classes_of(text) or _TWO for name, text, counted in rows if counted or any_row}

    def _errors(self) -> Grid:
        """The error of every row: as the table has it, else from the counts; one that contradicts them is refused."""
        told, computed = self._table.numbers("error"), self.computed
        far = np.abs(told - computed) > _ROUNDING * np.maximum(np.abs(told), np.abs(computed)) + np.finfo(float).eps
        if far.any():  # a comparison with NaN is False
            raise self._contradiction(int(np.flatnonzero(far)[0]), told, computed)
        return np.where(np.isnan(told), computed, told)

    def _contradiction(self, row: int, told: Grid, computed: Grid) -> InputError:
        learner, dataset, replication, fold = (
            self._words[name][row] for name in ("learner", "dataset", "replication", "fold")
        )
        (tn, fp), (fn, tp) = self.of_two[row]
        counts = self.texts[row] or f"tp {tp:g}, fn {fn:g}, fp {fp:g}, tn {tn:g}"
        return InputError(
            f"the error of {learner} on {dataset} is {told[row]:.10g}, and its counts {counts} give "
            f"{computed[row]:.10g}.",
            f"{self._table.where(row=row, column='error')}, replication {replication}, fold {fold}",
            "find out which is right; without the column error, the counts say it.",
        )


def _plans_of_imported(store: Store) -> Iterator[PlanRecord]:
    """One plan for all cells that were divided and measured alike."""
    kinds: dict[tuple[str, str], list[CellKey]] = {}
    for each in store.finished():
        kinds.setdefault((each.key.folds, each.key.measures), []).append(each.key)
    for (folds, measures), keys in kinds.items():
        text = json.dumps(_wanted(folds, measures, keys), sort_keys=True, indent=1, ensure_ascii=False)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        yield PlanRecord.of_text(text, now)


def _wanted(folds: str, measures: str, keys: list[CellKey]) -> dict[str, Any]:
    """What such a plan asks for, in the canonical form of plans."""
    return {
        "learners": _named([key.learner for key in keys]),
        "datasets": _named([key.dataset for key in keys]),
        "folds": folds,
        "replications": max(key.stop for key in keys),
        "folds_per_replication": int(folds.rpartition("-")[2]),
        "seed": 0,
        "measures": sorted(filter(None, measures.split(",")), key=lambda name: (name != "error", name)),
        "prior": None,
        "keep_predictions": False,
    }


def _named(names: list[str]) -> list[dict[str, str]]:
    return [{"name": name, "fingerprint": _IMPORTED} for name in dict.fromkeys(names)]


def _values(text: str, classes: int, name: str) -> Grid:
    values = np.array(json.loads(text))
    if values.ndim != (2 if name == "probabilities" else 1):
        raise ValueError(name)
    codes = values.dtype.kind == "i" and 0 <= values.min(initial=0) <= values.max(initial=0) < classes
    return values.astype(np.min_scalar_type(classes - 1)) if codes else values  # codes as narrow as a cell keeps them


def _in_lines(text: str) -> str:
    r"""Undo what an export does to texts of several lines.

    Examples
    --------
    >>> _in_lines(r"two\nlines").splitlines()
    ['two', 'lines']
    """
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)
