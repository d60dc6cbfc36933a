"""The figures of Tables 1 to 3 as the paper prints them."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from bestofk.core.names import unknown

#: Names of the learners in the tables, in the paper's prior order, simplest first.
LEARNERS = ("MAX", "NMC", "LGC", "C4.5", "NN")
#: Runs behind every figure: Table 3 adds up to 30 data sets × 1,000 runs.
RUNS = 1000


@dataclass(frozen=True)
class Figure:
    """Mean and standard deviation over folds of a learner's error on a data set, in percent."""

    dataset: str
    learner: str
    mean: float
    sd: float


def rows_of(table: int) -> list[dict[str, str]]:
    """Rows of a published table (1, 2 or 3), every field as printed."""
    if table not in (1, 2, 3):
        raise unknown(str(table), ("1", "2", "3"), what="table", where="the figures of the MultiTest paper")
    text = files(__package__).joinpath("published", f"multitest_table{table}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@cache
def table1_figures() -> dict[tuple[str, str], Figure]:
    """Table 1 by data set and learner.

    Examples
    --------
    >>> table1_figures()["iris", "NMC"]
    Figure(dataset='iris', learner='NMC', mean=13.59, sd=3.53)
    """
    figures = (
        Figure(row["dataset"], row["learner"], float(row["mean_error_percent"]), float(row["sd_error_percent"]))
        for row in rows_of(1)
    )
    return {(figure.dataset, figure.learner): figure for figure in figures}


def dataset_names() -> tuple[str, ...]:
    """The thirty data sets in the order of Table 1."""
    return tuple(dict.fromkeys(name for name, _ in table1_figures()))
