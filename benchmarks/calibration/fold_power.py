"""What power tests of folds claim, and what they have: real learners, and a difference that is known.

``python -m benchmarks.calibration.fold_power`` writes FOLD_POWER.md. Every data set is a pilot that claims the power to
see a difference; the share of data sets on which the test sees it is the real power. The differences of a pair of
learners are moved so that their mean is the difference asked for. A pair is one algorithm on columns of its own twice,
or two algorithms on the same columns.
"""

from __future__ import annotations

import argparse
import zlib
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.calibration import designs
from benchmarks.calibration.learners import PANEL
from benchmarks.calibration.populations import MODEL
from benchmarks.calibration.resampling import answers, error
from bestofk.advice.detectable_difference import usual_factor
from bestofk.stats import power
from bestofk.stats.overlap import fold_correlations
from bestofk.stats.pairwise import PAIRWISE

TABLE = Path(__file__).parent / "FOLD_POWER.md"
SEED, ALPHA, CHUNK = 20261119, 0.05, 25
ROWS = (100, 200)
#: One algorithm twice, or two of them.
PAIRS = (*((name, name) for name in ("1-NN", "nearest mean", "LDA", "tree")), ("1-NN", "LDA"), ("nearest mean", "LDA"),
         ("tree", "LDA"), ("1-NN", "tree"))  # fmt: skip
#: Replications, folds, share of test data of random splits, and tests.
DESIGNS: dict[str, tuple[int, int, float | None, tuple[str, ...]]] = {
    "5 × 2 folds": (5, 2, None, ("corrected-t", "5x2cv-t")),
    "5 folds": (1, 5, None, ("corrected-t",)),
    "3 × 5 folds": (3, 5, None, ("repeated-cv-t", "corrected-t")),
    "10 folds": (1, 10, None, ("corrected-t", "paired-t")),
    "10 × 10 folds": (10, 10, None, ("repeated-cv-t", "corrected-t", "calibrated-t")),
    "30 splits of 30 %": (30, 1, 0.3, ("repeated-cv-t", "corrected-t")),
}
#: Differences in standard deviations of the mean.
STEPS = (0.75, 1.5, 2.25, 3.0, 4.0, 5.5)
#: By test and difference: real power, claimed at the true spread, from pilots, by the test's own model.
Claims = dict[str, list[tuple[float, float, float, float]]]


@dataclass(frozen=True)
class Cell:
    """Of one pair: correlations of folds within and between replications, and (real, claimed, from pilots, own)."""

    within: float
    between: float
    powers: Claims


def differences(design: str, pair: tuple[str, str], rows: int, runs: int) -> np.ndarray:
    """Differences of error (runs, replications, folds)."""
    replications, folds, share, _ = DESIGNS[design]
    rng = np.random.default_rng([SEED, zlib.crc32(f"{design}{pair}{rows}".encode())])
    found = []
    for start in range(0, runs, CHUNK):
        number = min(CHUNK, runs - start)
        sample = MODEL.draw(rng, number, rows, 2, 0.0)
        tested = (
            designs.folds(rng, number, rows, replications, folds)
            if share is None
            else designs.splits(rng, number, rows, replications, int(share * rows))
        )
        own = (0, 1) if pair[0] == pair[1] else (0, 0)
        margins = [PANEL[name](sample.features[:, i], sample.truth, sample.trains[:, i])(tested)
                   for name, i in zip(pair, own, strict=True)]  # fmt: skip
        wrong = error(np.stack(margins, axis=1), answers(sample.truth, tested))
        found.append((wrong[:, 0] - wrong[:, 1]).reshape(number, replications, folds))
    return np.concatenate(found)


def measured(design: str, pair: tuple[str, str], rows: int, runs: int) -> Cell:
    """Real and claimed powers of one pair."""
    replications, folds, share, tests = DESIGNS[design]
    found = differences(design, pair, rows, runs)
    values = found.reshape(runs, -1)
    mean, spread = values.mean(axis=1), np.maximum(values.std(axis=1, ddof=1), 1e-6)
    usual = spread * usual_factor(values.shape[1] - 1.0)
    powers: Claims = {}
    for test, step in product(tests, STEPS):
        worth = step * mean.std()
        asked = partial(_claimed, test, replications, folds, share)
        real = _rejected(test, found - mean.mean() + worth, share)
        truth = float(np.sqrt(np.square(spread).mean()))
        claims = float(asked(worth / truth)), float(asked(worth / usual).mean())
        own = float(asked(worth / truth, correlation=1.0 / folds if share is None else share))
        powers.setdefault(test, []).append((real, *claims, own))
    return Cell(*_correlations(values, folds), powers)


