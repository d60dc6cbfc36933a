"""What a report is made of, before any format: sections of blocks that hold plain text."""

from __future__ import annotations

from typing import Any, ClassVar

from bestofk.core.frozen import frozen
from bestofk.reporting.tables import PlainTable
from bestofk.stats.method import Paper


@frozen
class Sentences:
    """Paragraphs, one sentence or more each."""

    lines: tuple[str, ...]
    kind: ClassVar[str] = "sentences"


@frozen
class Bullets:
    """A list of sentences; ``anchors`` are the names by which links reach them, where they have any."""

    lines: tuple[str, ...]
    anchors: tuple[str, ...] = ()
    kind: ClassVar[str] = "bullets"


@frozen
class TableBlock:
    """A table with its caption; ``words`` are columns whose text may be broken into lines."""

    anchor: str
    caption: str
    table: PlainTable
    words: frozenset[str] = frozenset()
    kind: ClassVar[str] = "table"

    @property
    def long(self) -> bool:
        """Whether a reader wants to search it."""
        return len(self.table.rows) > 15

    @property
    def broad(self) -> bool:
        """Whether its headings must stand upright to fit."""
        return len(self.table.columns) > 14


@frozen
class Pictures:
    """Figures of the room of plots, each with name, title and alt."""

    figures: tuple[Any, ...]
    kind: ClassVar[str] = "pictures"


@frozen
class Terms:
    """Names and what they stand for."""

    pairs: tuple[tuple[str, str], ...]
    kind: ClassVar[str] = "terms"


@frozen
class Code:
    """Lines to copy as they are."""

    caption: str
    language: str
    text: str
    kind: ClassVar[str] = "code"


@frozen
class Citations:
    """Papers, in the order of their mention."""

    papers: tuple[Paper, ...]
    kind: ClassVar[str] = "citations"


Block = Sentences | Bullets | TableBlock | Pictures | Terms | Code | Citations


@frozen
class Section:
    """A heading and what stands under it."""

    anchor: str
    heading: str
    blocks: tuple[Block, ...]
