"""Studies in several processes, the longest first."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from benchmarks.calibration.measured import Measured
from benchmarks.calibration.study import Power, Row, run
from benchmarks.calibration.topics import STUDIES

Figures = list[tuple[Measured, tuple[Power, ...]]]


def run_all(effort: float, workers: int) -> Iterator[tuple[list[Row], float]]:
    """Yield the rows of each study and the seconds it took, in the order in which they end."""
    # Workers share the cores, so each has one thread; they read this when they load numpy.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_figures, i, effort): STUDIES[i] for i in _longest_first()}
        for future in as_completed(waiting):
            study = waiting[future]
            figures, seconds = future.result()
            yield [Row(study, case, *found) for case, found in zip(study.cases, figures, strict=True)], seconds


def _figures(position: int, effort: float) -> tuple[Figures, float]:
    """Run one study in a worker. Studies hold functions, which cannot travel between processes; figures can."""
    started = time.perf_counter()
    return [(row.size, row.powers) for row in run(STUDIES[position], effort)], time.perf_counter() - started


def _longest_first() -> list[int]:
    return sorted(range(len(STUDIES)), key=lambda i: (STUDIES[i].kind == "model", STUDIES[i].learner != "1-NN"))
