"""What the MultiTest replication costs: ``python -m benchmarks.replications DIR [RUNS] [DATA SET …]``.

Every data set first runs twenty runs (all rates of the logistic learner, the list of neighbours), then RUNS more, which
are timed; the paper's 1,000 runs cost the first twenty and 980 like those. DIR is a folder with index.json.
"""

from __future__ import annotations

import sys
import time

import benchmarks.speed  # noqa: F401  holds numpy to one thread, so it comes before everything that loads numpy
from bestofk.replications.multitest.experiment import Course
from bestofk.replications.multitest.published import RUNS, paper_sets

FIRST = 20
COMPILE = ("iris", "car")  # numbers and codes: every compiled loop is there before anything is timed


def seconds_of(course: Course, runs: int) -> float:
    start = time.process_time()
    course.run(runs)
    return time.process_time() - start


def main(folder: str, runs: int, names: list[str]) -> None:
    for dataset in paper_sets(folder, COMPILE).sets.values():
        Course(dataset, 1).run(1)
    total = 0.0
    for name, dataset in paper_sets(folder, names).sets.items():
        course = Course(dataset, 1)
        first, more = seconds_of(course, FIRST), seconds_of(course, runs)
        whole = first + more * (RUNS - FIRST) / runs
        total += whole
        print(f"{name:12} first {FIRST} runs {first:6.2f} s, then {1e3 * more / runs:8.1f} ms a run, {whole:7.1f} s")
    print(f"{RUNS:,} runs: {total / 60:.1f} minutes of processor time")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10, sys.argv[3:])
