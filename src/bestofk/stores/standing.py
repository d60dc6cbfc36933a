"""How far the plans of a store are: folds done, failed and missing."""

from __future__ import annotations

import json
from dataclasses import dataclass

from bestofk.core.phrases import counted
from bestofk.stores.series import series_of_record
from bestofk.stores.store import Finished, PlanRecord, Store

#: Stands for the folds of a plan whose text does not say them.
UNREADABLE = "a plan that cannot be read"


@dataclass(frozen=True)
class Standing:
    """A plan and its folds: ``done`` went well, ``failed`` have a reason, ``missing`` were not run yet.

    Of a plan that cannot be read nobody knows them.
    """

    fingerprint: str
    created: str
    locked: str | None
    folds: str
    done: int
    failed: int
    missing: int

    @property
    def readable(self) -> bool:
        """Whether its text says which folds it asks for."""
        return self.folds != UNREADABLE

    def __str__(self) -> str:
        if not self.readable:
            return f"plan {self.fingerprint[:12]} of {self.created}, {self.folds}"
        locked = f"locked {self.locked}" if self.locked else "not locked"
        state = f"{counted(self.done, 'fold')} done, {self.failed:,} failed, {self.missing:,} missing"
        return f"plan {self.fingerprint[:12]} of {self.created}, {self.folds}, {locked}: {state}"


def standings(store: Store) -> list[Standing]:
    """Where every plan of a store stands, oldest first."""
    cells: dict[str, list[Finished]] = {}
    for each in store.finished():
        cells.setdefault(each.key.series, []).append(each)
    return [_standing(plan, cells) for plan in store.plans()]


def _standing(plan: PlanRecord, cells: dict[str, list[Finished]]) -> Standing:
    series = series_of_record(plan)
    if series is None:
        return Standing(plan.fingerprint, plan.created, plan.locked, UNREADABLE, 0, 0, 0)
    wanted = json.loads(plan.text)
    replications, folds = int(wanted.get("replications", 0)), int(wanted.get("folds_per_replication", 0))
    found = [each for id in series for each in cells.get(id, []) if each.key.start < replications]
    failed = sum(each.failed for each in found)
    there = sum(min(each.key.stop, replications) - each.key.start for each in found) * folds
    missing = len(series) * replications * folds - there
    return Standing(plan.fingerprint, plan.created, plan.locked, wanted["folds"], there - failed, failed, missing)
