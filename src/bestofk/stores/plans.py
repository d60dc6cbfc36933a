"""The plans of a store: the series that each consists of, how far it is, which one is meant, and taking one out."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.design.plan.cell import CellKey, kept_in_cells
from bestofk.stores.packed_store import series_row
from bestofk.stores.store import Finished, PlanRecord, Store, by_series

#: A name and a fingerprint.
Named = tuple[str, str]
#: Stands for the folds of a plan whose text does not say them.
UNREADABLE = "a plan that cannot be read"


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


def wanted_of(record: PlanRecord) -> dict[str, Any] | None:
    """What a recorded plan asks for; None where its text cannot be read, or is not the one that was kept."""
    try:
        wanted = json.loads(record.text) if record.whole else None
        keys = keys_of_plan(wanted)  # type: ignore[arg-type]
        numbers = [wanted[name] for name in ("replications", "folds_per_replication")]  # type: ignore[index]
        prior = wanted["prior"]  # type: ignore[index]
        words = [*([prior] if isinstance(prior, str | None) else prior), *wanted["measures"]]  # type: ignore[index]
    except (AttributeError, ValueError, KeyError, TypeError, RecursionError):
        return None
    words += [word for key in keys for word in series_row(key)]
    sound = all(isinstance(key.seed, int) for key in keys) and all(isinstance(word, str | None) for word in words)
    return wanted if sound and all(isinstance(number, int) and number > 0 for number in numbers) else None


def series_of_record(record: PlanRecord) -> list[str] | None:
    """The series of a recorded plan; None where its text does not say."""
    wanted = wanted_of(record)
    return None if wanted is None else [key.series for key in keys_of_plan(wanted)]


@frozen
class PlanStatus:
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


def plan_statuses(store: Store) -> list[PlanStatus]:
    """Where every plan of a store stands, oldest first."""
    cells = by_series(store.finished())
    return [_status(plan, cells) for plan in store.plans()]


def _status(plan: PlanRecord, cells: dict[str, list[Finished]]) -> PlanStatus:
    wanted = wanted_of(plan)
    if wanted is None:
        return PlanStatus(plan.fingerprint, plan.created, plan.locked, UNREADABLE, 0, 0, 0)
    series = [key.series for key in keys_of_plan(wanted)]
    replications, folds = wanted["replications"], wanted["folds_per_replication"]
    found = [each for id in series for each in cells.get(id, []) if each.key.start < replications]
    failed = sum(each.failed for each in found)
    there = sum(min(each.key.stop, replications) - each.key.start for each in found) * folds
    missing = len(series) * replications * folds - there
    return PlanStatus(plan.fingerprint, plan.created, plan.locked, wanted["folds"], there - failed, failed, missing)


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
    plans = plan_statuses(store)
    known = "; ".join(_described(plans))
    if plan is None:
        fix = f"say which (--plan, plan=): {known}. {_how_to_be_rid_of_one(plans, store.url)}"
        raise InputError(f"the store has {len(records)} plans.", store.url, fix)
    begin = f"{len(found)} plans begin" if found else "no plan begins"
    raise InputError(f"{begin} with {plan!r}.", store.url, f"name one of: {known}.")


def _how_to_be_rid_of_one(plans: list[PlanStatus], url: str) -> str:
    """Nothing can be dropped beside a plan that cannot be read: nobody knows which cells it uses."""
    if all(each.readable for each in plans):
        return f"One that is no longer wanted goes by bestofk store drop {shlex.quote(url)} --plan …"
    return "Where one cannot be read, none can be dropped: merge the stores that the others came from into a new one."


def _described(plans: list[PlanStatus]) -> list[str]:
    """Every plan with how far it is, oldest first; the newest is marked where times tell."""
    times = [each.created for each in plans if each.readable]
    newest = max(times, default="")
    alone = times.count(newest) == 1
    return [_in_words(each, alone and each.created == newest) for each in plans]


def _in_words(plan: PlanStatus, newest: bool) -> str:
    if not plan.readable:
        return f"{plan.fingerprint[:12]} of {plan.created} (it cannot be read)"
    parts = [f"{plan.failed:,} failed"] if plan.failed else []
    parts += [f"{plan.missing:,} missing"] if plan.missing else []
    state = f"{counted(plan.done, 'fold')} done" + "".join(f", {part}" for part in parts)
    whole = ", whole" if plan.done and not parts else ""
    return f"{plan.fingerprint[:12]} of {plan.created} ({state}{whole}{', the newest' if newest else ''})"


@frozen
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
