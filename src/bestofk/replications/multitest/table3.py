"""Table 3: how often each method selects each learner over all data sets, ours beside theirs."""

from __future__ import annotations

from functools import cache

from bestofk.replications.multitest.choices import METHODS, NOT_FOUND, SELECTED
from bestofk.replications.multitest.published import rows_of
from bestofk.replications.multitest.table2 import Choices
from bestofk.reporting.blocks import TableBlock
from bestofk.reporting.tables import PlainTable

Shares = dict[str, float]


@cache
def published_shares() -> dict[str, Shares]:
    """The published percentages of every method.

    Examples
    --------
    >>> round(published_shares()["MultiTest"]["NMC"], 2)
    45.73
    """
    found = {}
    for row in rows_of(3):
        counts = {name: int(row["not_found" if name == NOT_FOUND else name]) for name in SELECTED}
        total = sum(counts.values())
        found[row["method"]] = {name: 100.0 * count / total for name, count in counts.items()}
    return found


def shares(made: Choices, method: str) -> Shares:
    """Percentages of all runs on all data sets."""
    total = sum(choices[method].runs for choices in made.values())
    sums = [sum(choices[method].counts[i] for choices in made.values()) for i in range(len(SELECTED))]
    return {name: 100.0 * count / total for name, count in zip(SELECTED, sums, strict=True)}


def largest_gap(made: Choices, method: str) -> float:
    """Largest difference of a percentage from the published one, in points."""
    own, theirs = shares(made, method), published_shares()[method]
    return max(abs(own[name] - theirs[name]) for name in SELECTED)


def distance(made: Choices, method: str) -> float:
    """Half the sum of all differences (total variation), in points: what would have to move."""
    own, theirs = shares(made, method), published_shares()[method]
    return sum(abs(own[name] - theirs[name]) for name in SELECTED) / 2


def table3_block(made: Choices) -> TableBlock:
    """Every method, ours and theirs in rows of their own."""
    rows: list[tuple[str, ...]] = []
    for method in METHODS:
        for source, found in (("ours", shares(made, method)), ("theirs", published_shares()[method])):
            rows.append((method, source, *(f"{found[name]:.2f}" for name in SELECTED)))
    caption = "Learners selected as best over all data sets and runs, in percent."
    return TableBlock("table-3", caption, PlainTable(("method", "whose", *SELECTED), tuple(rows), frozenset(SELECTED)))
