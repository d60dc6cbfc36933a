"""Logs of training as TensorBoard, MLflow, Keras, Lightning and Weights & Biases write them, as long tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.columns import has_role, roles_of_name
from bestofk.evidence.layouts.grid import places_within
from bestofk.evidence.layouts.layout import Layout, Read
from bestofk.evidence.layouts.measure_columns import chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.measures.catalogue import spoken
from bestofk.tables.columns import Words
from bestofk.tables.table import Column, Numbers, Table

RUN_NAME = "run_name"
#: How TensorBoard calls the file of a run and a metric.
TAGGED = re.compile(r"(?:run-)?(?P<run>.*)-tag-(?P<tag>.+)", re.IGNORECASE)


def with_names(
    table: Table,
    request: Request,
    notes: list[str],
    *,
    name: str | None = None,
    run_id: str | None = None,
    files: bool = True,
) -> Read:
    """Take the column ``name``, or ``run``, for learner and run, or for the run where another names the learner.

    Where names do not say which run they are of, each is a learner; a column of identifiers then tells its runs apart.
    Without such a column the names of ``files``, which are in the column learner, may say both.
    """
    learner = learner_column(table)
    name = name or runs_say_learners(table)
    if name is None or (learner is not None and has_role(table.names, "replication", "fold")):
        return _divided(table, request, notes, "file") if files else (table, request, notes)
    said = f"run names such as {table.text(name).categories[0]!r} were read as"
    if learner is not None:
        return table.renamed({name: "run"}), request, [*notes, f"{said} runs"]
    if learners_and_runs(table.text(name).categories) is None:
        return table.renamed({name: "learner"}), request, [*notes, f"{said} learners"]
    without = table if run_id in (None, name) else table.without([str(run_id)])
    return _divided(without.renamed({name: "learner"}), request, notes, "run")


def _divided(table: Table, request: Request, notes: list[str], what: str) -> Read:
    """Divide the names in the column learner into learner and run, where they say both."""
    learner = learner_column(table)
    words = None if learner is None or has_role(table.names, "replication", "fold") else table.text(learner)
    parts = None if words is None else learners_and_runs(words.categories)
    if learner is None or words is None or parts is None:
        return table, request, notes
    columns = {name: words.renamed(part[at] for part in parts) for at, name in enumerate(("learner", "run"))}
    first = f"the {what} name {words.categories[0]!r} was read as learner {parts[0][0]!r}, run {parts[0][1]!r}"
    return table.without([learner]).with_columns(columns, first=True), request, [*notes, first]


def runs_say_learners(table: Table) -> str | None:
    """The column ``run`` of a table without learners, where the runs' names are of several: ppo-seed1, dqn-seed1."""
    name = next((each for each in table.names if plain(each) == "run" and not table.is_numeric(each)), None)
    if name is None or learner_column(table) is not None:
        return None
    parts = learners_and_runs(table.text(name).categories)
    return name if parts is not None and len({learner for learner, _ in parts}) > 1 else None


def refuse_nameless(table: Table) -> InputError:
    """The error for runs of which nothing names the learner."""
    return InputError(
        "nothing says which learner each run is of.",
        table.source,
        "add a column learner or run_name (ppo-seed1, ppo-seed2 …), or give the files of all runs: {learner: path}, or "
        "named so (ppo_seed1.csv …).",
    )


_SAID = re.compile(r"(.+?)[\s._/-]+(?:random_?)?(?:seed|run|fold|rep|repeat|trial|version|split)[\s._=-]*(\d+)", re.I)
_NUMBERED = re.compile(r"(.+?)[\s._/-]+(\d+)")
#: What loggers put after the name of a run: which of its data a curve is on.
_PART = re.compile(r"(.+?)[\s._/-]+(train|validation|valid|val|eval|evaluation|test)", re.I)


def learners_and_runs(names: Sequence[str]) -> tuple[tuple[str, str], ...] | None:
    """Split names into learner and run, or return None where each name is a learner of its own.

    A word says so (ppo-seed3, lda_fold_2); mere numbers do when every learner has the same ones, at least two. An end
    that all names share (ppo_seed3_validation) is passed over.

    Examples
    --------
    >>> learners_and_runs(["ppo_1", "ppo_2", "dqn_1", "dqn_2"])
    (('ppo', '1'), ('ppo', '2'), ('dqn', '1'), ('dqn', '2'))
    >>> learners_and_runs(["resnet-18", "resnet-50"])
    """
    names = _without_part(names)
    said = [_SAID.fullmatch(name) for name in names]
    if all(said):
        return _parts(said)
    numbered = _parts([_NUMBERED.fullmatch(name) for name in names])
    if numbered is None:
        return None
    runs: dict[str, set[str]] = {}
    for learner, run in numbered:
        runs.setdefault(learner, set()).add(run)
    same = len({frozenset(each) for each in runs.values()}) == 1
    return numbered if same and len(runs) > 1 and min(map(len, runs.values())) > 1 else None


