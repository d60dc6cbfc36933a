"""Count how often ``bk.judge`` breaks a promise, and how often it decides."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import bestofk as bk
from benchmarks.calibration.verdict.designs import DESIGNS, Design
from benchmarks.calibration.verdict.truths import Truth, truths

SEED = 20261117
ALPHA = 0.05

#: What is counted, and what a reader is promised of it.
PROMISES = {
    "wrong best": "a learner is called best that is not, or not alone",
    "wrong pair": "a pair is called different that is not, or the wrong way round; of curves at any step too",
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
    wrong = bool((better & (losses[:, None] >= losses[None, :])).any())
    counts.broken["wrong pair"] += wrong or _along_training(verdict, dict(zip(names, losses, strict=True)))
    counts.broken["best outside"] += not {names[i] for i in best} <= set(verdict.best_set)
    counts.broken["wrong rank"] += not ranks_hold(verdict.rank_intervals, losses, names)


def _along_training(verdict: bk.Verdict, losses: Mapping[str, float]) -> bool:
    """Whether curves of equal learners are called different at any step or in any feature."""
    curves = verdict.comparison.curves
    equal = [each for each in curves.pairs if losses[each.first] == losses[each.second]] if curves else []
    return any(each.stretches or any(trait.adjusted <= ALPHA for trait in each.traits) for each in equal)


def ranks_hold(intervals: Mapping[str, tuple[int, int]], losses: np.ndarray, names: Sequence[str]) -> bool:
    """Learners that are equal share the places between them: each interval must hold all of these places."""
    low, high = np.array([intervals[name] for name in names]).T
    first, last = 1 + (losses < losses[:, None]).sum(axis=1), (losses <= losses[:, None]).sum(axis=1)
    return bool(((low <= first) & (high >= last)).all())


def kept(
    file: Path, names: Sequence[str], figures_of: Callable[..., Any], runs: int, workers: int
) -> Iterator[tuple[int, Any]]:
    """Figures of every cell by its position, as they come; ``figures_of(position, runs)`` makes them in a worker.

    What was measured before with as many runs is read from the file, which grows by what is measured now.
    """
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    known = {name: result for name, number, result in lines if number == runs}
    yield from ((i, known[name]) for i, name in enumerate(names) if name in known)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # workers share the cores
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool, file.open("a") as more:
        waiting = {pool.submit(figures_of, i, runs): i for i, name in enumerate(names) if name not in known}
        for future in as_completed(waiting):
            more.write(json.dumps([names[waiting[future]], runs, future.result()]) + "\n")
            more.flush()
            yield waiting[future], future.result()
