"""Every pair in a staircase: how small its adjusted p is, and how large the effect."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, listed
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import SMALL, shortened, text_width
from bestofk.plots.canvas.themes import readable_on
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, order_in

_NAME = 24.0  # millimetres for the last name
MOST = 60  # learners: there is something to be seen


@frozen(eq=False)
class PairMapInfo(Info):
    """``adjusted`` and ``a12`` are (K, K) in the order of ``learners``, best first; NaN where a pair was not compared.

    ``a12[i, j]`` is the chance that learner i does better than j; None where the design has none. ``against`` marks
    pairs in which the lower learner is shown to be better.
    """

    name: ClassVar[str] = "pairs"

    learners: tuple[str, ...]
    adjusted: Array
    a12: Array | None
    against: Array
    alpha: float
    test: str
    adjust: str

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """All pairs of a comparison; of more than ``MOST`` learners nobody could read them."""
        comparison, order = comparison_in(result), order_in(result)
        if comparison is None or len(order) > MOST:
            return None
        k = len(order)
        adjusted, a12 = np.full((k, k), np.nan), np.full((k, k), np.nan)
        against = np.zeros((k, k), dtype=bool)
        for i, first in enumerate(order):
            for j, second in enumerate(order[:i]):
                if comparison.compared(first, second) and not comparison.untested(first, second):
                    pair = comparison.pair(second, first)
                    adjusted[i, j] = adjusted[j, i] = pair.adjusted
                    against[i, j] = pair.significant and pair.better == first
                    if pair.a12 is not None:
                        a12[j, i], a12[i, j] = pair.a12, 1.0 - pair.a12
        effects = None if comparison.a12 is None else a12
        return cls(order, adjusted, effects, against, comparison.alpha, comparison.test, comparison.adjust)

    @property
    def significant(self) -> tuple[tuple[str, str], ...]:
        """Pairs (upper, lower) that are significantly different."""
        low = np.tril(np.nan_to_num(self.adjusted, nan=np.inf) <= self.alpha, -1)
        return tuple((self.learners[j], self.learners[i]) for i, j in np.argwhere(low))

    @property
    def telling(self) -> bool:
        """Nothing where no pair differs."""
        return bool(self.significant)

    @property
    def title(self) -> str:
        """What it is."""
        return f"Every pair: {self.p_said}{'' if self.a12 is None else ' and effect'}"

    @property
    def p_said(self) -> str:
        """What the p values are called."""
        return "adjusted p" if len(self.learners) > 2 and self.adjust != "none" else "p"

    @property
    def alt(self) -> str:
        """How many pairs differ, and which where they are few."""
        asked = int(np.isfinite(self.adjusted).sum()) // 2
        found = self.significant
        which = listed([f"{a} – {b}" for a, b in found]) if 0 < len(found) <= 12 else ""
        kind = f"Map of {counted(asked, 'pair')} of {counted(len(self.learners), 'learner')} by {self.test}"
        adjusted = "" if self.p_said == "p" else f" (p adjusted by {self.adjust})"
        told = f"{len(found)} {'differs' if len(found) == 1 else 'differ'} at {self.alpha:g}{adjusted}"
        return f"{kind}: {told}{': ' + which if which else ''}. Learners in their order: {listed(self.learners)}."

    def height(self, width: float) -> float:
        """Square cells for few learners, rows of a line of text for many."""
        k = len(self.learners)
        return 4.0 + _foot(_written(k, width)) + _row(k, _written(k, width)) * k

    def paint(self, board: Board) -> None:
        """Draw a cell per pair, left of the lower learner's name, below the upper one's; the key stands top right."""
        width, height = board.millimetres()
        k = len(self.learners)
        written = _written(k, width)
        row = (height - 4.0 - _foot(written)) / k
        size = min(8.0, row * 2.2)
        cell = min(row * 1.3, _widest_cell(k, width))
        names = shortened(self.learners, width - 3.0 - cell * (k - 1) - 2.0, size)
        for i, name in enumerate(names):
            board.text(1.0 + i * cell + 1.5, 2.0 + (i + 0.5) * row, name, size=size)
        _cells(board, self, cell, row)
        if written:
            _numbers(board, self, cell, row)
            effect = "" if self.a12 is None else ", and chance that the upper one does better"
            board.text(1.0, height - 2.4, f"{self.p_said}{effect}", size=SMALL, color=board.theme.muted)
        else:
            _dots(board, self, cell, row)
        _key(board, self, width, dots=not written)


def _widest_cell(count: int, width: float) -> float:
    return (width - _NAME) / count


def _written(count: int, width: float) -> bool:
    """Whether there is room for numbers in the cells."""
    return _widest_cell(count, width) >= text_width("<.001", SMALL) + 0.4


def _row(count: int, written: bool) -> float:
    return 12.0 if count <= 3 else 9.5 if written else 5.5 if count <= 14 else 3.4


def _foot(written: bool) -> float:
    return 4.0 if written else 0.0


def level_of(pvalue: float, alpha: float) -> int:
    """0 where not significant, then up to 3 for smaller and smaller p."""
    return 0 if pvalue > alpha else 1 + int(pvalue <= 0.2 * alpha) + int(pvalue <= 0.02 * alpha)


def _colour(board: Board, info: PairMapInfo, i: int, j: int) -> str:
    """Colour of a cell; that of the page where the pair was not compared."""
    if np.isnan(info.adjusted[i, j]):
        return board.theme.paper
    if info.against[i, j]:
        return board.theme.against
    return board.theme.levels[level_of(float(info.adjusted[i, j]), info.alpha)]


def _cells(board: Board, info: PairMapInfo, cell: float, row: float) -> None:
    """One path per colour, so that 435 pairs stay a small file."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    gap = 0.04 * min(cell, row)
    corners: dict[str, list[Path]] = {}
    for i in range(len(info.learners)):
        for j in range(i):
            x, y = 1.0 + j * cell, 2.0 + i * row
            left, right, top, bottom = x + gap, x + cell - gap, y + gap, y + row - gap
            box = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
            corners.setdefault(_colour(board, info, i, j), []).append(Path(box, closed=True))
    for colour, boxes in corners.items():
        edge = board.theme.faint if colour == board.theme.paper else "none"
        shape = Path.make_compound_path(*boxes)
        board.ax.add_patch(PathPatch(shape, facecolor=colour, edgecolor=edge, linewidth=0.5))


