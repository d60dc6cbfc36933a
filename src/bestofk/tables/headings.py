"""Names of columns: stripped, each once, and something to call those without a name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bestofk.core.errors import InputError
from bestofk.tables.cells import Purpose, as_number

# What pandas makes of an index without a name: in CSV and XLSX it has no heading, in Parquet one of its own.
_UNNAMED = re.compile(r"(Unnamed: \d+(_level_\d+)?|__index_level_\d+__|)")


def column_names(headings: Iterable[object], where: str, purpose: Purpose) -> list[str]:
    """Return the names of columns, or say which appears twice.

    Those without one are unnamed, unnamed 2, … among results, and refused in data to learn from.
    """
    names = ["" if heading is None else str(heading).strip() for heading in headings]
    if not purpose.lenient_names and "" in names:
        raise InputError(f"column {names.index('') + 1} has no name.", where, "name it, or take the column out.")
    taken = {name for name in names if not _UNNAMED.fullmatch(name)}
    settled: list[str] = []
    for name in names:
        if purpose.lenient_names and _UNNAMED.fullmatch(name):
            name = _free_name(taken)
            taken.add(name)
        elif name in settled:
            raise InputError(
                f"column {name!r} appears twice.", f"{where}, column {name}", "keep one of them, or rename one."
            )
        settled.append(name)
    return settled


def refuse_numbers(headings: Iterable[object], where: str) -> None:
    """Refuse a first line that is no header: all of it numbers, unless these count the columns from 0."""
    words = [str(heading).strip() for heading in headings if heading is not None and str(heading).strip()]
    counting = [str(number) for number in range(len(words))]
    if words and words != counting and all(_is_number(word) for word in words):
        place = where.rsplit(", ", 1)[-1]
        raise InputError(
            f"{place} holds numbers: {', '.join(words[:3])}{', …' if len(words) > 3 else ''}.",
            where,
            "add a header line that names the columns.",
        )


def _is_number(word: str) -> bool:
    number = as_number(word)
    return number is not None and number == number


def _free_name(taken: set[str]) -> str:
    number = 1
    while (name := "unnamed" if number == 1 else f"unnamed {number}") in taken:
        number += 1
    return name
