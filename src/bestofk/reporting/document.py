"""A report in one format: its text and the files that belong beside it. Any kind of result may have one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.registry import registry
from bestofk.reporting.page import Page

_NEW_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True)
class Document:
    """Text, and for each file beside it the function that writes it to a path."""

    text: str
    beside: Mapping[str, Callable[[Path], object]] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """What a maker of reports gets: the result, the name of the file without suffix, how its evidence was read.

    ``alone`` says that nothing may stand beside the text, for it goes to a pipe.
    """

    subject: Any
    stem: str = "verdict"
    reading: Mapping[str, Any] | None = None
    alone: bool = False

    @cached_property
    def page(self) -> Page:
        """What the report says, before any format."""
        made: Page = registry("pages").load(kind_of(self.subject))(self.subject, self.reading)
        return made


def kind_of(subject: Any) -> str:
    """The name under which a result's page and words are registered: its class, MeasuresVerdict as measures-verdict."""
    name = _NEW_WORD.sub("-", type(subject).__name__).lower()
    if name not in registry("pages").names():
        raise InputError(
            f"there is no report of {type(subject).__name__}.", "report", "give bestofk.judge(...), or its evidence."
        )
    return name
