"""Writing a report: the format by suffix or by name, all files whole or none."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.outputs import refuse_source
from bestofk.core.shelf import Shelf
from bestofk.reporting.document import Document, Request, page_maker

#: Suffixes that are not the name of their format.
_SUFFIXES = {"htm": "html", "markdown": "md", "latex": "tex", "text": "txt"}


def write_report(
    subject: Any,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    reading: Mapping[str, Any] | None = None,
    table: bool = False,
) -> Path:
    """Write the report of a result and return its path.

    Parameters
    ----------
    subject : Verdict, or another result that has a page
        What ``judge`` returns.
    path : path
        Where to; a file that is there is replaced.
    format : {"html", "md", "tex", "json", "txt", "png", "csv", "xml"}, optional
        The format: png is a card to share, csv of a leaderboard, xml of a gate. Without it the suffix of the path says.
    reading : mapping, optional
        The arguments of ``read``, with its ``source``, for the lines that make the verdict again.
    table : bool
        Only the first table, for a paper: in LaTeX or Markdown.
    """
    target = Path(path)
    name = format_of(target, format, table=table)
    refuse_source(target, getattr(subject, "paths", ()), where=f"report, path {target}")
    document = made(subject, name, table=table, stem=target.stem, reading=reading)
    write_whole(target, document)
    return target


def report_text(
    subject: Any,
    format: str,
    *,
    reading: Mapping[str, Any] | None = None,
    width: int | None = None,
    table: bool = False,
) -> str:
    """The report as text, with nothing beside it; plain text in so many columns where ``width`` says so."""
    return made(subject, format, table=table, reading=reading, alone=True, width=width).text


def made(subject: Any, format: str, *, table: bool = False, **details: Any) -> Document:
    """Ask the maker of a format for the report, or for its first table."""
    page_maker(subject)  # refuses before any work
    maker: Maker = _first_table(format) if table else FORMATS[format]
    found = maker(Request(subject, **details))
    return found if isinstance(found, Document) else Document(str(found))


def _first_table(format: str) -> Maker:
    """What makes the first table alone."""
    from bestofk.reporting.formats.latex import latex_table
    from bestofk.reporting.formats.markdown import markdown_table

    known = {"md": markdown_table, "tex": latex_table}
    if format not in known:
        raise InputError(
            f"the table alone is LaTeX or Markdown, not {format}.",
            "report, argument table",
            "end the path in .tex or .md.",
        )

    def maker(request: Request) -> str:
        if request.page.table is None:
            raise InputError(
                f"the report of a {type(request.subject).__name__.lower()} has no first table.",
                "report, argument table",
                "write the whole report.",
            )
        return f"{known[format](request.page.table)}\n"

    return maker


def format_of(path: Path, format: str | None = None, *, table: bool = False) -> str:
    """The format by name, or by the suffix of a path; one that the first ``table`` alone has, where that is wanted."""
    name = _named(path, format)
    if table:
        _first_table(name)
    return name


def _named(path: Path, format: str | None) -> str:
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
            f"end it in {', '.join('.' + each for each in known)}.",
        )
    return name


def write_whole(target: Path, document: Document) -> None:
    """Write what belongs beside the text first, the text last, so that no text names a file that is not there."""
    if not os.path.isdir(target.parent):  # which never raises, whatever the name
        raise InputError(f"there is no folder {target.parent}.", f"report, path {target}", "make it, or name another.")
    if os.path.isdir(target):
        raise InputError(f"{target} is a folder.", "report, path", "name a file in it.")
    waiting: dict[Path, Path] = {}
    try:
        for name, save in document.beside.items():
            place = target.parent / name
            waiting[place] = _aside(place)
            save(waiting[place])
        waiting[target] = _aside(target)
        waiting[target].write_bytes(document.text.encode() if document.data is None else document.data)
        for place, aside in waiting.items():
            os.replace(aside, place)
    except OSError as error:
        raise InputError(
            f"the report cannot be written: {error.strerror or error}.",
            f"report, path {target}",
            "choose a folder where files may be made and that has room.",
        ) from None
    finally:
        for aside in waiting.values():
            with suppress(OSError):  # where nothing can be removed, nothing was written
                aside.unlink(missing_ok=True)


def _aside(place: Path) -> Path:
    """A name of its own in the same folder, with the same suffix: it says the kind of a picture."""
    return place.with_name(f".{place.stem}.{os.getpid()}.part{place.suffix}")


#: Makes a report in one format.
Maker = Callable[[Request], Document | str]


def _formats() -> dict[str, Maker]:
    from bestofk.reporting.formats.card import card_report
    from bestofk.reporting.formats.csv_table import csv_report
    from bestofk.reporting.formats.html import html_report
    from bestofk.reporting.formats.json_document import json_report
    from bestofk.reporting.formats.junit import junit_report
    from bestofk.reporting.formats.latex import latex_report
    from bestofk.reporting.formats.markdown import markdown_report
    from bestofk.reporting.formats.text import text_report

    return {
        "csv": csv_report,
        "html": html_report,
        "json": json_report,
        "md": markdown_report,
        "png": card_report,
        "tex": latex_report,
        "txt": text_report,
        "xml": junit_report,
    }


FORMATS: Shelf[Maker] = Shelf("reports", _formats)
