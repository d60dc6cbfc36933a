"""The whole of Piater et al.'s study, Fig. 3 to 6, run for real on two processes: wall time and memory.

``python -m benchmarks.run curves_study`` runs it in full, with the compiled kernel and with numpy alone (minutes);
``python -m benchmarks.speed.curves_study --effort 0.05`` runs a part and says what the whole would take.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

import numpy as np
from joblib.externals.loky import get_reusable_executor

from benchmarks.speed.measure import Row
from bestofk.replications.curves.pools import made_pool
from bestofk.replications.curves.study import QUESTIONS, StudyRow, calibrate_curves

POOLS = ("krkopt", "tictactoe", "td0")
WORKERS = 2
#: Wall seconds allowed on two cores.
DEMANDS = {"numba": 5 * 60.0, "numpy": 30 * 60.0}
NAMES = {"numba": "with `fast`", "numpy": "numpy only"}


def rows(effort: float = 1.0, workers: int = WORKERS, into: str | Path | None = None) -> list[Row]:
    start = time.perf_counter()
    pools = {name: made_pool(name, 0, into=into, workers=workers) for name in POOLS}
    collected = time.perf_counter() - start
    made = [
        Row("curves of C4.5 on krkopt and tictactoe, 20 folds × 20 sizes, and of TD(0)", "", collected, note="wall")
    ]
    return made + [_study(pools, backend, effort, workers) for backend in DEMANDS]


def _study(pools: dict[str, np.ndarray], backend: str, effort: float, workers: int) -> Row:
    calibrate_curves(pools, effort=1e-9, workers=workers, backend=backend)  # workers started, loops compiled
    start = time.perf_counter()
    found = calibrate_curves(pools, effort=effort, workers=workers, backend=backend)
    seconds = time.perf_counter() - start
    number, whole = anovas(found), anovas_in_full(len(pools))
    seconds *= whole / number
    part = "" if effort == 1.0 else f"; from {number / whole:.0%} of it"
    return Row(
        f"study of Piater et al. on real curves ({whole / 1e6:.0f} million ANOVAs), {workers} processes, "
        f"{NAMES[backend]}",
        f"{DEMANDS[backend] / 60:.0f} minutes",
        seconds,
        DEMANDS[backend],
        demand=1.0,
        ceiling=True,
        note=f"wall{part}; largest process {largest_process():.0f} MB",
    )


def anovas(found: tuple[StudyRow, ...]) -> int:
    """ANOVAs behind the rows: every experiment and its shuffles; the power study shuffles once a run."""
    each = {name: e + s if name == "power" else e * (s + 1) for name, (_, e, s) in QUESTIONS.items()}
    return sum(len(row.counts) * each[row.question] for row in found)


def anovas_in_full(pools: int, changes: int = 44) -> int:
    """Those of the whole study: four modifications at eleven factors."""
    runs = {name: number for name, (number, _, _) in QUESTIONS.items()}
    type_one, modified = (runs[n] * QUESTIONS[n][1] * (QUESTIONS[n][2] + 1) for n in ("type-i", "modified"))
    return pools * type_one + changes * (modified + runs["power"] * sum(QUESTIONS["power"][1:]))


def largest_process() -> float:
    """Peak memory, in megabytes, of this process or of any worker, which are ended for it."""
    get_reusable_executor().shutdown(wait=True)  # only processes that were waited for are counted
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(each).ru_maxrss for each in who) / 1024


def main() -> None:
    """Print the rows of a part, or of the whole."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--effort", type=float, default=1.0)
    parser.add_argument("--workers", type=int, default=WORKERS)
    parser.add_argument("--into", help="store that keeps the curves of C4.5")
    asked = parser.parse_args()
    for row in rows(asked.effort, asked.workers, asked.into):
        print(f"{row.work}: {row.ours:.1f} s, {row.note}")


if __name__ == "__main__":
    main()
