"""The series of cells that a plan consists of: every learner on every data set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from bestofk.design.plan.cell import CellKey, kept_in_cells
from bestofk.stores.store import PlanRecord

#: A name and a fingerprint.
Named = tuple[str, str]


def series_keys(
    learners: Sequence[Named],
    datasets: Sequence[Named],
    folds: str,
    seed: int,
    measures: Iterable[str],
    keep_predictions: bool,
    replications: int = 0,
) -> list[CellKey]:
    """Return the key of every learner on every data set, learners of the first data set first."""
    kept = kept_in_cells(measures, keep_predictions)
    return [
        CellKey(*dataset, *learner, folds, seed, 0, replications, kept) for dataset in datasets for learner in learners
    ]


def keys_of_plan(wanted: dict[str, Any]) -> list[CellKey]:
    """Return the keys of the plan whose canonical form this is."""
    learners, datasets = (
        [(each["name"], each["fingerprint"]) for each in wanted[kind]] for kind in ("learners", "datasets")
    )
    kept = (wanted["folds"], wanted["seed"], wanted["measures"], wanted["keep_predictions"])
    return series_keys(learners, datasets, *kept, wanted.get("replications", 0))


def series_of_record(record: PlanRecord) -> list[str] | None:
    """The series of a recorded plan; None where its text does not say."""
    try:
        return [key.series for key in keys_of_plan(json.loads(record.text))]
    except (ValueError, KeyError, TypeError):
        return None
