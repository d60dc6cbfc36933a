"""The faults of verdicts of version 0.1.0, each run again: ``python -m benchmarks.calibration.verdict.faults``.

Every row has the figure measured then and the figure measured now, on draws of the same kind.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import bestofk as bk
from benchmarks.calibration import fold_power
from benchmarks.calibration.verdict import designs
from bestofk.evidence import Evidence
from bestofk.stats import bayes, pairwise, power

TABLE = Path(__file__).parents[1] / "FAULTS.md"
EQUAL = np.zeros(2)

Answer = Callable[[np.random.Generator, int], str]


@dataclass(frozen=True)
class Fault:
    """What went wrong, what was measured on version 0.1.0, and how to measure it now."""

    what: str
    then: str
    now: Answer


def decided(draw: designs.Draw, losses: np.ndarray, rng: np.random.Generator, runs: int, **options: object) -> float:
    """Share of verdicts that name a best learner."""
    return float(np.mean([bk.judge(draw(rng, losses), **options).status == "decided" for _ in range(runs)]))


def _different(draw: designs.Draw, rng: np.random.Generator, runs: int) -> float:
    """Share of verdicts with a preference that call two equal learners different."""
    found = [bk.judge(draw(rng, EQUAL), prior=["learner-1", "learner-0"]).comparison.significant for _ in range(runs)]
    return float(np.mean(found))


def multi2test(rng: np.random.Generator, runs: int) -> str:
    draw, names = designs.datasets(30), [f"learner-{i}" for i in range(3)]
    share = decided(draw, np.zeros(3), rng, min(runs, 60), method="multi2test", prior=names)
    return f"`decided` in {share:.0%} of {min(runs, 60)} tables"


def preference(rng: np.random.Generator, runs: int) -> str:
    kinds = (designs.datasets(30), designs.items(300), designs.curves((10,), (1.0,)), designs.folds("LDA", 1, 10))
    return ", ".join(f"{_different(draw, rng, runs):.1%}" for draw in kinds)


def groups(rng: np.random.Generator, runs: int) -> str:
    draw = designs.items(500, groups=10)
    two = decided(draw, EQUAL, rng, runs)
    ten = np.mean([bk.judge(draw(rng, np.zeros(10))).comparison.significant.any() for _ in range(runs)])
    return f"{two:.1%} false `decided`; {ten:.1%} any false at 10 learners"


def one_split(rng: np.random.Generator, runs: int) -> str:
    verdict = bk.judge(designs.items(300)(rng, EQUAL))
    return f"scope `{verdict.scope}`: {repr(verdict).splitlines()[0]!r}"


def five_by_two(rng: np.random.Generator, runs: int) -> str:
    draw = designs.folds("1-NN", 5, 2)
    verdicts = [bk.judge(draw(rng, EQUAL)) for _ in range(runs)]
    pairs = [verdict.comparison.pair("learner-0", "learner-1") for verdict in verdicts]
    against = np.mean([(pair.low <= 0 <= pair.high) == pair.significant for pair in pairs])
    power = decided(draw, np.array([0.0, 1.0]), rng, runs)
    size = np.mean([pair.significant for pair in pairs])
    return (
        f"{verdicts[0].test}: size {size:.3f}, power {power:.2f}; p and interval contradict each other in {against:.0%}"
    )


def one_of_ten(rng: np.random.Generator, runs: int) -> str:
    return f"`decided` {decided(designs.datasets(30), np.array([0.0, *[1.0] * 9]), rng, runs):.0%}"


def unequal_curves(rng: np.random.Generator, runs: int) -> str:
    return f"{decided(designs.curves((5, 20), (3.0, 1.0)), EQUAL, rng, runs):.1%} false `decided`"


def seeds(rng: np.random.Generator, runs: int) -> str:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "seeds.csv"
        rows = [f"{name},{seed},{level + 0.01 * rng.normal():.4f}" for name, level in (("a", 0.8), ("b", 0.7))
                for seed in range(5)]  # fmt: skip
        file.write_text("model,seed,accuracy\n" + "\n".join(rows), encoding="utf-8")
        verdict = bk.judge(file)
    return f"{verdict.test} on runs: {repr(verdict).splitlines()[0]!r}"


def tasks(rng: np.random.Generator, runs: int) -> str:
    draw = designs.runs_of((10,), (1.0,), tasks=5)
    return f"`decided` {decided(draw, np.array([0.0, 6.0, 12.0]), rng, min(runs, 200)):.0%}"


def forty_models(rng: np.random.Generator, runs: int) -> str:
    values = rng.normal(size=(40, 200)) + 5.0 * (np.arange(40) == 0)[:, None] + rng.normal(size=200)
    names = tuple(f"model-{i}" for i in range(40))
    verdict = bk.judge(bk.Items(learners=names, values=values, measure="score", larger_is_better=True))
    shown = int(verdict.comparison.shown[0].sum())
    return f"{verdict.status}, {verdict.best}; shown to be better than {shown} of 39"


def two_datasets(rng: np.random.Generator, runs: int) -> str:
    def draw(rng: np.random.Generator, losses: np.ndarray) -> Evidence:
        values = np.round(0.8 + 0.02 * rng.normal(size=(2, 2, 1, 1)), 2)
        named = {"learners": ("a", "b"), "datasets": ("one", "two"), "values": values}
        return bk.Scores(measure="accuracy", larger_is_better=True, **named)

    return f"`decided` {decided(draw, EQUAL, rng, runs):.1%}"


def rmse(rng: np.random.Generator, runs: int) -> str:
    units = 10.0 ** rng.uniform(-2, 4, size=12)
    better = np.where(np.arange(12) == int(np.argmax(units)), 1.5, 0.9)
    values = np.stack([units * better, units]) * (1.0 + 0.01 * rng.normal(size=(2, 12)))
    named = {"learners": ("A", "B"), "datasets": tuple(f"set-{i}" for i in range(12))}
    verdict = bk.judge(bk.Scores(values=values[:, :, None, None], measure="rmse", larger_is_better=False, **named))
    return f"{verdict.order[0]} first, {verdict.status}"


def logs(rng: np.random.Generator, runs: int) -> str:
    steps = np.arange(1, 41)
    fast, slow = 0.9 - 0.5 * np.exp(-steps / 3.0), 0.95 - 0.6 * np.exp(-steps / 12.0)
    values = tuple(each + 0.003 * rng.normal(size=(5, 1)) + 0.002 * rng.normal(size=(5, 40)) for each in (fast, slow))
    curves = bk.Curves(learners=("resnet18", "vit"), values=values, measure="accuracy", larger_is_better=True)
    return f"{repr(bk.judge(curves)).splitlines()[0]!r}; `--curve final`: {bk.judge(curves, curve='final').best}"


def next_dataset(rng: np.random.Generator, runs: int) -> str:
    """Said before the next data set is seen, and how often it came so."""
    said, came = [], []
    for _ in range(max(20, runs // 10)):
        values = 0.8 + 0.05 * rng.normal(size=(2, 31)) + np.array([[0.02], [0.0]])
        known = bayes.sign(values[1, :30], values[0, :30], rope=0.01, rng=int(rng.integers(2**31)))
        gain = values[1, 30] - values[0, 30]
        said.append(known.chances)
        came.append((gain < -0.01, abs(gain) <= 0.01, gain > 0.01))
    told = zip(("better", "equal", "worse"), np.mean(said, axis=0), np.mean(came, axis=0), strict=True)
    about = "; ".join(f"{name} {chance:.2f}, came {share:.2f}" for name, chance, share in told)
    return f"chances of {known.about}, mean of {len(said)}: {about}"


def detectable(rng: np.random.Generator, runs: int) -> str:
    found = fold_power.measured("5 × 2 folds", ("1-NN", "1-NN"), 100, max(50, runs)).powers["corrected-t"]
    return "; ".join(f"claimed {pilots:.2f}, real {real:.2f}" for real, _, pilots, _ in found[1:4])


def ties(rng: np.random.Generator, runs: int) -> str:
    """Two-digit scores whose differences are often 0: the number planned for 0.8, and the power that it has."""
    population = np.repeat([0.0, 0.01, 0.02, -0.01], [4, 3, 1, 1])
    real = []
    for _ in range(max(5, runs // 100)):
        pilot = rng.choice(population, size=40)
        plan = power.from_pilot(pilot, np.zeros(40), test="wilcoxon", runs=300, rng=0)
        again = rng.choice(pilot, size=(400, int(plan.needed.n)))
        real.append(np.mean(np.asarray(pairwise.wilcoxon(again, np.zeros_like(again)).pvalue) <= 0.05))
    return f"claimed 0.80, real {np.mean(real):.2f} (mean of {len(real)} pilots)"


FAULTS = (
    Fault("Multi²Test, all equal, 3 learners, 30 data sets", "`decided` 60 of 60", multi2test),
    Fault("preference given, 2 equal learners (data sets, items, curves, folds)", "7.1, 7.4, 8.0, 9.8 %", preference),
    Fault("items in 10 groups of 50, strong group effect", "47.5 % false `decided`; 90 % any false at 10", groups),
    Fault("one train/test split", "said of learners: wrong in 31–36 %", one_split),
    Fault("5 × 2 folds, 1-NN", "size 0.112, power 0.74; p and interval contradict in 24 %", five_by_two),
    Fault("one of 10 learners better by 1 sd on 30 data sets", "`decided` 10 %", one_of_ten),
    Fault("curves, 5 runs of sd 3 and 20 of sd 1, equal means", "27 % false `decided`", unequal_curves),
    Fault("a table model, seed, accuracy", "refused", seeds),
    Fault("5 tasks × 10 seeds, 3 learners 6 sd apart", "nothing could have been shown", tasks),
    Fault("40 graded models, 200 items, one better by 5 sd", "could not have been shown", forty_models),
    Fault("two data sets, two-digit scores, equal", "p = 0 and `decided` in 8.6 %", two_datasets),
    Fault("rmse on 12 data sets, A better by 10 % on 11", "B first", rmse),
    Fault("training logs that cross", "best by the mean over all epochs, the other ahead at the end", logs),
    Fault("posterior over data sets", "better 0.80, equal 0.0003 where chances are 0.62 and 0.03", next_dataset),
    Fault("detectable differences of 5 × 2 folds", "claimed power 0.44, real 0.30", detectable),
    Fault("power from a pilot with ties", "claimed 0.80, real 0.96", ties),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration.verdict.faults", description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000, help="verdicts per figure")
    parser.add_argument("--into", type=Path, default=TABLE)
    chosen = parser.parse_args()
    lines = ["# Faults of version 0.1.0, measured again\n", "| what | 0.1.0 | now |", "|---|---|---|"]
    for number, fault in enumerate(FAULTS):
        lines.append(f"| {fault.what} | {fault.then} | {fault.now(np.random.default_rng(number), chosen.runs)} |")
        print(lines[-1], flush=True)
    told = f"\nWritten by `python -m benchmarks.calibration.verdict.faults`, {chosen.runs:,} verdicts per rate."
    chosen.into.write_text("\n".join([*lines, told]) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
