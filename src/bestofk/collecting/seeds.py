"""Seeds of folds: from the plan, the data, the learner and the place in the experiment, and from nothing else."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from bestofk.design.learners.estimators import SIMPLE, with_seed


def fold_seed(seed: int, dataset: str, learner: str, replication: int, fold: int) -> int:
    """32 bits for one fold of one learner (fingerprints of data set and learner).

    Examples
    --------
    >>> fold_seed(1, "data", "learner", 0, 0) == fold_seed(1, "data", "learner", 0, 0)
    True
    """
    text = f"{seed}|{dataset}|{learner}|{replication}|{fold}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "little")


class Seeding:
    """How the estimators of one learner take their seeds; asking for parameters is slow, so it is found out once."""

    def __init__(self, example: Any, params: Mapping[str, Any]) -> None:
        changed = _seeded_names(example, params)
        self.none, self.plain = not changed, changed == {"random_state"}

    def apply(self, estimator: Any, seed: int) -> Any:
        """Seed what waits for a seed; a number that the user chose stays."""
        if self.none:
            return estimator
        if self.plain:
            estimator.random_state = seed
            return estimator
        return with_seed(estimator, seed)


def _seeded_names(example: Any, params: Mapping[str, Any]) -> set[str]:
    """Names of the parameters that a seed changes."""
    if all(type(value) in SIMPLE for value in params.values()):  # no parts with seeds of their own
        return {name for name in ("random_state",) if params.get(name, 0) is None}
    seeded = with_seed(example, 0).get_params(deep=True)
    return {name for name, value in seeded.items() if value is not params.get(name)}


@contextmanager
def borrowed_global_random() -> Iterator[None]:
    """Give the global generators back as they were: a learner without a seed of its own draws from them."""
    numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002
        random.setstate(python_state)


def seed_global_random(seed: int) -> None:
    """Seed the global generators, for learners that draw from them."""
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)
