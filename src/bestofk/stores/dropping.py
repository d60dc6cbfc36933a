"""Taking a plan out of a store, with the cells that no other plan uses."""

from __future__ import annotations

from dataclasses import dataclass

from bestofk.core.errors import InputError
from bestofk.stores.choosing import chosen_plan
from bestofk.stores.series import series_of_record
from bestofk.stores.store import PlanRecord, Store


@dataclass(frozen=True)
class Dropped:
    """What was taken out: a plan, and its cells; ``kept`` counts cells that another plan uses."""

    fingerprint: str
    created: str
    cells: int
    replications: int
    kept: int


def drop_plan(store: Store, plan: str) -> Dropped:
    """Take out the plan whose fingerprint starts so; cells that another plan uses stay.

    Nobody can begin a plan meanwhile: whoever begins one afterwards finds the cells gone, and collects them.
    """
    if not plan:
        raise InputError("no plan is named.", store.url, "give the beginning of its fingerprint: --plan 3f2a.")
    with store.alone():
        return _drop(store, chosen_plan(store, plan))


def _drop(store: Store, record: PlanRecord) -> Dropped:
    own = set(_series(record, store.url))
    used = {series for each in store.plans() if each != record for series in _series(each, store.url)}
    there = store.finished(sorted(own))
    gone = [each.key for each in there if each.key.series not in used]
    store.remove([key.id for key in gone])  # the plan last: stopped in between, the same again ends it
    store.forget_plan(record.fingerprint)
    replications = sum(key.stop - key.start for key in gone)
    return Dropped(record.fingerprint, record.created, len(gone), replications, len(there) - len(gone))


def _series(record: PlanRecord, where: str) -> list[str]:
    series = series_of_record(record)
    if series is None:
        raise InputError(
            f"the plan {record.fingerprint[:12]} cannot be read, and nobody knows which cells it uses.",
            where,
            "see bestofk store verify; merging the other plans' stores into a new one leaves it behind.",
        )
    return series
