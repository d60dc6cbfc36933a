"""The verb collect: run what a plan still lacks."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from bestofk.core.arrays import glimpse
from bestofk.core.errors import InputError
from bestofk.evidence import Evidence
from bestofk.verbs.reading import from_store


def collect(
    plan: Any,
    into: str | Path,
    *,
    on: str = "local",
    retry_failed: bool = False,
    cell_timeout: float | str | None = None,
    cell_memory: float | str | None = None,
    progress: bool = True,
    allow_code: bool = False,
    sharing: bool | str = True,
) -> Evidence:
    """Run what a plan still lacks and return its results: run again to resume.

    Parameters
    ----------
    plan : Plan or path
        What to run; a path is a TOML file.
    into : path or URL
        Where results are kept: a file (SQLite), or ``postgresql://…``.
    on : str
        ``local`` (processes of this machine), ``local:4``, ``serial``, the address of a Dask scheduler, or ``ray``.
    retry_failed : bool
        Run cells with failed folds again.
    cell_timeout, cell_memory : float or str, optional
        Seconds and bytes that one cell may take, or text: ``"10m"``, ``"500MB"``.
    progress : bool
        Show a bar on a terminal.
    allow_code : bool
        Let learners of a TOML file come from ``module:factory``.
    sharing : bool or str
        Let the many folds of known learners share work, with the same results; ``"always"`` also where there are few.

    Returns
    -------
    Scores or Curves
        Folds that failed are told by a warning (``FailedFolds``) and in ``failures``.
    """
    from bestofk.collecting.collect import collect_plan
    from bestofk.collecting.destination import store_for
    from bestofk.collecting.engines import engine_of
    from bestofk.collecting.failed_folds import warn_of_failures
    from bestofk.design.plan.file import read_plan
    from bestofk.design.plan.lock import kept_lock
    from bestofk.design.plan.plan import Plan

    limits: dict[str, Any] = {"cell_timeout": cell_timeout, "cell_memory": cell_memory}
    chosen = engine_of(on)
    options = {"engine": chosen, "retry_failed": retry_failed, "progress": progress, "sharing": sharing, **limits}
    locked = None
    if isinstance(plan, str | Path):  # read once: what it names may be edited while it runs
        path, plan = plan, read_plan(plan, allow_code=allow_code)
        lock = kept_lock(path, plan)
        locked = None if lock is None else lock.locked
    elif not isinstance(plan, Plan):
        raise InputError(f"the plan is {glimpse(plan)}.", "collect, argument plan", "give bestofk.Plan(...) or a path.")
    with closing(store_for(plan, into, chosen)) as store:
        report = collect_plan(plan, store, locked=locked, **options)
    warn_of_failures(report, into)
    return from_store(str(into), plan.fingerprint, None, None)
