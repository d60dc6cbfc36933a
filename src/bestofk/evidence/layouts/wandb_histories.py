"""Histories of runs from the client of Weights & Biases: a column ``_step``, clocks beside it, blanks between."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.log_columns import (
    Read,
    chosen_metric,
    learner_column,
    refuse_empty_runs,
    spoken,
    taken,
    with_columns,
)
from bestofk.evidence.layouts.named_runs import (
    refuse_nameless,
    runs_say_learners,
    with_learner_and_run,
    with_named_runs,
)
from bestofk.evidence.layouts.request import Request
from bestofk.tables.table import Table

_STEP = "_step"
#: Steps that programs log beside that of Weights & Biases.
_OTHER_STEPS = frozenset({"step", "global_step", "epoch", "iteration"})


def is_history(table: Table) -> bool:
    """Whether the table has the column ``_step`` that Weights & Biases adds to every row."""
    return _STEP in table.names


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
    kept = dict.fromkeys([*keys, *([run_id] if run_id is not None and not _runs(table) else []), _STEP, metric])
    called = {_STEP: "step", metric: spoken(metric), **({run_id: "run"} if run_id is not None else {})}
    columns = {called.get(each, each): taken(table, each, rows) for each in kept}
    long = with_columns(table, columns, rows)
    notes = _notes(table, list(kept), metric, len(table) - len(rows))
    request = replace(request, measure=spoken(metric))
    if learner_column(table) is not None:
        return with_learner_and_run(long, request, notes, "file")
    if name is not None:
        return with_named_runs(long, request, notes, name, "run" if "run" in columns and run_id is not None else None)
    said = runs_say_learners(long)
    if said is not None:
        return with_named_runs(long, request, notes, said)
    if run_id is not None:
        raise refuse_nameless(table, run_id)
    raise InputError(
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
    return [name for name in rest if table.is_numeric(name) and not np.isnan(table.numbers(name)).all()]


def _is_step_or_index(name: str) -> bool:
    return plain(name.rsplit("/", 1)[-1]) in _OTHER_STEPS or name.startswith("unnamed") or name == "index"


def _notes(table: Table, kept: list[str], metric: str, blank: int) -> list[str]:
    beside = [name for name in table.names if name not in kept and (name.startswith("_") or _is_step_or_index(name))]
    notes = [f"{_STEP!r} is the step"]
    if beside:
        notes[0] += f": {listed([repr(name) for name in beside])} {'were' if len(beside) > 1 else 'was'} not used"
    return [*notes, f"{blank} rows without {metric} were not used"] if blank else notes
