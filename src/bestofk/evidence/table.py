"""Reading a CSV of folds: one row per learner, replication and fold."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from bestofk.core.errors import InputError
from bestofk.evidence.measures import is_larger_better
from bestofk.evidence.scores import Scores

KEYS = ("learner", "replication", "fold")
MOST_CHARACTERS = 100_000  # in a line; csv itself gives up a little later

Cell = tuple[str, str, str]  # learner, replication, fold


def read_table(path: str | Path, *, larger_is_better: bool | None = None) -> Scores:
    """Read a CSV with the columns learner, replication (optional), fold and one measure."""
    where = str(path)
    if not isinstance(path, str | Path):
        raise InputError(f"the path is {path!r}.", "read, argument path", "give the path of a CSV file.")
    header, rows = _rows(Path(path), where)
    measure = _measure(header, where)
    direction = is_larger_better(measure) if larger_is_better is None else larger_is_better
    if direction is None:
        raise InputError(
            f"the direction of the measure {measure!r} is not known.",
            f"{where}, line 1",
            "say --larger-is-better or --smaller-is-better (larger_is_better=True or False).",
        )
    cells: dict[Cell, float] = {}
    for line, row in rows:
        cell = (row["learner"], row.get("replication", "1"), row["fold"])
        if "" in cell:
            raise InputError("a learner, replication or fold is empty.", f"{where}, line {line}", "name it.")
        if cell in cells:
            raise InputError(
                f"learner {cell[0]}, replication {cell[1]}, fold {cell[2]} appears twice.",
                f"{where}, line {line}",
                "keep one row per learner and fold.",
            )
        cells[cell] = _number(row[measure], measure, f"{where}, line {line}")
    return Scores(*_arranged(cells, where), measure, direction, source=where)


def _rows(path: Path, where: str) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError("there is no such file.", where, "check the path.") from None
    except IsADirectoryError:
        raise InputError("this is a folder.", where, "name a CSV file.") from None
    except (UnicodeDecodeError, PermissionError) as error:
        raise InputError(f"the file cannot be read: {error}.", where, "give a CSV file in UTF-8.") from None
    if "\0" in text:
        raise InputError("the file is binary.", where, "give a CSV file in UTF-8.")
    longest = max((len(line) for line in text.splitlines()), default=0)
    if longest > MOST_CHARACTERS:
        raise InputError(f"a line has {longest} characters.", where, "give a CSV file with one row per fold.")
    lines = csv.reader(text.splitlines())
    header = [name.strip().lower() if name.strip().lower() in KEYS else name.strip() for name in next(lines, [])]
    if not header:
        raise InputError("the file is empty.", where, f"give a header: {','.join(KEYS)},error.")
    repeated = {name for name in header if header.count(name) > 1}
    if repeated:
        raise InputError(f"column {sorted(repeated)[0]!r} appears twice.", f"{where}, line 1", "keep one of them.")
    rows = []
    for row in lines:
        if not any(value.strip() for value in row):
            continue
        if len(row) != len(header):
            raise InputError(
                f"the row has {len(row)} values for {len(header)} columns.",
                f"{where}, line {lines.line_num}",
                "give one value per column, separated by commas; write 0.25, since a decimal comma splits a number.",
            )
        rows.append((lines.line_num, dict(zip(header, (value.strip() for value in row), strict=True))))
    if not rows:
        raise InputError("the file has a header and no rows.", where, "add one row per learner and fold.")
    return header, rows


def _measure(header: list[str], where: str) -> str:
    if len(header) == 1 and any(mark in header[0] for mark in ";\t|"):
        raise InputError(f"the header is one column: {header[0]!r}.", f"{where}, line 1", "separate columns by commas.")
    missing = [key for key in ("learner", "fold") if key not in header]
    measures = [name for name in header if name not in KEYS]
    if missing or len(measures) != 1:
        raise InputError(
            f"the columns are {', '.join(header)}.",
            f"{where}, line 1",
            "give the columns learner, replication (if repeated), fold, and one measure such as error.",
        )
    return measures[0]


def _number(text: str, measure: str, where: str) -> float:
    try:
        value = float(text) if text.isascii() and "_" not in text else float("nan")  # Python would read 1_0 as 10
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise InputError(f"{measure} is {text!r}, not a number.", where, "write a number such as 0.25.")
    return value


def _arranged(
    cells: dict[Cell, float], where: str
) -> tuple[tuple[str, ...], np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Learners in order of appearance, and their values (learners, replications, folds), none missing."""
    learners = tuple(dict.fromkeys(cell[0] for cell in cells))
    replications, folds = (_sorted({cell[i] for cell in cells}) for i in (1, 2))
    if len(learners) < 2:
        raise InputError(f"there is one learner: {learners[0]}.", where, "give at least two learners to compare.")
    missing = [
        (learner, replication, fold)
        for learner in learners
        for replication in replications
        for fold in folds
        if (learner, replication, fold) not in cells
    ]
    if missing:
        learner, replication, fold = missing[0]
        raise InputError(
            f"{len(missing)} result{'s are' if len(missing) > 1 else ' is'} missing, "
            f"the first: learner {learner}, replication {replication}, fold {fold}.",
            where,
            "add the missing rows, or leave that learner out; folds carry the same numbers in every replication.",
        )
    values = [[[cells[learner, r, f] for f in folds] for r in replications] for learner in learners]
    return learners, np.array(values)


def _sorted(names: set[str]) -> tuple[str, ...]:
    """Numbers by value, other names by letter: the order of rows in a file means nothing."""
    return tuple(sorted(names, key=lambda name: (0, float(name), "") if name.isdecimal() else (1, 0.0, name)))
