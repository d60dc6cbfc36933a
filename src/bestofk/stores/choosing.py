"""Which of the plans of a store is meant."""

from __future__ import annotations

from bestofk.core.errors import InputError
from bestofk.stores.store import PlanRecord, Store


def chosen_plan(store: Store, plan: str | None) -> PlanRecord:
    """The only plan, or that whose fingerprint starts with ``plan``."""
    records = store.plans()
    if not records:
        there = bool(store.finished())
        fix = (
            "merge the table, or the store, that its results came from once more."
            if there
            else "run bestofk collect first."
        )
        raise InputError("the store has results and no plan." if there else "the store has no plan.", store.url, fix)
    found = [record for record in records if record.fingerprint.startswith(plan or "")]
    if len(found) == 1:
        return found[0]
    known = "; ".join(f"{record.fingerprint[:12]} of {record.created}" for record in records)
    if plan is None:
        raise InputError(f"the store has {len(records)} plans.", store.url, f"say which (--plan, plan=): {known}.")
    begin = f"{len(found)} plans begin" if found else "no plan begins"
    raise InputError(f"{begin} with {plan!r}.", store.url, f"name one of: {known}.")
