"""How often ``judge --within`` picks wrongly: ``python -m benchmarks.calibration.verdict.within``.

Learners differ by known amounts of the measure, and the preference names the worst first. Also: whether the number of
further results that a verdict asks for is right, and what common rules do instead. What is measured is kept: run again
to go on.
"""

from __future__ import annotations

import argparse
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import bestofk as bk
from benchmarks.calibration.verdict import designs, rules
from benchmarks.calibration.verdict.study import ALPHA, SEED, kept, ranks_hold
from bestofk.comparing import sample_of
from bestofk.comparing.pair_tests import Intervals, run_pairs
from bestofk.judging.good_enough import level_of
from bestofk.ordering.methods import unbeaten, without_circles
from bestofk.stats.adjust.stepwise import holm
from bestofk.stats.distributions import normal_upper

TABLE = Path(__file__).parents[1] / "WITHIN.md"
MARGINS = (0.01, 0.03, 0.05)
SIZES = (3, 6, 20)
TOP = 0.8  # accuracy of the best on items
FARTHER = 0.0005  # what is just too far lies so much beyond the margin
STEP = 0.007
AT_ONCE = 50  # draws that are tested together
CHECKED = 10  # of them are judged one by one too


@dataclass(frozen=True)
class Design:
    """A kind of evidence; ``given(losses)`` is what ``draw`` takes for learners that lose so much to the best."""

    name: str
    draw: designs.Draw
    given: Callable[[np.ndarray], np.ndarray]
    margins: tuple[float, ...] = MARGINS
    tied: bool = True  # whether the truth with a tie is measured too
    sizes: tuple[int, ...] = SIZES


def _latent(losses: np.ndarray, variance: float = 2.0) -> np.ndarray:
    """Answers are right where a normal variable is above 0: where its mean must be."""
    return np.sqrt(variance) * normal_upper(TOP - losses)


def _same(losses: np.ndarray) -> np.ndarray:
    return losses


def _folds(name: str, learner: str, replications: int, count: int, **fewer: Any) -> Design:
    draw = designs.folds(learner, replications, count, rows=1_000)

    @lru_cache
    def errors(k: int) -> tuple[np.ndarray, np.ndarray]:
        """Classes as much closer, and the mean error of the learner then: smoothed by a cubic."""
        rng, closer = np.random.default_rng(SEED), np.linspace(0.0, 1.7, 9)
        found = [np.mean([draw(rng, np.full(k, each)).values.mean() for _ in range(200)]) for each in closer]
        fine = np.linspace(0.0, 1.7, 2_000)
        return fine, np.polyval(np.polyfit(closer, found, 3), fine)

    def given(losses: np.ndarray) -> np.ndarray:
        closer, error = errors(len(losses))
        return np.interp(error[0] + losses, error, closer)

    return Design(f"{name} folds of 1,000 rows, {learner}", draw, given, **fewer)


#: Of most designs, where picks are most likely to be wrong.
FEWER: dict[str, Any] = {"margins": (0.05,), "tied": False}
_GROUPED = partial(_latent, variance=2.09)
DESIGNS = (
    Design("300 items", designs.items(300), _latent),
    Design("1,000 items", designs.items(1_000), _latent),
    Design("5 runs, spread 0.01", designs.runs_of((5,), (0.01,)), _same),
    Design("10 groups of 100 items", designs.items(1_000, groups=10, spread=0.3), _GROUPED, tied=False),
    _folds("5 × 2", "LDA", 5, 2, tied=False),
    Design("5 runs of spread 0.03 and 20 of 0.01", designs.runs_of((5, 20), (0.03, 0.01)), _same, **FEWER),
    Design("10 runs, spread 0.01", designs.runs_of((10,), (0.01,)), _same, **FEWER),
    Design("30 data sets", designs.datasets(30), lambda losses: 50.0 * losses, margins=(0.03,), tied=False),
    _folds("10 × 10", "LDA", 10, 10, **FEWER),
    Design("20 groups of 100 items", designs.items(2_000, groups=20, spread=0.3), _GROUPED, sizes=(3,), **FEWER),
    _folds("10", "tree", 1, 10, sizes=(3,), **FEWER),
)


