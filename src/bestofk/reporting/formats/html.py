"""The report as one HTML file: no network, light and dark, on a phone, on a desk and on paper."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from bestofk.advice import Advice
from bestofk.core.extras import available
from bestofk.reporting.blocks import Code, Section
from bestofk.reporting.choices import View
from bestofk.reporting.document import Document, Request
from bestofk.reporting.first_screen import MOST_LEARNERS
from bestofk.reporting.formats.latex import latex_table
from bestofk.reporting.formats.rendering import isolation, rendered
from bestofk.reporting.page import Page

#: Says before the first picture that headings will sort, so that nothing moves when they do.
EARLY = 'document.documentElement.classList.add("js")'

_NOT_NEEDED = re.compile(
    r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>|<title\b.*?</title>",
    re.DOTALL,
)
_TAG = re.compile(r"<[^>]*>")
_NAMESPACE = re.compile(r' xmlns(:\w+)?="[^"]*"')
_ID = re.compile(r'\bid="([^"]*)"')
_IDS = re.compile(r'(\bid="|\burl\(#|\bhref="#)([^")]*)')
_FALLBACK = re.compile(r"(var\(--fig-[\w-]+), [^)]*\)")
_STYLE = re.compile(r'style="[^"]*"')
_PLACES = re.compile(r' (?:d|points|[xy][12]?)="[^"]*"')
_FINE = re.compile(r"-?\d+\.\d\d")  # a tenth of a point is finer than a screen
_RECTANGLE = re.compile(r"M (\S+) (\S+) L (\S+) \2 L \3 (\S+) L \1 \4 z\s*")
_OPENING = re.compile(r"<svg\b([^>]*)>")
_BETWEEN = re.compile(r">\s*\n\s*<")


def html_report(request: Request) -> Document:
    """Make the page."""
    from markupsafe import Markup

    templates = files("bestofk.reporting.formats") / "templates"
    style, script = ((templates / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    page = request.page

    def drawn(figure: Any, described_by: str) -> str:
        svg = figure.svg(theme="page", width="phone")  # of our own
        return Markup(isolated(inline(svg, f"{figure.name}-", figure.title, described_by)))

    names = () if page.table is None else [row[page.table.row_name] for row in page.table.rows]
    isolated = isolation(names)
    text = rendered(
        "report.html",
        names=names,
        page=page,
        sections=(*page.sections, *_paper(page)),
        most=MOST_LEARNERS,
        allowed=Markup(f"{_allowed(EARLY)} {_allowed(script)}"),
        style=Markup(style + figure_style()),
        early=Markup(EARLY),
        script=Markup(script),
        drawn=drawn,
        more=more_text,
        views=Markup(isolated(_views(page))) if page.choices else "",
    )
    return Document(text)


def _paper(page: Page) -> tuple[Section, ...]:
    """The table as a paper takes it."""
    if page.table is None:
        return ()
    return (Section("paper", "Table for a paper", (Code("LaTeX", "latex", latex_table(page.table)),)),)


def figure_style() -> str:
    """The colours of figures, light and dark; none without matplotlib."""
    if not available("matplotlib"):
        return ""
    from bestofk.plots.canvas.themes import page_style

    return page_style()


def _views(page: Page) -> str:
    """What every preference would choose, for the script; no text of it can end the element that it is in."""
    assert page.choices is not None
    assert page.table is not None
    given = View(page.title, page.lines[0], page.table, page.advice)
    places = {row[given.table.row_name]: i for i, row in enumerate(given.table.rows)}
    known = {
        "preferred": page.choices.preferred,
        "given": _view(given, places),
        "views": [_view(view, places) for view in page.choices.views],
    }
    return json.dumps(known, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _view(view: View, places: Mapping[str, int]) -> dict[str, Any]:
    """A view; its rows by their places in the page's own table."""
    table = view.table
    drawn = table.columns.index(table.drawn or "rank")
    rows = zip(table.rows, table.states, table.marks, strict=True)
    return {
        "title": view.title,
        "sentence": view.sentence,
        "careful": [view.advice[0].seen, view.advice[0].code, more_text(view.advice)] if view.advice else None,
        "heading": table.drawn,
        "beside": table.columns[-1],
        "ticks": table.axis.ticks,
        "zero": table.axis.zero,
        "rows": [
            [places[row[table.row_name]], row[drawn], row[-1], state, *astuple(mark)] for row, state, mark in rows
        ],
    }


def more_text(advice: Sequence[Advice]) -> str:
    """How many cautions there are beside the first."""
    return f"{len(advice) - 1} more" if len(advice) > 1 else ""


def _allowed(script: str) -> str:
    """The page runs these very scripts and no other, and asks the network for nothing."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def inline(svg: str, prefix: str, title: str, described_by: str) -> str:
    """An SVG file as an element of a page: without prolog and metadata, with ids of its own and a title.

    Examples
    --------
    >>> svg = '<?xml version="1.0"?><svg><path id="a"/><use href="#a"/></svg>'
    >>> print(inline(svg, "o-", "Order", "o").replace("><", "> <"))
    <svg role="img" aria-labelledby="o-title" aria-describedby="o"> <title id="o-title">Order</title> <path id="o-0"/> \
<use href="#o-0"/> </svg>
    """
    bare = _BETWEEN.sub("><", _NOT_NEEDED.sub("", svg)).strip()
    short = {name: f"{prefix}{i}" for i, name in enumerate(_ID.findall("".join(_TAG.findall(bare))))}
    bare = _TAG.sub(lambda tag: _smaller(tag.group(), prefix, short), bare)
    opening = f'<svg role="img" aria-labelledby="{prefix}title" aria-describedby="{described_by}"'
    named = f'<title id="{prefix}title">{escape(title)}</title>'
    return _OPENING.sub(lambda found: f"{opening}{found.group(1)}>{named}", bare, count=1)


def _smaller(tag: str, prefix: str, short: Mapping[str, str]) -> str:
    """A tag with short ids, without what a page does not need, and in places as fine as a screen shows."""
    tag = _NAMESPACE.sub("", tag).replace("xlink:href", "href")
    tag = _FALLBACK.sub(r"\1)", _RECTANGLE.sub(r"M\1 \2H\3V\4H\1z", tag))
    tag = _STYLE.sub(lambda found: found.group().replace("; ", ";").replace(": ", ":"), tag)
    tag = _PLACES.sub(lambda found: _FINE.sub(lambda each: f"{float(each.group()):.1f}", found.group()), tag)
    return _IDS.sub(lambda found: found.group(1) + short.get(found.group(2), prefix + found.group(2)), tag)
