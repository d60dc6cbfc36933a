"""How often a gate is wrong: models at the margin, equal ones, and ones worse by twice the margin, for every design.

``python -m benchmarks.calibration.gate`` writes GATE.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np

import bestofk as bk
from benchmarks.calibration.verdict.designs import folds
from bestofk.comparing import sample_of
from bestofk.evidence import Evidence
from bestofk.judging.gate import gated
from bestofk.judging.judge import case_beside_margin
from bestofk.judging.loss_bounds import OUTCOMES, LossBounds
from bestofk.settings import Gating, settled

TABLE = Path(__file__).parent / "GATE.md"
ALPHA = 0.05
MARGINS = (0.01, 0.03, 0.05)
BATCH, SAID = 200, 50
HEAD = """# Calibration of the gate: how often `bk.gate` is wrong, measured

Written by `python -m benchmarks.calibration.gate` on {day:%Y-%m-%d}, {runs:,} gates for each truth; seeds are fixed.
A new model whose true loss is the margin may pass, and may be called worse, in at most {alpha:g} % of gates each;
**bold** is above that plus two standard errors ({most:.3f}). Beside it two equal models: how often they pass, what 50
gates say of that as their power (by the first measure), and how often one is called worse; and a model that is worse by
twice the margin. Folds are of real learners (LDA, 200 rows) that are equal, with the loss added to the errors of the
new one: tests of folds hold about, because training sets overlap.

