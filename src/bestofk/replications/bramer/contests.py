"""Every printed figure of a table, computed again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bestofk.core.arrays import Array
from bestofk.replications.bramer.published import Contest
from bestofk.stats.pairwise import paired_t
from bestofk.stats.pairwise.paired_t import PairedTResult


@dataclass(frozen=True)
class Beside:
    """One figure: ``ours`` in full, ``theirs`` as printed; ``excuse`` where the print is known to be wrong."""

    name: str
    ours: float
    theirs: str
    excuse: str = ""

    @property
    def rounded(self) -> str:
        """Ours with as many decimals as are printed."""
        return f"{self.ours:.{decimals(self.theirs)}f}"

    @property
    def equal(self) -> bool:
        """Whether ours, so rounded, is what is printed."""
        return self.rounded == self.theirs


@dataclass(frozen=True)
class Recomputed:
    """A table computed again: figures in the order of print, and the test itself (challenger less established)."""

    contest: Contest
    figures: tuple[Beside, ...]
    test: PairedTResult

    @property
    def concluded_alike(self) -> bool | None:
        """Whether the test decides as the chapter does at its level; None where it draws no conclusion."""
        if self.contest.level is None:
            return None
        return bool(self.test.rejects(self.contest.level)) == self.contest.significant


def decimals(printed: str) -> int:
    """How many decimals a printed number has.

    Examples
    --------
    >>> decimals("0.071"), decimals("744")
    (3, 0)
    """
    return len(printed.partition(".")[2])


def recomputed(contest: Contest) -> Recomputed:
    """Compute every printed figure of a table."""
    first, second = (
        np.array([each[i] for i in contest.first], dtype=float) for each in (contest.first, contest.second)
    )
    test = paired_t(second, first)
    found = _sums(first, second) | _steps(test) | _interval(test, contest.level)
    figures = (
        Beside(name, found[name], theirs, contest.excused.get(name, "")) for name, theirs in contest.printed.items()
    )
    return Recomputed(contest, tuple(figures), test)


def _sums(first: Array, second: Array) -> dict[str, float]:
    z = second - first
    columns: Mapping[str, Array] = {"A": first, "new": second, "z": z, "z²": z**2}
    totals = {f"total {name}": float(each.sum()) for name, each in columns.items()}
    averages = {f"average {name}": float(each.mean()) for name, each in columns.items()}
    wins = {"A better": float((z < 0).sum()), "equal": float((z == 0).sum()), "new better": float((z > 0).sum())}
    return totals | averages | wins


def _steps(test: PairedTResult) -> dict[str, float]:
    steps = test.steps()
    return {
        "(Σz)²/n": float(steps.square_of_sum_over_n),
        "Σz² − (Σz)²/n": float(steps.sum_of_squares_left),
        "variance": float(steps.variance),
        "standard deviation": float(steps.standard_deviation),
        "standard error": float(steps.standard_error),
        "t": float(steps.t),
    }


def _interval(test: PairedTResult, level: float | None) -> dict[str, float]:
    if level is None:
        return {}
    interval = test.confidence_interval(1.0 - level)
    half = 0.5 * (interval.high - interval.low)
    return {"± of the interval": float(half), "low": float(interval.low), "high": float(interval.high)}
