"""The graph of MultiTest: learners as preferred, arrows where the data override it, and the order that comes out."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, listed
from bestofk.ordering.methods import CORRECTED
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import SMALL, clean, fitted, shortened, text_width, widest_of
from bestofk.plots.canvas.themes import Theme, readable_on
from bestofk.plots.info import Info
from bestofk.plots.sources import Sorting, comparison_in, order_in, ordering_in, sorted_by

_BOLD = 1.12  # bold letters are so much wider
_FEW = 4  # so many arrows are said one by one
_MOST = 40  # arrows that can be followed: there is no figure of more, for groups say it better
Edges = tuple[tuple[str, str], ...]


#: Millimetres that the key takes.
KEY_HEIGHT = 13.0
_ROW, _RADIUS, _MARK = 3.9, 1.6, 6.0


@frozen(eq=False)
class OrderGraphInfo(Info):
    """``listed_as`` are the nodes from top to bottom: the preference, or the order itself where there is none.

    ``edges`` (overruled, better): found by the tests. ``order`` is what comes out, best first; ``best`` None when a
    method finds none. ``ranked``: Multi²Test made the edges, by ranks that keep to the preference.
    ``sorting`` says what put the order so where the nodes stand in it.
    """

    name: ClassVar[str] = "order"

    listed_as: tuple[str, ...]
    edges: Edges
    order: tuple[str, ...]
    best: str | None
    preferred: bool
    ranked: bool = False
    sorting: Sorting = sorted_by("", preferred=False)

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """From a verdict or an order; without a graph the edges are the significant differences; None for too many."""
        ordering, comparison, order = ordering_in(result), comparison_in(result), order_in(result)
        if ordering is None or (ordering.prior is None and comparison is None):
            return None
        best = getattr(result, "best", ordering.best)
        if ordering.prior is not None and (ordering.method in CORRECTED or ordering.edges):
            made = cls(ordering.prior, ordering.edges, order, best, True, ordering.method == "multi2test")
            return made if len(made.edges) <= _MOST else None
        assert comparison is not None
        shown = tuple((b, a) for a in order for b in order if a != b and comparison.shows(a, b))
        preferred = ordering.prior is not None
        sorting = sorted_by(ordering.method, preferred=preferred, found=best is not None)
        return cls(order, shown, order, best, False, sorting=sorting) if len(shown) <= _MOST else None

    @property
    def telling(self) -> bool:
        """Nothing without an arrow."""
        return bool(self.edges)

    @property
    def title(self) -> str:
        """What it is."""
        return "Preference, and where the data override it" if self.preferred else "Who is shown to beat whom"

    @property
    def alt(self) -> str:
        """Nodes, edges, order."""
        if self.preferred:
            start = f"Graph of {counted(len(self.order), 'learner')}, most preferred first: {listed(self.listed_as)}. "
            pairs = f"in {counted(len(self.edges), 'pair')}" if self.edges else "nowhere"
            found = f"The data override the preference {pairs}{self._beaten}; order found"
        else:
            start = f"Graph of {counted(len(self.order), 'learner')}. "
            pairs = f"{counted(len(self.edges), 'pair')} significantly different{self._beaten}"
            found = f"{pairs}; order found, {self.sorting.words}"
        return f"{start}{found}: {listed(self.order)}."

    @property
    def _beaten(self) -> str:
        """The arrows in words, where they are few."""
        if not 0 < len(self.edges) <= _FEW:
            return ""
        beaten = "ranked by Multi²Test below" if self.ranked else "overruled by" if self.preferred else "beaten by"
        return f" ({'; '.join(f'{worse} is {beaten} {better}' for worse, better in self.edges)})"

    def height(self, width: float) -> float:
        """A row per learner, and the key."""
        return 11.0 + len(self.order) * _row(len(self.order)) + KEY_HEIGHT

    def paint(self, board: Board) -> None:
        """Draw arcs from each overruled learner to who beats it, and lines from the preference to the order found."""
        width, height = board.millimetres()
        row = (height - KEY_HEIGHT - 9.0) / len(self.order)
        size = min(8.0, row * 2.2)
        y = {name: 8.0 + (i + 0.5) * row for i, name in enumerate(self.listed_as)}
        arcs = min(24.0, max(0.26 * width, text_width("overruled", SMALL) + 5.0))
        room = (width - arcs - 17.2) / 2 if self.preferred else width - arcs - 5.0
        short = dict(zip(self.order, shortened(self.order, room / _BOLD, size), strict=True))
        names = max(_BOLD * widest_of(tuple(short.values()), size), 13.0)  # no narrower than the heading
        _arcs(board, self, y, arcs, row)
        _nodes(board, self, y, arcs, row, short, size)
        if self.preferred:
            _places(board, self, y, (arcs + 4.2 + names, width - names - 6.0), row, short, size)
        _headings(board, self, arcs, width - names - 6.0)
        _key(board, self, height - KEY_HEIGHT, width)


def _row(count: int) -> float:
    """Millimetres per learner: roomy for few."""
    return 7.0 if count <= 6 else 5.0 if count <= 15 else 4.0


def _headings(board: Board, info: OrderGraphInfo, left: float, right: float) -> None:
    muted: dict[str, Any] = {"size": SMALL, "color": board.theme.muted}
    board.text(left - 1.0, 3.5, "preferred first" if info.preferred else info.sorting.heading, **muted)
    if info.preferred:
        board.text(right + 1.0, 3.5, "order found", **muted)
    beaten = "overruled" if info.preferred else "beaten"
    board.text(left - 4.0, 3.5, beaten if info.edges else "", ha="right", **muted)


def _arcs(board: Board, info: OrderGraphInfo, y: dict[str, float], left: float, row: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    if not info.edges:
        return
    span = max(abs(y[a] - y[b]) for a, b in info.edges)
    points: list[tuple[float, float]] = []
    start = left - _radius(row) - 0.4
    for worse, better in info.edges:
        down = 1.0 if y[better] > y[worse] else -1.0
        top, bottom = y[worse] + 0.13 * row * down, y[better] - 0.13 * row * down
        bow = start - (start - 1.5) * (0.25 + 1.05 * abs(y[worse] - y[better]) / span)
        points += [(start, top), (bow, top), (bow, bottom), (start - 1.0, bottom)]
    codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4] * len(info.edges)
    line = {"edgecolor": board.theme.against, "linewidth": 0.9, "alpha": 0.95, "capstyle": "butt"}
    board.ax.add_patch(PathPatch(Path(points, codes), fill=False, **line))
    heads = sorted({(y[b] - 0.13 * row * np.sign(y[b] - y[a])) for a, b in info.edges})
    board.ax.plot(
        [start - 0.7] * len(heads),
        heads,
        linestyle="none",
        marker=(3, 0, -90),
        markersize=min(4.5, row * 1.1),
        color=board.theme.against,
        clip_on=False,
    )


def _radius(row: float) -> float:
    return min(2.1, 0.48 * row)


def _nodes(
    board: Board, info: OrderGraphInfo, y: dict[str, float], left: float, row: float, short: dict[str, str], size: float
) -> None:
    theme = board.theme
    beaten = {worse for worse, _ in info.edges}
    for place, name in enumerate(info.listed_as, 1):
        fill = theme.accent if name == info.best else theme.paper
        edge = theme.muted if name in beaten else theme.accent
        weight = 0.7 if name in beaten else 1.4  # the paper draws candidates with a thick line
        _circle(board, (left, y[name]), _radius(row), (fill, edge, weight), place)
        bold = "bold" if name == info.best else "normal"
        board.text(left + 3.2, y[name], short[name], size=size, fontweight=bold)


def _circle(
    board: Board,
    centre: tuple[float, float],
    radius: float,
    look: tuple[str, str, float],
    number: int | None = None,
) -> None:
    """A circle of so much fill, edge and weight, with a number where there is one."""
    from matplotlib.patches import Circle

    fill, edge, weight = look
    board.ax.add_patch(Circle(centre, radius, facecolor=fill, edgecolor=edge, linewidth=weight))
    if number is not None:
        ink = readable_on(fill, board.theme)
        board.text(*centre, number, size=SMALL, color=ink, ha="center", va="center_baseline")


def _places(
    board: Board,
    info: OrderGraphInfo,
    y: dict[str, float],
    between: tuple[float, float],
    row: float,
    short: dict[str, str],
    size: float,
) -> None:
    """A line from each learner's preferred place to its place in the order."""
    theme = board.theme
    rows = list(y.values())
    left, right = between
    for at, name in zip(rows, info.order, strict=True):
        moved_up = y[name] > at + 0.01
        colour = theme.accent if name == info.best else theme.ink if moved_up else theme.muted
        weight = 1.6 if name == info.best else 0.9 if moved_up else 0.6
        middle = (left + right) / 2
        t = np.linspace(0.0, 1.0, 25)
        x = (1 - t) ** 3 * left + 3 * (1 - t) ** 2 * t * middle + 3 * (1 - t) * t**2 * middle + t**3 * (right - 1.0)
        bend = y[name] + (at - y[name]) * (3 * t**2 - 2 * t**3)
        board.ax.plot(x, bend, color=colour, linewidth=weight, solid_capstyle="butt")
        place = rows.index(at) + 1
        bold = "bold" if name == info.best else "normal"
        board.text(right + 3.6, at, place, size=size * 0.9, color=theme.muted, ha="right")
        board.text(right + 4.6, at, clean(short[name]), size=size, fontweight=bold)