@dataclass(frozen=True)
class Cell:
    """A design, and how much every learner loses to the best, ascending; margins that are asked for."""

    design: Design
    truth: str
    losses: tuple[float, ...]
    margins: tuple[float, ...]

    @property
    def name(self) -> str:
        return f"{self.design.name}, {len(self.losses)} learners, {self.truth}, {self.margins}"


def cells() -> list[Cell]:
    """All cells."""
    return [cell for design in DESIGNS for k in design.sizes for cell in _cells(design, k)]


def _cells(design: Design, k: int) -> list[Cell]:
    ties = {"all others just too far": 1, "half tied at the top": (k + 1) // 2}
    found = [
        Cell(design, truth, (*(0.0,) * top, *(margin + FARTHER,) * (k - top)), (margin,))
        for truth, top in ties.items()
        for margin in design.margins
        if top == 1 or design.tied
    ]
    return [*found, Cell(design, "steps", tuple((STEP * np.arange(k)).tolist()), design.margins)]


#: Of so many verdicts: picks that lose too much and picks that do not, by margin; best outside the set; wrong ranks.
Figures = tuple[int, list[int], list[int], int, int]


def measure(cell: Cell, runs: int) -> Figures:
    """Judge so many draws of one cell at each of its margins; the seed belongs to its name."""
    rng = np.random.default_rng([SEED, zlib.crc32(cell.name.encode())])
    losses = np.array(cell.losses)
    given = cell.design.given(losses)
    wrong, right, outside, ranks = [0] * len(cell.margins), [0] * len(cell.margins), 0, 0
    for start in range(0, runs, AT_ONCE):
        draws = [cell.design.draw(rng, given) for _ in range(min(AT_ONCE, runs - start))]
        found = judged(draws, cell.margins)
        if not start:
            _refuse_difference(draws[:CHECKED], cell.margins, found)
        for picks, best, (low, high) in found:
            for i, pick in enumerate(picks):
                if pick is not None:
                    good = losses[pick] <= cell.margins[i]
                    right[i], wrong[i] = right[i] + good, wrong[i] + (not good)
            outside += not best[losses == 0].all()
            ranks += not ranks_hold(dict(enumerate(zip(low, high, strict=True))), losses, range(len(losses)))
    return runs, [int(each) for each in wrong], [int(each) for each in right], outside, ranks


#: Of one draw: whom ``judge`` names at every margin, who is in the set of the best, and the ends of all ranks.
Judged = tuple[list[int | None], np.ndarray, tuple[np.ndarray, np.ndarray]]


def judged(draws: Sequence[Any], margins: Sequence[float]) -> list[Judged]:
    """What ``judge(within=…)`` says of every draw if the last learner is preferred, and so on to the first.

    The pairs of all draws are tested in one go, as learners of one sample: that takes a tenth of the time.
    """
    one = bk.judge(draws[0], within=margins[0]).comparison
    k, test = len(one.learners), one.test
    first, second = one.places
    sample = sample_of(_together(draws))
    places = k * np.arange(len(draws))[:, None]
    both = (places + first).ravel(), (places + second).ravel()
    tests, shape = run_pairs(sample, test, *both, one.seed), (len(draws), len(first))
    levels = np.full(len(both[0]), level_of(one))
    bounds = Intervals(sample, test, *both, levels, 0.0 * levels, one.seed).of(np.arange(len(levels)))
    assert bounds is not None
    better, pvalue, low, high = (np.reshape(each, shape) for each in (tests.better, tests.pvalue, *bounds[1:]))
    upper = np.zeros((len(draws), k, k))
    upper[:, first, second], upper[:, second, first] = high, -low
    most = np.maximum(0.0, upper.max(axis=2))
    wins, shown = (_matrix(np.where(p <= one.alpha, better, 0.0), first, second, k) for p in (pvalue, holm(pvalue)))
    return [_concluded(*each, margins) for each in zip(most, wins, shown, strict=True)]


def _matrix(better: np.ndarray, first: np.ndarray, second: np.ndarray, k: int) -> np.ndarray:
    """(draws, K, K): the row is better than the column."""
    found = np.zeros((len(better), k, k), dtype=bool)
    found[:, first, second], found[:, second, first] = better > 0, better < 0
    return found


def _concluded(most: np.ndarray, wins: np.ndarray, shown: np.ndarray, margins: Sequence[float]) -> Judged:
    alone = np.flatnonzero(wins.sum(axis=1) == len(wins) - 1)
    winner, picks = (int(alone[0]) if alone.size else None), []
    for margin in margins:
        enough = np.flatnonzero(most <= margin)
        named = int(enough[-1]) if enough.size else None
        picks.append(named if winner is None or winner in enough else winner)
    best, before = unbeaten(shown.T), without_circles(shown)
    if winner is not None:
        best = np.arange(len(best)) == winner
    return picks, best, (1 + before.sum(axis=0), len(best) - before.sum(axis=1))


def _together(draws: Sequence[Any]) -> Any:
    """All draws as one, with learners of their own."""
    names = tuple(f"{i} {name}" for i, each in enumerate(draws) for name in each.learners)
    if isinstance(draws[0], bk.Runs):
        runs = {name: sum((getattr(each, name) for each in draws), ()) for name in ("values", "runs")}
        return replace(draws[0], learners=names, **runs)
    return replace(draws[0], learners=names, values=np.concatenate([each.values for each in draws]))


def _refuse_difference(draws: Sequence[Any], margins: Sequence[float], found: Sequence[Judged]) -> None:
    """What was tested in one go must be what ``judge`` says of each."""
    for evidence, (picks, best, (low, high)) in zip(draws, found, strict=False):
        names = evidence.learners
        for margin, pick in zip(margins, picks, strict=True):
            verdict = bk.judge(evidence, prior=names[::-1], within=margin)
            ends = dict(zip(names, zip(low, high, strict=True), strict=True))
            assert verdict.best == (None if pick is None else names[pick])
            assert set(verdict.best_set) == {name for name, member in zip(names, best, strict=True) if member}
            assert verdict.rank_intervals == ends


@dataclass(frozen=True)
class Pilot:
    """So few units that mostly nobody is shown within the margin; ``draw`` takes their number."""

    name: str
    draw: Callable[[int], designs.Draw]
    units: int
    losses: tuple[float, ...]
    margin: float
    given: Callable[[np.ndarray], np.ndarray] = _latent


def _runs(number: int) -> designs.Draw:
    return designs.runs_of((number,), (0.02,))


def _groups(number: int) -> designs.Draw:
    return designs.items(50 * number, groups=number, spread=0.3)


PILOTS = (
    Pilot("300 items, two tied", designs.items, 300, (0.0, 0.0, 0.05), 0.03),
    Pilot("300 items, steps", designs.items, 300, (0.0, 0.02, 0.04), 0.03),
    Pilot("300 items, three tied", designs.items, 300, (0.0, 0.0, 0.0, 0.1, 0.1, 0.1), 0.05),
    Pilot("300 items, steps", designs.items, 300, (0.0, 0.012, 0.024, 0.036, 0.048, 0.06), 0.05),
    Pilot("300 items, all tied", designs.items, 300, (0.0,) * 12, 0.05),
    Pilot("1,000 items, four tied", designs.items, 1_000, (*(0.0,) * 4, *(0.03,) * 4), 0.03),
    Pilot("300 items, one ahead", designs.items, 300, (0.0, 0.03, 0.06), 0.02),
    Pilot("300 items, one ahead", designs.items, 300, (0.0, 0.04, 0.04), 0.03),
    Pilot("100 items, steps", designs.items, 100, (0.0, 0.02, 0.04), 0.03),
    Pilot("100 items, three tied", designs.items, 100, (0.0, 0.0, 0.0, 0.1, 0.1, 0.1), 0.03),
    Pilot("20 groups of 50 items, two tied", _groups, 20, (0.0, 0.0, 0.05), 0.03, _GROUPED),
    Pilot("20 runs, one ahead", _runs, 20, (0.0, 0.005, 0.01), 0.005, _same),
    Pilot("10 runs, steps", _runs, 10, (0.0, 0.01, 0.02), 0.012, _same),
    Pilot("5 runs, steps", _runs, 5, (0.0, 0.01, 0.02), 0.02, _same),
    Pilot("5 runs, three tied", _runs, 5, (0.0, 0.0, 0.0, 0.02, 0.02, 0.02), 0.03, _same),
)


def enough(pilot: Pilot, rng: np.random.Generator, runs: int) -> float:
    """The number of units with which ``judge`` names somebody in 80 % of draws, by a line through simulated shares."""
    given = pilot.given(np.array(pilot.losses))

    def share(units: int) -> float:
        draw, named = pilot.draw(units), 0
        for start in range(0, runs, AT_ONCE):
            draws = [draw(rng, given) for _ in range(min(AT_ONCE, runs - start))]
            named += sum(picks[0] is not None for picks, _, _ in judged(draws, (pilot.margin,)))
        return named / runs

    most = pilot.units
    while share(most) < 0.8:
        most *= 2
    sizes = np.unique(np.geomspace(max(3, 0.5 * most), 1.1 * most, 7).astype(int))
    shares = np.clip([share(int(each)) for each in sizes], 0.01, 0.99)
    slope, start = np.polyfit(np.sqrt(sizes), -normal_upper(shares), 1)  # the chance of a bound below the margin
    return float((-normal_upper(0.8) - start) / slope) ** 2


def more_figures(position: int, runs: int) -> tuple[float, list[float]]:
    """Of one pilot: how many units are enough; how often nobody is named, and how well the verdict then says it.

    Share that says a number, of these the share that is right within a quarter, the share of ranges that hold it, and
    the median ends of these.
    """
    pilot = PILOTS[position]
    rng = np.random.default_rng([SEED, position])
    given, draw = pilot.given(np.array(pilot.losses)), pilot.draw(pilot.units)
    wanted = np.ceil(enough(pilot, rng, 2 * runs))
    verdicts = [bk.judge(draw(rng, given), within=pilot.margin) for _ in range(runs)]
    needed = [each.within.needed for each in verdicts if each.best is None]
    said = pilot.units + np.array([each.about for each in needed if each.about is not None])
    low, high = pilot.units + np.array([each[1:] for each in needed]).T
    return float(wanted), [
        len(needed) / runs,
        len(said) / len(needed),
        float(np.mean(np.abs(said / wanted - 1.0) <= 0.25)) if said.size else np.nan,
        float(np.mean((low <= wanted) & (high >= wanted))),
        float(np.median(low)),
        float(np.median(high)),
    ]


def jobs(only: str = "") -> dict[str, Callable[[int], Any]]:
    """All that is measured whose name contains a text, as functions of the number of verdicts."""
    found: dict[str, Callable[[int], Any]] = {cell.name: partial(measure, cell) for cell in cells()}
    found |= {f"more {i}": lambda runs, i=i: more_figures(i, runs // 10) for i in range(len(PILOTS))}
    found |= {f"rules {each}": lambda runs, each=each: rules.shares(each, runs // 4) for each in rules.ITEMS}
    return {name: job for name, job in found.items() if only in name}


def figures(only: str, position: int, runs: int) -> tuple[Any, float]:
    """Measure one of them, and the processor time in seconds.

    In a worker: functions cannot travel between processes; positions and figures can.
    """
    started = time.process_time()
    found = list(jobs(only).values())[position](runs)
    return found, time.process_time() - started


HEAD = """# Good enough: how often `judge --within` is wrong, measured

Written by `python -m benchmarks.calibration.verdict.within` on {today}, {runs:,} verdicts per row, in {minutes:.0f}
minutes of processor time; seeds are fixed. The preference names the learners from the worst to the best. The best has
an accuracy of {top:g} on items; *just too far* is {farther:g} beyond the margin, *steps* are {step:g} each. **Bold** is
above {alpha:.0%} plus two standard errors ({limit:.1%}).

- *wrong pick*: the learner that is named loses more than the margin to the best
- *good pick*: it does not; in all other verdicts nobody is named
- *best outside*: a best learner is not in the set of the best; *wrong rank*: any rank lies outside its interval
"""
MORE = """
## How many more

Where nobody is shown within the margin, the verdict says between what numbers of further results somebody would be
shown with a chance of 0.8, and one number only where this range is so narrow that the number in all is known to a
quarter. *Enough* is the number at which `judge` names somebody in 80 % of draws, by simulation from the truth
({twice:,} draws at each of seven numbers); *right* are numbers within 25 % of it, of those that are said. {runs:,}
pilots a row.

| results there are | learners | margin | enough | nobody shown | number said | right | range holds it | range |
|---|---|---|---|---|---|---|---|---|
"""
RULES = """
## Beside common rules

Six models with accuracies from 0.60 to 0.78, the better the dearer, all others more than 0.03 below the best; ranks: 30
models, each 0.002 below the one before. {runs:,} draws a column.

"""


def written(found: dict[str, Any], runs: int, seconds: float) -> str:
    """The page; all of it took so many seconds of processor time."""
    limit = ALPHA + 2.0 * np.sqrt(ALPHA * (1.0 - ALPHA) / runs)
    facts = {
        "today": date.today().isoformat(),
        "runs": runs,
        "minutes": seconds / 60.0,
        "top": TOP,
        "farther": FARTHER,
        "step": STEP,
    }
    parts = [HEAD.format(alpha=ALPHA, limit=limit, **facts)]
    for design in DESIGNS:
        rows = [row for cell in cells() if cell.design is design and cell.name in found
                for row in _rows(cell, found[cell.name], limit)]  # fmt: skip
        if rows:
            head = "| learners | truth | margin | wrong pick | good pick | best outside | wrong rank |"
            parts.append("\n".join([f"\n## {design.name}\n", head, "|---|---|---|---|---|---|---|", *rows]))
    more = [_more_row(pilot, *found[f"more {i}"]) for i, pilot in enumerate(PILOTS) if f"more {i}" in found]
    if more:
        parts.append(MORE.format(runs=runs // 10, twice=runs // 5) + "\n".join(more))
    if all(f"rules {each}" in found for each in rules.ITEMS):
        parts.append(RULES.format(runs=runs // 4) + rules.table({each: found[f"rules {each}"] for each in rules.ITEMS}))
    return "\n".join(parts) + "\n"


def _rows(cell: Cell, result: Figures, limit: float) -> list[str]:
    runs, wrong, right, outside, ranks = result
    known = dict(zip(cell.margins, zip(wrong, right, strict=True), strict=True))

    def rate(number: int) -> str:
        return f"{number / runs:.3f}" if number / runs <= limit else f"**{number / runs:.3f}**"

    return [
        f"| {len(cell.losses)} | {cell.truth} | {margin:g} | {rate(bad)} | {good / runs:.2f} | {rate(outside)} | "
        f"{rate(ranks)} |"
        for margin, (bad, good) in known.items()
    ]


def _more_row(pilot: Pilot, wanted: float, found: list[float]) -> str:
    undecided, said, right, held, low, high = found
    return (
        f"| {pilot.name} | {len(pilot.losses)} | {pilot.margin:g} | {wanted:.0f} | {undecided:.0%} | {said:.0%} | "
        f"{f'{right:.0%}' if said else '–'} | {held:.0%} | {low:.0f} to {high:.0f} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration.verdict.within", description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000, help="verdicts per cell and margin")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--only", default="", help="part of the name of what is measured: of a design, more, rules")
    parser.add_argument("--into", type=Path, default=TABLE, help="file to write; beside it .jsonl, with what is kept")
    chosen = parser.parse_args()
    started, names, found = time.perf_counter(), list(jobs(chosen.only)), {}
    file = chosen.into.with_suffix(".jsonl")
    seconds = 0.0
    for position, (result, taken) in kept(file, names, partial(figures, chosen.only), chosen.runs, chosen.workers):
        found[names[position]], seconds = result, seconds + taken
        print(f"[{len(found)}/{len(names)}] {names[position]}: {result}", flush=True)
    chosen.into.write_text(written(found, chosen.runs, seconds), encoding="utf-8")
    print(f"{chosen.into.name} written after {time.perf_counter() - started:.0f} s")
    file.unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
