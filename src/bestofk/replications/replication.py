"""What the replication of a paper gives: what was reached, how near it is, its tables and figures, what is left out."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bestofk.core.record import Record
from bestofk.core.version import __version__
from bestofk.replications.agreement import Agreement
from bestofk.reporting.blocks import Bullets, Code, Pictures, Section, Sentences, TableBlock, Terms

if TYPE_CHECKING:
    from bestofk.reporting.page import Page

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
        """The headline, the agreement and what is left out."""
        from bestofk.replications.words import replication_text

        return replication_text(self)

    def report(self, path: str | Path, **options: Any) -> Path:
        """Write a report, the format by the suffix: html, md, tex, json, txt."""
        from bestofk.reporting.report import write_report

        return write_report(self, path, **options)

    def page(self, reading: Mapping[str, Any] | None = None) -> Page:
        """What its report says, before any format."""
        from bestofk.replications.page import page_of_replication

        return page_of_replication(self, reading)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, ready for JSON: tables as columns and rows, figures in words."""
        return {**super().to_dict(), "sections": [_section(each) for each in self.sections]}

    def __repr__(self) -> str:
        return f"Replication of {self.paper}: {self.headline}"


def today() -> str:
    """The date of a run, in UTC."""
    return datetime.now(UTC).date().isoformat()


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
