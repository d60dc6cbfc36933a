"""What the logs of all programs share: the metric asked for, and names of runs that say the learner and the run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.request import Request
from bestofk.measures.catalogue import is_larger_better
from bestofk.tables.columns import Words
from bestofk.tables.table import Column, Numbers, Table, Text

RUN_NAME = "run_name"


def with_learner_and_run(table: Table, request: Request, notes: list[str], what: str) -> Read:
    """Divide the names in the column learner into learner and run, where they say both."""
    learner = learner_column(table)
    if learner is None or has_run(table):
        return table, request, notes
    words = table.text(learner)
    parts = learners_and_runs(words.categories)
    if parts is None:
        return table, request, notes
    columns = {
        "learner": Words().column([parts[code][0] for code in words.codes]),
        "run": Words().column([parts[code][1] for code in words.codes]),
        **{name: each for name, each in table.columns.items() if name != learner},
    }
    first = f"the {what} name {words.categories[0]!r} was read as learner {parts[0][0]!r}, run {parts[0][1]!r}"
    return replace(table, columns=columns), request, [*notes, first]


def with_named_runs(table: Table, request: Request, notes: list[str], name: str, run_id: str | None = None) -> Read:
    """Take a column of names of runs for learner and run, or for the run alone where another names the learner.

    Where names do not say which run they are of, each is a learner; a column of identifiers then tells its runs apart.
    """
    if learner_column(table) is not None:
        if has_run(table):
            return table, request, notes
        return _renamed(table, name, "run"), request, [*notes, _said(table, name, "runs")]
    parts = learners_and_runs(table.text(name).categories)
    if parts is None:
        return _renamed(table, name, "learner"), request, [*notes, _said(table, name, "learners")]
    without = table if run_id is None else without_columns(table, [run_id])
    return with_learner_and_run(_renamed(without, name, "learner"), request, notes, "run")


def runs_say_learners(table: Table) -> str | None:
    """The column ``run`` of a table without learners, where the runs' names are of several: ppo-seed1, dqn-seed1."""
    name = next((each for each in table.names if plain(each) == "run" and not table.is_numeric(each)), None)
    if name is None or learner_column(table) is not None:
        return None
    parts = learners_and_runs(table.text(name).categories)
    return name if parts is not None and len({learner for learner, _ in parts}) > 1 else None


def refuse_nameless(table: Table, run_id: str) -> InputError:
    """The error for runs that have identifiers and no names."""
    return InputError(
        f"{run_id} names the runs, and nothing says which learner each is of.",
        table.source,
        "add a column learner or run_name (ppo-seed1, ppo-seed2 …), or give one file per learner: {learner: path}.",
    )


def _said(table: Table, name: str, what: str) -> str:
    return f"run names such as {table.text(name).categories[0]!r} were read as {what}"


def _renamed(table: Table, old: str, new: str) -> Table:
    return replace(table, columns={(new if name == old else name): each for name, each in table.columns.items()})


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


def _without_part(names: Sequence[str]) -> list[str]:
    matches = [_PART.fullmatch(name) for name in names]
    found = [match for match in matches if match is not None]
    same = len(found) == len(names) and len({match[2].lower() for match in found}) == 1
    return [match[1] for match in found] if same else list(names)


def _parts(matches: Sequence[re.Match[str] | None]) -> tuple[tuple[str, str], ...] | None:
    parts = tuple((match[1], match[2]) for match in matches if match is not None)
    return parts if len(parts) == len(matches) and len(set(parts)) == len(parts) else None


Rows = npt.NDArray[np.intp]
#: A log as a long table, what is asked of it, and what is said back about the reading.
Read = tuple[Table, Request, list[str]]


def refuse_empty_runs(runs: Sequence[str], metric: str, table: Table) -> None:
    """A run that logged nothing has crashed or diverged: leaving it out unsaid would flatter its learner."""
    if runs:
        others = f" and {len(runs) - 1} more" if len(runs) > 1 else ""
        raise InputError(
            f"run {runs[0]!r}{others} has no value of {metric}.",
            table.source,
            "take it out of the export, and say so where you report, or log its values.",
        )


def chosen_metric(metrics: Sequence[str], request: Request, where: str) -> str:
    """Return the metric asked for, by its name (``val/acc``, ``val_acc``) or its end (``acc``), or the only one."""
    if request.measure is not None:
        asked = _joined(request.measure)
        whole = [name for name in metrics if _joined(name) == asked]
        ends = [name for name in metrics if plain(_end(name)) == asked]
        if whole or len(ends) == 1:
            return (whole or ends)[0]
        if not ends:
            raise unknown(request.measure, list(metrics), what="measure", where=where)
        metrics = ends
    if len(metrics) == 1 or (metrics and request.on):
        return metrics[0]
    if not metrics:
        raise InputError("no column holds a metric.", where, "log a metric beside the step.")
    raise InputError(
        f"there are {len(metrics)} measures: {', '.join(metrics)}.",
        where,
        f"say which: --measure {metrics[0]} (measure={metrics[0]!r}).",
    )


def spoken(metric: str) -> str:
    """A metric without the slash that loggers put after its group, so that its direction is known where it can be.

    Examples
    --------
    >>> spoken("val/loss"), spoken("train/loss"), spoken("charts/tastiness"), spoken("f1")
    ('val_loss', 'loss', 'charts_tastiness', 'f1')
    """
    if "/" not in metric:
        return metric
    ways = (metric.replace("/", "_"), _end(metric))
    return next((name for name in ways if is_larger_better(name) is not None), ways[0])


def _joined(name: str) -> str:
    return plain(name.replace("/", "_"))


def _end(metric: str) -> str:
    return metric.rsplit("/", 1)[-1]


def learner_column(table: Table) -> str | None:
    """The column that names the learner and nothing else."""
    return next((name for name in table.names if roles_of_name(name) == ("learner",)), None)


def has_run(table: Table) -> bool:
    """Whether a column tells the runs of a learner apart."""
    return any(set(roles_of_name(name)) & {"replication", "fold"} for name in table.names)


def has_step(table: Table) -> bool:
    """Whether a column has the steps of training."""
    return any("step" in roles_of_name(name) for name in table.names)


def taken(table: Table, name: str, rows: Rows) -> Column:
    """Some rows of a column."""
    column = table.column(name)
    return Text(column.codes[rows], column.categories) if isinstance(column, Text) else Numbers(column.values[rows])


def with_columns(table: Table, columns: dict[str, Column], rows: Rows) -> Table:
    """A table of these columns, which are some rows of another, with the names that they have there."""
    return replace(
        table,
        columns=columns,
        row_name=lambda row: table.row_name(int(rows[row])),
        source_of=None if table.source_of is None else lambda row: table.file_of(int(rows[row])),
    )


def without_columns(table: Table, gone: Sequence[str]) -> Table:
    """The table without some columns."""
    return replace(table, columns={name: each for name, each in table.columns.items() if name not in gone})
