"""Which rows are tested in which fold; all other rows of the data set train."""

from __future__ import annotations

import numpy as np


def shuffled_rows(rng: np.random.Generator, runs: int, times: int, rows: int) -> np.ndarray:
    return rng.permuted(np.broadcast_to(np.arange(rows), (runs, times, rows)), axis=-1)


def folds(rng: np.random.Generator, runs: int, rows: int, replications: int, count: int) -> np.ndarray:
    """Rows of each fold of repeated cross-validation: (runs, replications · count, rows / count)."""
    return shuffled_rows(rng, runs, replications, rows).reshape(runs, replications * count, rows // count)


def splits(rng: np.random.Generator, runs: int, rows: int, count: int, tested: int) -> np.ndarray:
    """Rows tested in each of several random splits: (runs, count, tested)."""
    return shuffled_rows(rng, runs, count, rows)[..., :tested]
