"""What the replication of a paper gives: how near it comes to each figure, its tables, its words and its report."""

from __future__ import annotations

import platform
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bestofk.core.extras import available
from bestofk.core.names import unknown
from bestofk.core.phrases import counted
from bestofk.core.record import Record
from bestofk.core.version import __version__
from bestofk.design.datasets.files import data_folder, index_of, looking_in
from bestofk.design.datasets.index import Index
from bestofk.reporting.blocks import Block, Bullets, Code, Pictures, Section, Sentences, TableBlock, Terms
from bestofk.reporting.page import Page
from bestofk.reporting.tables import PlainTable, aligned

if TYPE_CHECKING:
    from bestofk.plots.info import Info


class Agreement(Record):
    """One measure of agreement; ``met`` is None where nothing was asked for and the figure is only told."""

    what: str
    ours: str
    asked: str = ""
    met: bool | None = None


def counted_met(lines: Sequence[Agreement]) -> str:
    """How many of the figures asked for were reached, as a sentence.

    Examples
    --------
    >>> counted_met([Agreement("t", "2.26", "2.26", True), Agreement("p", "0.03", "0.05", False), Agreement("n", "5")])
    '1 of 2 figures asked for are reached.'
    """
    asked = [line for line in lines if line.met is not None]
    if not asked:
        return "No figure was asked for."
    reached = sum(bool(line.met) for line in asked)
    verb = "is" if len(asked) == 1 else "are"
    return f"{reached} of {counted(len(asked), 'figure')} asked for {verb} reached."


def agreement_table(lines: Sequence[Agreement]) -> PlainTable:
    """One row per figure: what, ours, what was asked for, whether it is reached."""
    words = {True: "yes", False: "no", None: ""}
    rows = tuple((line.what, line.ours, line.asked, words[line.met]) for line in lines)
    return PlainTable(("agreement", "ours", "asked for", "reached"), rows, frozenset())


#: Hears how far a replication is: steps done, steps in all, what it is at.
Progress = Callable[[int, int, str], None]


