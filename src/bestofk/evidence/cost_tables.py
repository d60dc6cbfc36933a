"""Costs of learners in a table of their own: a price list beside logs, or other results, that have none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bestofk.core.errors import InputError, glimpse
from bestofk.core.phrases import listed
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.evidence import Evidence
from bestofk.evidence.layouts.grid import places_within
from bestofk.tables.amounts import with_written_numbers
from bestofk.tables.cells import Purpose
from bestofk.tables.files import table_from_file
from bestofk.tables.frames import is_frame, table_from_frame
from bestofk.tables.table import Table

Found = TypeVar("Found", bound=Evidence)
_LIST = Purpose("learner", lambda name: "learner" in roles_of_name(name))


def is_cost_table(costs: Any) -> bool:
    """Whether costs are given by learner, in a file, a frame or a dict, and not as names of columns."""
    return isinstance(costs, str | Path | Mapping) or is_frame(costs)


def with_costs(evidence: Found, source: Any) -> Found:
    """The evidence with more costs: of a table with a row for every learner, or ``{"price": {"small": 0.15, …}}``."""
    where = str(source) if isinstance(source, str | Path) else "argument costs"
    found = _by_learner(source) if isinstance(source, Mapping) else _costs(source)
    known = {learner for each in found.values() for learner in each}
    if not known & set(evidence.learners):
        raise InputError(
            f"no learner has a cost: costs are of {listed(sorted(map(str, known))[:3])}, results of "
            f"{listed(evidence.learners[:3])}.",
            where,
            "call the learners there as they are called in the results: bestofk read shows them.",
        )
    own = {name: {n: float(each.get(n, np.nan)) for n in evidence.learners} for name, each in found.items()}
    origin = replace(evidence.origin, priced={name: (where, tuple(each)) for name, each in found.items()})
    return replace(evidence, costs={**evidence.costs, **own}, origin=origin)


def _by_learner(source: Mapping[Any, Any]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for name, each in source.items():
        amounts = each.items() if isinstance(each, Mapping) else ()
        if not amounts or not all(isinstance(n, Real) and isfinite(n) for _, n in amounts):
            raise InputError(
                f"the cost {name!r} is {glimpse(each)}.",
                "argument costs",
                "give numbers by learner: {'price': {'small': 0.15, 'large': 3.0}}.",
            )
        found[str(name)] = {str(learner): float(amount) for learner, amount in amounts}
    if not found:
        raise InputError("costs are empty.", "argument costs", "leave them out, or give numbers by learner.")
    return found


def _costs(source: Any) -> dict[str, dict[str, float]]:
    if isinstance(source, str | Path) and not os.path.exists(source):
        raise InputError(
            f"there is no file {source}.",
            "argument costs",
            "give a table with a row for every learner, such as model,price; names of columns are a list: ['price'].",
        )
    table = table_from_frame(source, _LIST) if is_frame(source) else table_from_file(source, _LIST)
    named = next((name for name in table.names if "learner" in roles_of_name(name)), table.names[0])
    table = with_written_numbers(table, [name for name in table.names if name != named]).table
    costs = [name for name in table.names if name != named and table.is_mostly_numeric(name)]
    if not costs:
        raise table.lacks("no column has amounts", "give a row for every learner: model,price.")
    _refuse_unnamed(table, named)
    names = table.text(named).words
    return {cost: dict(zip(names, table.numbers(cost).tolist(), strict=True)) for cost in costs}


def _refuse_unnamed(table: Table, named: str) -> None:
    words = table.text(named)
    again = places_within(words.codes) > 0
    table.refuse(words.codes < 0, lambda row: "the learner is empty.", "name the learner of every row.", column=named)
    fix = "give every learner one row."
    table.refuse(again, lambda row: f"{words.words[row]} has two rows.", fix, column=named)
