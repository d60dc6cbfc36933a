"""A plan for cells that came from a table without one, so that they are judged like those of any store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from bestofk.design.plan.cell import CellKey
from bestofk.stores.store import PlanRecord, Store

#: Stands for the fingerprint of what a table does not describe.
IMPORTED = "imported"


def plans_of_imported(store: Store) -> Iterator[PlanRecord]:
    """One plan for all cells that were divided and measured alike."""
    kinds: dict[tuple[str, str], list[CellKey]] = {}
    for each in store.finished():
        kinds.setdefault((each.key.folds, each.key.measures), []).append(each.key)
    for (folds, measures), keys in kinds.items():
        text = json.dumps(_wanted(folds, measures, keys), sort_keys=True, indent=1, ensure_ascii=False)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        yield PlanRecord(hashlib.sha256(text.encode()).hexdigest(), text, now)


def _wanted(folds: str, measures: str, keys: list[CellKey]) -> dict[str, Any]:
    """What such a plan asks for, in the canonical form of plans."""
    return {
        "learners": _named([key.learner for key in keys]),
        "datasets": _named([key.dataset for key in keys]),
        "folds": folds,
        "replications": max(key.stop for key in keys),
        "folds_per_replication": int(folds.rpartition("-")[2]),
        "seed": 0,
        "measures": sorted(filter(None, measures.split(",")), key=lambda name: (name != "error", name)),
        "prior": None,
        "keep_predictions": False,
    }


def _named(names: list[str]) -> list[dict[str, str]]:
    return [{"name": name, "fingerprint": IMPORTED} for name in dict.fromkeys(names)]
