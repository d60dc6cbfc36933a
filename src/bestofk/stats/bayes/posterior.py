"""What the Bayesian comparisons return and how they take a rope."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import number_inside
from bestofk.core.record import Record
from bestofk.stats.results import Numeric

#: What chances are of, by test.
NEXT, NEXT_TWO, MEAN = "the next data set", "the mean of the next two data sets", "the mean difference"


class Posterior(Record):
    """Posterior of a comparison: triples of (first better, within the rope, second better) on the last axis.

    ``chances`` are those of ``about``: the next data set, the mean of the next two, or the mean difference.
    ``probabilities`` are what the papers print. Over data sets these are shares of posterior samples in which a region
    is the most probable: how sure it is that a region leads, and no chance of anything observable. Of a mean
    difference the two are the same.
    """

    test: str
    about: str
    chances: Any
    probabilities: Any
    rope: float
    estimate: Numeric

    def __repr__(self) -> str:
        if np.ndim(self.chances) > 1:
            return f"{self.test}, rope {self.rope:g}, batch of shape {np.shape(self.chances)[:-1]}"
        first, rope, second = self.chances
        return (
            f"{self.test}, chances of {self.about}: first better {first:.4g}, within ±{self.rope:g} {rope:.4g}, "
            f"second better {second:.4g}"
        )


def rope_of(rope: Any, *, where: str) -> float:
    """Take the half width of the region of practical equivalence: 0 or more."""
    if isinstance(rope, int | float | np.number) and not isinstance(rope, bool) and rope == 0:
        return 0.0
    try:
        return number_inside(rope, name="rope", where=where, low=0.0, high=np.inf)
    except InputError:
        raise InputError(
            f"rope is {rope!r}.",
            f"{where}, argument rope",
            "give the largest difference that does not matter, from 0 up.",
        ) from None


def correlation_of(correlation: Any, *, where: str) -> float:
    """Take the correlation ρ of two folds."""
    if isinstance(correlation, int | float | np.number) and 0 <= correlation < 1:
        return float(correlation)
    raise InputError(
        f"correlation is {correlation!r}.", f"{where}, argument correlation", "give 1/k for k folds: from 0, below 1."
    )


def winners(first: Array, second: Array) -> Array:
    """Share of samples (last axis) in which the first, the rope, the second region has most mass; ties are shared.

    ``first`` and ``second`` are the masses of the two outer regions; the rope has the rest of 1.
    """
    mass = np.stack([first, 1.0 - first - second, second], axis=-1)
    top = mass >= mass.max(axis=-1, keepdims=True) - 1e-12
    return np.asarray((top / top.sum(axis=-1, keepdims=True)).mean(axis=-2))
