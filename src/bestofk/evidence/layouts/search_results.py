"""scikit-learn's ``cv_results_``: one row per setting of the parameters, one column per split."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import refuse_duplicates
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.long_scores import long_scores
from bestofk.evidence.layouts.measure_columns import finite_numbers, refuse_impossible_columns
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.scores import Scores
from bestofk.tables.table import Column, Numbers, Table, Text

SPLIT = re.compile(r"split(\d+)_test_(.+)")
COSTS = {"mean_fit_time": "fit_time", "mean_score_time": "predict_time"}


def is_search(names: Sequence[str]) -> bool:
    """Whether the columns are those of ``cv_results_``."""
    return any(SPLIT.fullmatch(name) for name in names)


def search_scores(table: Table, request: Request) -> Scores:
    """Read the settings as learners and the splits as folds; several scorers are several measures."""
    splits = _splits(table)
    number = len(next(iter(splits.values())))
    row, fold = np.divmod(np.arange(len(table) * number), number)
    settings = setting_names(table)
    refuse_duplicates(settings, what="learner", where=table.source)
    columns: dict[str, Column] = {"learner": Text(row.astype(np.int32), settings), "fold": Numbers(fold + 1.0)}
    measures = {scorer: f"split*_test_{scorer}" for scorer in splits}
    for scorer, names in splits.items():
        refuse_impossible_columns(table, names, scorer, scorer=True)
        columns[measures[scorer]] = Numbers(np.stack([finite_numbers(table, name) for name in names], axis=1).ravel())
    long = replace(table.rows(row), columns=columns)
    notes = ["the table was read as cv_results_: settings are learners, splits are folds"]
    if any("_train_" in name for name in table.names):
        notes.append("scores on training data were not used")
    roles = Roles({"learner": "learner", "fold": "fold"}, [], notes, measures=measures)
    scores = long_scores(long, roles, replace(request, scorer=True))
    costs = {COSTS[name]: finite_numbers(table, name).tolist() for name in table.names if name in COSTS}
    means = {name: dict(zip(scores.learners, each, strict=True)) for name, each in costs.items()}
    return replace(scores, costs={**means, **scores.costs})


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
    """Columns by scorer, in the order of the splits, which are the same for all."""
    found: dict[str, dict[int, str]] = {}
    for name in table.names:
        match = SPLIT.fullmatch(name)
        if match:
            found.setdefault(match[2], {})[int(match[1])] = name
    everything = set().union(*found.values())
    for scorer, columns in found.items():
        if len(columns) < len(everything):
            lacking = f"split{min(everything - columns.keys())}_test_{scorer}"
            raise InputError(f"there is no column {lacking}.", table.source, "give all scorers the same splits.")
    return {scorer: [columns[i] for i in sorted(columns)] for scorer, columns in found.items()}


CV_RESULTS = Layout(is_search, search_scores)
