"""Plain random halves: a permutation cut in two, not stratified, each half kept in file order."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.rng import Seed, generator
from bestofk.replications.multitest.table import Labels


def random_halves(rows: int, replications: int, rng: Seed) -> Flags:
    """Training rows of every fold (2 · replications, rows): fold 2r trains on one half, fold 2r + 1 on the other.

    Examples
    --------
    >>> train = random_halves(5, replications=1, rng=1)
    >>> train.sum(axis=1), bool((train[0] != train[1]).all())
    (array([2, 3]), True)
    """
    if rows < 4 or replications < 1:
        raise InputError(
            f"{replications} replications of halves of {rows} rows are asked for.",
            "random_halves, arguments rows and replications",
            "give at least 4 rows and 1 replication.",
        )
    random = generator(rng, where="random_halves")
    train = np.zeros((replications, 2, rows), dtype=bool)
    for first, second in train:
        first[random.permutation(rows)[: rows // 2]] = True
        second[:] = ~first
    return train.reshape(-1, rows)


def error_rates(y: Labels, train: Flags, predicted: Labels) -> Array:
    """Share of wrong predictions among the test rows of every fold; ``predicted`` (..., folds, rows)."""
    wrong: Array = ((predicted != y) & ~train).sum(axis=-1) / (~train).sum(axis=-1)
    return wrong
