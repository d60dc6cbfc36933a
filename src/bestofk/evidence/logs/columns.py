"""What the logs of all programs share: the metric that is asked for, rows that are kept, columns with a role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.request import Request
from bestofk.measures.catalogue import is_larger_better
from bestofk.tables.table import Column, Numbers, Table, Text

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
