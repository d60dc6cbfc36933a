"""The report as a LaTeX document that compiles: booktabs tables, figures as PDF beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.frozen import frozen
from bestofk.reporting.blocks import TableBlock
from bestofk.reporting.document import Document, Request
from bestofk.reporting.formats.latex_text import em_width, latex, others_in
from bestofk.reporting.formats.markdown import beside, figures_in, sections_of
from bestofk.reporting.formats.rendering import Raw, rendered
from bestofk.reporting.tables import PlainTable

_NOT_IN_A_FILE_NAME = re.compile(r"[^A-Za-z0-9.-]+")
#: Words that may be broken keep this width, in ems; and none is wider for their sake.
_LEAST, _MOST = 8.0, 40.0
#: So much wider are bold letters.
_BOLDER = 1.2


@frozen
class Size:
    """Letters of a table: their name, their em in points, the space beside a column, and the width of a page.

    The em is that of Latin Modern's old fonts: in the new ones it is another, the letters are as wide.
    """

    name: str
    em: float
    gap: float
    points: float

    @property
    def page(self) -> float:
        """The width of a page in ems."""
        return self.points / self.em

    @property
    def between(self) -> float:
        """The space between two columns in ems."""
        return 2 * self.gap / self.em


#: The page of a report, in large and in small letters; and the page of a paper.
_LARGE = Size(r"\footnotesize", 8.5, 5.0, 468.0)
_SMALL = Size(r"\scriptsize", 8.0, 2.5, 468.0)
_PAPER = Size(r"\footnotesize", 8.5, 4.0, 340.0)


@frozen
class Column:
    """A column of text, and how much room it wants and needs."""

    heading: str
    cells: tuple[str, ...]
    right: bool
    bold: frozenset[int] = frozenset()

    @property
    def is_words(self) -> bool:
        """Whether its cells may be broken into lines; numbers and intervals never are."""
        return any(letter.isalpha() for cell in self.cells for letter in cell)

    @property
    def natural(self) -> float:
        """The width of its longest line."""
        wider = _BOLDER if self.bold else 1.0
        return max(em_width(self.heading), *(wider * em_width(cell) for cell in self.cells), 1.0)

    @property
    def least(self) -> float:
        """The width with lines broken."""
        if self.is_words:
            return min(self.natural, _LEAST)
        heading = max(map(em_width, self.heading.split()), default=0.0)
        return max(min(heading, _LEAST), *map(em_width, self.cells), 1.0)

    def letter(self, width: float, em: float) -> str:
        """How it is set in so much room."""
        side = "R" if self.right else "L"
        return side.lower() if width >= self.natural else rf"{side}{{{width * em:.1f}pt}}"

    def lines(self, width: float) -> list[str]:
        """The heading and the cells."""
        unbroken = not self.is_words and width < self.natural
        room = width / (_BOLDER if self.bold else 1.0)
        cells = (latex(cell, room=room if self.is_words else np.inf) or "~" for cell in self.cells)
        return [
            latex(self.heading, room=width),
            *(
                rf"\textbf{{{cell}}}" if i in self.bold else rf"\mbox{{{cell}}}" if unbroken and cell != "~" else cell
                for i, cell in enumerate(cells)
            ),
        ]


@frozen
class Part:
    """A table, or as many of its columns as a page takes, in LaTeX's letters."""

    caption: str
    letters: str
    head: str
    rows: tuple[str, ...]
    size: Size
    after: str  # of every row; rows of several lines stand apart


def latex_report(request: Request) -> Document:
    """Make the text, and name the pictures that belong beside it."""
    stem = _NOT_IN_A_FILE_NAME.sub("-", request.stem)
    names = {} if request.alone else {each.name: f"{stem}-{each.name}.pdf" for each in figures_in(request)}
    page = request.page
    first = None if page.table is None else TableBlock("first", "", page.table)
    known = {"page": page, "sections": sections_of(request), "beside": names, "parts": parts_of, "first": first}
    body = rendered("report_body.tex", **known)
    text = rendered("report.tex", body=Raw(body), others=others_in(body))
    return Document(text, beside(request, names))