def is_run_name(name: str) -> bool:
    """Whether a name is that of a run and nothing else.

    Examples
    --------
    >>> is_run_name("seed1"), is_run_name("version_0"), is_run_name("ppo_seed1"), is_run_name("cifar-10")
    (True, True, False, False)
    """
    match = _SAID.fullmatch(f"a/{name}")
    return match is not None and match[1] == "a"


def _without_part(names: Sequence[str]) -> list[str]:
    matches = [_PART.fullmatch(name) for name in names]
    found = [match for match in matches if match is not None]
    same = len(found) == len(names) and len({match[2].lower() for match in found}) == 1
    return [match[1] for match in found] if same else list(names)


def _parts(matches: Sequence[re.Match[str] | None]) -> tuple[tuple[str, str], ...] | None:
    parts = tuple((match[1], match[2]) for match in matches if match is not None)
    return parts if len(parts) == len(matches) and len(set(parts)) == len(parts) else None


def refuse_empty_runs(runs: Sequence[str], metric: str, table: Table) -> None:
    """A run that logged nothing has crashed or diverged: leaving it out unsaid would flatter its learner."""
    if runs:
        others = f" and {len(runs) - 1} more" if len(runs) > 1 else ""
        raise InputError(
            f"run {runs[0]!r}{others} has no value of {metric}.",
            table.source,
            "take it out of the export, and say so where you report, or log its values.",
        )


def learner_column(table: Table) -> str | None:
    """The column that names the learner and nothing else."""
    return next((name for name in table.names if roles_of_name(name) == ("learner",)), None)


def with_runs_named(table: Table, request: Request) -> Read:
    """Return a table with steps as one whose columns name learner and run, with notes; any other table as it is."""
    table, notes = _with_epochs(table) if request.one_file_each else (table, [])
    if not has_role(table.names, "step") or has_role(table.names, "item"):
        return table, request, []
    return _by_names(table, request, notes)


def _by_names(table: Table, request: Request, notes: list[str]) -> Read:
    """A table with steps: names of files or of runs say the learner where no column does."""
    names = _plain_names(table)
    run = {"name": names.get(RUN_NAME), "run_id": names.get("run_id")}
    return with_names(table, request, notes, files=request.one_file_each, **run)


def _plain_names(table: Table) -> dict[str, str]:
    return {plain(name): name for name in table.names}


def is_tensorboard(names: Sequence[str]) -> bool:
    """Whether the columns are those of the table of a run that TensorBoard's page saves."""
    return {"wall_time", "step", "value"} <= set(map(plain, names))


def _from_tensorboard(table: Table, request: Request) -> Read:
    names = _plain_names(table)
    learner = learner_column(table)
    if learner is None:
        raise refuse_nameless(table)
    words = table.text(learner)
    parts = [TAGGED.fullmatch(word) for word in words.categories]
    tags = list(dict.fromkeys(part["tag"] for part in parts if part is not None))
    if len(tags) > 1:
        measure = chosen_metric(tags, request, table.source)
    else:
        measure = request.measure or (tags[0] if tags else "value")
    kept = [i for i, part in enumerate(parts) if part is None or len(tags) < 2 or plain(part["tag"]) == plain(measure)]
    named = words.renamed(w if part is None else part["run"] for w, part in zip(words.categories, parts, strict=True))
    rows = np.flatnonzero(np.isin(words.codes, kept))
    runs = {name: name for name in table.names if "replication" in roles_of_name(name)}
    long = table.only({learner: "learner", **runs, names["step"]: "step", names["value"]: measure}).rows(rows)
    long = long.with_columns({"learner": named[rows]})
    notes = [f"{names['value']!r} was read as {measure}, {names['wall_time']!r} was not used"]
    return with_names(long, replace(request, measure=measure), notes)


def is_lightning(names: Sequence[str]) -> bool:
    """Whether both epoch and step are there, as in the log of Lightning."""
    return {"epoch", "step"} <= set(map(plain, names))


_KEYS = frozenset({"fold", "replication", "dataset", "item", "truth", "step"})


