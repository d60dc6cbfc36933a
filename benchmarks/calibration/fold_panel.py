"""Which test for which folds: size and power of the candidates on a panel of learners, one table.

``python -m benchmarks.calibration.fold_panel`` writes FOLDS.md. Two contenders are the same algorithm on columns of
their own; for the power the classes of the second lie a quarter closer. The default of every design is the candidate
with the most power among those whose size is at most 0.06 everywhere on the panel.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.calibration import designs
from benchmarks.calibration.populations import MODEL
from benchmarks.calibration.resampling import answers, contenders, error, margins_of
from bestofk.stats import pairwise as tests

TABLE = Path(__file__).parent / "FOLDS.md"
SEED, ALPHA, CHUNK = 20261118, 0.05, 25
LEARNERS = ("1-NN", "LDA", "tree", "logistic", "nearest mean")
ROWS = (100, 200)
SHAPES = {"5 × 2": (5, 2), "10": (1, 10), "10 × 10": (10, 10), "20 splits of 30 %": (20, 1)}
FRACTION = 0.3
#: The largest size that a default may have on the panel.
LARGEST = 0.06

Run = Callable[[Any, Any], Any]


def candidates(shape: str) -> dict[str, Run]:
    """The tests that take such folds."""
    found: dict[str, Run] = {"corrected-t": tests.corrected_t, "repeated-cv-t": tests.repeated_cv_t}
    if shape == "20 splits of 30 %":
        return {name: partial(_flat, run) for name, run in found.items()}
    if shape == "5 × 2":
        found |= {"5x2cv-t": tests.five_by_two_t, "5x2cv-f": tests.five_by_two_f}
    if shape == "10":
        found = {"corrected-t": tests.corrected_t, "paired-t": partial(_values, tests.paired_t)}
    if shape == "10 × 10":
        found |= {"calibrated-t": tests.calibrated_t}
        found |= {f"calibrated-t, {s}": partial(tests.calibrated_t, scheme=s) for s in ("folds", "sorted-runs")}
    return found


def _flat(run: Any, first: Any, second: Any) -> Any:
    return run(first[..., 0], second[..., 0], test_fraction=FRACTION)


def _values(run: Any, first: Any, second: Any) -> Any:
    return run(first[..., 0, :], second[..., 0, :])


def errors(learner: str, rows: int, shape: str, effect: float, runs: int) -> Iterator[np.ndarray]:
    """Losses (runs, 2, replications, folds), in chunks."""
    rng = np.random.default_rng([SEED, zlib.crc32(f"{learner}{rows}{shape}{effect}".encode())])
    replications, folds = SHAPES[shape]
    for start in range(0, runs, CHUNK):
        number = min(CHUNK, runs - start)
        sample = MODEL.draw(rng, number, rows, 2, effect)
        whole = folds > 1
        tested = (
            designs.folds(rng, number, rows, replications, folds)
            if whole
            else designs.splits(rng, number, rows, replications, int(FRACTION * rows))
        )
        values = error(margins_of(contenders(sample, learner), tested), answers(sample.truth, tested))
        yield values.reshape(number, 2, replications, folds)


def rates(learner: str, rows: int, shape: str, effect: float, runs: int) -> dict[str, float]:
    """How often each candidate rejects."""
    rejected = dict.fromkeys(candidates(shape), 0)
    for losses in errors(learner, rows, shape, effect, runs):
        for name, run in candidates(shape).items():
            rejected[name] += int((np.asarray(run(losses[:, 0], losses[:, 1]).pvalue) <= ALPHA).sum())
    return {name: count / runs for name, count in rejected.items()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration.fold_panel", description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--into", type=Path, default=TABLE)
    chosen = parser.parse_args()
    asked = [(learner, rows, shape, effect) for shape in SHAPES for learner in LEARNERS for rows in ROWS
             for effect in (0.0, 0.25)]  # fmt: skip
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = dict(zip(asked, pool.map(partial(_rates, chosen.runs), asked), strict=True))
    chosen.into.write_text(written(found, chosen.runs), encoding="utf-8")
    print(chosen.into.read_text(encoding="utf-8"))
    return 0


def _rates(runs: int, asked: tuple[str, int, str, float]) -> dict[str, float]:
    return rates(*asked, runs)


def written(found: dict[tuple[str, int, str, float], dict[str, float]], runs: int) -> str:
    """The table: a part for every design, a row for every candidate."""
    parts = [
        "# Tests of folds: size and power on a panel of learners\n",
        f"Written by `python -m benchmarks.calibration.fold_panel`: {runs:,} data sets per number, alpha {ALPHA}; a "
        f"size has a standard error of {np.sqrt(ALPHA * (1 - ALPHA) / runs):.3f}. Power: the second contender's "
        "classes lie a quarter closer.\n",
    ]
    for shape in SHAPES:
        heads = [f"{learner}, {rows}" for learner in LEARNERS for rows in ROWS]
        parts += [f"## {shape} folds\n", f"| test | largest size | mean power | {' | '.join(heads)} |"]
        parts.append("|" + "---|" * (len(heads) + 3))
        best = _default(found, shape)
        for name in candidates(shape):
            sizes = [found[learner, rows, shape, 0.0][name] for learner in LEARNERS for rows in ROWS]
            powers = [found[learner, rows, shape, 0.25][name] for learner in LEARNERS for rows in ROWS]
            cells = [f"{size:.3f} / {power:.2f}" for size, power in zip(sizes, powers, strict=True)]
            shown = f"**{name}**" if name == best else name
            parts.append(f"| {shown} | {max(sizes):.3f} | {np.mean(powers):.2f} | {' | '.join(cells)} |")
        parts.append("")
    return "\n".join(parts)


def _default(found: dict[tuple[str, int, str, float], dict[str, float]], shape: str) -> str:
    """The candidate of most power among those of right size."""
    places = [(learner, rows, shape) for learner in LEARNERS for rows in ROWS]
    sized = [name for name in candidates(shape) if max(found[*p, 0.0][name] for p in places) <= LARGEST]
    return max(sized, key=lambda name: sum(found[*p, 0.25][name] for p in places), default="")


if __name__ == "__main__":
    raise SystemExit(main())
