"""scikit-learn's ``cv_results_``: one row per setting of the parameters, one column per split."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.measured import (
    NumberColumns,
    chosen_measure,
    direction_of,
    finite_numbers,
    refuse_impossible_columns,
)
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.scores import Scores
from bestofk.tables.table import Table

SPLIT = re.compile(r"split(\d+)_test_(.+)")
COSTS = {"mean_fit_time": "fit_time", "mean_score_time": "predict_time"}


def is_search(names: Sequence[str]) -> bool:
    """Whether the columns are those of ``cv_results_``."""
    return any(SPLIT.fullmatch(name) for name in names)


def search_scores(table: Table, request: Request) -> Scores:
    """Read the settings as learners and the splits as folds; several scorers are several measures."""
    splits = _splits(table)
    learners = setting_names(table)
    roles = Roles({}, [], ["the table was read as cv_results_: settings are learners, splits are folds"])
    roles.assume_one_replication()
    if any("_train_" in name for name in table.names):
        roles.notes.append("scores on training data were not used")
    found = NumberColumns({name: name for name in splits}, scorer=True)
    measure = chosen_measure(table, found, roles, request)
    values = {name: _values(table, columns) for name, columns in splits.items()}
    for name, columns in splits.items():
        refuse_impossible_columns(table, columns, name, scorer=True)
    means = {name: _means(each[:, 0]) for name, each in values.items() if name != measure}
    costs = {COSTS[n]: finite_numbers(table, n) for n in table.names if n in COSTS} | means
    return Scores(
        learners=learners,
        values=values[measure],
        measure=measure,
        larger_is_better=direction_of(measure, found, roles, request, table.source),
        others={name: each[:, None] for name, each in values.items() if name != measure},
        costs={name: dict(zip(learners, each.tolist(), strict=True)) for name, each in costs.items()},
        origin=roles.origin(table),
    )


def setting_names(table: Table) -> tuple[str, ...]:
    """Return every setting in words: ``C=1, kernel=rbf``."""
    columns = [name for name in table.names if name.startswith("param_")]
    if not columns:
        if "params" not in table.names:
            raise InputError(
                "no column says what the settings are.", table.source, "keep the columns param_… of cv_results_."
            )
        words = table.text("params")
        return tuple(words.categories[code] for code in words.codes)
    texts = [(name.removeprefix("param_"), table.text(name)) for name in columns]
    return tuple(
        ", ".join(f"{name}={text.categories[text.codes[row]]}" for name, text in texts if text.codes[row] >= 0)
        or "default"
        for row in range(len(table))
    )


def _splits(table: Table) -> dict[str, list[str]]:
    """Columns by scorer, in the order of the splits."""
    found: dict[str, dict[int, str]] = {}
    for name in table.names:
        match = SPLIT.fullmatch(name)
        if match:
            found.setdefault(match[2], {})[int(match[1])] = name
    return {scorer: [columns[i] for i in sorted(columns)] for scorer, columns in found.items()}


def _values(table: Table, columns: list[str]) -> Array:
    """(settings, one replication, splits)."""
    return np.stack([finite_numbers(table, name) for name in columns], axis=1)[:, None]


def _means(values: Array) -> Array:
    """Mean of every setting over the splits that it has; NaN where it has none."""
    there = ~np.isnan(values)
    number = there.sum(axis=1)
    total = np.where(there, values, 0.0).sum(axis=1)
    return np.asarray(np.divide(total, number, out=np.full(len(values), np.nan), where=number > 0))


CV_RESULTS = Layout(is_search, search_scores)
