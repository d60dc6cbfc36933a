"""A chart exported from Weights & Biases: a step, and three columns (value, __MIN, __MAX) per run and metric."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.evidence.columns import plain
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.object_tables import words_column
from bestofk.evidence.table import Numbers, Table

_BETWEEN = " - "
_ENDS = ("__MIN", "__MAX")


def is_wandb(table: Table) -> bool:
    """Whether some column is called ``run - metric__MIN`` beside one called ``run - metric``."""
    return any(
        name.endswith(_ENDS[0]) and _BETWEEN in name and name.removesuffix(_ENDS[0]) in table.columns
        for name in table.names
    )


def long_table_from_wandb(table: Table, request: Request) -> tuple[Table, Request, list[str]]:
    """Return one row per run and step of the chosen metric; an empty cell is a step that the run did not log."""
    drawn = [name for name in table.names if _BETWEEN in name and not name.endswith(_ENDS)]
    parts = {name: tuple(name.rsplit(_BETWEEN, 1)) for name in drawn}
    step = next((name for name in table.names if _BETWEEN not in name and table.is_numeric(name)), None)
    if step is None:
        raise InputError("no column has the steps.", table.source, "export the chart again, with its x axis.")
    metrics = list(dict.fromkeys(metric for _, metric in parts.values() if not metric.startswith("_")))
    measure = _chosen(metrics, request, table)
    kept = [name for name in drawn if parts[name][1] == measure]
    steps = table.numbers(step)
    there = [np.flatnonzero(~np.isnan(table.numbers(name))) for name in kept]
    rows = np.concatenate(there)
    owner = np.repeat(np.arange(len(kept)), [len(each) for each in there])
    names = words_column([parts[kept[i]][0] for i in owner])
    values = np.concatenate([table.numbers(name)[each] for name, each in zip(kept, there, strict=True)])
    short = measure.rsplit("/", 1)[-1]
    long = replace(
        table,
        columns={"learner": names, "step": Numbers(steps[rows]), short: Numbers(values)},
        row_name=lambda row: f"{table.row_name(int(rows[row]))}, column {kept[int(owner[row])]}",
        source_of=None,
    )
    notes = [f"columns 'run - {measure}' were read as one run each; __MIN and __MAX were not used"]
    if plain(step) != "step":
        notes.append(f"{step!r} was read as the step")
    return long, replace(request, measure=short), notes


def _chosen(metrics: list[str], request: Request, table: Table) -> str:
    if request.measure is not None:
        for name in metrics:
            if plain(request.measure) in (plain(name), plain(name.rsplit("/", 1)[-1])):
                return name
        raise unknown(request.measure, metrics, what="measure", where=table.source)
    if len(metrics) != 1:
        raise InputError(
            f"there are {len(metrics)} measures: {', '.join(metrics)}.",
            table.source,
            f"say which: --measure {metrics[0]} (measure={metrics[0]!r}).",
        )
    return metrics[0]