def _numbers(board: Board, info: PairMapInfo, cell: float, row: float) -> None:
    for i in range(len(info.learners)):
        for j in range(i):
            p = float(info.adjusted[i, j])
            if np.isnan(p):
                continue
            x, y = 1.0 + (j + 0.5) * cell, 2.0 + i * row
            ink = readable_on(_colour(board, info, i, j), board.theme)
            written = "<.001" if p < 0.001 else f"{p:.2g}".replace("0.", ".", 1) if p < 1 else "1"
            board.text(x, y + row * (0.5 if info.a12 is None else 0.34), written, size=SMALL, color=ink, ha="center")
            if info.a12 is not None:
                effect = f"{info.a12[j, i]:.2f}"
                board.text(x, y + 0.72 * row, effect, size=SMALL, color=ink, ha="center")


def _dots(board: Board, info: PairMapInfo, cell: float, row: float) -> None:
    """Dots as large as the effect, in ten sizes."""
    if info.a12 is None:
        return
    most = 0.8 * min(cell, row) * 72 / 25.4
    places: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for i in range(len(info.learners)):
        for j in range(i):
            if not np.isnan(info.a12[j, i]):
                ink = readable_on(_colour(board, info, i, j), board.theme)
                step = round(20 * abs(float(info.a12[j, i]) - 0.5))
                places.setdefault((ink, step), []).append((1.0 + (j + 0.5) * cell, 2.0 + (i + 0.5) * row))
    for (ink, step), at in sorted(places.items()):
        look: dict[str, Any] = {"markersize": most * step / 10, "color": ink, "alpha": 0.85, "markeredgewidth": 0}
        board.ax.plot(*zip(*at, strict=True), "o", **look)


def _key(board: Board, info: PairMapInfo, width: float, *, dots: bool) -> None:
    """What colours mean, in the empty corner."""
    theme, k = board.theme, len(info.learners)
    if k < 4:
        return
    alpha = info.alpha
    words = (f"p > {alpha:g}", f"p ≤ {alpha:g}", f"p ≤ {0.2 * alpha:g}", f"p ≤ {0.02 * alpha:g}")
    x, y, step = width - _NAME, 4.5, 3.6
    board.text(x, y, "adjusted p", size=SMALL, color=theme.muted)
    entries = list(zip(theme.levels, words, strict=True))
    if info.against.any():
        entries.append((theme.against, "row is better"))
    for i, (colour, word) in enumerate(entries, 1):
        at = y + i * step
        board.ax.plot(x + 1.2, at, "s", color=colour, markersize=6)
        board.text(x + 3.6, at, word, size=SMALL)
    if info.a12 is not None and dots:
        board.ax.plot(x + 1.2, y + (len(entries) + 1) * step, "o", color=theme.muted, markersize=4)
        board.text(x + 3.6, y + (len(entries) + 1) * step, "size: effect A12", size=SMALL)
