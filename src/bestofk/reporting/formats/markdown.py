"""The report in Markdown: tables with bars, figures as SVG beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bestofk.reporting.blocks import Pictures, Section
from bestofk.reporting.document import Document, Request
from bestofk.reporting.formats.rendering import rendered
from bestofk.reporting.tables import PlainTable

_EMPTY_LINES = re.compile(r"\n{3,}")


def markdown_report(request: Request) -> Document:
    """Make the text, and name the pictures that belong beside it."""
    names = {} if request.alone else {each.name: f"{request.stem}-{each.name}.svg" for each in figures_in(request)}
    links = {
        name: "<" + file.replace("\\", "\\\\").replace("<", "\\<").replace(">", "\\>") + ">"
        for name, file in names.items()
    }
    page = request.page
    text = rendered("report.md", page=page, sections=sections_of(request), beside=links)
    return Document(_EMPTY_LINES.sub("\n\n", text).strip() + "\n", beside(request, names))


def markdown_table(table: PlainTable) -> str:
    """Only the table.

    Examples
    --------
    >>> print(markdown_table(PlainTable(("learner", "error"), (("nmc", "0.039"),), frozenset({"error"}))))
    | learner | error |
    |---|---:|
    | nmc | 0.039 |
    """
    return rendered("table.md", table=table).strip()


def figures_in(request: Request) -> tuple[Any, ...]:
    """All figures of the page, that of the first screen first."""
    first = () if request.page.figure is None else (request.page.figure,)
    blocks = (block for section in request.page.sections for block in section.blocks)
    return first + tuple(figure for block in blocks if isinstance(block, Pictures) for figure in block.figures)


def sections_of(request: Request) -> tuple[Section, ...]:
    """The sections of a format without a first screen: its figure stands at the head of them."""
    if request.page.figure is None:
        return request.page.sections
    figure = request.page.figure
    return (Section("figure", figure.title, (Pictures((figure,)),)), *request.page.sections)


def beside(request: Request, names: dict[str, str]) -> dict[str, Callable[[Path], object]]:
    """The files of the figures, each with what writes it."""
    return {names[each.name]: each.save for each in figures_in(request) if each.name in names}
