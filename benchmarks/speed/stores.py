"""Stores: writing cells, one transaction each, and reading all folds of one data set; wall clock, disk included.

``python -m benchmarks.speed.stores`` measures these rows alone.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed.measure import Row
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores.address import open_store

LEARNERS, CELLS, REPLICATIONS, FOLDS = 50, 2, 500, 10  # 10,000 folds of each learner
OTHERS = 3  # further data sets of the same size, which reading must not touch
TURNS = 5


def rows() -> list[Row]:
    """Write four data sets into a new file, read one of them back."""
    cells = [_cell("measured", learner, chunk) for learner in range(LEARNERS) for chunk in range(CELLS)]
    folds = len(cells) * REPLICATIONS * FOLDS
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # a disk, where /tmp may be memory
        path = Path(folder) / "results.db"
        with open_store(path) as store:  # type: ignore[attr-defined]
            for other in range(OTHERS):
                store.write([_cell(f"other {other}", learner, 0) for learner in range(LEARNERS)])
            one_by_one = _best(lambda: [store.write([cell]) for cell in cells])
            together = _best(lambda: store.write(cells))
            series = sorted({cell.key.series for cell in cells})
            reading = _best(lambda: _summed(store, series))
            assert _summed(store, series) == sum(int(cell.confusion.sum()) for cell in cells)
            size = path.stat().st_size
        note = (
            f"{size / (len(cells) * REPLICATIONS * FOLDS + OTHERS * LEARNERS * REPLICATIONS * FOLDS):.0f} bytes a fold"
        )
    second = folds / 1_000_000  # a million folds a second
    return [
        Row(
            _work("write", "one transaction each"),
            "1 million folds/s",
            one_by_one,
            second,
            1.0,
            note="wall clock, on disk",
        ),
        Row(_work("write", "one transaction"), "1 million folds/s", together, second, 1.0, note="wall clock, on disk"),
        Row(f"store, read all {folds:,} folds of one data set", "50 ms", reading, 0.05, 1.0, ceiling=True, note=note),
    ]


def _work(verb: str, how: str) -> str:
    return f"store, {verb} {LEARNERS * CELLS} cells of {REPLICATIONS * FOLDS:,} folds, {how}"


def _cell(dataset: str, learner: int, chunk: int) -> CellResult:
    rng = np.random.default_rng([learner, chunk])
    shape = (REPLICATIONS, FOLDS)
    errors = rng.binomial(25, 0.1, size=(2, *shape))
    confusion = np.stack([np.stack([25 - errors[0], errors[0]], -1), np.stack([errors[1], 25 - errors[1]], -1)], -2)
    start = chunk * REPLICATIONS
    return CellResult(
        key=CellKey(
            dataset, "d" * 64, f"learner {learner}", f"{learner:064x}", "1000x10", 1, start, start + REPLICATIONS
        ),
        classes=("no", "yes"),
        confusion=confusion.astype(np.uint32),
        fit_seconds=rng.exponential(0.01, shape),
        predict_seconds=rng.exponential(0.001, shape),
        size=rng.integers(1_000, 2_000, shape).astype(float),
        fingerprints=np.random.default_rng(chunk).integers(-(2**63), 2**63, shape),
        failures=(("",) * FOLDS,) * REPLICATIONS,
        test_sizes=np.full(shape, 50),
        train_sizes=np.full(shape, 450),
    )


def _summed(store: Any, series: list[str]) -> int:
    return sum(int(cell.confusion.sum()) for cell in store.read(series))


def _best(work: Callable[[], Any]) -> float:
    times = []
    for _ in range(TURNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    from benchmarks.report import as_text

    print(as_text(rows()))
