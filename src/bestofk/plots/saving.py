"""A drawing as a file: the same bytes for the same data."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from bestofk.core.errors import InputError
from bestofk.plots.board import root_of, settings, sheet
from bestofk.plots.info import Info
from bestofk.plots.themes import ThemeName, theme_of
from bestofk.plots.tidying import tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What is left out of each format, for it would differ from day to day or between versions.
_NO_DATES = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


def svg_of(info: Info, *, theme: ThemeName, width: float, paper: bool = False) -> str:
    """The figure as an SVG element, ready to stand in a page; without paper the page shines through."""
    salt = f"{info.name}-{theme}"  # ids of two figures, or of two themes, on one page must not meet
    with settings(**{"svg.hashsalt": salt}):
        figure = _drawn(info, theme, width)
        if not paper:
            figure.set_facecolor("none")
        return tidy(_bytes(figure, "svg").decode("utf-8"), title=info.title, words=info.alt)


def save_as(info: Info, path: str | Path, *, theme: ThemeName, width: float) -> None:
    """Write svg, pdf or png, by the ending of the path."""
    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in _NO_DATES:
        raise InputError(f"a figure cannot be saved as {path.name!r}.", "save", "end the path with .svg, .pdf or .png.")
    if kind == "svg":
        path.write_text(svg_of(info, theme=theme, width=width, paper=True), encoding="utf-8")
        return
    with settings():
        path.write_bytes(_bytes(_drawn(info, theme, width), kind))


def _drawn(info: Info, theme: ThemeName, width: float) -> Figure:
    ax = sheet(info, width, theme_of(theme))
    info.draw(ax=ax, theme=theme)
    return root_of(ax)


def _bytes(figure: Figure, kind: str) -> bytes:
    buffer = BytesIO()
    figure.savefig(buffer, format=kind, dpi=200, metadata=_NO_DATES[kind], facecolor=figure.get_facecolor())
    return buffer.getvalue()
