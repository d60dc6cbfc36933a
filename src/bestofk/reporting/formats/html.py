"""The report as one HTML file: no network, light and dark, on a phone, on a desk and on paper."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from bestofk.reporting.document import Document, Request
from bestofk.reporting.formats.rendering import rendered

#: Says before the first picture that headings will sort, so that nothing moves when they do.
EARLY = 'document.documentElement.classList.add("js")'
#: A figure above this size comes in one theme only: twice would weigh too much.
MOST_FOR_TWO_THEMES = 120_000

_NOT_NEEDED = re.compile(
    r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>|<title\b.*?</title>"
    r'| xmlns(:\w+)?="[^"]*"',
    re.DOTALL,
)
_IDS = re.compile(r'(\bid="|\burl\(#|\bhref="#)')
_OPENING = re.compile(r"<svg\b([^>]*)>")
_BETWEEN = re.compile(r">\s*\n\s*<")


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


def drawings_of(figure: Any, width: str, described_by: str) -> tuple[tuple[str, str], ...]:
    """Theme and inline SVG: light and dark, or one for both where the figure is large."""

    def drawn(theme: str) -> str:
        return inline(figure.svg(theme=theme, width=width), f"{figure.name}-{theme}-", figure.title, described_by)

    light = drawn("light")
    return (("both", light),) if len(light) > MOST_FOR_TWO_THEMES else (("light", light), ("dark", drawn("dark")))


def inline(svg: str, prefix: str, title: str, described_by: str) -> str:
    """An SVG file as an element of a page: without prolog and metadata, with ids of its own and a title.

    Examples
    --------
    >>> print(inline('<?xml version="1.0"?><svg><use href="#a"/></svg>', "o-", "Order", "o").replace("><", "> <"))
    <svg role="img" aria-labelledby="o-title" aria-describedby="o">
    <title id="o-title">Order</title> <use href="#o-a"/> </svg>
    """
    bare = _BETWEEN.sub("><", _NOT_NEEDED.sub("", svg)).strip()
    bare = _IDS.sub(lambda found: found.group(1) + prefix, bare)
    opening = f'<svg role="img" aria-labelledby="{prefix}title" aria-describedby="{described_by}"'
    named = f'<title id="{prefix}title">{escape(title)}</title>'
    return _OPENING.sub(lambda found: f"{opening}{found.group(1)}>{named}", bare, count=1)
