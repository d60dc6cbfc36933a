"""The report as plain text, lines of 100 letters."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from bestofk.reporting.blocks import Block, Bullets, Citations, Code, Pictures, Sentences, TableBlock, Terms
from bestofk.reporting.document import Document, Request
from bestofk.reporting.tables import aligned

WIDTH = 100


def text_report(request: Request) -> Document:
    """Make the text."""
    page = request.page
    lines = [page.title, "=" * len(page.title), "", *_each_wrapped(page.lines)]
    if page.table is not None:
        lines += ["", aligned(page.table)]
    if page.careful is not None:
        lines += ["", *_wrapped(repr(page.careful))]
    if page.small:
        lines += ["", *_each_wrapped(page.small)]
    for section in page.sections:
        lines += ["", "", section.heading, "-" * len(section.heading)]
        for block in section.blocks:
            lines += ["", *_lines(block)]
    return Document("\n".join(lines) + "\n")


def _lines(block: Block) -> list[str]:
    match block:
        case Sentences(lines):
            return _each_wrapped(lines)
        case Bullets(lines):
            return _each_wrapped(lines, "- ")
        case TableBlock(caption=caption, table=table):
            return [*_wrapped(caption), "", aligned(table)]
        case Pictures(figures):
            return _each_wrapped((f"{each.title}. {each.alt}" for each in figures), "- ")
        case Terms(pairs):
            return [line for name, text in pairs for line in _wrapped(f"{name}: {text}", hanging="    ")]
        case Code(caption=caption, text=text):
            return [f"{caption}:", "", *(f"    {line}".rstrip() for line in text.splitlines())]
        case Citations(papers):
            return _each_wrapped((each.full + (f" doi:{each.doi}" if each.doi else "") for each in papers), "- ")


def _each_wrapped(texts: Iterable[str], start: str = "") -> list[str]:
    return [line for text in texts for line in _wrapped(text, start)]


def _wrapped(text: str, start: str = "", hanging: str | None = None) -> list[str]:
    indent = " " * len(start) if hanging is None else hanging
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=start,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