def _key(board: Board, info: OrderGraphInfo, top: float, width: float) -> None:
    """Say what circles, numbers, arrows and lines mean, from ``top`` downwards in a board of millimetres."""
    theme, preferred = board.theme, info.preferred
    board.ax.plot([0.5, width - 0.5], [top + 0.6] * 2, color=theme.faint, linewidth=0.6)
    rows = [top + 3.4 + i * _ROW for i in range(3)]
    x = 1.0
    for words, look in _kinds(theme, info):
        _circle(board, (x + _RADIUS, rows[0]), _RADIUS, look)
        x = _words(board, x + 4.2, rows[0], words, width) + 3.5
    _circle(board, (1.0 + _RADIUS, rows[1]), _RADIUS, (theme.paper, theme.muted, 0.7), 2)
    x = _words(board, 5.2, rows[1], f"place in the {'preference' if preferred else 'order'}", width) + 3.5
    if preferred:
        board.ax.plot([x, x + _MARK], [rows[1]] * 2, color=theme.muted, linewidth=0.9, solid_capstyle="butt")
        _words(board, x + _MARK + 1.2, rows[1], "to its place found", width)
    if info.edges:
        _arrow(board, 1.0, rows[2])
        words = "to a less preferred one that overrules it" if preferred else "to one that is shown to beat it"
        words = "to one that Multi²Test ranks above it" if info.ranked else words
    else:
        words = f"no arrow: {'no preference is overruled' if preferred else 'nobody is shown to beat another'}"
    _words(board, _MARK + 1.5 if info.edges else 1.0, rows[2], words, width)


def _kinds(theme: Theme, info: OrderGraphInfo) -> list[tuple[str, tuple[str, str, float]]]:
    """Words, and fill, edge and weight of each kind of circle; a preferred learner may beat without an arrow."""
    free, gone = ("not overruled", "overruled") if info.preferred else ("beaten by nobody", "beaten")
    first = [("first", (theme.accent, theme.accent, 1.4))] if info.best is not None else []
    beaten = [(gone, (theme.paper, theme.muted, 0.7))] if info.edges else []
    return [*first, (free, (theme.paper, theme.accent, 1.4)), *beaten]


def _arrow(board: Board, x: float, y: float) -> None:
    colour = board.theme.against
    board.ax.plot([x, x + _MARK - 1.5], [y, y], color=colour, linewidth=0.9, solid_capstyle="butt")
    board.ax.plot(x + _MARK - 1.2, y, linestyle="none", marker=(3, 0, -90), markersize=4.0, color=colour)


def _words(board: Board, x: float, y: float, words: str, width: float) -> float:
    """Write in the room that is left and return where the words end."""
    room = fitted(words, max(width - x, 3.0), SMALL)
    board.text(x, y, room, size=SMALL, color=board.theme.muted)
    return x + text_width(room, SMALL)
