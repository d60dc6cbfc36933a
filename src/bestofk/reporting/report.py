"""Writing a report: the format by suffix or by name, all files whole or none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.reporting.document import Document, Request, page_maker
from bestofk.reporting.shelf import FORMATS
from bestofk.reporting.writing import write_whole

#: Suffixes that are not the name of their format.
_SUFFIXES = {"htm": "html", "markdown": "md", "latex": "tex", "text": "txt"}


def write_report(
    subject: Any,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    reading: Mapping[str, Any] | None = None,
) -> Path:
    """Write the report of a result and return its path.

    Parameters
    ----------
    subject : Verdict, or another result that has a page
        What ``judge`` returns.
    path : path
        Where to; a file that is there is replaced.
    format : {"html", "md", "tex", "json", "txt"}, optional
        The format; without it the suffix of the path says.
    reading : mapping, optional
        The arguments of ``read``, with its ``source``, for the lines that make the verdict again.
    """
    target = Path(path)
    name = format_of(target, format)
    document = made(subject, name, stem=target.stem, reading=reading)
    write_whole(target, document)
    return target


def report_text(subject: Any, format: str, *, reading: Mapping[str, Any] | None = None, stem: str = "verdict") -> str:
    """The report as text, with nothing beside it."""
    return made(subject, format, stem=stem, reading=reading, alone=True).text


def made(subject: Any, format: str, **details: Any) -> Document:
    """Ask the maker of a format for the report."""
    page_maker(subject)  # refuses before any work
    document = FORMATS[format](Request(subject, **details))
    return document if isinstance(document, Document) else Document(str(document))


def format_of(path: Path, format: str | None = None) -> str:
    """The format by name, or by the suffix of a path."""
    known = FORMATS.names()
    if format is not None:
        if format not in known:
            raise unknown(format, known, what="format", where="report, argument format")
        return format
    suffix = path.suffix.lower().removeprefix(".")
    name = _SUFFIXES.get(suffix, suffix)
    if name not in known:
        raise InputError(
            f"{path} has no suffix that names a format." if not suffix else f".{suffix} is no format of a report.",
            f"report, path {path}",
            f"end it in {', '.join('.' + each for each in known)}, or name the format.",
        )
    return name
