"""The verb collect: run what a plan still lacks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.evidence import Evidence
from bestofk.verbs.reading import from_store


def collect(
    plan: Any,
    into: str | Path,
    *,
    engine: str = "local",
    retry_failed: bool = False,
    cell_timeout: float | str | None = None,
    cell_memory: float | str | None = None,
    progress: bool = True,
    allow_code: bool = False,
    sharing: bool | str = True,
    on: object = None,
) -> Evidence:
    """Run what a plan still lacks and return its results: run again to resume.

    Parameters
    ----------
    plan : Plan or path
        What to run; a path is a TOML file.
    into : path or URL
        Where results are kept: a file (SQLite), or ``postgresql://…``.
    engine : str
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
    on : None
        Refused: it names measures, in ``read`` and ``judge``.

    Returns
    -------
    Scores or Curves
        Folds that failed are told by a warning (``FailedFolds``) and in ``failures``.
    """
    from bestofk.collecting.run.collect import collect_into
    from bestofk.collecting.run.report import warn_of_failures

    if on is not None:
        raise InputError(
            f"on is {on!r}: it names measures, not where cells run.",
            "collect, argument on",
            f"say engine={on!r}; measures are named when results are judged.",
        )
    limits: dict[str, Any] = {"cell_timeout": cell_timeout, "cell_memory": cell_memory}
    options = {"retry_failed": retry_failed, "progress": progress, "sharing": sharing, **limits}
    plan, report = collect_into(plan, into, engine=engine, allow_code=allow_code, **options)
    warn_of_failures(report, into)
    return from_store(str(into), plan.fingerprint, None, None)
