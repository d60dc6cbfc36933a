"""Which mark is which learner, in columns below a plot."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import shortened

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
