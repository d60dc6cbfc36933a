"""Reading a CSV of folds: one row per learner, replication and fold."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from bestofk.core.errors import InputError
from bestofk.evidence.measures import is_larger_better
from bestofk.evidence.scores import Scores

KEYS = ("learner", "replication", "fold")

Cell = tuple[str, str, str]  # learner, replication, fold


def read_table(path: str | Path, *, larger_is_better: bool | None = None) -> Scores:
    """Read a CSV with the columns learner, replication (optional), fold and one measure."""
    where = str(path)
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
    lines = csv.reader(text.splitlines())
    header = [name.strip() for name in next(lines, [])]
    if not header:
        raise InputError("the file is empty.", where, f"give a header: {','.join(KEYS)},error.")
    repeated = {name for name in header if header.count(name) > 1}
    if repeated:
        raise InputError(f"column {sorted(repeated)[0]!r} appears twice.", f"{where}, line 1", "keep one of them.")
    rows = []
    for row in lines:
        if not row:
            continue
        if len(row) != len(header):
            raise InputError(
                f"the row has {len(row)} values for {len(header)} columns.",
                f"{where}, line {lines.line_num}",
                "complete it.",
            )
        rows.append((lines.line_num, dict(zip(header, (value.strip() for value in row), strict=True))))
    if not rows:
        raise InputError("the file has a header and no rows.", where, "add one row per learner and fold.")
    return header, rows


def _measure(header: list[str], where: str) -> str:
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
        value = float(text)
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
    replications = tuple(dict.fromkeys(cell[1] for cell in cells))
    folds = tuple(dict.fromkeys(cell[2] for cell in cells))
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
            "add the missing rows, or leave that learner out.",
        )
    values = [[[cells[learner, r, f] for f in folds] for r in replications] for learner in learners]
    return learners, np.array(values)
