"""A plot with a named row per learner or data set, and its words below, all in millimetres."""

from __future__ import annotations

from collections.abc import Sequence

from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import fitted, shortened, widest_of

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
