"""Where figures are drawn: a sheet without global state, settings that end with the drawing, one drawing at a time."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.extras import need
from bestofk.core.frozen import frozen
from bestofk.plots.canvas.text_width import (
    MM_PER_INCH,
    MM_PER_POINT,
    clean,
    fitted,
    line_height,
    literal,
    shortened,
    text_width,
    widest_of,
    wrapped,
)
from bestofk.plots.canvas.themes import Style, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text


COLUMN, PAGE = 84.0, 174.0  # millimetres: one column and the full width of a journal page

Points = Sequence[tuple[float, float]]
_TITLE = 8.5  # points
#: Fonts with letters that matplotlib's own lacks, for pictures in which words are no words: the first that is there.
_MORE_LETTERS = ("Noto Sans CJK JP", "Noto Sans CJK SC", "Source Han Sans", "PingFang SC", "Hiragino Sans",
    "Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei",
    "Droid Sans Fallback", "Noto Emoji", "Symbola", "Arial Unicode MS")  # fmt: skip
_TURN = RLock()  # matplotlib's settings belong to the process, so threads draw one after another


@frozen
class Board:
    """Axes with the theme they are drawn in."""

    ax: Axes
    theme: Theme

    def style(self, place: int) -> Style:
        """Colour, marker and line of the learner at this place."""
        return self.theme.style(place)

    def size(self) -> tuple[float, float]:
        """Width and height of the axes in millimetres."""
        box, dpi = self.ax.get_window_extent(), root_of(self.ax).dpi
        return box.width / dpi * MM_PER_INCH, box.height / dpi * MM_PER_INCH

    def millimetres(self) -> tuple[float, float]:
        """Make the axes a drawing board: one unit is a millimetre, the origin is top left, nothing around it."""
        width, height = self.size()
        self.ax.set_xlim(0.0, width)
        self.ax.set_ylim(height, 0.0)
        self.ax.axis("off")
        return width, height

    def text(self, x: float, y: float, words: object, *, size: float = 7.5, **options: Any) -> Text:
        """Write words, never formulas: a dollar in a learner's name stays a dollar."""
        options.setdefault("color", self.theme.ink)
        options.setdefault("va", "center")
        return self.ax.text(x, y, literal(words), fontsize=size, **options)

    def plot(self, *, left: float, right: float, top: float, bottom: float) -> Board:
        """Axes inside this board, their margins in millimetres."""
        width, height = self.size()
        inside = ((left / width, bottom / height), ((width - left - right) / width, (height - top - bottom) / height))
        return Board(self.ax.inset_axes((*inside[0], *inside[1])), self.theme)

    def settle(self) -> None:
        """Fix the limits that the data ask for: only then is it known where a point lies on the sheet."""
        self.ax.set_xlim(self.ax.get_xlim())
        self.ax.set_ylim(self.ax.get_ylim())

    def ticks(self, axis: str, most: int = 4, *, whole: bool = False) -> None:
        """Few ticks with short numbers along one axis, whole numbers for counts."""
        from matplotlib.ticker import FuncFormatter, MaxNLocator

        chosen = self.ax.xaxis if axis == "x" else self.ax.yaxis
        chosen.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10] if whole else [1, 2, 2.5, 5, 10], integer=whole))
        chosen.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.4g}".replace("-", "−")))

    def ratios(self) -> None:
        """A logarithmic axis across with plain numbers (0.5, 1, 2, 5; of many decades 1, 10); call it after drawing."""
        from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

        self.ax.set_xscale("log")
        self.settle()
        low, high = np.log10(self.ax.get_xlim())
        decades = np.arange(np.floor(low), np.ceil(high) + 1.0)
        for parts, every in (((1, 2, 5), 1), ((1, 3), 1), ((1,), 1), ((1,), 2), ((1,), 3), ((1,), 6)):
            ticks = np.ravel(decades[::every, None] + np.log10(parts))
            ticks = ticks[(ticks >= low - 1e-9) & (ticks <= high + 1e-9)]
            widths = np.array([text_width(_plain_number(10.0**tick), 7.0) for tick in ticks]) + 1.5
            apart = np.diff(ticks) * self.size()[0] / (high - low)
            if np.all(apart >= (widths[1:] + widths[:-1]) / 2):
                break
        self.ax.xaxis.set_major_locator(FixedLocator((10.0**ticks).tolist()))
        self.ax.xaxis.set_minor_locator(NullLocator())
        self.ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _plain_number(value)))

    def within(self, axis: str, low: float, high: float) -> None:
        """End an axis where the possible values end, with a hair's room for a mark there; call it after drawing."""
        start, end = self.ax.get_xlim() if axis == "x" else self.ax.get_ylim()
        room = 0.015 * (min(end, high) - max(start, low))
        ends = (max(start, low - room), min(end, high + room))
        (self.ax.set_xlim if axis == "x" else self.ax.set_ylim)(*ends)

    def labels(self, x: str, y: str = "") -> None:
        """Words along the axes."""
        width, height = self.size()
        look: dict[str, Any] = {"fontsize": 7.5, "color": self.theme.ink, "labelpad": 2}
        self.ax.set_xlabel(literal(fitted(clean(x), width + 5.0, 7.5)), **look)
        if y:
            self.ax.set_ylabel(literal(fitted(clean(y), height + 3.0, 7.5)), **look)

    def bar(self, ends: Points, members: Points, *, whole: bool, most: float = 3.2) -> None:
        """Join the members of a group: full where nobody else stands between, else thin, with a dot at each member."""
        weight = 0.7 if not whole else min(2.0, most)
        line: dict[str, Any] = {"color": self.theme.accent, "solid_capstyle": "butt", "zorder": 2}
        self.ax.plot(*zip(*ends, strict=True), linewidth=weight, **line)
        if not whole:
            self.ax.plot(*zip(*members, strict=True), "o", markersize=min(3.2, most), color=self.theme.accent, zorder=2)

    def upright_bars(self, groups: Sequence[Sequence[int]], rows: Sequence[float], x: float, step: float) -> None:
        """A bar per group of rows, the first at ``x``, the others so many millimetres further; none touch."""
        half = 0.3 * (rows[1] - rows[0])
        for place, group in enumerate(groups if step > 0 else groups[::-1]):
            at, members = x + step * place, sorted(group)
            ends = [(at, rows[members[0]] - half), (at, rows[members[-1]] + half)]
            whole = members[-1] - members[0] + 1 == len(members)
            dots = [(at, rows[i]) for i in members]
            self.bar(ends, dots, whole=whole, most=0.6 * abs(step) / MM_PER_POINT)

    def frame(self, *, grid: str | None = None) -> None:
        """Quiet axes: left and bottom lines, small ticks, a faint grid along one axis."""
        theme, ax = self.theme, self.ax
        ax.set_facecolor("none")
        for side, spine in ax.spines.items():
            spine.set_visible(side in ("left", "bottom"))
            spine.set_color(theme.muted)
            spine.set_linewidth(0.6)
        ax.tick_params(colors=theme.muted, labelcolor=theme.ink, labelsize=7, width=0.6, length=2.5)
        ax.xaxis.label.set(color=theme.ink, fontsize=7.5)
        ax.yaxis.label.set(color=theme.ink, fontsize=7.5)
        ax.set_axisbelow(True)
        if grid:
            ax.grid(True, axis=grid, color=theme.faint, linewidth=0.5)  # type: ignore[arg-type]


