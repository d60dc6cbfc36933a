"""Student's t with its tails shaded: how far out the observed t lies (Bramer, Fig. 15.3)."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core import special
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.options import level_inside
from bestofk.core.phrases import p_words
from bestofk.plots.canvas.board import Board
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, pair_in
from bestofk.stats.distributions import t_critical, t_tail

_FURTHEST = 8.0  # of the axis: beyond it t is written at the edge


@frozen(eq=False)
class TTailsInfo(Info):
    """Observed ``t`` with ``df`` degrees of freedom, two-sided; ``pair`` names what was compared."""

    name: ClassVar[str] = "t-tails"

    t: float
    df: float
    alpha: float = 0.05
    pair: str = ""

    def __post_init__(self) -> None:
        if not (np.isfinite(self.t) and self.df > 0):
            raise InputError(f"t is {self.t} with df {self.df}.", "t tails", "give a finite t and df above 0.")
        level_inside(self.alpha, name="alpha", where="t tails")

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """The first of the order and its strongest rival, where the test is one of Student's t."""
        comparison, pair = comparison_in(result), pair_in(result)
        if comparison is None or len(pair) < 2 or not comparison.compared(pair[0], pair[1]):
            return None
        df = _degrees(comparison)
        tested = comparison.pair(pair[0], pair[1])
        t = tested.statistic
        if df is None or not np.isfinite(t) or not np.isclose(t_tail(t, df, "two-sided"), tested.pvalue):
            return None  # another p: of a one-sided question, or of a pair that could not be tested
        return cls(float(t), df, comparison.alpha, f"{pair[0]} against {pair[1]}")

    @property
    def pvalue(self) -> float:
        """Area of both tails."""
        return float(t_tail(self.t, self.df, "two-sided"))

    @property
    def critical(self) -> float:
        """The t that is exceeded in size with probability ``alpha``."""
        return float(t_critical(self.alpha, self.df))

    @property
    def title(self) -> str:
        """What it is."""
        return f"t distribution, {self.df:g} degrees of freedom" + (f": {self.pair}" if self.pair else "")

    @property
    def alt(self) -> str:
        """t, tails, critical value."""
        pair = f" of {self.pair}" if self.pair else ""
        return (
            f"Student's t with {self.df:g} degrees of freedom; tails beyond ±{abs(self.t):.3g}{pair} are shaded, area "
            f"{self.pvalue:.3g} (raw p). Critical value at {self.alpha:g}: {self.critical:.3g}."
        )

    def height(self, width: float) -> float:
        """A flat picture."""
        return 48.0

    def paint(self, board: Board) -> None:
        """Draw the density, both tails beyond ±|t|, and the critical values dashed."""
        board.millimetres()
        plot = board.plot(left=13.0, right=3.0, top=6.5, bottom=9.5)
        plot.frame()
        size = abs(self.t)
        edge = float(np.clip(1.4 * max(size, self.critical), 4.0, _FURTHEST))
        t = np.linspace(-edge, edge, 241)
        plot.ax.plot(t, density(t, self.df), color=board.theme.ink, linewidth=1.2)
        if size < edge:
            _tails(plot, self, edge)
        for side in (-1.0, 1.0):
            if self.critical < edge:
                plot.ax.axvline(side * self.critical, color=board.theme.muted, linewidth=0.9, linestyle=(0, (4, 1.5)))
        plot.ax.set(xlim=(-edge, edge), ylim=(0.0, None))
        plot.ticks("x", 6)
        plot.ticks("y", 3)
        plot.labels(f"t  (dashed: ±{self.critical:.3g}, alpha {self.alpha:g})", "density")
        board.text(13.0, 3.2, f"t = {self.t:.3g}".replace("-", "−") + f", {p_words(self.pvalue)} (shaded)", size=7.5)


def _degrees(comparison: Comparison) -> float | None:
    """Degrees of freedom of the t tests that have the same for every pair; None for others."""
    if comparison.test == "5x2cv-t":
        return 5.0
    if comparison.test not in ("paired-t", "corrected-t") or comparison.sample.incomplete:
        return None
    return float(comparison.sample.rows.shape[1] - 1)


def density(t: Array, df: float) -> Array:
    """Density of Student's t."""
    scale = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - 0.5 * np.log(df * np.pi)
    return np.asarray(np.exp(scale - (df + 1) / 2 * np.log1p(t**2 / df)))


def _tails(plot: Board, info: TTailsInfo, edge: float) -> None:
    for side in (-1.0, 1.0):
        tail = np.linspace(side * abs(info.t), side * edge, 60)
        heights = density(tail, info.df)
        plot.ax.fill_between(tail, heights, color=plot.theme.against, alpha=0.55, linewidth=0)
        mark = side * abs(info.t)
        observed = side == np.sign(info.t)
        top = max(float(density(np.array(mark), info.df)), 0.05 if observed else 0.0)  # visible far out too
        weight = 1.8 if observed else 0.8
        plot.ax.plot([mark, mark], [0.0, top], color=plot.theme.against, linewidth=weight)
