"""scikit-learn's ``cv_results_``: one row per setting of the parameters, one column per split."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import told_apart
from bestofk.core.options import refuse_duplicates
from bestofk.evidence.evidence import SEARCHED
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.long_scores import long_scores
from bestofk.evidence.layouts.measure_columns import finite_numbers, refuse_impossible_columns
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.scores import Scores
from bestofk.measures.catalogue import measure_of_scorer, negated_measure
from bestofk.tables.table import Column, Numbers, Table, Text, fingerprint_of

SPLIT = re.compile(r"split(\d{1,18})_test_(.+)")
COSTS = {"mean_fit_time": "fit_time", "mean_score_time": "predict_time"}


def is_search(names: Sequence[str]) -> bool:
    """Whether the columns are those of ``cv_results_``."""
    return any(SPLIT.fullmatch(name) for name in names)


def search_scores(table: Table, request: Request) -> Scores:
    """Read the settings as learners and the splits as folds; several scorers are several measures."""
    return scores_of_searches({"": table}, request, table.source)


def scores_of_searches(tables: Mapping[str, Table], request: Request, where: str) -> Scores:
    """Read several searches, by name, on the same splits: their settings are learners, each with its search's name."""
    tables, notes = _of_last_iteration(tables, where)
    splits = {name: _splits(table) for name, table in tables.items()}
    _refuse_other_splits(splits, where)
    tables = {name: _once(table, splits[name]) for name, table in tables.items()}
    scorers = next(iter(splits.values()))
    number = len(next(iter(scorers.values())))
    settings = [
        ": ".join(filter(None, (name, "" if name and len(table) == 1 else each)))
        for name, table in tables.items()
        for each in setting_names(table)
    ]
    refuse_duplicates(settings, what="learner", where=where)
    row, fold = np.divmod(np.arange(len(settings) * number), number)
    columns: dict[str, Column] = {"learner": Text(row.astype(np.int32), tuple(settings)), "fold": Numbers(fold + 1.0)}
    measures = {scorer: f"split*_test_{scorer}" for scorer in scorers}
    for scorer, column in measures.items():
        columns[column] = Numbers(
            np.concatenate([_values(table, splits[name][scorer], scorer) for name, table in tables.items()])
        )
    every = list(tables.values())
    of_row = [(table, place) for table in every for place in range(len(table))]
    long = Table(columns, where, every[0].sha256 if len(every) == 1 else fingerprint_of(columns))
    long = replace(long, row_name=lambda at: of_row[row[at]][0].row_name(of_row[row[at]][1]))
    notes[:0] = ["the table was read as cv_results_: settings are learners, splits are folds"]
    roles = Roles({"learner": "learner", "fold": "fold"}, [], notes, [SEARCHED], measures=measures)
    scores = long_scores(long, roles, replace(request, scorer=True))
    shared = [name for name in COSTS if all(name in table.names for table in every)]
    costs = {COSTS[name]: np.concatenate([finite_numbers(table, name) for table in every]).tolist() for name in shared}
    means = {name: dict(zip(scores.learners, each, strict=True)) for name, each in costs.items()}
    scores = replace(scores, costs={**means, **scores.costs})
    return scores if any(negated_measure(each.name) for each in request.on) else of_measures(scores)


def of_measures(scores: Scores) -> Scores:
    """Scores of scikit-learn's scorers as those of the measures behind them: negated losses are turned back."""
    measure, sign = measure_of_scorer(scores.measure)
    turned = {name: measure_of_scorer(name) for name in (*scores.others, *scores.costs)}
    return replace(
        scores,
        measure=measure,
        larger_is_better=scores.larger_is_better if sign > 0 else not scores.larger_is_better,
        values=sign * scores.values,
        others={turned[name][0]: turned[name][1] * each for name, each in scores.others.items()},
        costs={
            turned[name][0]: {learner: turned[name][1] * cost for learner, cost in each.items()}
            for name, each in scores.costs.items()
        },
    )


