"""Figures by name, and those that fit a result."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.options import one_of
from bestofk.core.shelf import Shelf
from bestofk.plots.canvas.board import COLUMN, PAGE, Board, root_of, settings, sheet
from bestofk.plots.canvas.text_width import clean
from bestofk.plots.canvas.themes import PAGE as PAGE_COLOURS
from bestofk.plots.canvas.themes import Theme, ThemeName, theme_of, with_variables
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, ordering_in

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Sheet


Width = Literal["phone", "column", "page"]
#: In millimetres: letters as large as on a phone, one column and the full width of a journal page.
WIDTHS = {"phone": 68.0, "column": COLUMN, "page": PAGE}


#: What is left out of each format, for it would differ from day to day or between versions.
_NO_DATES = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
# Verdana has the widths of matplotlib's own font and most machines have it; other fonts are narrower.
_ROOT = "font-family: 'DejaVu Sans', Verdana, sans-serif; stroke-linejoin: round; stroke-linecap: butt"
_NUMBER = re.compile(r"-?\d+\.\d{3,}(?!\w)")
_TAG = re.compile(r"<[^>]*>")


@frozen(eq=False)
class Figure:
    """A figure that can be drawn: ``draw(ax=…, theme=…)``, ``svg()`` for a page, ``save("x.pdf")`` for a paper."""

    name: str
    title: str
    alt: str
    info: Info
    draw: Callable[..., Any]

    def svg(self, *, theme: ThemeName | Literal["page"] = "light", width: Width = "column") -> str:
        """Return an SVG element, the same bytes for the same data; title and background are left to the page.

        With the theme "page" colours are CSS variables: ``themes.page_style()`` has their values, light and dark.
        """
        one_of(theme, ("light", "dark", "page"), name="theme", where="figure")
        return self._svg(PAGE_COLOURS if theme == "page" else theme_of(theme), width, alone=False)

    def save(self, path: str | Path, *, theme: ThemeName = "light", width: Width = "column") -> None:
        """Write svg, pdf or png, by the ending of the path, with the title above the figure."""
        path = Path(path)
        kind = path.suffix.lower().lstrip(".")
        if kind not in _NO_DATES:
            raise InputError(
                f"a figure cannot be saved as {path.name!r}.", "save", "end the path with .svg, .pdf or .png."
            )
        if kind == "svg":
            path.write_text(self._svg(theme_of(theme), width, alone=True), encoding="utf-8")
            return
        with settings():
            path.write_bytes(_bytes(self._drawn(theme_of(theme), width, title=self.title), kind, self.title))

    def _svg(self, theme: Theme, width: Width, *, alone: bool) -> str:
        salt = f"{self.info.name}-{theme.name}"  # ids of two figures, or of two themes, on one page must not meet
        with settings(**{"svg.hashsalt": salt}):
            figure = self._drawn(theme, width, title=self.title if alone else "")
            if not alone:  # the page shines through
                figure.set_facecolor("none")
            return tidy(_bytes(figure, "svg").decode("utf-8"), title=self.title, words=self.alt)

    def _drawn(self, theme: Theme, width: Width, *, title: str) -> Sheet:
        across = WIDTHS[one_of(width, tuple(WIDTHS), name="width", where="figure")]
        ax = sheet(across, self.info.height(across), theme, title)
        self.info.paint(Board(ax, theme))
        return root_of(ax)

    def _repr_html_(self) -> str:
        return f'<div role="img" aria-label="{escape(self.alt)}">{self.svg()}</div>'


def figure_of(info: Info) -> Figure:
    """Make a figure of data that were put together by hand."""
    return Figure(name=info.name, title=info.title, alt=info.alt, info=info, draw=info.draw)


def figures_for(verdict: Any) -> tuple[Figure, ...]:
    """Return the figures that fit a result, most telling first; the first says the most in ten seconds."""
    found = [info for kind in FIGURES.values() if (info := kind.of(verdict)) is not None and info.telling]
    first = _first(verdict, {info.name: info for info in found})
    return tuple(figure_of(info) for info in sorted(found, key=lambda info: info.name != first))


def _first(result: Any, found: dict[str, Info]) -> str:
    """The figure for the question: a margin; for the evidence: curves, costs, rates, ranks, else differences."""
    comparison, ordering = comparison_in(result), ordering_in(result)
    preferred = "" if ordering is None else ordering.prior_from.replace("-", "_")
    costs = "pareto" in found and getattr(found["pareto"], "cost", "").replace("-", "_") == preferred
    ranks = comparison is not None and comparison.kind == "datasets" and len(comparison.learners) > 2
    asked = {"bounds": not costs, "curves": True, "pareto": costs, "roc": True}
    asked |= {"critical-difference": ranks, "differences": True}
    return next((name for name, wanted in asked.items() if wanted and name in found), "")


def figure(name: str | None, result: Any, evidence: Any = None) -> Figure:
    """Return one figure of a result by its name; of None the first of those that fit it."""
    if name is None:
        fitting = figures_for(result)
        if not fitting:
            what = f"no figure would show anything of this {type(result).__name__.lower()}."
            raise InputError(what, "figure, argument name", "name one: bestofk list plots.")
        return fitting[0]
    if name not in FIGURES:
        raise unknown(name, FIGURES, what="figure", where="argument name")
    info = FIGURES[name].of(result, evidence)
    if info is None:
        names = [each.name for each in figures_for(result)]
        known = f"it has: {', '.join(names)}." if names else "it has no figure of its own: build its Info by hand."
        raise InputError(f"{type(result).__name__} has no figure {name!r}.", "figure, argument name", known)
    return figure_of(info)


def _bytes(figure: Sheet, kind: str, title: str = "") -> bytes:
    buffer = BytesIO()
    facts = {**_NO_DATES[kind], **({"Title": clean(title)} if title else {})}
    figure.savefig(buffer, format=kind, dpi=200, metadata=facts, facecolor=figure.get_facecolor())
    return buffer.getvalue()


def tidy(svg: str, *, title: str, words: str) -> str:
    """Leave out what a page does not need, and name the figure."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)  # it would rule the whole page
    used = set(re.findall(r"#([\w.-]+)", "".join(_TAG.findall(svg))))
    svg = _TAG.sub(lambda tag: _shorter(tag.group(), used), svg)  # words of others stay as they are
    svg = re.sub(r'<path d="M \S+ \S+ ?"[^>]*/>', "", svg)  # a line of one point
    svg = re.sub(r"(<g[^>]*)>((?:\s*<use [^>]*/>)+\s*)</g>", _style_once, svg)
    while "<g>" in svg:  # groups that say nothing
        fewer = re.sub(r"<g>\s*(<(\w+)[^<]*?(?:/>|>[^<]*</\2>))?\s*</g>", lambda match: match.group(1) or "", svg)
        if fewer == svg:
            break
        svg = fewer
    return _named(re.sub(r"\n\s*", "\n", svg), title, words)


