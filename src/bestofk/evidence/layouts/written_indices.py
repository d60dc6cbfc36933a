"""Test indices written into a table, ``[4, 5, 10]`` per fold: they say how the rows were divided."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.core.names import plain
from bestofk.evidence.divisions import Division, Indices, division_of, indices_of
from bestofk.evidence.layouts.cells import Key
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.regrouping import refuse_other_division
from bestofk.tables.table import Table


def written_division(table: Table, roles: Roles, keys: Sequence[Key], request: Request) -> Division | None:
    """Return how the rows of one data set were divided, where whole lists of test indices tell it."""
    column = roles.column.get("fingerprint", "")
    if plain(column) != "test_indices" or "replication" in roles or len(keys[1].names) > 1:
        return None
    test = _lists(table, column, keys[3])
    if test is None:
        return None
    named = next((name for name in table.names if plain(name) == "train_indices"), None)
    train = None if named is None else _lists(table, named, keys[3])
    where = table.where(column=column)
    division = division_of(test, train, where, said_share=request.test_fraction if train is None else None)
    refuse_other_division(division, request.replications, request.test_fraction, where)
    return division


def _lists(table: Table, column: str, fold: Key) -> Indices | None:
    """The list of every fold, from its first row; None where one is no list of whole numbers."""
    words = table.text(column)
    rows = [int(np.argmax(fold.codes == code)) for code in range(len(fold.names))]
    if any(words.codes[row] < 0 for row in rows):
        return None
    return indices_of(_parsed(words.categories[words.codes[row]]) for row in rows)


def _parsed(word: str) -> Any:
    try:
        return json.loads(word)
    except ValueError:
        return None
