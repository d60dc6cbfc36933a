"""A report in one format: its text and the files that belong beside it. Any kind of result may have one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.judging import Verdict
from bestofk.reporting.page import Page, page_of

#: Makes a page of how the evidence was read.
PageMaker = Callable[[Mapping[str, Any] | None], Page]


@runtime_checkable
class HasPage(Protocol):
    """A result that makes its own page."""

    def page(self, reading: Mapping[str, Any] | None) -> Page:
        """Return what its report says."""
        ...


@frozen
class Document:
    """Text, and for each file beside it the function that writes it to a path; a picture has ``data`` and no text."""

    text: str
    beside: Mapping[str, Callable[[Path], object]] = field(default_factory=dict)
    data: bytes | None = None


@frozen
class Request:
    """What a maker of reports gets: the result, the name of the file without suffix, how its evidence was read.

    ``alone`` says that nothing may stand beside the text, for it goes to a pipe; ``width`` are the columns of the
    terminal that it goes to.
    """

    subject: Any
    stem: str = "verdict"
    reading: Mapping[str, Any] | None = None
    alone: bool = False
    width: int | None = None

    @cached_property
    def page(self) -> Page:
        """What the report says, before any format."""
        return page_maker(self.subject)(self.reading)


def page_maker(subject: Any) -> PageMaker:
    """Return what makes the page of a result: a verdict's is made here, another result brings a method ``page``."""
    if isinstance(subject, Verdict):
        return partial(page_of, subject)
    if isinstance(subject, HasPage):
        return subject.page
    raise InputError(
        f"there is no report of {type(subject).__name__}.", "report", "give bestofk.judge(...), or its evidence."
    )
