"""Means and deviations of the columns, for the training rows of many folds at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array

#: Deviations up to this share of the mean are rounding.
ROUNDING = 10 * float(np.finfo(np.float64).eps)

Lengths = npt.NDArray[np.int_]


def standardise(matrix: Array, train: Lengths, test: Lengths | None = None) -> tuple[Array, Array]:
    """Scale rows in place: stretches of training rows, each with the test rows behind it that go the same way.

    Returns mean and scale of every stretch. The sums of one stretch do not depend on the others: the last bit is the
    same however many folds are scaled together.
    """
    both = train if test is None else train + test
    starts = np.cumsum(both) - both
    cuts = starts if test is None else np.column_stack([starts, starts + train]).ravel()
    every = 1 if test is None else 2
    mean = np.add.reduceat(matrix, cuts, axis=0)[::every] / train[:, None]
    matrix -= np.repeat(mean, both, axis=0)
    squares = np.add.reduceat(matrix * matrix, cuts, axis=0)[::every]
    scale = unless_constant(np.sqrt(squares / train[:, None]), mean)
    matrix /= np.repeat(scale, both, axis=0)
    return mean, scale


def unless_constant(deviation: Array, mean: Array) -> Array:
    """Return the deviation, or 1 for a constant column: rounding must not blow it up, it stays as it is, at 0."""
    return np.where(deviation <= ROUNDING * np.abs(mean), 1.0, deviation)