def latex_table(table: PlainTable) -> str:
    r"""Only the table, for a paper: a booktabs tabular, as wide as it is or as the text.

    Examples
    --------
    >>> rows = (("nmc", "0.039"), ("tree", "0.109"))
    >>> print(latex_table(PlainTable(("learner", "error"), rows, frozenset({"error"}))))
    % needs \usepackage{booktabs}
    {\footnotesize\setlength{\tabcolsep}{4.0pt}%
    \begin{tabular}{@{}lr@{}}
    \toprule
    learner & error \\
    \midrule
    nmc & 0.039 \\
    tree & 0.109 \\
    \bottomrule
    \end{tabular}}
    """
    columns = _columns(table)
    widths = _widths(columns, _PAPER) or [column.least for column in columns]
    part = _part(columns, widths, _PAPER)
    fits = all(width >= column.natural for column, width in zip(columns, widths, strict=True))
    letters = "".join(
        column.letter(width, _PAPER.em) if width >= column.natural else _stretched(column)
        for column, width in zip(columns, widths, strict=True)
    )
    begin, end = ("tabular}", "tabular}") if fits else (r"tabularx}{\linewidth}", "tabularx}")
    others = others_in(part.head + "".join(part.rows))
    known = {"begin": begin, "end": end, "fits": fits, "others": others}
    return rendered("table.tex", part=replace(part, letters=letters), **known).rstrip()


def _stretched(column: Column) -> str:
    """A column that takes a share of the line; numbers are not broken, only the words above them."""
    return rf">{{\ragged{'left' if column.right else 'right'}\arraybackslash}}X" if column.is_words else (
        "r" if column.right else "l"
    )  # fmt: skip


def parts_of(block: TableBlock) -> Iterator[Part]:
    """The table in parts that fit on a page; those columns that name the rows are in each."""
    columns = _columns(block.table)
    for size in (_LARGE, _SMALL):
        widths = _widths(columns, size)
        if widths:
            yield replace(_part(columns, widths, size), caption=block.caption)
            return
    parts = list(_that_fit(columns, _SMALL))
    for number, each in enumerate(parts, 1):
        part = _part(each, _widths(each, _SMALL) or [column.least for column in each], _SMALL)
        yield replace(part, caption=f"{block.caption} Part {number} of {len(parts)}.")


def _columns(table: PlainTable) -> list[Column]:
    """The columns that have a name; the row of the chosen one is bold, where others have a mark for it."""
    bold = frozenset(i for i, state in enumerate(table.states) if state == "chosen")
    return [
        Column(
            name,
            tuple(row[i] for row in table.rows),
            name in table.numeric,
            bold if i == table.row_name else frozenset(),
        )
        for i, name in enumerate(table.columns)
        if name
    ]


def _widths(columns: Sequence[Column], size: Size) -> list[float] | None:
    """The width of every column, in ems, as far as they fit beside each other."""
    room = size.page - size.between * (len(columns) - 1)
    natural, least = [each.natural for each in columns], [each.least for each in columns]
    if sum(natural) <= room:
        return natural
    if sum(least) > room:
        return None
    wanted = [min(most, max(low, _MOST)) - low for most, low in zip(natural, least, strict=True)]
    share = min(1.0, (room - sum(least)) / max(sum(wanted), 1e-9))
    return [low + share * more for low, more in zip(least, wanted, strict=True)]


def _that_fit(columns: Sequence[Column], size: Size) -> Iterator[list[Column]]:
    """As many columns at a time as fit, after those that name the rows."""
    first = next((i for i, column in enumerate(columns) if not column.is_words), 1)
    names, rest = list(columns[:first]), list(columns[first:])
    while rest:
        taken = 1
        while taken < len(rest) and _widths([*names, *rest[: taken + 1]], size):
            taken += 1
        yield [*names, *rest[:taken]]
        rest = rest[taken:]


def _part(columns: Sequence[Column], widths: Sequence[float], size: Size) -> Part:
    broken = any(width < column.natural and column.is_words for column, width in zip(columns, widths, strict=True))
    head, *rows = zip(*(column.lines(width) for column, width in zip(columns, widths, strict=True)), strict=True)
    return Part(
        caption="",
        letters="".join(column.letter(width, size.em) for column, width in zip(columns, widths, strict=True)),
        head=" & ".join(head),
        rows=tuple(
            ("{}" if row[0][0] in "[*" else "") + " & ".join(row) for row in rows
        ),  # no argument of the line end
        size=size,
        after=r" \\ \addlinespace[2pt]" if broken else r" \\",
    )