def _shorter(tag: str, used: set[str]) -> str:
    """Numbers to a hundredth of a point; no line breaks or turns by nothing; the font said once; ids that are used."""
    tag = re.sub(r'\sid="([\w.-]+)"', lambda match: match.group() if match.group(1) in used else "", tag)
    tag = _NUMBER.sub(lambda number: f"{float(number.group()):.2f}", tag)
    tag = re.sub(r' transform="rotate\(-?0 [^"]*\)"', "", tag)
    tag = re.sub(r"font-family: [^;\"]*(?:; )?", "", tag)
    return with_variables(re.sub(r"\s+", " ", tag))


def _style_once(match: re.Match[str]) -> str:
    """The style of equal marks on their group."""
    styles = set(re.findall(r'style="([^"]*)"', match.group(2)))
    if len(styles) != 1 or "style=" in match.group(1):
        return match.group()
    inside = re.sub(r' style="[^"]*"', "", match.group(2))
    return f'{match.group(1)} style="{styles.pop()}">{inside}</g>'


def _named(svg: str, title: str, words: str) -> str:
    end = svg.index(">")
    root = svg[:end].replace("<svg ", f'<svg style="{_ROOT}" ', 1)
    return f"{root}>\n<title>{escape(title)}</title>\n<desc>{escape(words)}</desc>{svg[end + 1 :]}"


# Every figure by its name, most telling first; those of other packages come after them.


def _figures() -> dict[str, type[Info]]:
    from bestofk.plots.figures.acceptance import AcceptanceInfo
    from bestofk.plots.figures.bounds import BoundsInfo
    from bestofk.plots.figures.contours import DifferenceContoursInfo, MeasureContoursInfo
    from bestofk.plots.figures.critical_difference import CriticalDifferenceInfo
    from bestofk.plots.figures.curves import CurveBandsInfo, WhereTheyDifferInfo
    from bestofk.plots.figures.datasets import DatasetInfluenceInfo, DatasetScatterInfo
    from bestofk.plots.figures.difference_intervals import DifferenceIntervalsInfo
    from bestofk.plots.figures.histograms import ErrorHistogramsInfo, NullHistogramInfo, NullHistogramInteractionInfo
    from bestofk.plots.figures.loss_boxes import LossBoxesInfo
    from bestofk.plots.figures.order_graph import OrderGraphInfo
    from bestofk.plots.figures.order_steps import OrderStepsInfo
    from bestofk.plots.figures.pair_map import PairMapInfo
    from bestofk.plots.figures.pareto import ParetoInfo
    from bestofk.plots.figures.performance_profiles import PerformanceProfilesInfo
    from bestofk.plots.figures.posterior_simplex import PosteriorSimplexInfo
    from bestofk.plots.figures.power import PowerCurvesInfo, SizeAndPowerInfo
    from bestofk.plots.figures.roc_hull import RocHullInfo
    from bestofk.plots.figures.t_tails import TTailsInfo
    from bestofk.plots.figures.underlined_order import UnderlinedOrderInfo

    every: tuple[type[Info], ...] = (
        *(CurveBandsInfo, BoundsInfo, DifferenceIntervalsInfo, OrderGraphInfo, UnderlinedOrderInfo),
        *(PerformanceProfilesInfo, LossBoxesInfo, DatasetScatterInfo, CriticalDifferenceInfo, PairMapInfo),
        *(OrderStepsInfo, WhereTheyDifferInfo, NullHistogramInfo, RocHullInfo),
        *(MeasureContoursInfo, DifferenceContoursInfo, ErrorHistogramsInfo, TTailsInfo),
        *(DatasetInfluenceInfo, ParetoInfo, PosteriorSimplexInfo, SizeAndPowerInfo),
        *(PowerCurvesInfo, AcceptanceInfo, NullHistogramInteractionInfo),
    )
    return {kind.name: kind for kind in every}


FIGURES: Shelf[type[Info]] = Shelf("plots", _figures)
