"""Verdicts, comparisons and orders as plain tables: cells of text under column names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bestofk.comparing import Comparison, Pair
from bestofk.evidence import Scores
from bestofk.judging import Reason, Verdict
from bestofk.ordering import Ordering
from bestofk.reporting.by_ranks import ranked_apart, ranks_column, ranks_of


@dataclass(frozen=True)
class PlainTable:
    """Column names and rows of text; ``numeric`` columns are set to the right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[str]

    @property
    def row_name(self) -> int:
        """Place of the column that names a row: the first of words."""
        return next((i for i, column in enumerate(self.columns) if column not in self.numeric), 0)


def verdict_table(verdict: Verdict) -> PlainTable:
    """One row per learner, best first; with Multi²Test the ranks that its p values compare as well."""
    ranks, mean = ranks_of(verdict), f"mean {verdict.measure}"
    ranked = (ranks_column(verdict),) if ranks else ()
    columns = ("place", "learner", mean, *ranked, "p against first", "against first")
    rows = tuple(
        (
            str(row["place"]),
            str(row["learner"]),
            mean_text(row[mean]),
            *((f"{ranks[row['learner']]:.3g}",) if ranks else ()),
            "" if row["p against first"] is None else f"{row['p against first']:.3g}",
            _against(row, verdict),
        )
        for row in verdict.rows()
    )
    return PlainTable(columns, rows, frozenset({"place", mean, *ranked, "p against first"}))


def _against(row: dict[str, Any], verdict: Verdict) -> str:
    """What is found against the first; of two methods that may speak the one that does is named."""
    found = row["against first"] or ""
    return (
        "ranked below"
        if ranked_apart(verdict.order[0], row["learner"], verdict) and found == "not separated"
        else found
    )


def mean_text(value: float) -> str:
    """Four decimals where they say something, four digits for very large and very small means."""
    return f"{value:.4f}" if value == 0 or 1e-3 <= abs(value) < 1e6 else f"{value:.4g}"


def ordering_table(ordering: Ordering) -> PlainTable:
    """One row per learner, best first."""
    rows = tuple((str(place), name) for place, name in enumerate(ordering.order, 1))
    return PlainTable(("place", "learner"), rows, frozenset({"place"}))


#: Column of the comparison's table → field of a pair; left out where the design has no such number.
_NUMBERS = {
    "difference": "difference",
    "low": "low",
    "high": "high",
    "d": "cohens_d",
    "A12": "a12",
    "rank-biserial": "rank_biserial",
    "p": "pvalue",
    "adjusted p": "adjusted",
}


def comparison_table(comparison: Comparison) -> PlainTable:
    """One row per pair."""
    pairs = [comparison.pair(*names) for names in comparison.pairs]
    numbers = {column: field for column, field in _NUMBERS.items() if getattr(pairs[0], field) is not None}
    rows = tuple(
        (pair.first, pair.second, *(f"{getattr(pair, field):.4g}" for field in numbers.values()), _finding(pair))
        for pair in pairs
    )
    return PlainTable(("first", "second", *numbers, "finding"), rows, frozenset(numbers))


def _finding(pair: Pair) -> str:
    if not pair.significant or pair.better is None:
        return "not separated"
    return f"{pair.better} better"


def reasons_table(verdict: Verdict, because: Callable[[Reason, Verdict], str]) -> PlainTable:
    """One row per pair in words: who stands above whom, and because of what."""
    rows = tuple((each.better, each.worse, because(each, verdict)) for each in verdict.reasons)
    return PlainTable(("above", "below", "because"), rows, frozenset())


def scores_table(scores: Scores) -> PlainTable:
    """Mean score of every learner on every data set, one row per data set."""
    columns = scores.by_dataset().T.tolist()
    rows = tuple(
        (name, *(mean_text(value) if value == value else "missing" for value in row))
        for name, row in zip(scores.datasets, columns, strict=True)
    )
    return PlainTable(("data set", *scores.learners), rows, frozenset(scores.learners))


def aligned(table: PlainTable) -> str:
    """The table with columns of equal width."""
    lines = (table.columns, *table.rows)
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.columns))]
    return "\n".join(_line(line, widths, table) for line in lines)


def _line(cells: Sequence[str], widths: list[int], table: PlainTable) -> str:
    padded = (
        cell.rjust(width) if column in table.numeric else cell.ljust(width)
        for cell, width, column in zip(cells, widths, table.columns, strict=True)
    )
    return "  ".join(padded).rstrip()


def tab_separated(table: PlainTable) -> str:
    """The table for another program: one line per row, tabs between cells."""
    return "\n".join("\t".join(" ".join(cell.split()) for cell in line) for line in (table.columns, *table.rows))