def _plain_number(value: float) -> str:
    """A number of a logarithmic axis, written out where that is short.

    Examples
    --------
    >>> [_plain_number(value) for value in (1e-6, 0.0005, 1.0, 20.0, 500_000.0, 1e9)]
    ['1e-6', '0.0005', '1', '20', '500,000', '1e9']
    """
    if 1e-4 <= value < 1e6:
        return f"{value:,.4g}" if value < 1e4 else f"{value:,.0f}"
    return f"{value:.3g}".replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")


def root_of(ax: Axes) -> Figure:
    """The whole figure that the axes belong to, also when they stand in a part of it."""
    whole: Any = ax.figure
    root: Figure = whole.figure
    return root


@contextmanager
def settings(**more: Any) -> Iterator[None]:
    """Fixed settings of matplotlib, whatever the process has set, until the block ends."""
    matplotlib = need("matplotlib", purpose="drawing a figure")
    fonts = logging.getLogger("matplotlib.font_manager")
    with _TURN, matplotlib.rc_context({**_settings(), **more}), warnings.catch_warnings():
        # A page has more letters than matplotlib's own font: names in any script are right in the SVG.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        level = fonts.level
        fonts.setLevel(logging.ERROR)  # a font without bold letters is set in plain ones
        try:
            yield
        finally:
            fonts.setLevel(level)


