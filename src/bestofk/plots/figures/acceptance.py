"""Pairs that are not significantly different, by several measures together and by the error: two square tables."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Flags
from bestofk.core.frozen import frozen
from bestofk.core.phrases import listed
from bestofk.judging import Verdict
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import SMALL, fitted, shortened, text_width, widest_of
from bestofk.plots.canvas.themes import readable_on
from bestofk.plots.info import Info

_HEAD = 8.5  # millimetres above the cells: what a table is of, and numbers of learners
_FOOT = 5.0


@frozen(eq=False)
class AcceptanceInfo(Info):
    """``tables`` has (title, K × K accepted) per table, in the order of ``learners``, best first."""

    name: ClassVar[str] = "acceptance"

    learners: tuple[str, ...]
    tables: tuple[tuple[str, Flags], ...]

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """From a verdict on several measures."""
        if not isinstance(result, Verdict) or result.comparison.several is None:
            return None
        tables = [(", ".join(result.names), cls._accepted(result, error=False))]
        if result.comparison.sample.error is not None and "error" not in result.names:
            tables.append(("error", cls._accepted(result, error=True)))
        return cls(result.order, tuple(tables))

    @staticmethod
    def _accepted(verdict: Verdict, *, error: bool) -> Flags:
        accepted = np.ones((len(verdict.order), len(verdict.order)), dtype=bool)
        for i, one in enumerate(verdict.order):
            for j, two in enumerate(verdict.order):
                if i != j:
                    pair = verdict.comparison.pair(one, two)
                    accepted[i, j] = not (pair.part("error").significant if error else pair.significant)
        return accepted

    @property
    def telling(self) -> bool:
        """Nothing where no pair differs, or every pair by each test."""
        off = ~np.eye(len(self.learners), dtype=bool)
        return len({bool(each) for _, accepted in self.tables for each in accepted[off]}) > 1

    @property
    def title(self) -> str:
        """What it is."""
        return "Pairs that are not significantly different"

    @property
    def alt(self) -> str:
        """How many pairs differ by each test, and which."""
        return " ".join(f"By {title}: {self._said(accepted)}." for title, accepted in self.tables)

    def _said(self, accepted: Flags) -> str:
        pairs = np.argwhere(np.triu(~accepted, 1))
        if not len(pairs):
            return "no pair is significantly different"
        shown = [f"{self.learners[i]} – {self.learners[j]}" for i, j in pairs[:6]]
        more = [f"{len(pairs) - 6} more"] if len(pairs) > 6 else []
        return f"significantly different are {listed([*shown, *more])}"

    def height(self, width: float) -> float:
        """Rows of a line of text, with titles above and the key below."""
        return _HEAD + _FOOT + _row(len(self.learners)) * len(self.learners)

    def paint(self, board: Board) -> None:
        """Draw a filled cell with 1 where a pair is not significantly different and an empty one with 0 where it is."""
        width, height = board.millimetres()
        k = len(self.learners)
        row = (height - _HEAD - _FOOT) / k
        size = min(7.5, row * 2.0)
        number = 1.0 + text_width(str(k), size)
        names = shortened(self.learners, 0.3 * width - number - 1.0, size)
        left = number + 1.0 + widest_of(names, size) + 2.0
        room = (width - left - 2.0) / len(self.tables)
        cell = min((room - 4.0) / k, row * 1.4)
        for i, name in enumerate(names):  # apart: a number would go to the other end of a name from right to left
            y = _HEAD + (i + 0.5) * row
            board.text(number, y, i + 1, size=size, ha="right")
            board.text(number + 1.0, y, name, size=size)
        for place, (title, accepted) in enumerate(self.tables):
            _table(board, fitted(title, room - 5.0, 7.5), accepted, left + place * room, cell, row)
        yes, no = ("1", "0") if _written(cell, row) else ("filled", "empty")
        key = f"{yes}: not significant, {no}: significant"
        board.text(width - 1.0, height - 2.2, key, size=SMALL, ha="right", color=board.theme.muted)


def _row(count: int) -> float:
    return 7.0 if count <= 6 else 5.0 if count <= 12 else 3.5


def _table(board: Board, title: str, accepted: Flags, left: float, cell: float, row: float) -> None:
    k, off = len(accepted), ~np.eye(len(accepted), dtype=bool)
    step = next((each for each in (1, 5, 10) if each * cell >= _digits() + 0.5), 20)
    board.text(left, 2.4, title)
    for i in range(step - 1, k, step):  # of many every fifth or tenth
        board.text(left + (i + 0.5) * cell, 6.4, i + 1, size=SMALL, ha="center", color=board.theme.muted)
    _cells(board, accepted & off, left, cell, row, board.theme.levels[1])
    _cells(board, ~accepted & off, left, cell, row, "none")
    if _written(cell, row):
        _numbers(board, accepted, left, cell, row)


def _digits() -> float:
    """Width of two digits."""
    return text_width("00", SMALL)


def _written(cell: float, row: float) -> bool:
    """Whether there is room for numbers in the cells."""
    return min(cell, row) >= _digits()


def _cells(board: Board, chosen: Flags, left: float, cell: float, row: float, fill: str) -> None:
    """One path for all cells of a colour, so that many learners stay a small file."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    unit = Path.unit_rectangle()
    corners = np.asarray(unit.vertices, dtype=float) * np.array([cell, row])
    boxes = [corners + np.array([left + j * cell, _HEAD + i * row]) for i, j in np.argwhere(chosen)]
    if boxes:
        path = Path.make_compound_path(*(Path(box, unit.codes) for box in boxes))
        board.ax.add_patch(PathPatch(path, facecolor=fill, edgecolor=board.theme.faint, linewidth=0.6))


def _numbers(board: Board, accepted: Flags, left: float, cell: float, row: float) -> None:
    on_fill = readable_on(board.theme.levels[1], board.theme)
    for i, j in np.argwhere(~np.eye(len(accepted), dtype=bool)):
        shown = bool(accepted[i, j])
        look = {"color": on_fill, "weight": "bold"} if shown else {"color": board.theme.muted}
        board.text(left + (j + 0.5) * cell, _HEAD + (i + 0.5) * row, int(shown), size=SMALL, ha="center", **look)
