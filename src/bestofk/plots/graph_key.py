"""What the marks of the order graph mean, in three lines below it."""

from __future__ import annotations

from typing import Any

from bestofk.plots.board import Board
from bestofk.plots.measuring import fitted, text_width
from bestofk.plots.themes import Theme, readable_on

#: Millimetres that the key takes.
KEY_HEIGHT = 13.0

_SIZE, _ROW, _RADIUS, _MARK = 6.5, 3.9, 1.5, 6.0


def draw_graph_key(
    board: Board, top: float, width: float, *, preferred: bool, edges: bool, best: bool, ranked: bool = False
) -> None:
    """Say what circles, numbers, arrows and lines mean, from ``top`` downwards in a board of millimetres."""
    board.ax.plot([0.5, width - 0.5], [top + 0.6] * 2, color=board.theme.faint, linewidth=0.6)
    rows = [top + 3.4 + i * _ROW for i in range(3)]
    _circles(board, rows[0], width, _kinds(board.theme, preferred, edges)[0 if best else 1 :])
    _numbers(board, rows[1], width, preferred)
    if edges:
        _arrow(board, 1.0, rows[2])
        words = f"from a learner to {'a less preferred one' if preferred else 'one'} that is shown to beat it"
        words = "to a less preferred learner that Multi²Test ranks above it" if ranked else words
    else:
        words = f"no arrow: {'no preference is overruled' if preferred else 'nobody is shown to beat another'}"
    _words(board, _MARK + 1.5 if edges else 1.0, rows[2], words, width)


def _kinds(theme: Theme, preferred: bool, edges: bool) -> list[tuple[str, str, str, float]]:
    """Words, fill, edge and weight of each kind of circle; a preferred learner may beat without an arrow."""
    free, gone = ("not overruled", "overruled") if preferred else ("beaten by nobody", "beaten")
    kinds = [("first of the order", theme.accent, theme.accent, 1.4), (free, theme.paper, theme.accent, 1.4)]
    return [*kinds, (gone, theme.paper, theme.muted, 0.7)] if edges else kinds


def _circles(board: Board, y: float, width: float, kinds: list[tuple[str, str, str, float]]) -> None:
    x = 1.0
    for words, fill, edge, weight in kinds:
        _circle(board, x + _RADIUS, y, fill, edge, weight)
        x = _words(board, x + 4.2, y, words, width) + 3.5


def _numbers(board: Board, y: float, width: float, preferred: bool) -> None:
    theme = board.theme
    _circle(board, 1.0 + _RADIUS, y, theme.paper, theme.muted, 0.7, "2")
    words = "place in the preference" if preferred else "place in the order"
    x = _words(board, 5.2, y, words, width) + 3.5
    if preferred:
        board.ax.plot([x, x + _MARK], [y, y], color=theme.muted, linewidth=0.9, solid_capstyle="butt")
        _words(board, x + _MARK + 1.2, y, "to its place in the order", width)


def _arrow(board: Board, x: float, y: float) -> None:
    colour = board.theme.against
    board.ax.plot([x, x + _MARK - 1.5], [y, y], color=colour, linewidth=0.9, solid_capstyle="butt")
    board.ax.plot(x + _MARK - 1.2, y, linestyle="none", marker=(3, 0, -90), markersize=4.0, color=colour)


def _circle(board: Board, x: float, y: float, fill: str, edge: str, weight: float, number: str = "") -> None:
    from matplotlib.patches import Circle

    board.ax.add_patch(Circle((x, y), _RADIUS, facecolor=fill, edgecolor=edge, linewidth=weight))
    if number:
        look: dict[str, Any] = {"size": 5.5, "color": readable_on(fill, board.theme), "ha": "center"}
        board.text(x, y, number, va="center_baseline", **look)


def _words(board: Board, x: float, y: float, words: str, width: float) -> float:
    """Write in the room that is left and return where the words end."""
    room = fitted(words, max(width - x, 3.0), _SIZE)
    board.text(x, y, room, size=_SIZE, color=board.theme.muted)
    return x + text_width(room, _SIZE)
