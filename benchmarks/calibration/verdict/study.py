"""Count how often ``bk.judge`` breaks a promise, and how often it decides."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

import numpy as np

import bestofk as bk
from benchmarks.calibration.verdict.designs import DESIGNS, Design
from benchmarks.calibration.verdict.truths import Truth, truths

SEED = 20261117
ALPHA = 0.05

#: What is counted, and what a reader is promised of it.
PROMISES = {
    "wrong best": "a learner is called best that is not, or not alone",
    "wrong pair": "any pair is called different that is not, or the wrong way round",
    "best outside": "the best is not in the set of the best",
    "wrong rank": "any rank lies outside its interval",
}


@dataclass(frozen=True)
class Cell:
    """A design, a number of learners, and a truth."""

    design: Design
    k: int
    truth: Truth

    @property
    def name(self) -> str:
        return f"{self.design.name}, {self.k} learners, {self.truth.name}"


@dataclass
class Counts:
    """Of ``runs`` verdicts so many broke each promise, and so many decided for the learner that is best."""

    cell: Cell
    preference: bool
    runs: int = 0
    broken: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PROMISES, 0))
    decided: int = 0

    def rate(self, promise: str) -> float:
        return self.broken[promise] / self.runs

    @property
    def power(self) -> float:
        return self.decided / self.runs

    def holds(self, promise: str) -> bool:
        """At most alpha plus two standard errors."""
        return self.rate(promise) <= ALPHA + 2.0 * np.sqrt(ALPHA * (1.0 - ALPHA) / self.runs)


def cells(only: str = "") -> list[Cell]:
    """All cells of the designs whose names contain a text."""
    return [
        Cell(design, k, truth)
        for design in DESIGNS
        if only in design.name
        for k in design.sizes
        for truth in truths(k, design.gap)
    ]


Figures = tuple[int, dict[str, int], int]


def figures(only: str, position: int, runs: int) -> tuple[Figures, ...]:
    """Measure one cell in a worker: cells hold functions, which cannot travel between processes; figures can."""
    return tuple((each.runs, each.broken, each.decided) for each in measure(cells(only)[position], runs))


def measure(cell: Cell, runs: int) -> tuple[Counts, Counts]:
    """Judge so many draws of one cell, without a preference and with a random one; the seed belongs to its name."""
    rng = np.random.default_rng([SEED, zlib.crc32(cell.name.encode())])
    losses = np.array(cell.truth.losses)
    without, given = Counts(cell, preference=False), Counts(cell, preference=True)
    for _ in range(runs):
        evidence = cell.design.draw(rng, losses)
        for counts, prior in ((without, None), (given, cell.truth.preference(rng, evidence.learners))):
            _count(counts, bk.judge(evidence, prior=prior, **(cell.design.options or {})), losses)
    return without, given


def _count(counts: Counts, verdict: bk.Verdict, losses: np.ndarray) -> None:
    names, best = verdict.comparison.learners, counts.cell.truth.best
    alone = names[next(iter(best))] if len(best) == 1 else None
    counts.runs += 1
    counts.decided += verdict.status == "decided" and verdict.best == alone
    counts.broken["wrong best"] += verdict.status == "decided" and verdict.best != alone
    better = verdict.comparison.shown  # (learners, learners): the row is better
    counts.broken["wrong pair"] += bool((better & (losses[:, None] >= losses[None, :])).any())
    counts.broken["best outside"] += not {names[i] for i in best} <= set(verdict.best_set)
    counts.broken["wrong rank"] += not all(
        _rank_holds(i, losses, *verdict.rank_intervals[names[i]]) for i in range(len(names))
    )


def _rank_holds(i: int, losses: np.ndarray, low: int, high: int) -> bool:
    """Learners that are equal share the places between them: the interval must reach one of these places."""
    first, last = 1 + int((losses < losses[i]).sum()), int((losses <= losses[i]).sum())
    return low <= last and high >= first
