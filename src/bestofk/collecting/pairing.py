"""All learners of a data set are tested on the same folds, or the run stops."""

from __future__ import annotations

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellResult


class Pairing:
    """Fingerprints of the folds seen so far; zero where none was seen."""

    def __init__(self, replications: int, folds: int) -> None:
        self.shape = (replications, folds)
        self.seen: dict[str, np.ndarray[tuple[int, int], np.dtype[np.int64]]] = {}

    def check(self, result: CellResult) -> None:
        """Refuse a cell whose folds are not those of the other learners."""
        seen = self.seen.setdefault(result.key.dataset, np.zeros(self.shape, dtype=np.int64))
        part = seen[result.key.start : result.key.stop]
        if ((part != 0) & (result.fingerprints != 0) & (part != result.fingerprints)).any():
            raise InputError(
                f"{result.key.learner} was given other folds of {result.key.dataset} than the learners before it.",
                f"collect, replications {result.key.start + 1} to {result.key.stop}",
                "give all workers the same versions of bestofk, numpy and scikit-learn.",
            )
        part[...] = np.where(result.fingerprints != 0, result.fingerprints, part)