def _claimed(test: str, replications: int, folds: int, share: float | None, effect: Any, **more: float) -> Any:
    options: dict[str, Any] = {"folds": folds} if share is None else {"test_fraction": share}
    options = {} if test == "5x2cv-t" else options
    return np.asarray(power.power(test, effect, replications, **options, **more, alpha=ALPHA).power)


def _rejected(test: str, found: np.ndarray, share: float | None) -> float:
    flat = found.reshape(len(found), -1)
    values = flat if share is not None or test == "paired-t" else found
    options: dict[str, Any] = {} if share is None else {"test_fraction": share}
    return float((np.asarray(PAIRWISE[test](values, np.zeros_like(values), **options).pvalue) <= ALPHA).mean())


def _correlations(values: np.ndarray, folds: int) -> tuple[float, float]:
    """Mean covariance of two folds of one replication, and of two, over the mean variance."""
    covariance = np.cov(values.T)
    place = np.arange(len(covariance)) // folds
    same = (place[:, None] == place) & ~np.eye(len(place), dtype=bool)
    other = place[:, None] != place
    variance = np.trace(covariance) / len(place)
    parts = [float(covariance[where].mean() / variance) if where.any() else np.nan for where in (same, other)]
    return parts[0], parts[1]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration.fold_power", description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--into", type=Path, default=TABLE)
    chosen = parser.parse_args()
    asked = list(product(DESIGNS, PAIRS, ROWS))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = dict(zip(asked, pool.map(partial(_measured, chosen.runs), asked), strict=True))
    chosen.into.write_text(written(found, chosen.runs), encoding="utf-8")
    print(chosen.into.read_text(encoding="utf-8"))
    return 0


def _measured(runs: int, asked: tuple[str, tuple[str, str], int]) -> Cell:
    return measured(*asked, runs)


def written(found: dict[tuple[str, tuple[str, str], int], Cell], runs: int) -> str:
    """A row for every design and test: how far claims are from the truth, over all pairs and differences."""
    head = [
        "# Power of tests of folds: claimed and real\n",
        f"Written by `python -m benchmarks.calibration.fold_power`: {runs:,} data sets of {ROWS[0]} and {ROWS[1]} rows "
        f"for each of {len(PAIRS)} pairs of learners, {len(STEPS)} differences each; a real power has a standard "
        f"error of at most {0.5 / np.sqrt(runs):.3f}. Errors are claimed minus real: mean, mean size, largest; then "
        "the share of cells within 0.05. *At the true spread* of differences; *from pilots*, the mean of what every "
        "data set claims from its own spread; *own model*, at the true spread with the test's own correlation.\n",
        "| folds | test | at the true spread | within 0.05 | from pilots | within 0.05 | own model | within 0.05 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for design, (*_, tests) in DESIGNS.items():
        for test in tests:
            rows = np.array([row for key, cell in found.items() if key[0] == design for row in cell.powers[test]])
            cells = [_errors(rows[:, column] - rows[:, 0]) for column in (1, 2, 3)]
            head.append(f"| {design} | `{test}` | {' | '.join(cells)} |")
    head += [
        "\n## Correlations of the differences of two folds\n",
        "Smallest, median and largest of all pairs, and what is taken.\n",
        "| folds | of one replication | taken | of two replications or splits | taken |",
        "|---|---|---|---|---|",
    ]
    for design, (replications, folds, share, _) in DESIGNS.items():
        cells_of = [cell for key, cell in found.items() if key[0] == design]
        shared = 1.0 / folds if share is None else share
        taken = fold_correlations(shared)
        columns = ([cell.within for cell in cells_of], folds), ([cell.between for cell in cells_of], replications)
        both = zip(columns, taken, strict=True)
        shown = [f"{_range(each)} | {rho:.3f}" if several > 1 else " | " for (each, several), rho in both]
        head.append(f"| {design} | {' | '.join(shown)} |")
    return "\n".join(head) + "\n"


def _errors(gap: np.ndarray) -> str:
    largest, near = gap[np.abs(gap).argmax()], (np.abs(gap) <= 0.05).mean()
    return f"{gap.mean():+.3f}, {np.abs(gap).mean():.3f}, {largest:+.2f} | {near:.0%}"


def _range(values: list[float]) -> str:
    return f"{min(values):+.3f}, {np.median(values):+.3f}, {max(values):+.3f}"


if __name__ == "__main__":
    raise SystemExit(main())
