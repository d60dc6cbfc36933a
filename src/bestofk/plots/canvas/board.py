"""Where figures are drawn: a sheet without global state, settings that end with the drawing, one drawing at a time."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any

from bestofk.core.extras import need
from bestofk.plots.canvas.text_width import MM_PER_INCH, clean, fitted, literal
from bestofk.plots.canvas.themes import Style, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from bestofk.plots.info import Info

COLUMN, PAGE = 84.0, 174.0  # millimetres: one column and the full width of a journal page

_TURN = RLock()  # matplotlib's settings belong to the process, so threads draw one after another


@dataclass(frozen=True)
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

    def labels(self, x: str, y: str = "") -> None:
        """Words along the axes."""
        width, height = self.size()
        look: dict[str, Any] = {"fontsize": 7.5, "color": self.theme.ink, "labelpad": 2}
        self.ax.set_xlabel(literal(fitted(clean(x), width + 5.0, 7.5)), **look)
        if y:
            self.ax.set_ylabel(literal(fitted(clean(y), height + 3.0, 7.5)), **look)

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


def root_of(ax: Axes) -> Figure:
    """The whole figure that the axes belong to, also when they stand in a part of it."""
    whole: Any = ax.figure
    root: Figure = whole.figure
    return root


@contextmanager
def settings(**more: Any) -> Iterator[None]:
    """Fixed settings of matplotlib, whatever the process has set, until the block ends."""
    matplotlib = need("matplotlib", purpose="drawing a figure")
    with _TURN, matplotlib.rc_context({**_settings(), **more}), warnings.catch_warnings():
        # A page has more letters than matplotlib's own font: names in any script are right in the SVG.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def sheet(info: Info, width: float, theme: Theme) -> Axes:
    """Axes that fill a new figure; pyplot never hears of it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    inches = (width / MM_PER_INCH, info.height(width) / MM_PER_INCH)
    figure = Figure(figsize=inches, facecolor=theme.paper)
    FigureCanvasAgg(figure)
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


@cache
def _settings() -> dict[str, Any]:
    import matplotlib

    plain: dict[str, Any] = {
        str(key): value for key, value in matplotlib.rcParamsDefault.items() if not key.startswith("backend")
    }
    ours = {
        "font.size": 7.5,
        "font.family": ["DejaVu Sans"],  # it comes with matplotlib, so widths are the same everywhere
        "axes.unicode_minus": True,
        "text.parse_math": True,
        "pdf.fonttype": 42,
        "svg.fonttype": "none",  # words stay words: small files that a screen reader and a search can read
        "svg.hashsalt": "bestofk",
        "path.simplify": False,
    }
    return {**plain, **ours}
