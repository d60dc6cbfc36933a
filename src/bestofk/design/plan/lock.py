"""Locking a plan: its fingerprint and the time, written before any result exists."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.outputs import written_whole
from bestofk.core.record import Record
from bestofk.design.plan.plan import Plan
from bestofk.tables.text_files import opened


class Lock(Record):
    """A plan's fingerprint and when it was fixed (ISO 8601, UTC)."""

    fingerprint: str
    locked: str
    path: str
    plan: Mapping[str, Any] = field(repr=False)


def lock_path(plan_file: str | Path) -> Path:
    """The lock stands beside the plan: plan.toml → plan.toml.lock."""
    return Path(f"{plan_file}.lock")


def write_lock(plan_file: str | Path, plan: Plan) -> Lock:
    """Lock a plan; a lock of the same plan is kept as it is, one of another plan is refused."""
    path = lock_path(plan_file)
    old = kept_lock(plan_file, plan)
    if old is not None:
        return old
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    text = json.dumps({"fingerprint": plan.fingerprint, "locked": now, "plan": plan.to_dict()}, indent=1)
    with written_whole(path, "the lock") as aside:
        aside.write_text(text + "\n", encoding="utf-8")
    return Lock(plan.fingerprint, now, str(path), plan.to_dict())


def kept_lock(plan_file: str | Path, plan: Plan) -> Lock | None:
    """The lock of a plan file, if there is one; a plan that was changed since it was locked is refused."""
    lock = read_lock(plan_file)
    if lock is None or lock.fingerprint == plan.fingerprint:
        return lock
    changed = ", ".join(part for part, value in plan.to_dict().items() if lock.plan.get(part) != value)
    raise InputError(
        f"the plan was locked at {lock.locked} with the fingerprint {lock.fingerprint[:12]}, and is now "
        f"{plan.fingerprint[:12]}{changed and f'; other than then: {changed}'}.",
        str(lock_path(plan_file)),
        "undo the change (also of a learner's own code, or of bestofk's version), or remove the lock and say in your "
        "report that the plan was changed.",
    )


def read_lock(plan_file: str | Path) -> Lock | None:
    """The lock of a plan file, if there is one."""
    path = lock_path(plan_file)
    if not path.exists():
        return None
    try:
        with opened(path) as file:
            data = json.loads(file.read())
        return Lock(str(data["fingerprint"]), str(data["locked"]), str(path), dict(data["plan"]))
    except InputError:
        raise
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise InputError("the lock is damaged.", str(path), "restore it, or remove it and lock again.") from None
