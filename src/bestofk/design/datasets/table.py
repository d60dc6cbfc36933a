"""What every source of data becomes first: named columns of numbers or of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError

#: A column of numbers (NaN where missing), or of other values (None where missing).
Cells = Array | list[Any]


@dataclass(frozen=True)
class Wishes:
    """What the user said about the columns of a data set; ``groups`` is a column's name or one value per row."""

    name: str | None = None
    target: str | None = None
    groups: Any = None
    ordered: bool = False
    nominal: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    task: str | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """Columns in order. ``raw`` is the user's own object where a learner may want it; None for files.

    ``refused`` are columns that can be no feature, with what they hold; ``spoilt`` those of a file that look like
    numbers with something wrong in them, with what it is: they may be called nominal.
    """

    name: str
    source: str
    columns: dict[str, Cells]
    raw: Any = None
    refused: dict[str, str] = field(default_factory=dict)
    spoilt: dict[str, str] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """Where errors in it are."""
        return f"data set {self.name}, {self.source}"


def distinct(names: Sequence[Any], where: str) -> list[str]:
    """Return column names as text, or refuse empty and repeated ones."""
    texts = [str(name).strip() for name in names]
    for position, text in enumerate(texts, start=1):
        if not text:
            raise InputError(f"column {position} has no name.", where, "name it, or take the column out.")
    name, count = Counter(texts).most_common(1)[0] if texts else ("", 0)
    if count > 1:
        raise InputError(f"{count} columns are called {name!r}.", where, "give each column a name of its own.")
    return texts
