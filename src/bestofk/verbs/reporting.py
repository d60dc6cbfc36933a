"""The verb report: a verdict as a page that a reader believes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.judging import Verdict
from bestofk.verbs.judging import judge


def report(
    verdict: Any,
    path: str | Path,
    *,
    format: str | None = None,
    reading: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Path:
    """Write a report that a reader believes: the verdict first, then why, tables, figures, methods and provenance.

    Parameters
    ----------
    verdict : Verdict, or what ``judge`` takes
        Evidence, a file or a store is judged first.
    path : path
        Where to; the suffix says the format: .html, .md, .tex, .json, .txt. LaTeX and Markdown have their figures
        beside them.
    format : str, optional
        The format, where the suffix does not say.
    reading : mapping, optional
        The arguments of ``read`` with its ``source``, for the lines that make the verdict again.
    **settings
        Those of ``judge``, where there is no verdict yet.
    """
    from bestofk.reporting.report import format_of, write_report

    format_of(Path(path), format)  # before the work, not after it
    if not isinstance(verdict, Verdict):
        if reading is None and (isinstance(verdict, str | Path) or _are_paths(verdict)):
            reading = {"source": verdict}
        verdict = judge(verdict, **settings)
    elif settings:
        raise InputError(
            f"there is a verdict already, and {', '.join(settings)}.", "report", "give the settings to judge."
        )
    return write_report(verdict, path, format=format, reading=reading)


def _are_paths(source: Any) -> bool:
    return isinstance(source, list | tuple) and all(isinstance(each, str | Path) for each in source)
