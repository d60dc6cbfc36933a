"""Table 2: the most and second most selected learner of each method on every data set, ours beside theirs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bestofk.replications.multitest.choices import METHODS, NOT_FOUND, Choice
from bestofk.replications.multitest.published import rows_of
from bestofk.reporting.blocks import TableBlock
from bestofk.reporting.tables import PlainTable

#: Columns of the printed table.
COLUMNS = METHODS[1:]
Choices = Mapping[str, Mapping[str, Choice]]
Ranked = tuple[tuple[str, float], ...]


@cache
def published_choices() -> dict[tuple[str, str], Ranked]:
    """The published most and second most selected with their percentages, by data set and method.

    Examples
    --------
    >>> published_choices()["bupa", "MultiTest"]
    (('MAX', 91.0), ('NMC', 8.0))
    """
    found: dict[tuple[str, str], Ranked] = {}
    for row in rows_of(2):
        key = (row["dataset"], row["method"])
        found[key] = (*found.get(key, ()), (row["selected"], float(row["percent"])))
    return found


def ours(choice: Choice) -> Ranked:
    """Most and second most selected, with percentages."""
    return tuple(found for place in (1, 2) if (found := choice.place(place)) is not None)


def same_most_selected(made: Choices, method: str) -> list[str]:
    """Data sets on which the most selected is the published one."""
    return [name for name in made if ours(made[name][method])[0][0] == published_choices()[name, method][0][0]]


def largest_deviation(choice: Choice, dataset: str) -> float:
    """Largest difference of a percentage that the published table prints, in points."""
    theirs = published_choices()[dataset, choice.method]
    return max(abs(choice.percent(selected) - percent) for selected, percent in theirs)


def table2_block(made: Choices) -> TableBlock:
    """Every data set, method by method, and how far the printed percentages are from ours."""
    columns = ["data set"]
    for method in COLUMNS:
        columns += [f"{method}, ours", f"{method}, theirs"]
    rows = tuple((name, *_cells(name, made[name]), _worst(name, made[name])) for name in made)
    caption = (
        "Most and second most selected learner (percent of the runs); * no best is found. The last column is the "
        "largest difference from a printed percentage, in points."
    )
    return TableBlock("table-2", caption, PlainTable((*columns, "apart"), rows, frozenset({"apart"})))


def _cells(name: str, choices: Mapping[str, Choice]) -> tuple[str, ...]:
    cells: list[str] = []
    for method in COLUMNS:
        cells += [_ranked(ours(choices[method])), _ranked(published_choices()[name, method])]
    return tuple(cells)


def _ranked(ranked: Ranked) -> str:
    shown = [(selected, percent) for selected, percent in ranked if round(percent) > 0 or selected == ranked[0][0]]
    return ", ".join(f"{'*' if selected == NOT_FOUND else selected} ({percent:.0f})" for selected, percent in shown)


def _worst(name: str, choices: Mapping[str, Choice]) -> str:
    return f"{max(largest_deviation(choices[method], name) for method in COLUMNS):.0f}"
