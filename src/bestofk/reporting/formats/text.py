"""The report as plain text: lines of 100 letters and tables as wide as they are, or all as wide as a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from bestofk.reporting.blocks import Block, Bullets, Citations, Code, Pictures, Sentences, TableBlock, Terms
from bestofk.reporting.document import Document, Request
from bestofk.reporting.page import Page
from bestofk.reporting.tables import PlainTable, aligned, fitted, laid_out

WIDTH = 100


#: What a text cannot show, and what says so.
_PICTURES = "figures"


def text_report(request: Request) -> Document:
    """Make the text."""
    return Document("\n".join(_Text(request.width).lines(request.page)) + "\n")


class _Text:
    """Lines of so many columns."""

    def __init__(self, columns: int | None) -> None:
        self._columns = columns
        self._width = columns or WIDTH

    def lines(self, page: Page) -> list[str]:
        """The first screen, and the sections that a text can have."""
        sections = [section for section in page.sections if section.anchor != _PICTURES]
        lines = [*self._wrapped(page.title), "=" * min(len(page.title), self._width), "", *self._each(page.lines)]
        if page.table is not None:
            table = page.table if self._columns is None else fitted(page.table, self._columns)
            lines += ["", aligned(table)]
        if page.small:
            lines += ["", *self._each(page.small)]
        for section in sections:
            lines += ["", "", section.heading, "-" * len(section.heading)]
            for block in section.blocks:
                lines += ["", *self._block(block)]
        return lines

    def _block(self, block: Block) -> list[str]:
        match block:
            case Sentences(lines):
                return self._each(lines)
            case Bullets(lines):
                return self._each(lines, "- ")
            case TableBlock(caption=caption, table=table):
                return [*self._wrapped(caption), "", self._table(table)]
            case Pictures(figures):
                return self._each((f"{each.title}. {each.alt}" for each in figures), "- ")
            case Terms(pairs):
                return [line for name, text in pairs for line in self._wrapped(f"{name}: {text}", hanging="    ")]
            case Code(caption=caption, text=text):
                return [f"{caption}:", "", *(f"    {line}".rstrip() for line in text.splitlines())]
            case Citations(papers):
                return self._each((each.full + (f" doi:{each.doi}" if each.doi else "") for each in papers), "- ")

    def _table(self, table: PlainTable) -> str:
        return aligned(table) if self._columns is None else laid_out(table, self._columns)

    def _each(self, texts: Iterable[str], start: str = "") -> list[str]:
        return [line for text in texts for line in self._wrapped(text, start)]

    def _wrapped(self, text: str, start: str = "", hanging: str | None = None) -> list[str]:
        indent = " " * len(start) if hanging is None else hanging
        return textwrap.wrap(
            text,
            self._width,
            initial_indent=start,
            subsequent_indent=indent,
            break_on_hyphens=False,
            break_long_words=False,
        )
