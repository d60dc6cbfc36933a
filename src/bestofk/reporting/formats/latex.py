"""The report as a LaTeX document that compiles: booktabs tables, figures as PDF beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bestofk.reporting.blocks import TableBlock
from bestofk.reporting.document import Document, Request
from bestofk.reporting.formats.markdown import beside, figures_in, sections_of
from bestofk.reporting.formats.rendering import latex, rendered
from bestofk.reporting.tables import PlainTable

#: Columns that fit beside each other on a page; a wider table is cut, and its first column said again.
MOST_COLUMNS = 10
#: Names of columns longer than this are set in lines, and fewer of them fit.
LONG, FEW_COLUMNS = 16, 6

_NOT_IN_A_FILE_NAME = re.compile(r"[^A-Za-z0-9.-]+")


@dataclass(frozen=True)
class Part:
    """A table, or as many of its columns as a page takes, in LaTeX's letters."""

    caption: str
    letters: str
    head: str
    rows: tuple[str, ...]
    size: str
    gap: str


def latex_report(request: Request) -> Document:
    """Make the text, and name the pictures that belong beside it."""
    stem = _NOT_IN_A_FILE_NAME.sub("-", request.stem)
    names = {} if request.alone else {each.name: f"{stem}-{each.name}.pdf" for each in figures_in(request)}
    page = request.page
    first = None if page.table is None else TableBlock("first", "", page.table, frozenset({"finding"}))
    known = {"page": page, "sections": sections_of(request), "beside": names, "parts": parts_of, "first": first}
    text = rendered("report.tex", **known)
    return Document(text, beside(request, names))


def parts_of(block: TableBlock) -> Iterator[Part]:
    """The table in parts that fit on a page."""
    name, others = block.table.row_name, list(range(len(block.table.columns)))
    most = MOST_COLUMNS if max(map(len, block.table.columns)) <= LONG else FEW_COLUMNS
    if len(others) <= most + 1:
        yield _part(block, others, "")
        return
    rest = [i for i in others if i != name]
    cut = [rest[i : i + most] for i in range(0, len(rest), most)]
    for number, columns in enumerate(cut, 1):
        yield _part(block, [name, *columns], f" Part {number} of {len(cut)}.")


def _part(block: TableBlock, columns: list[int], said: str) -> Part:
    table = block.table
    many = len(columns) > 7
    return Part(
        caption=block.caption + said,
        letters="".join(_letter(table, i, block.words, many) for i in columns),
        head=" & ".join(latex(table.columns[i]) for i in columns),
        rows=tuple(" & ".join(latex(row[i]) or "~" for i in columns) for row in table.rows),
        size=r"\scriptsize" if many else r"\footnotesize",
        gap="2.5pt" if many else "5pt",
    )


def _letter(table: PlainTable, column: int, words: frozenset[str], many: bool) -> str:
    """How a column is set: numbers to the right, long words in lines of a width of their own."""
    name = table.columns[column]
    if name in words:
        several = sum(each in words for each in table.columns)
        share = 0.6 if several == 1 else 0.34 / several  # beside them stand columns of numbers
        return rf"L{{{share:.2g}\linewidth}}"
    longest = max((len(row[column]) for row in table.rows), default=0)
    if name in table.numeric:
        return r"L{0.11\linewidth}" if len(name) > LONG else "r"  # the name is set in lines
    return "l" if longest <= 16 else rf"L{{{0.1 if many else 0.15}\linewidth}}"
