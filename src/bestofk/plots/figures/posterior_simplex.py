"""Posterior samples of the chances of the next data set: first better, practically equal, second better."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.comparing import sample_of
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.judging import Verdict
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import shortened, text_width
from bestofk.plots.info import Info
from bestofk.plots.sources import evidence_in
from bestofk.stats.bayes.dirichlet import sign_shares

_CELLS = 28  # along an edge
_SAMPLES = 5_000  # drawn: more make no finer picture


@frozen(eq=False)
class PosteriorSimplexInfo(Info):
    """``samples`` (n, 3) are chances of (first better, rope, second better); ``chances`` are their means."""

    name: ClassVar[str] = "simplex"

    first: str
    second: str
    samples: Array
    rope: float
    chances: tuple[float, float, float]

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """The first of a verdict over data sets and its strongest rival: the chances of the next data set."""
        found = evidence_in(result, evidence)
        if not isinstance(result, Verdict) or found is None or result.bayes is None:
            return None
        pair, design = result.bayes, sample_of(found)
        losses = [design.rows[design.learners.index(name)] for name in (pair.first, pair.second)]
        samples = sign_shares(*losses, rope=pair.rope, samples=_SAMPLES, rng=pair.seed)
        return cls(pair.first, pair.second, samples, pair.rope, pair.next_dataset)

    @classmethod
    def from_samples(cls, first: str, second: str, samples: Any, rope: float) -> Self:
        """From posterior samples (n, 3), each summing to 1: those of a Bayesian sign or signed-rank test."""
        table = np.asarray(samples, dtype=float)
        if table.ndim != 2 or table.shape[1] != 3 or len(table) == 0 or not np.allclose(table.sum(axis=1), 1.0):
            raise InputError(
                f"samples have the shape {table.shape}.", "simplex", "give rows of three chances that sum to 1."
            )
        a, equal, b = table.mean(axis=0).tolist()
        return cls(first, second, table, float(rope), (a, equal, b))

    @property
    def title(self) -> str:
        """What it is."""
        return f"The next data set: {self.first} against {self.second}"

    @property
    def alt(self) -> str:
        """The three chances."""
        a, equal, b = self.chances
        kind = f"Triangle of {counted(len(self.samples), 'posterior sample')}, rope {self.rope:g}"
        said = f"{self.first} better {a:.3g}, equal {equal:.3g}, {self.second} better {b:.3g}"
        return f"{kind}; chances of the next data set: {said}."

    def height(self, width: float) -> float:
        """An equilateral triangle with words."""
        return min(width, 110.0) * 0.8 + 4.0

    def paint(self, board: Board) -> None:
        """Draw the density of the samples and the borders where two outcomes are equally likely."""
        width, height = board.millimetres()
        side = min(width - 24.0, (height - 16.0) / 0.866)
        x0, base = (width - side) / 2, height - 8.0
        corners = np.array([[x0, base], [width / 2, base - 0.866 * side], [x0 + side, base]])
        _density(board, self.samples, corners)
        closed = np.vstack([corners, corners[:1]])
        board.ax.plot(*closed.T, color=board.theme.ink, linewidth=0.9, solid_joinstyle="round")
        centre = corners.mean(axis=0)
        for i in range(3):
            middle = (corners[i] + corners[(i + 1) % 3]) / 2
            board.ax.plot(*np.stack([centre, middle], axis=-1), color=board.theme.muted, linewidth=0.8)
        _words(board, self, corners, width)


def _words(board: Board, info: PosteriorSimplexInfo, corners: Array, width: float) -> None:
    a, equal, b = (f"{p:.3g}" for p in info.chances)
    room = width / 2 - 2.0 - max(text_width(f" better: {p}", 7.5) for p in (a, b))
    first, second = shortened((info.first, info.second), room, 7.5)
    below = corners[0, 1] + 4.0
    board.text(1.0, below, f"{first} better: {a}", ha="left")
    board.text(width - 1.0, below, f"{second} better: {b}", ha="right")
    board.text(width / 2, corners[1, 1] - 3.5, f"equal (rope {info.rope:g}): {equal}", ha="center")


def _density(board: Board, samples: Array, corners: Array) -> None:
    """Counts in small triangles: as fine as the eye needs, and no bigger for more samples."""
    from matplotlib.collections import PolyCollection

    place = np.clip(samples, 0.0, 1.0) * _CELLS
    i, k = (np.minimum(place[:, column].astype(int), _CELLS - 1) for column in (0, 2))
    upper = (place[:, 0] - i) + (place[:, 2] - k) > 1.0
    cells, counts = np.unique(np.stack([i, k, upper.astype(int)], axis=-1), axis=0, return_counts=True)
    shape = {0: ((0, 0), (1, 0), (0, 1)), 1: ((1, 1), (1, 0), (0, 1))}
    polygons = []
    for a, c, up in cells.tolist():
        weights = [((a + da) / _CELLS, (c + dc) / _CELLS) for da, dc in shape[up]]
        polygons.append([wa * corners[0] + (1 - wa - wc) * corners[1] + wc * corners[2] for wa, wc in weights])
    strength = np.sqrt(counts / counts.max())
    look: dict[str, Any] = {"facecolors": board.theme.accent, "edgecolors": "none", "alpha": 0.12 + 0.88 * strength}
    board.ax.add_collection(PolyCollection(polygons, **look))
