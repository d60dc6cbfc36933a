"""Figures for a report, and their SVG made fit for the inside of a page."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from bestofk.core.extras import available
from bestofk.judging import Verdict

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


def figures_of(verdict: Verdict) -> tuple[Any, ...]:
    """The figures that fit the verdict, most telling first; none without matplotlib."""
    if not available("matplotlib"):
        return ()
    from bestofk.plots.gallery import figures_for

    return tuple(figures_for(verdict))


def why_no_figures() -> str:
    """Say why there are no (more) figures."""
    if not available("matplotlib"):
        return 'Figures are left out: matplotlib is not installed (pip install "bestofk[plots]" brings it).'
    return "No further figure fits this verdict."


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
