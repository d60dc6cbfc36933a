"""Seeds of folds: from the plan, the data, the learner and the place in the experiment, and from nothing else."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


def fold_seed(seed: int, dataset: str, learner: str, replication: int, fold: int) -> int:
    """32 bits for one fold of one learner (fingerprints of data set and learner).

    Examples
    --------
    >>> fold_seed(1, "data", "learner", 0, 0) == fold_seed(1, "data", "learner", 0, 0)
    True
    """
    text = f"{seed}|{dataset}|{learner}|{replication}|{fold}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "little")


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
