"""Data sets as both programs are given them: features a00, a01 …, levels v00 …, classes c00 …, in sorted order.

Levels and classes stand for their rank, so that nothing of the data but thresholds gets into the golden values.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Sheet:
    """Columns of floats, NaN where missing; ``levels`` is 0 for numbers, else codes go from 0 to ``levels`` - 1."""

    columns: list[np.ndarray]
    levels: list[int]
    y: np.ndarray
    classes: int

    @property
    def names(self) -> list[str]:
        return [f"a{place:02d}" for place in range(len(self.columns))]

    def part(self, rows) -> Sheet:
        return Sheet([column[rows] for column in self.columns], self.levels, self.y[rows], self.classes)

    def matrix(self) -> np.ndarray:
        return np.column_stack(self.columns)

    def frame(self):
        import pandas as pd

        made = {}
        for name, column, levels in zip(self.names, self.columns, self.levels, strict=True):
            codes = np.nan_to_num(column, nan=-1).astype(int) if levels else None
            made[name] = column if codes is None else pd.Categorical.from_codes(codes, named("v", levels))
        return pd.DataFrame(made)

    def target(self) -> np.ndarray:
        return np.array(named("c", self.classes))[self.y]

    def arff(self) -> str:
        lines = ["@relation sheet"]
        for name, levels in zip(self.names, self.levels, strict=True):
            lines.append(f"@attribute {name} " + ("{" + ",".join(named("v", levels)) + "}" if levels else "numeric"))
        lines += ["@attribute class {" + ",".join(named("c", self.classes)) + "}", "@data"]
        for row in range(len(self.y)):
            cells = [cell(column[row], levels) for column, levels in zip(self.columns, self.levels, strict=True)]
            lines.append(",".join([*cells, f"c{self.y[row]:02d}"]))
        return "\n".join(lines) + "\n"


def named(letter: str, number: int) -> list[str]:
    return [f"{letter}{place:02d}" for place in range(number)]


def cell(value: float, levels: int) -> str:
    if np.isnan(value):
        return "?"
    return f"v{int(value):02d}" if levels else repr(float(value))


def folder() -> Path | None:
    """Where the data sets lie: BESTOFK_DATA, or a folder shared/data beside the repository."""
    places = [os.environ.get("BESTOFK_DATA"), Path(__file__).resolve().parents[4] / "shared" / "data"]
    found = [Path(place) for place in places if place and (Path(place) / "index.json").exists()]
    return found[0] if found else None


def read(name: str, data: Path) -> Sheet:
    """A data set of the folder."""
    types = json.loads((data / "index.json").read_text())["sets"][name]["columns"]["types"]
    with gzip.open(data / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    lines = list(zip(*rows, strict=True))
    columns, levels = zip(*(column_of(line, kind) for line, kind in zip(lines[:-1], types, strict=True)), strict=True)
    y, classes = column_of(lines[-1], "c")
    return Sheet(list(columns), list(levels), y.astype(int), classes)


def column_of(line, kind: str) -> tuple[np.ndarray, int]:
    if kind == "n":
        return np.array([float(text) if text else np.nan for text in line]), 0
    known = sorted(set(line) - {""})
    rank = {text: place for place, text in enumerate(known)}
    return np.array([float(rank[text]) if text else np.nan for text in line]), len(known)


def halves(sheet: Sheet) -> tuple[Sheet, Sheet]:
    """Even rows to learn from, odd rows to predict."""
    return sheet.part(np.s_[0::2]), sheet.part(np.s_[1::2])
