"""Columns of numbers in a wide table that are no learners: facts about data sets, summaries, other kinds of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.columns import roles_of_name
from bestofk.tables.table import Table

FACTS = frozenset(
    {
        *("n_instances", "n_samples", "n_rows", "instances", "samples", "rows", "n_features", "n_columns", "features"),
        *("n_classes", "classes", "size"),
    }
)
SUMMARIES = frozenset({"mean", "average", "avg", "median", "std", "sd", "best", "rank", "total"})
EXTREMES = frozenset({"min", "max"})  # beside a summary they are one; alone, max is a learner of the papers
SUMMARY_ENDINGS = ("_std", "_mean", "_rank")
MOST_TIMES = 50  # scores of one measure do not differ by more


def is_fact(name: str) -> bool:
    """Whether a column tells something about the data set and nothing about a learner.

    Examples
    --------
    >>> is_fact("n_instances"), is_fact("Classes"), is_fact("train_size"), is_fact("svm")
    (True, True, True, False)
    """
    return plain(name) in FACTS or "step" in roles_of_name(name)


def refuse_summaries(table: Table, columns: Sequence[str]) -> None:
    """Refuse a column that is made of the others."""
    found = [name for name in columns if plain(name) in SUMMARIES or plain(name).endswith(SUMMARY_ENDINGS)]
    if found:
        found += [name for name in columns if plain(name) in EXTREMES]
        raise InputError(
            f"column {found[0]} looks like a summary of the others.",
            table.where(column=found[0]),
            _choose([name for name in columns if name not in found], columns),
        )


def refuse_other_sizes(table: Table, columns: Sequence[str], *, above: float = 0.0) -> None:
    """Refuse a column, its median above a size, whose numbers are of another size than those of every other column."""
    sizes = {name: float(np.nanmedian(np.abs(table.numbers(name)))) for name in columns}
    for name in sorted(columns, key=lambda each: -sizes[each]):
        others = [each for each in columns if each != name]
        if others and sizes[name] > above and all(_far(sizes[name], sizes[each]) for each in others):
            raise InputError(
                f"column {name} has the median {sizes[name]:g}, column {others[0]} {sizes[others[0]]:g}: "
                "these can hardly be scores of one measure.",
                table.where(column=name),
                _choose(others, columns),
            )


def _far(one: float, other: float) -> bool:
    """Whether one is more than fifty times the other; nothing is said about a median of zero."""
    return 0 < MOST_TIMES * min(one, other) < max(one, other)


def _choose(others: Sequence[str], columns: Sequence[str]) -> str:
    names = list(others if len(others) > 1 else columns)
    return f"say which columns are learners: learners={names} (--learners {','.join(names)})."
