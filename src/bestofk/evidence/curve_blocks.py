"""Learning curves that were collected: growing training sizes within folds, on one data set or on several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.evidence.curve_shares import shares_of
from bestofk.evidence.curves import Curves
from bestofk.evidence.origin import Origin

SHARES = "training sizes are shares of each data set's largest: the same shares were taken on all data sets"


def curves_by_size(values: Array, sizes: Mapping[str, Array], facts: Mapping[str, Any], where: str) -> Curves:
    """Return curves from (learners, data sets, replications, folds), where folds run through the sizes of training.

    Every replication and fold is a run. Data sets are blocks, and their sizes, which differ, are taken as shares.
    """
    for name, own in sizes.items():
        if len(own) == 0 or values.shape[-1] % len(own):
            raise _damaged(name, values.shape[-1], len(own), where)
    steps = _steps(sizes, where)
    parts = [values[:, place].reshape(len(values), -1, len(steps)) for place in range(len(sizes))]
    runs = _runs(values, len(steps))
    named: dict[str, Any] = {**facts, "steps": tuple(steps.astype(float)), "runs": (tuple(runs),) * len(values)}
    if len(sizes) > 1:
        named["runs"] = (tuple(f"{name}/{run}" for name in sizes for run in runs),) * len(values)
        named["datasets"] = (tuple(name for name in sizes for _ in runs),) * len(values)
        origin: Origin = facts["origin"]
        named["origin"] = replace(origin, notes=(*origin.notes, SHARES))
    return Curves(values=tuple(np.concatenate(parts, axis=1)), **named)


def _steps(sizes: Mapping[str, Array], where: str) -> Array:
    """The sizes of the only data set, or the shares that all data sets have."""
    first = next(iter(sizes.values()))
    if len(sizes) == 1:
        return first
    shares = shares_of(sizes)
    if shares is not None and not shares.lines:
        return shares.steps
    raise InputError(
        "the data sets of the plan have training sizes that are no equal shares.",
        where,
        "make one plan per data set.",
    )


def _runs(values: Array, points: int) -> list[str]:
    replications, folds = values.shape[-2:]
    return [f"{r + 1}.{f + 1}" for r in range(replications) for f in range(folds // points)]


def _damaged(dataset: str, folds: int, sizes: int, where: str) -> InputError:
    if sizes == 0:
        return InputError(f"there is no result on {dataset}.", where, "run bestofk collect to the end.")
    return InputError(
        f"{folds} folds do not fit {sizes} training sizes on {dataset}.",
        where,
        "the store is damaged: bestofk store verify.",
    )