def _with_epochs(table: Table) -> tuple[Table, list[str]]:
    """Number the rows of every learner from 0 where a metric stands beside its twin on validation data, val_loss.

    Scores of folds have no such twins; a file of runs has one learner and no key but an index without a name.
    """
    learner = learner_column(table)
    names = {plain(name) for name in table.names}
    twins = any(name.startswith("val_") and name.removeprefix("val_") in names for name in names)
    if learner is None or not twins or has_role(table.names, *_KEYS):
        return table, []
    places = places_within(table.text(learner).codes).astype(np.float64)
    index = next((name for name in table.names if name.startswith("unnamed") or name == "index"), None)
    if index is not None and not (table.is_numeric(index) and np.array_equal(table.numbers(index), places)):
        return table, []
    return table.without([index or ""]).with_columns({"epoch": Numbers(places)}), ["rows were read as epochs, from 0"]


def is_mlflow(names: Sequence[str]) -> bool:
    """Whether the columns are those of metrics in MLflow: run_id, key or metric, value, step."""
    known = set(map(plain, names))
    return {"run_id", "value", "step"} <= known and bool({"key", "metric"} & known)


def long_table_from_mlflow(table: Table, request: Request) -> Read:
    """Return one row per run and step of the chosen metric."""
    names = _plain_names(table)
    if "group" in names and "run" not in names and "run_name" not in names:
        raise InputError(
            "the runs of this chart are grouped: each line is the mean of a group, not a run.",
            table.where(column=names["group"]),
            "undo the grouping in MLflow and download the chart again: whole curves of single runs are compared.",
        )
    which = names.get("key", names.get("metric", ""))
    metric = chosen_metric(table.text(which).categories, request, table.source)
    table = table.rows_with(which, metric)
    measure = spoken(metric)
    _refuse_one_step(table, names, measure)
    learner, name = learner_column(table), names.get("run_name", names.get("run"))
    if learner is None and name is None:
        raise refuse_nameless(table)
    called = {name or "": RUN_NAME} if learner is None else {learner: "learner"}
    long = table.only({**called, names["run_id"]: "run", names["step"]: "step", names["value"]: measure})
    notes = [f"{names['value']!r} was read as {measure}, the metric in {which!r}"]
    named = RUN_NAME if learner is None else None
    return with_names(long, replace(request, measure=measure), notes, name=named, run_id="run")


def _refuse_one_step(table: Table, names: dict[str, str], measure: str) -> None:
    """Metrics that were logged without a step are all at step 0, and their order is lost."""
    runs, steps = (table.text(names[role]).used for role in ("run_id", "step"))
    if len(table) > len(runs) and len(steps) == 1:
        raise InputError(
            f"all {len(table)} values of {measure} are at one step: they were logged without one.",
            table.where(column=names["step"]),
            f"log with a step: mlflow.log_metric({measure!r}, value, step=epoch); or number the rows of each run.",
        )


TENSORBOARD = Layout(is_tensorboard, _from_tensorboard)
MLFLOW = Layout(is_mlflow, long_table_from_mlflow)


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
    return (
        long,
        replace(request, measure=spoken(metric)),
        [f"columns 'run - {metric}' were read as one run each, {step!r} was read as the step"],
    )


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
    names = _plain_names(table)
    step = _STEP if is_history(table.names) else names["step"]
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
    kept = list(dict.fromkeys([*keys, *own, step, metric]))
    called = {step: "step", metric: spoken(metric), **dict.fromkeys(own, "run")}
    long = table.rows(rows).only({each: called.get(each, each) for each in kept})
    blank = len(table) - len(rows)
    notes = [f"{step!r} is the step", *([f"{blank} rows without {metric} were not used"] if blank else [])]
    if learner_column(table) is not None:
        name = None
    elif name is None and runs_say_learners(long) is None:
        raise refuse_nameless(table)
    request = replace(request, measure=spoken(metric))
    files = request.one_file_each or step == _STEP
    return with_names(long, request, notes, name=name, run_id=None if run_id is None else "run", files=files)


def _runs(table: Table) -> list[str]:
    """Columns that tell runs apart, other than their identifiers."""
    found = [n for n in table.names if set(roles_of_name(n)) & {"replication", "fold", "dataset"}]
    return [name for name in found if plain(name) != "run_id"]


def _metrics(table: Table, keys: list[str]) -> list[str]:
    rest = [n for n in table.names if n not in keys and not n.startswith("_") and not _is_step_or_index(n)]
    return [name for name in rest if table.is_mostly_numeric(name) and not table.is_blank(name)]


def _is_step_or_index(name: str) -> bool:
    return plain(name.rsplit("/", 1)[-1]) in _OTHER_STEPS or name.startswith("unnamed") or name == "index"


def _from_chart(table: Table, request: Request) -> Read:
    return with_names(*long_table_from_chart(table, request), name=RUN_NAME)


WANDB_CHART = Layout(is_chart, _from_chart)
WANDB_HISTORY = Layout(is_history, long_table_from_history)
LIGHTNING = Layout(is_lightning, long_table_from_history)
