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
    plans = standings(store)
    known = "; ".join(_described(plans))
    if plan is None:
        fix = f"say which (--plan, plan=): {known}. {_how_to_be_rid_of_one(plans, store.url)}"
        raise InputError(f"the store has {len(records)} plans.", store.url, fix)
    begin = f"{len(found)} plans begin" if found else "no plan begins"
    raise InputError(f"{begin} with {plan!r}.", store.url, f"name one of: {known}.")


def _how_to_be_rid_of_one(plans: list[Standing], url: str) -> str:
    """Nothing can be dropped beside a plan that cannot be read: nobody knows which cells it uses."""
    if all(each.readable for each in plans):
        return f"One that is no longer wanted goes by bestofk store drop {shlex.quote(url)} --plan …"
    return "Where one cannot be read, none can be dropped: merge the stores that the others came from into a new one."


def _described(plans: list[Standing]) -> list[str]:
    """Every plan with how far it is, oldest first; the newest is marked where times tell."""
    times = [each.created for each in plans if each.readable]
    newest = max(times, default="")
    alone = times.count(newest) == 1
    return [_in_words(each, alone and each.created == newest) for each in plans]


def _in_words(plan: Standing, newest: bool) -> str:
    if not plan.readable:
        return f"{plan.fingerprint[:12]} of {plan.created} (it cannot be read)"
    parts = [f"{plan.failed:,} failed"] if plan.failed else []
    parts += [f"{plan.missing:,} missing"] if plan.missing else []
    state = f"{counted(plan.done, 'fold')} done" + "".join(f", {part}" for part in parts)
    whole = ", whole" if plan.done and not parts else ""
    return f"{plan.fingerprint[:12]} of {plan.created} ({state}{whole}{', the newest' if newest else ''})"