def sheet(width: float, height: float, theme: Theme, title: str = "") -> Axes:
    """Axes of so many millimetres in a new figure, with the title above them; pyplot never hears of it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    lines = wrapped(title, width - 2.0, _TITLE)
    line = line_height(_TITLE)
    whole = height + (len(lines) * line + 3.0 if lines else 0.0)
    figure = Figure(figsize=(width / MM_PER_INCH, whole / MM_PER_INCH), facecolor=theme.paper)
    FigureCanvasAgg(figure)
    for i, words in enumerate(lines):
        at = 1.0 / width, 1.0 - (1.0 + (i + 0.5) * line) / whole
        figure.text(*at, literal(words), fontsize=_TITLE, color=theme.ink, va="center")
    return figure.add_axes((0.0, 0.0, 1.0, height / whole))


@cache
def _settings() -> dict[str, Any]:
    import matplotlib
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    plain: dict[str, Any] = {
        str(key): value for key, value in matplotlib.rcParamsDefault.items() if not key.startswith("backend")
    }
    ours = {
        "font.size": 7.5,
        "font.family": [
            "DejaVu Sans",
            *(name for name in _MORE_LETTERS if name in installed),
        ],  # widths are the first's
        "axes.unicode_minus": True,
        "text.parse_math": True,
        "text.hinting": "none",  # widths are those that were measured, whatever the resolution
        "pdf.fonttype": 42,
        "svg.fonttype": "none",  # words stay words: small files that a screen reader and a search can read
        "svg.hashsalt": "bestofk",
        "path.simplify": False,
    }
    return {**plain, **ours}


# Which mark is which learner, in columns below a plot.


_SIZE = 7.0
_ENTRY = 27.0  # millimetres per entry
_ROW = 3.5


def key_height(count: int, width: float) -> float:
    """Millimetres that the key of so many learners takes."""
    return _ROW * -(-count // _columns(width)) + 1.5


def draw_key(
    board: Board, names: Sequence[str], *, lines: bool | Collection[int] = False, hollow: Collection[int] = ()
) -> None:
    """Write the key along the lower edge of a board in millimetres, row by row.

    ``lines`` are the places with a line beside the mark (or all), ``hollow`` those whose mark is not filled.
    """
    width, height = board.size()
    columns = _columns(width)
    entry = width / columns
    top = height - key_height(len(names), width) + _ROW / 2
    for i, name in enumerate(shortened(names, entry - 9.0, _SIZE)):
        x, y = (i % columns) * entry + 1.5, top + (i // columns) * _ROW
        style = board.style(i)
        fill = board.theme.paper if i in hollow else style.colour
        if lines is True or (lines and i in lines):
            board.ax.plot([x, x + 5.0], [y, y], color=style.colour, linestyle=style.line, linewidth=1.3)
        board.ax.plot(x + 2.5, y, style.marker, color=style.colour, markerfacecolor=fill, markersize=4.0)
        board.text(x + 6.5, y, name, size=_SIZE)


def _columns(width: float) -> int:
    return max(1, int(width / _ENTRY))


# A plot with a named row per learner or data set, and its words below, all in millimetres.


_FOOT = 9.5  # millimetres for ticks and words


def rows_height(count: int) -> float:
    """Height of the sheet for so many rows: roomy for few, never below a line of text."""
    return 2.0 + _FOOT + count * (7.0 if count <= 6 else 5.0 if count <= 15 else 3.5)


def named_rows(board: Board, names: Sequence[str], words: str, *, right: float = 3.0) -> Board:
    """Rows 0, 1, … from the top with their names at the left; returns the plot for the marks."""
    width, height = board.millimetres()
    size = 7.5 if len(names) <= 15 else 7.0
    short = shortened(names, 0.34 * width, size)
    left = widest_of(short, size) + 3.0
    plot = board.plot(left=left, right=right, top=1.5, bottom=_FOOT)
    plot.frame(grid="x")
    plot.ax.set_ylim(len(names) - 0.4, -0.6)
    plot.ax.set_yticks([])
    plot.ticks("x")
    plot.ax.spines["left"].set_visible(False)
    for name, y in zip(short, row_places(board, len(names)), strict=True):
        board.text(left - 1.5, y, name, size=size, ha="right")
    board.text(width / 2, height - 2.3, fitted(words, width - 2.0, 7.5), ha="center")
    return plot


def row_places(board: Board, count: int) -> list[float]:
    """Where the rows are on the board, in millimetres from the top."""
    row = (board.size()[1] - 1.5 - _FOOT) / (count + 0.2)
    return [1.5 + (i + 0.6) * row for i in range(count)]


# Labels moved apart as little as needed.


def spread(wanted: Any, gap: float, low: float, high: float) -> Array:
    """Places near the wanted ones, at least ``gap`` apart and inside [low, high]; the order stays.

    The least-squares answer by pooling neighbours. Too many for the room stand at equal distances.

    Examples
    --------
    >>> spread([1.0, 1.1, 5.0], 1.0, 0.0, 10.0).tolist()
    [0.55, 1.55, 5.0]
    """
    places = np.asarray(wanted, dtype=float)
    if len(places) == 0:
        return places
    order = np.argsort(places, kind="stable")
    steps = gap * np.arange(len(places))
    if steps[-1] >= high - low:
        moved = np.linspace(low, high, len(places)) if len(places) > 1 else np.array([(low + high) / 2])
    else:
        moved = np.clip(_rising(places[order] - steps), low, high - steps[-1]) + steps
    result = np.empty(len(places))
    result[order] = moved
    return result


def _rising(values: Array) -> Array:
    """The nearest values that never fall: neighbours out of order share their mean."""
    pools: list[tuple[float, int]] = []
    for value in values.tolist():
        total, count = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            earlier, many = pools.pop()
            total, count = total + earlier, count + many
        pools.append((total, count))
    return np.concatenate([np.full(count, total / count) for total, count in pools])


def end_room(names: Sequence[str], widest: float, size: float = 7.0) -> float:
    """Millimetres right of the axes that ``label_ends`` takes."""
    return 6.0 + widest_of(shortened(names, widest, size), size)


def label_ends(
    outer: Board, inner: Board, ends: Sequence[tuple[float, float]], names: Sequence[str], *, widest: float
) -> None:
    """Write names right of the inner axes beside the data points where their lines end, with a leader to each."""
    size = 7.0
    height = outer.size()[1]
    inner.settle()
    to_inner = inner.ax.transData + outer.ax.transData.inverted()
    at = to_inner.transform(np.asarray(ends, dtype=float))
    gap = line_height(size)
    places = spread(at[:, 1], gap, gap / 2, height - gap / 2)
    left = float((inner.ax.transAxes + outer.ax.transData.inverted()).transform((1.0, 0.0))[0])
    for i, (short, (x, y), place) in enumerate(zip(shortened(names, widest, size), at, places, strict=True)):
        colour = outer.style(i).colour
        outer.ax.plot([x, left + 1.0, left + 4.0], [y, y, place], color=colour, linewidth=0.6, zorder=1)
        outer.text(left + 4.8, place, short, size=size)
