"""Figures by name, and those that fit a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import one_of
from bestofk.plots.board import COLUMN, PAGE
from bestofk.plots.info import Info
from bestofk.plots.saving import save_as, svg_of
from bestofk.plots.shelf import FIGURES
from bestofk.plots.themes import ThemeName

Width = Literal["column", "page"]


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure that can be drawn: ``draw(ax=…, theme=…)``, ``svg()`` for a page, ``save("x.pdf")`` for a paper."""

    name: str
    title: str
    alt: str
    info: Info
    draw: Callable[..., Any]

    def svg(self, *, theme: ThemeName = "light", width: Width = "column") -> str:
        """Return an SVG element, the same bytes for the same data; the background is left to the page."""
        return svg_of(self.info, theme=theme, width=_millimetres(width))

    def save(self, path: str | Path, *, theme: ThemeName = "light", width: Width = "column") -> None:
        """Write svg, pdf or png, by the ending of the path."""
        save_as(self.info, path, theme=theme, width=_millimetres(width))

    def _repr_html_(self) -> str:
        return f'<div role="img" aria-label="{escape(self.alt)}">{self.svg()}</div>'


def figure_of(info: Info) -> Figure:
    """Make a figure of data that were put together by hand."""
    return Figure(name=info.name, title=info.title, alt=info.alt, info=info, draw=info.draw)


def figures_for(verdict: Any) -> tuple[Figure, ...]:
    """Return the figures that fit a result, most telling first; the first says the most in ten seconds."""
    found = [info for kind in FIGURES.values() if (info := kind.of(verdict)) is not None]
    if getattr(verdict, "prior", None) is None:  # without a preference groups, if any, tell more than the graph
        found.sort(key=lambda info: info.name != "underlined-order" or not getattr(info, "groups", ()))
    return tuple(figure_of(info) for info in found)


def figure(name: str, result: Any, evidence: Any = None) -> Figure:
    """Return one figure of a result by its name."""
    if name not in FIGURES:
        raise unknown(name, FIGURES, what="figure", where="argument name")
    info = FIGURES[name].of(result, evidence)
    if info is None:
        fitting = [each.name for each in figures_for(result)]
        known = f"it has: {', '.join(fitting)}." if fitting else "it has no figure of its own: build its Info by hand."
        raise InputError(f"{type(result).__name__} has no figure {name!r}.", "figure, argument name", known)
    return figure_of(info)


def _millimetres(width: Width) -> float:
    return COLUMN if one_of(width, ("column", "page"), name="width", where="figure") == "column" else PAGE
