"""What a fold is, what ways to divide rows have in common, and the random numbers that each replication gets.

Folds are made once per data set, the same for all learners. Seeding a generator costs several times what shuffling a
small data set does. numpy promises that ``SeedSequence`` and ``PCG64`` stay as they are, so their arithmetic can be
done for all replications together (O'Neill 2014, 2015).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset

Rows = npt.NDArray[np.intp]


@frozen(eq=False)
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


Words = npt.NDArray[np.uint32]

_POOL = 4
_HASH, _HASH_STEP = 0x43B0D7E5, 0x931E8875
_DRAW, _DRAW_STEP = 0x8B51F9DD, 0x58F38DED
_MIX_LEFT, _MIX_RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
_SHIFT = np.uint32(16)
_STEP = (2549297995355413924 << 64) + 4865540595714422341
_128 = (1 << 128) - 1


def streams_for(dataset: Dataset, replications: range, seed: int) -> Iterator[np.random.Generator]:
    """Give the generator of every replication in turn; each is good until the next one is asked for."""
    entropy = b"".join(entropy_for(dataset, replication, seed) for replication in replications)
    words = _generated(_pooled(np.frombuffer(entropy, dtype="<u4").reshape(-1, _POOL)))
    bits = np.random.PCG64(0)
    generator = np.random.Generator(bits)
    for high, low, odd_high, odd_low in words.tolist():
        bits.state = _started(high << 64 | low, odd_high << 64 | odd_low)
        yield generator


def _started(start: int, stream: int) -> Any:
    """The state of PCG64 after seeding."""
    odd = (stream << 1 | 1) & _128
    state = ((odd + start) * _STEP + odd) & _128
    return {"bit_generator": "PCG64", "state": {"state": state, "inc": odd}, "has_uint32": 0, "uinteger": 0}


def _pooled(entropy: Words) -> list[Words]:
    """``SeedSequence.mix_entropy``: every word of the pool depends on every word of the entropy."""
    hashed = _Hash(_HASH, _HASH_STEP)
    pool = [hashed(entropy[:, place].copy()) for place in range(_POOL)]
    for source in range(_POOL):
        for other in range(_POOL):
            if source != other:
                mixed = pool[other] * _MIX_LEFT - hashed(pool[source].copy()) * _MIX_RIGHT
                pool[other] = mixed ^ (mixed >> _SHIFT)
    return pool


def _generated(pool: list[Words]) -> npt.NDArray[np.uint64]:
    """``SeedSequence.generate_state``: four numbers of 64 bits for every replication."""
    drawn = _Hash(_DRAW, _DRAW_STEP)
    words = [drawn(pool[place % _POOL].copy()) for place in range(2 * _POOL)]
    return np.ascontiguousarray(np.column_stack(words)).astype("<u4").view("<u8")


class _Hash:
    """A hash whose constant changes with every use."""

    def __init__(self, constant: int, step: int) -> None:
        self.constant, self.step = constant, step

    def __call__(self, words: Words) -> Words:
        words ^= np.uint32(self.constant)
        self.constant = self.constant * self.step & 0xFFFFFFFF
        words *= np.uint32(self.constant)
        words ^= words >> _SHIFT
        return words
