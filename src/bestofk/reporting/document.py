"""A report in one format: its text and the files that belong beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from bestofk.judging import Verdict
from bestofk.reporting.page import Page, page_of


@dataclass(frozen=True)
class Document:
    """Text, and for each file beside it the function that writes it to a path."""

    text: str
    beside: Mapping[str, Callable[[Path], object]] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """What a maker of reports gets: the verdict, the name of the file without suffix, how the results were read.

    ``alone`` says that nothing may stand beside the text, for it goes to a pipe.
    """

    verdict: Verdict
    stem: str = "verdict"
    reading: Mapping[str, Any] | None = None
    alone: bool = False

    @cached_property
    def page(self) -> Page:
        """What the report says, before any format."""
        return page_of(self.verdict, self.reading)
