"""Which of the plans of a store is meant."""

from __future__ import annotations

import shlex

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.stores.standing import Standing, standings
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
    known = "; ".join(_described(store))
    if plan is None:
        drop = f"One that is no longer wanted goes by bestofk store drop {shlex.quote(store.url)} --plan …"
        fix = f"say which (--plan, plan=): {known}. {drop}"
        raise InputError(f"the store has {len(records)} plans.", store.url, fix)
    begin = f"{len(found)} plans begin" if found else "no plan begins"
    raise InputError(f"{begin} with {plan!r}.", store.url, f"name one of: {known}.")


def _described(store: Store) -> list[str]:
    """Every plan with how far it is, oldest first; the newest is marked where times tell."""
    found = standings(store)
    newest = max(each.created for each in found)
    alone = [each.created for each in found].count(newest) == 1
    return [_in_words(each, alone and each.created == newest) for each in found]


def _in_words(plan: Standing, newest: bool) -> str:
    parts = [f"{plan.failed:,} failed"] if plan.failed else []
    parts += [f"{plan.missing:,} missing"] if plan.missing else []
    state = f"{counted(plan.done, 'fold')} done" + "".join(f", {part}" for part in parts)
    whole = ", whole" if plan.done and not parts else ""
    return f"{plan.fingerprint[:12]} of {plan.created} ({state}{whole}{', the newest' if newest else ''})"
