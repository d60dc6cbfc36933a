"""A table of folds, as ``export_store`` writes it, back into cells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.cell import CellKey, CellResult
from bestofk.evidence.columns import RESULTS
from bestofk.stores.exporting import COSTS, KEYS, RESERVED, STEP
from bestofk.stores.imported_plans import IMPORTED, plans_of_imported
from bestofk.stores.imported_results import RowResults
from bestofk.stores.kept_columns import KEPT, kept_values
from bestofk.stores.store import PlanRecord
from bestofk.stores.table_store import TableStore
from bestofk.stores.tables import in_lines
from bestofk.tables.files import table_from_file
from bestofk.tables.table import Table

Grid = np.ndarray[Any, Any]
Names = tuple[str, ...]
_NO_RESULT = "the table has no result for this fold"


def store_from_table(path: str | Path) -> TableStore:
    """A store in memory with the cells of a table and their plans.

    A complete export brings its plans along; cells that are only imported get one that says so, so that they are judged
    like those of any store.
    """
    rows = _rows_of(path)
    store = TableStore(plain=not rows.complete)
    store.write([rows.result(cell) for cell in rows.cells()])
    for plan in rows.plans() if rows.complete else plans_of_imported(store):
        store.record_plan(plan)
    return store


def cells_from_table(path: str | Path) -> Iterator[CellResult]:
    """Cells of a CSV, TSV or Parquet file with one row per fold.

    A complete export gives the very cells it was made from. A plain one gives cells that are marked
    as imported: they stand for themselves and never mix with those of a plan.
    """
    rows = _rows_of(path)
    for cell in rows.cells():
        yield rows.result(cell)


def _rows_of(path: str | Path) -> _Rows:
    table = table_from_file(path, RESULTS)
    for name in (*KEYS, "fingerprint"):
        if name not in table.names:
            raise InputError(
                f"the table has no column {name}.", table.source, "give a table that bestofk store export wrote."
            )
    return _Rows(table)


@dataclass(frozen=True)
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
        self.words = {name: self._words(name) for name in self.table.names if not self._is_measure(name)}
        measures = [name for name in self.table.names if self._is_measure(name)]
        self.results = RowResults(self.table, measures, self.words)
        self.complete = "cell" in self.table.names
        if STEP in self.table.names and not self.complete:
            self._number_steps()

    def _number_steps(self) -> None:
        """Number the folds of a learning curve through, as cells do: all sizes of one fold after another."""
        sizes = [self._number(STEP, row) for row in range(len(self.table))]
        place = {size: at for at, size in enumerate(sorted(set(sizes)))}
        folds = [(self._number("fold", row) - 1) * len(place) + place[sizes[row]] + 1 for row in range(len(self.table))]
        self.words["fold"] = [str(fold) for fold in folds]

    def plans(self) -> Iterator[PlanRecord]:
        """Plans that a complete table brings along."""
        for row, text in enumerate(self.words.get("plans", ())):
            try:
                yield from (PlanRecord(**each) for each in (json.loads(text) if text else ()))
            except (ValueError, TypeError):
                place = self.table.where(row=row, column="plans")
                raise InputError("the plan in the table is damaged.", place, "export the table again.") from None

    def _is_measure(self, name: str) -> bool:
        return name not in RESERVED

    def _words(self, name: str) -> list[str]:
        text = self.table.text(name)
        return [text.categories[code] if code >= 0 else "" for code in text.codes]

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
        except (ValueError, TypeError, KeyError, AttributeError):
            wrong = ["cell"]
        if wrong:
            place = self.table.where(row=row, column="cell")
            raise InputError(f"the key of the cell is damaged: {text[:40]!r}.", place, "export the table again.")
        return key, classes, scores

    def _imported(self, group: Names, rows: list[int]) -> Iterator[_Cell]:
        learner, dataset = group
        kind = "learning-curve-" if STEP in self.table.names else ""
        replications = sorted({self._number("replication", row) - 1 for row in rows})
        folds = len({self.words["fold"][row] for row in rows})
        breaks = [i for i in range(1, len(replications)) if replications[i] != replications[i - 1] + 1]
        for first, last in zip([0, *breaks], [*breaks, len(replications)], strict=True):
            start, stop = replications[first], replications[last - 1] + 1
            scores = self.results.scores
            measures = ",".join(sorted(scores))
            key = CellKey(dataset, IMPORTED, learner, IMPORTED, f"{kind}{IMPORTED}-{folds}", 0, start, stop, measures)
            inside = [row for row in rows if start < self._number("replication", row) <= stop]
            classes = ("negative", "positive") if self.results.has_counts(dataset, inside) else ()
            yield _Cell(key, classes, scores, self._grid(inside, range(start, stop)))

    def _number(self, name: str, row: int) -> int:
        word = self.words[name][row]
        if not word.isdecimal() or int(word) < 1:
            place = self.table.where(row=row, column=name)
            raise InputError(f"{name} is {word!r}.", place, "number replications and folds from 1 up.")
        return int(word)

    def _grid(self, rows: list[int], replications: range) -> Grid:
        """Rows of the table by replication and fold; each exactly once."""
        folds = max(self._number("fold", row) for row in rows)
        grid = np.full((len(replications), folds), -1)
        for row in rows:
            replication, fold = self._number("replication", row) - 1, self._number("fold", row) - 1
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
            **{name: self._kept(name, grid, len(cell.classes)) for name in KEPT},
        )

    def _kept(self, name: str, grid: Grid, classes: int) -> Any:
        """Predictions, probabilities or truths; a text that cannot be read is a damaged table."""
        if name not in self.words:
            return None
        try:
            return kept_values(lambda row: self.words[name][row], grid, classes, name)
        except (ValueError, OverflowError):
            place = self.table.where(row=int(grid[0, 0]), column=name)
            raise InputError(f"the {name} of a fold are damaged.", place, "export the table again.") from None

    def _numbers(self, name: str, grid: Grid) -> Grid:
        return self.table.numbers(name)[grid] if name in self.table.names else np.full(grid.shape, np.nan)

    def _score(self, name: str, grid: Grid) -> Grid:
        """A measure of every fold; the error of a plain table also where its counts alone say it."""
        return self.results.errors[grid] if name == "error" and not self.complete else self._numbers(name, grid)

    def _confusion(self, cell: _Cell) -> tuple[Any, Grid]:
        """Matrices where there are any, and which folds have no result."""
        grid, classes = cell.grid, len(cell.classes)
        if not self.complete:
            return self.results.matrices[grid] if classes else None, ~self.results.there[grid]
        gone = np.zeros(grid.shape, dtype=bool)
        texts = [[self.words["confusion"][row] for row in line] for line in grid]
        if not texts[0][0]:
            return None, gone
        flat = [[self._matrix(text, classes, grid) for text in line] for line in texts]
        return np.array(flat, dtype=np.uint32), gone

    def _matrix(self, text: str, classes: int, grid: Grid) -> list[list[int]]:
        rows = [line.split() for line in text.split("/")]
        if len(rows) != classes or any(len(row) != classes or not "".join(row).isdecimal() for row in rows):
            raise InputError(
                f"the confusion matrix {text!r} has no {classes} × {classes} counts.",
                self.table.where(row=int(grid[0, 0]), column="confusion"),
                "export the table again.",
            )
        return [[int(count) for count in row] for row in rows]

    def _sizes(self, grid: Grid) -> tuple[Any, Any]:
        if "sizes" not in self.words:
            return None, None
        pairs = [[self.words["sizes"][row].partition("/")[::2] for row in line] for line in grid]
        both = [[[pair[side] for pair in line] for line in pairs] for side in (0, 1)]
        return tuple(np.array(side, dtype=np.int64) if side[0][0] else None for side in both)  # type: ignore[return-value]

    def _mark(self, row: int) -> int:
        word = self.words["fingerprint"][row]
        try:
            return int(word.removeprefix("#"))
        except ValueError:
            place = self.table.where(row=int(row), column="fingerprint")
            raise InputError(f"the fingerprint is {word!r}.", place, "give the fold's number, 64 bits.") from None

    def _failures(self, grid: Grid, gone: Grid) -> tuple[Names, ...]:
        said = self.words.get("failure") or [""] * len(self.table)
        return tuple(
            tuple(in_lines(said[row]) or (_NO_RESULT if gone[i, j] else "") for j, row in enumerate(line))
            for i, line in enumerate(grid)
        )
