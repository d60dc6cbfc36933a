"""The report as one HTML file: no network, light and dark, on a phone, on a desk and on paper."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from bestofk.reporting.document import Document, Request
from bestofk.reporting.formats.rendering import rendered
from bestofk.reporting.pictures import drawings_of

#: Says before the first picture that headings will sort, so that nothing moves when they do.
EARLY = 'document.documentElement.classList.add("js")'


def html_report(request: Request) -> Document:
    """Make the page."""
    from markupsafe import Markup

    templates = files("bestofk.reporting.formats") / "templates"
    style, script = ((templates / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))

    def drawings(figure: Any, width: str, described_by: str) -> list[tuple[str, str]]:
        return [(theme, Markup(svg)) for theme, svg in drawings_of(figure, width, described_by)]  # SVG of our own

    text = rendered(
        "report.html",
        page=request.page,
        allowed=Markup(f"{_allowed(EARLY)} {_allowed(script)}"),
        style=Markup(style),
        early=Markup(EARLY),
        script=Markup(script),
        drawings=drawings,
    )
    return Document(text)


def _allowed(script: str) -> str:
    """The page runs these very scripts and no other, and asks the network for nothing."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
