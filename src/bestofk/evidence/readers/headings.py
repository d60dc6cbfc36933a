"""Names of columns: stripped, each once, and something to call those without a name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bestofk.core.errors import InputError

# What pandas makes of an index without a name: in CSV and XLSX it has no heading, in Parquet one of its own.
_UNNAMED = re.compile(r"(Unnamed: \d+(_level_\d+)?|__index_level_\d+__|)")


def column_names(headings: Iterable[object], where: str) -> list[str]:
    """Return the names of columns, or say which appears twice; those without one are unnamed, unnamed 2, …

    Examples
    --------
    >>> column_names(["", " fold ", "Unnamed: 1"], "results.csv, line 1")
    ['unnamed', 'fold', 'unnamed 2']
    """
    names = ["" if heading is None else str(heading).strip() for heading in headings]
    taken = {name for name in names if not _UNNAMED.fullmatch(name)}
    settled: list[str] = []
    for name in names:
        if _UNNAMED.fullmatch(name):
            name = _free_name(taken)
            taken.add(name)
        elif name in settled:
            raise InputError(
                f"column {name!r} appears twice.", f"{where}, column {name}", "keep one of them, or rename one."
            )
        settled.append(name)
    return settled


def _free_name(taken: set[str]) -> str:
    number = 1
    while (name := "unnamed" if number == 1 else f"unnamed {number}") in taken:
        number += 1
    return name
