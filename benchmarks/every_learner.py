"""The papers' nine learners on every data set of a folder: does any fold fail?

    python -m benchmarks.every_learner DIR [NAME …]

One replication of two random halves each; prints every failure, every learner that took long, and the sum.
"""

from __future__ import annotations

import sys
import time

from bestofk.collecting.cell.cell import run_cell
from bestofk.design.datasets.index import Index
from bestofk.design.folds import folds_of
from bestofk.design.learners import learner_of

NINE = ("max", "nmc", "lgc", "c45", "nn", "svm", "lda", "qda", "knn")
LONG = 20.0  # seconds


def main(folder: str, names: list[str]) -> None:
    """Run and print."""
    index, folds = Index.open(folder), folds_of("5x2")
    done = failed = 0
    for name in names or index.names:
        dataset = index.dataset(name)
        for learner in NINE:
            start = time.process_time()
            result = run_cell(dataset, learner_of(learner), folds, 0, 0, 1)
            reasons = [reason for line in result.failures for reason in line if reason]
            done, failed = done + 2, failed + len(reasons)
            seconds = time.process_time() - start
            if reasons:
                print(f"{name}, {learner}: {reasons[0]}", flush=True)
            elif seconds > LONG:
                print(f"{name}, {learner}: {seconds:.0f} s", flush=True)
    print(f"{done} folds, {failed} failed")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
