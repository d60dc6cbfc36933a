"""Ways to divide rows into training and test sets: made once per data set, the same for all learners."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bestofk.design.datasets.dataset import Dataset

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Fold:
    """Rows to train on and rows to test on; ``size`` is the training size of a point of a learning curve."""

    train: Rows
    test: Rows
    size: int | None = None

    @property
    def fingerprint(self) -> int:
        """64 bits of the SHA-256 of both lists of rows."""
        digest = hashlib.sha256(np.ascontiguousarray(self.train, dtype=np.int64).data)
        digest.update(b"|")
        digest.update(np.ascontiguousarray(self.test, dtype=np.int64).data)
        return int.from_bytes(digest.digest()[:8], "little", signed=True)


class Folds(Protocol):
    """A way of dividing. ``spec`` names it in plans and fingerprints: ``5x2``, ``10x10``, ``bootstrap-200``."""

    @property
    def spec(self) -> str:
        """The name in plans and fingerprints, with every setting that changes the folds."""
        ...

    @property
    def replications(self) -> int:
        """How often the data set is divided anew."""
        ...

    @property
    def folds(self) -> int:
        """Folds per replication."""
        ...

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        """Folds of one replication; the same for the same data, replication and seed, whatever ran before."""
        ...


def generator_for(dataset: Dataset, replication: int, seed: int) -> np.random.Generator:
    """A generator that depends on the seed, the data and the replication alone."""
    return np.random.default_rng(int.from_bytes(entropy_for(dataset, replication, seed), "little"))


def entropy_for(dataset: Dataset, replication: int, seed: int) -> bytes:
    """128 bits that a generator is seeded with."""
    return hashlib.blake2b(f"{seed}|{replication}|{dataset.fingerprint}".encode(), digest_size=16).digest()