def _of_last_iteration(tables: Mapping[str, Table], where: str) -> tuple[dict[str, Table], list[str]]:
    """Of a halving search the settings that were left at the end: those before had fewer rows, and other folds."""
    halving = [name for name, table in tables.items() if {"iter", "n_resources"} <= set(table.names)]
    if not halving:
        return dict(tables), []
    if len(tables) > 1:
        raise InputError(
            f"{halving[0]} is a halving search, which has folds of its own.",
            where,
            "judge it by itself, or give what GridSearchCV or RandomizedSearchCV found on the same folds.",
        )
    table = tables[halving[0]]
    iterations = table.numbers("iter")
    left = np.flatnonzero(iterations == iterations.max())
    if len(left) < 2:
        raise InputError(
            "one setting was left in the last iteration of the halving search; those before had fewer resources and "
            "cannot be put beside it.",
            where,
            "end with more candidates (a smaller factor, or larger min_resources), or use GridSearchCV.",
        )
    note = f"of a halving search the last iteration was read: {len(left)} of {len(table)} results"
    return {halving[0]: table.rows(left)}, [note]


def _once(table: Table, splits: Mapping[str, Sequence[str]]) -> Table:
    """The table without settings that a random search drew again, with the same results."""
    scores = np.stack([table.numbers(name) for names in splits.values() for name in names], axis=1)
    seen: dict[tuple[str, bytes], int] = {}
    for row, name in enumerate(setting_names(table)):
        seen.setdefault((name, scores[row].tobytes()), row)
    return table if len(seen) == len(table) else table.rows(np.array([*seen.values()]))


def _values(table: Table, names: Sequence[str], scorer: str) -> Array:
    """One scorer's values of all settings, split by split."""
    refuse_impossible_columns(table, names, scorer, scorer=True)
    return np.stack([finite_numbers(table, name) for name in names], axis=1).ravel()


def _refuse_other_splits(splits: Mapping[str, Mapping[str, Sequence[str]]], where: str) -> None:
    """Searches that are put together have the same scorers and equally many splits."""
    first, *others = splits
    for name in others:
        if {k: len(v) for k, v in splits[name].items()} != {k: len(v) for k, v in splits[first].items()}:
            one, two = (", ".join(f"{len(v)} splits of {k}" for k, v in splits[each].items()) for each in (first, name))
            raise InputError(
                f"{first} has {one}, and {name} has {two}.",
                f"{where}, {name}",
                "give all searches the same cv and the same scoring.",
            )


def setting_names(table: Table) -> tuple[str, ...]:
    """Return what differs between the settings in words, ``C=1 kernel=rbf``: lists of learners have commas.

    An empty cell is a parameter that the setting has not, unless ``params`` says that it is None.
    """
    columns = [name for name in table.names if name.startswith("param_")]
    if not columns:
        if "params" not in table.names:
            raise InputError(
                "no column says what the settings are.", table.source, "keep the columns param_… of cv_results_."
            )
        return tuple(table.text("params").words)
    words = {name.removeprefix("param_"): table.text(name).words for name in columns}
    whole = table.text("params").words if "params" in table.names else [""] * len(table)
    settings = [
        {name: word for name, each in words.items() if (word := each[row] or _unset(name, whole[row]))}
        for row in range(len(table))
    ]
    told = told_apart(settings)
    if not any(told):  # nothing differs
        told = [" ".join(f"{name}={word}" for name, word in setting.items()) for setting in settings]
    return tuple(each or "default" for each in told)


def _unset(name: str, setting: str) -> str:
    """The word of absence that a parameter is set to in a whole setting; "" where the setting does not name it."""
    found = re.search(rf"""['"]{re.escape(name)}['"]: (None|nan|null)""", setting)
    return "" if found is None else found[1]


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


CV_RESULTS = Layout(is_search, search_scores, keys=frozenset({"params"}))