| | | at the margin | | equal | | | twice the margin | | |
|---|---|---|---|---|---|---|---|---|---|
| design | margin | passed | called worse | passed | said | called worse | called worse | said | passed |"""
NAMES = ("new", "old")

#: Makes results of a new model whose true loss is so much above that of the old one, by one measure or several.
Draw = Callable[[np.random.Generator, float], list[Evidence]]


def answers(number: int) -> Draw:
    """Right or wrong: the two models disagree on a tenth of the items, and on as many more as is lost."""

    def draw(rng: np.random.Generator, loss: float) -> list[Evidence]:
        place = rng.random(number)
        old = np.where(place < 0.05, 0.0, np.where(place < 0.10 + loss, 1.0, rng.random(number) < 0.8))
        new = np.where(place < 0.05, 1.0, np.where(place < 0.10 + loss, 0.0, old))
        return [_items([new, old])]

    return draw


def lost(number: int) -> Draw:
    """Right or wrong: the new model loses items and wins none."""

    def draw(rng: np.random.Generator, loss: float) -> list[Evidence]:
        old = (rng.random(number) < 0.8).astype(float)
        return [_items([np.where(rng.random(number) < loss / 0.8, 0.0, old), old])]

    return draw


def grades(number: int, measures: int = 1) -> Draw:
    """Grades of 0, ¼, …, 1 on items of unequal difficulty; several measures share the difficulty."""

    def draw(rng: np.random.Generator, loss: float) -> list[Evidence]:
        chance = rng.uniform(0.3, 0.9, size=number)
        return [_items(rng.binomial(4, [chance - loss, chance]) / 4.0, measure=f"score {i}") for i in range(measures)]

    return draw


def failing(number: int) -> Draw:
    """The same grades, but for few items on which the new model fails."""

    def draw(rng: np.random.Generator, loss: float) -> list[Evidence]:
        old = rng.choice([0.6, 0.8, 1.0], size=number)
        return [_items([np.where(rng.random(number) < loss / 0.8, 0.0, old), old])]

    return draw


def grouped(groups: int, each: int) -> Draw:
    """Right or wrong in groups, on which the two models differ each in its own way."""

    def draw(rng: np.random.Generator, loss: float) -> list[Evidence]:
        own = rng.uniform(-0.1, 0.1, size=(2, groups))
        chance = np.repeat(0.7 + own - [[loss], [0.0]], each, axis=1)
        names = tuple(f"group-{i}" for i in np.repeat(np.arange(groups), each))
        return [_items((rng.random(chance.shape) < chance).astype(float), groups=names)]

    return draw


def seeds(number: int, spreads: tuple[float, float]) -> Draw:
    """Accuracies of runs."""

    def draw(rng: np.random.Generator, loss: float) -> list[Evidence]:
        values = [
            0.8 - lost + spread * rng.normal(size=number) for lost, spread in zip((loss, 0.0), spreads, strict=True)
        ]
        return [bk.Runs(learners=NAMES, values=tuple(values), measure="accuracy", larger_is_better=True)]

    return draw


def trained(replications: int, count: int) -> Draw:
    """Errors of two equal real learners on folds of 200 rows; the loss is added to those of the new one."""
    equal = folds("LDA", replications, count)

    def draw(rng: np.random.Generator, loss: float) -> list[Evidence]:
        values = np.array(equal(rng, np.zeros(2)).values) + np.reshape([loss, 0.0], (2, 1, 1, 1))
        return [bk.Scores(learners=NAMES, values=values, measure="error", larger_is_better=False)]

    return draw


def datasets(number: int, *, skewed: bool = False) -> Draw:
    """One error per data set; skewed differences have an exponential tail where the new model is worse."""

    def draw(rng: np.random.Generator, loss: float) -> list[Evidence]:
        noise = rng.exponential(size=(2, number)) - 1.0 if skewed else rng.normal(size=(2, number))
        noise *= [[1.0], [0.0 if skewed else 1.0]]
        values = 0.3 + 0.1 * rng.uniform(-1, 1, size=number) + 0.02 * noise + [[loss], [0.0]]
        sets = tuple(f"set-{i}" for i in range(number))
        facts = {"learners": NAMES, "datasets": sets, "measure": "error", "larger_is_better": False}
        return [bk.Scores(values=values[:, :, None, None], **facts)]

    return draw


def _items(values: object, **facts: object) -> Evidence:
    return bk.Items(**{"learners": NAMES, "values": values, "measure": "correct", "larger_is_better": True, **facts})


DESIGNS = {
    "300 items, right or wrong": answers(300),
    "1,000 items, right or wrong": answers(1_000),
    "300 graded items": grades(300),
    "300 graded items, two measures": grades(300, 2),
    "300 graded items, few failures": failing(300),
    "20 groups of 25 items": grouped(20, 25),
    "5 runs each": seeds(5, (0.01, 0.01)),
    "10 runs each": seeds(10, (0.01, 0.01)),
    "10 runs each, spread 3 and 1": seeds(10, (0.03, 0.01)),
    "10 folds": trained(1, 10),
    "5 × 2 folds": trained(5, 2),
    "20 data sets": datasets(20),
    "300 items, right or wrong, none won": lost(300),
    "20 data sets, skewed": datasets(20, skewed=True),
}
#: How many margins the new model is worse by.
LOSSES = {"at the margin": 1.0, "equal": 0.0, "twice the margin": 2.0}


def outcomes(draw: Draw, margin: float, loss: float, runs: int, seed: int) -> np.ndarray:
    """Places among ``OUTCOMES`` of gates of fresh results, as many at once as one set of sign flips may serve."""
    found = []
    for start in range(0, runs, BATCH):
        number = min(BATCH, runs - start)
        drawn = [draw(np.random.default_rng((seed, start + i)), loss) for i in range(number)]
        checks = [_outcomes([each[m] for each in drawn], margin, len(drawn[0]), start) for m in range(len(drawn[0]))]
        found.append(np.max(checks, axis=0))
    return np.concatenate(found)


def _outcomes(drawn: list[Evidence], margin: float, checks: int, seed: int) -> np.ndarray:
    comparison = case_beside_margin(drawn[0], {"alpha": ALPHA, "seed": seed}, "refuse").comparison
    bounds = LossBounds(comparison, margin, *NAMES, checks)
    samples = [sample_of(each) for each in drawn]
    names = tuple(map(str, range(2 * len(drawn))))
    if samples[0].runs:
        runs = tuple(side for each in samples for side in each.runs)
        return bounds.outcomes_of(replace(samples[0], learners=names).of_runs(runs))
    losses = np.concatenate([each.losses for each in samples])
    return bounds.outcomes_of(replace(samples[0], learners=names, losses=losses))


def power_said(draw: Draw, margin: float, runs: int, seed: int) -> tuple[float, float]:
    """What gates of equal models say of their power, on average; their outcomes are those found above."""
    given = settled(Gating, {"margin": margin, "alpha": ALPHA}, where="gate")
    found = [gated(draw(np.random.default_rng((seed, i)), 0.0), *NAMES, given) for i in range(min(runs, SAID))]
    same = outcomes(draw, margin, 0.0, len(found), seed) == [OUTCOMES.index(each.outcome) for each in found]
    assert same.all()
    said = [(each.checks[0].power, each.checks[0].seen) for each in found if each.checks[0].seen is not None]
    return tuple(np.mean(said, axis=0)) if said else (np.nan, np.nan)  # unknown where results are the same


def row(name: str, number: int, margin: float, runs: int) -> list[str]:
    """Shares of outcomes of one design and margin: one line of the table."""
    draw, seed = DESIGNS[name], 1_000 * number + int(1_000 * margin)
    shares = {
        truth: np.bincount(outcomes(draw, margin, times * margin, runs, seed), minlength=3) / runs
        for truth, times in LOSSES.items()
    }
    (passed, _, worse), equal, twice = shares.values()
    errors = [f"**{share:.3f}**" if share > _most(runs) else f"{share:.3f}" for share in (passed, worse)]
    said = ["–" if np.isnan(each) else f"{each:.2f}" for each in power_said(draw, margin, runs, seed)]
    return [*errors, f"{equal[0]:.2f}", said[0], f"{equal[2]:.3f}", f"{twice[2]:.2f}", said[1], f"{twice[0]:.3f}"]


def _most(runs: int) -> float:
    return float(ALPHA + 2 * (ALPHA * (1 - ALPHA) / runs) ** 0.5)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration.gate", description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000, help="gates per cell")
    parser.add_argument("--only", default="", help="part of a design's name")
    parser.add_argument("--into", type=Path, default=TABLE, help="file to write")
    chosen = parser.parse_args()
    lines = []
    for number, name in enumerate(DESIGNS):
        for margin in MARGINS if chosen.only in name else ():
            began = time.perf_counter()
            lines.append(f"| {name} | {margin:g} | {' | '.join(row(name, number, margin, chosen.runs))} |")
            print(f"{lines[-1]}  {time.perf_counter() - began:.0f} s", flush=True)
    head = HEAD.format(day=date.today(), runs=chosen.runs, alpha=100 * ALPHA, most=_most(chosen.runs))
    chosen.into.write_text("\n".join([head, *lines, ""]), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
