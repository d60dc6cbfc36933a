"""A chart exported from Weights & Biases: a step, and three columns (value, __MIN, __MAX) per run and metric."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.layout import Layout, Read
from bestofk.evidence.layouts.measure_columns import chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.programs.runs import (
    RUN_NAME,
    learner_column,
    refuse_empty_runs,
    refuse_nameless,
    runs_say_learners,
    spoken,
    with_names,
)
from bestofk.tables.columns import Words
from bestofk.tables.table import Column, Numbers, Table

_BETWEEN = " - "
_ENDS = ("__MIN", "__MAX")
#: What a line that is the mean of a group is called: "Group: adam", "Grouped runs", "Grouped runs (adam)".
_GROUP = re.compile(r"group: .*|grouped runs\b.*", re.IGNORECASE)


def is_chart(names: Sequence[str]) -> bool:
    """Whether columns are ``run - metric``: one has a ``run - metric__MIN``, or all follow a step, with one metric."""
    if any(n.endswith(_ENDS[0]) and _BETWEEN in n and n.removesuffix(_ENDS[0]) in names for n in names):
        return True
    drawn = [name for name in names if _BETWEEN in name]
    metrics = {name.rsplit(_BETWEEN, 1)[-1] for name in drawn}
    return len(drawn) > 1 and len(metrics) == 1 and len(drawn) == len(names) - 1 and "step" in roles_of_name(names[0])


def is_chart_name(path: str | Path) -> bool:
    """Whether a file is called as the page calls its exports, which says nothing about the learner."""
    return Path(path).name.startswith("wandb_export")


def charts_by_run(tables: Sequence[Table], request: Request) -> tuple[list[Table], Request]:
    """Turn charts into long tables before files are joined: their columns are runs, which no two files share."""
    if not all(is_chart(table.names) for table in tables):
        return list(tables), request
    read = [long_table_from_chart(table, request) for table in tables]
    notes = tuple(dict.fromkeys(note for _, _, said in read for note in said))
    return [table for table, _, _ in read], replace(read[0][1], notes=notes)


def long_table_from_chart(table: Table, request: Request) -> Read:
    """Return one row per run and step of the chosen metric; an empty cell is a step that the run did not log."""
    drawn = [name for name in table.names if _BETWEEN in name and not name.endswith(_ENDS)]
    parts = {name: tuple(name.rsplit(_BETWEEN, 1)) for name in drawn}
    step = next((name for name in table.names if _BETWEEN not in name and table.is_numeric(name)), None)
    if step is None:
        raise InputError("no column has the steps.", table.source, "export the chart again, with its x axis.")
    metrics = list(dict.fromkeys(metric for _, metric in parts.values() if not metric.startswith("_")))
    metric = chosen_metric(metrics, request, table.source)
    kept = [name for name in drawn if parts[name][1] == metric]
    _refuse_groups(table, kept)
    there = [np.flatnonzero(~np.isnan(table.numbers(name))) for name in kept]
    refuse_empty_runs([parts[name][0] for name, rows in zip(kept, there, strict=True) if not len(rows)], metric, table)
    rows = np.concatenate(there)
    owner = np.repeat(np.arange(len(kept)), [len(each) for each in there])
    values = np.concatenate([table.numbers(name)[each] for name, each in zip(kept, there, strict=True)])
    columns: dict[str, Column] = {
        RUN_NAME: Words().column([parts[kept[i]][0] for i in owner]),
        "step": Numbers(table.numbers(step)[rows]),
        spoken(metric): Numbers(values),
    }
    long = replace(
        table,
        columns=columns,
        row_name=lambda row: f"{table.row_name(int(rows[row]))}, column {kept[int(owner[row])]}",
        source_of=None,
    )
    return long, replace(request, measure=spoken(metric)), _notes(table, metric, step)


def _notes(table: Table, metric: str, step: str) -> list[str]:
    ends = "; __MIN and __MAX were not used" if any(name.endswith(_ENDS) for name in table.names) else ""
    notes = [f"columns 'run - {metric}' were read as one run each{ends}"]
    return notes if plain(step) == "step" else [*notes, f"{step!r} was read as the step"]


def _refuse_groups(table: Table, drawn: list[str]) -> None:
    """A line of a group is the mean of its runs; with a single run its smallest and largest are the mean."""
    for name in drawn:
        if _GROUP.fullmatch(name.rsplit(_BETWEEN, 1)[0]) and not _is_one_run(table, name):
            raise InputError(
                f"{name!r} is the mean of a group of runs, not a run.",
                table.where(column=name),
                "undo the grouping in Weights & Biases and export the chart again: whole curves of single runs "
                "are compared.",
            )


def _is_one_run(table: Table, name: str) -> bool:
    ends = [name + end for end in _ENDS if name + end in table.columns]
    same = [np.array_equal(table.numbers(end), table.numbers(name), equal_nan=True) for end in ends]
    return len(ends) == len(_ENDS) and all(same)


_STEP = "_step"
#: Steps that programs log beside that of Weights & Biases.
_OTHER_STEPS = frozenset({"step", "global_step", "epoch", "iteration"})


def is_history(names: Sequence[str]) -> bool:
    """Whether the table has the column ``_step`` that Weights & Biases adds to every row."""
    return _STEP in names


def long_table_from_history(table: Table, request: Request) -> Read:
    """Return one row per run and step that has the chosen metric, without clocks, other steps and numbers of rows."""
    names = {plain(name): name for name in table.names}
    name = next((names[each] for each in ("run_name", "name", "display_name") if each in names), None)
    run_id = names.get("run_id", names.get("id"))
    keys = [each for each in (learner_column(table), name, *_runs(table)) if each is not None]
    metric = chosen_metric(_metrics(table, [*keys, run_id or ""]), request, table.source)
    rows = np.flatnonzero(~np.isnan(table.numbers(metric)))
    teller = run_id or name
    if teller is not None:
        words = table.text(teller)
        left = set(np.asarray(words.codes)[rows].tolist())
        refuse_empty_runs([each for code, each in enumerate(words.categories) if code not in left], metric, table)
    own = [] if run_id is None or _runs(table) else [run_id]
    kept = list(dict.fromkeys([*keys, *own, _STEP, metric]))
    called = {_STEP: "step", metric: spoken(metric), **dict.fromkeys(own, "run")}
    long = table.rows(rows).only({each: called.get(each, each) for each in kept})
    notes = _note_histories(table, kept, metric, len(table) - len(rows))
    if learner_column(table) is not None:
        name = None
    elif name is None and runs_say_learners(long) is None:
        raise _nameless(table, run_id)
    request = replace(request, measure=spoken(metric))
    return with_names(long, request, notes, name=name, run_id=None if run_id is None else "run")


def _nameless(table: Table, run_id: str | None) -> InputError:
    if run_id is not None:
        return refuse_nameless(table, run_id)
    return InputError(
        "this is the history of one run of Weights & Biases, and nothing names the learner.",
        table.source,
        "give the files of all runs (ppo_seed1.csv, ppo_seed2.csv …), or a table with a column run_name.",
    )


def _runs(table: Table) -> list[str]:
    """Columns that tell runs apart, other than their identifiers."""
    found = [n for n in table.names if set(roles_of_name(n)) & {"replication", "fold", "dataset"}]
    return [name for name in found if plain(name) != "run_id"]


def _metrics(table: Table, keys: list[str]) -> list[str]:
    rest = [n for n in table.names if n not in keys and not n.startswith("_") and not _is_step_or_index(n)]
    return [name for name in rest if table.is_mostly_numeric(name) and not table.is_blank(name)]


def _is_step_or_index(name: str) -> bool:
    return plain(name.rsplit("/", 1)[-1]) in _OTHER_STEPS or name.startswith("unnamed") or name == "index"


def _note_histories(table: Table, kept: list[str], metric: str, blank: int) -> list[str]:
    beside = [name for name in table.names if name not in kept and (name.startswith("_") or _is_step_or_index(name))]
    notes = [f"{_STEP!r} is the step"]
    if beside:
        notes[0] += f": {listed([repr(name) for name in beside])} {'were' if len(beside) > 1 else 'was'} not used"
    return [*notes, f"{blank} rows without {metric} were not used"] if blank else notes


def _from_chart(table: Table, request: Request) -> Read:
    return with_names(*long_table_from_chart(table, request), name=RUN_NAME)


WANDB_CHART = Layout(is_chart, _from_chart)
WANDB_HISTORY = Layout(is_history, long_table_from_history)