class Replication(Record):
    """A paper's experiment run again.

    ``headline`` says in a sentence or two what was reached. ``sections`` hold tables and figures, ours beside theirs;
    ``left_out`` what this run did not do and why. ``runs`` is None where an experiment has none; ``made`` is a date.
    """

    paper: str
    title: str
    reference: str
    headline: str
    agreement: tuple[Agreement, ...]
    sections: tuple[Section, ...]
    left_out: tuple[str, ...]
    runs: int | None
    seed: int
    made: str
    versions: dict[str, str]

    def text(self) -> str:
        """The headline, how it was made, the agreement and what is left out."""
        return "\n".join([*opening(self), "", aligned(agreement_table(self.agreement)), "", *left_out_lines(self)])

    def report(self, path: str | Path, **options: Any) -> Path:
        """Write a report, the format by the suffix: html, md, tex, json, txt."""
        from bestofk.reporting.report import write_report

        return write_report(self, path, **options)

    def page(self, reading: Mapping[str, Any] | None = None) -> Page:
        """What its report says, before any format."""
        return Page(
            title=self.title,
            lines=(counted_met(self.agreement), how_made(self), *_answers(self)),
            sections=(_agreement(self), *self.sections, _left_out(self), _making(self)),
            about=self.reference,
            version=self.versions["bestofk"],
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, ready for JSON: tables as columns and rows, figures in words."""
        return {**super().to_dict(), "sections": [_section(each) for each in self.sections]}

    def __repr__(self) -> str:
        return f"Replication of {self.paper}: {self.headline}"


def today() -> str:
    """The date of a run, in UTC."""
    return datetime.now(UTC).date().isoformat()


def table_block(anchor: str, caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> TableBlock:
    """A table whose first column names the row, and whose others are numbers."""
    return TableBlock(anchor, caption, PlainTable(tuple(columns), tuple(map(tuple, rows)), frozenset(columns[1:])))


def pictures(infos: Mapping[str, Info]) -> tuple[Pictures, ...]:
    """Figures under names of their own, for a report keeps them by name; none without matplotlib."""
    if not available("matplotlib"):
        return ()
    from bestofk.plots.gallery import figure_of

    return (Pictures(tuple(replace(figure_of(info), name=name) for name, info in infos.items())),)


def asked_sets(names: Sequence[str], known: tuple[str, ...], *, what: str, where: str) -> tuple[str, ...]:
    """The data sets named, each once, all of the paper when none is; an unknown one is refused."""
    for name in names:
        if name not in known:
            raise unknown(name, known, what=what, where=where)
    return tuple(dict.fromkeys(names)) or known


@contextmanager
def index_in(data: str | Path | None) -> Iterator[Index | None]:
    """The index of the folder of data sets that is given, else of BESTOFK_DATA's; None where there is none."""
    with looking_in(data):
        folder = data_folder()
        yield None if folder is None else index_of(folder) or Index.open(folder)


def not_asked_for(wanted: Sequence[str], known: Sequence[str]) -> list[str]:
    """How many data sets of the paper are left out because others were named."""
    others = len(known) - len(set(wanted))
    return [f"{counted(others, 'data set')} that were not asked for."] if others else []


def other_rows(drawn: Sequence[str], found: Container[str], index: Index | None) -> list[str]:
    """Which of the sets that a rule draws are another sample than the authors'."""
    ours = [name for name in drawn if name in found and (index is None or name not in index)]
    return [f"The authors' rows of {name}: ours are another sample of the same source." for name in ours]


def no_figures() -> tuple[str, ...]:
    """What is left out where figures cannot be drawn."""
    return () if available("matplotlib") else ("Figures: they need matplotlib (bestofk[plots]).",)


def versions_used(*packages: str) -> dict[str, str]:
    """Versions of bestofk, Python, numpy, scipy and of the packages named."""
    own = {"bestofk": __version__, "python": platform.python_version(), "numpy": np.__version__}
    return own | {name: version(name) for name in ("scipy", *packages)}


def _section(section: Section) -> dict[str, Any]:
    return {"anchor": section.anchor, "heading": section.heading, "blocks": [_block(each) for each in section.blocks]}


def _block(block: Any) -> dict[str, Any]:
    match block:
        case Sentences(lines) | Bullets(lines):
            return {"kind": block.kind, "lines": list(lines)}
        case TableBlock(anchor, caption, table):
            rows = [list(row) for row in table.rows]
            return {"kind": "table", "name": anchor, "caption": caption, "columns": list(table.columns), "rows": rows}
        case Pictures(figures):
            return {"kind": "pictures", "figures": [{"name": f.name, "title": f.title, "alt": f.alt} for f in figures]}
        case Terms(pairs):
            return {"kind": "terms", "pairs": [list(pair) for pair in pairs]}
        case Code(caption, language, text):
            return {"kind": "code", "caption": caption, "language": language, "text": text}
        case _:
            return {"kind": block.kind, "lines": [paper.full for paper in block.papers]}


def opening(made: Replication) -> list[str]:
    """What it replicates, what was reached and how it was made."""
    return [made.title, made.headline, counted_met(made.agreement), how_made(made)]


def how_made(made: Replication) -> str:
    """Runs, seed, date and versions in a sentence."""
    runs = "" if made.runs is None else f"{made.runs:,} run{'' if made.runs == 1 else 's'}, "
    versions = ", ".join(f"{name} {number}" for name, number in made.versions.items())
    return f"Made on {made.made}: {runs}seed {made.seed}; {versions}."


def left_out_lines(made: Replication) -> list[str]:
    """What this run did not do, a line each."""
    return ["Left out:", *(f"- {line}" for line in made.left_out)] if made.left_out else ["Nothing is left out."]


def _answers(made: Replication) -> tuple[str, ...]:
    missed = [f"{line.what}: {line.ours}, asked for {line.asked}" for line in made.agreement if line.met is False]
    said = "; ".join(missed) + "." if missed else "Nothing that was asked for is missed."
    left = " ".join(made.left_out) or "Nothing is left out."
    return (made.headline, f"Where ours differ: {said}", f"Left out: {left}")


def _agreement(made: Replication) -> Section:
    table = TableBlock(
        "agreement-table",
        "How near ours come to the published figures.",
        agreement_table(made.agreement),
        frozenset({"agreement", "ours", "asked for"}),
    )
    return Section("agreement", "Agreement", (table,))


def _left_out(made: Replication) -> Section:
    block: Block = Bullets(made.left_out) if made.left_out else Sentences(("Nothing is left out.",))
    return Section("left-out", "Left out", (block,))


def _making(made: Replication) -> Section:
    runs = (("runs", f"{made.runs:,}"),) if made.runs is not None else ()
    pairs = (("paper", made.reference), *runs, ("seed", str(made.seed)), ("date", made.made), *made.versions.items())
    return Section("provenance", "Make it again", (Terms(pairs),))
