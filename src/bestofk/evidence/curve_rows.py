"""One run as a list of what was logged, a dict per call: [{"epoch": 0, "loss": 0.9}, {"epoch": 0, "val_loss": 0.8}]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from bestofk.evidence.columns import roles_of_name


def are_rows(entry: Any) -> bool:
    """Whether a list holds dicts of single values, each with its step or epoch.

    Examples
    --------
    >>> are_rows([{"epoch": 0, "loss": 0.9}]), are_rows([{"loss": [0.9, 0.7]}]), are_rows([{"loss": 0.9}])
    (True, False, False)
    """
    return isinstance(entry, list | tuple) and bool(entry) and all(_is_row(each) for each in entry)


def columns_of_rows(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return the values of every name along the rows, None where a row lacks it; words are left out."""
    names = dict.fromkeys(str(name) for row in rows for name, value in row.items() if _is_number(value))
    return {name: [row.get(name) for row in rows] for name in names}


def _is_row(each: Any) -> bool:
    if not isinstance(each, Mapping):
        return False
    return any("step" in roles_of_name(str(name)) and _is_number(value) for name, value in each.items())


def _is_number(value: Any) -> bool:
    return value is None or isinstance(value, Real)
