"""Ways to deal curves to algorithms: all of them, or random ones; freely or within blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import comb
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.stats.curves.blocks import Codes

Lines = npt.NDArray[np.integer[Any]]

_CHUNK = 4096  # enumerated dealings per pass
_EXACT_AUTO = 10_000  # at most this many are enumerated without being asked
_EXACT_MOST = 5_000_000


class Dealer(Protocol):
    """The part of a backend that deals."""

    CHUNK: int

    def deal(self, draws: npt.NDArray[np.uint32], lines: int) -> Lines:
        """Turn random numbers (shuffles, places) into the line at every place, by Fisher and Yates."""


@dataclass(frozen=True)
class Deck:
    """Lines of all algorithms, ``sizes`` of each; within blocks only where ``block`` has a code per line.

    A dealing says which line lies at every place of every algorithm but the last, whose lines are the rest.
    """

    sizes: npt.NDArray[np.int64]
    block: Codes | None = None

    @property
    def lines(self) -> int:
        """Number of lines."""
        return int(self.sizes.sum())

    @property
    def dealt(self) -> int:
        """Number of places of all algorithms but the last."""
        return int(self.sizes[:-1].sum())

    def ways(self) -> int:
        """Number of different dealings.

        Examples
        --------
        >>> Deck(np.array([3, 3])).ways(), Deck(np.array([3, 3]), np.array([0, 1, 2, 0, 1, 2])).ways()
        (20, 8)
        """
        ways = 1
        for sizes in self._hands():
            left = sum(sizes)
            for size in sizes:
                ways *= comb(left, size)
                left -= size
        return ways

    def is_exact(self, exact: Any, where: str) -> bool:
        """Say whether all dealings are to be enumerated."""
        if isinstance(exact, str) and exact == "auto":
            return self.ways() <= _EXACT_AUTO
        if not isinstance(exact, bool):
            raise unknown(exact, ("auto", "True", "False"), what="exact", where=f"{where}, argument exact")
        if exact and self.ways() > _EXACT_MOST:
            raise InputError(
                f"there are {self.ways()} ways to deal the curves.",
                f"{where}, argument exact",
                "use exact=False with shuffles.",
            )
        return exact

    def all(self) -> Iterator[Lines]:
        """Every dealing, in parts; the first is the one observed."""
        ways = _everywhere(self.sizes) if self.block is None else self._within_blocks()
        while chunk := list(islice(ways, _CHUNK)):
            yield np.array(chunk)

    def random(self, shuffles: int, random: np.random.Generator, dealer: Dealer) -> Iterator[Lines]:
        """Random dealings, in parts that stay in cache."""
        for start in range(0, shuffles, dealer.CHUNK):
            rows = min(dealer.CHUNK, shuffles - start)
            yield self.shuffled(rows, random, dealer)

    def shuffled(self, rows: int, random: np.random.Generator, dealer: Dealer) -> Lines:
        """So many random dealings at once."""
        if self.block is not None:
            return _shuffled_within(self.block, rows, random)[:, : self.dealt]
        words = random.integers(0, 1 << 64, size=(rows, (self.dealt + 1) // 2), dtype=np.uint64)
        return dealer.deal(words.view(np.uint32)[:, : self.dealt], self.lines)  # two draws a word

    def _hands(self) -> list[list[int]]:
        """Number of lines of every algorithm in every block."""
        if self.block is None:
            return [[int(size) for size in self.sizes]]
        owner = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return [
            np.bincount(owner[self.block == b], minlength=len(self.sizes)).tolist() for b in range(self.block.max() + 1)
        ]

    def _within_blocks(self) -> Iterator[tuple[int, ...]]:
        block = self.block if self.block is not None else np.zeros(self.lines, dtype=np.int64)
        places = [np.flatnonzero(block == b) for b in range(block.max() + 1)]
        hands = [
            [np.array([*dealt, *rest], dtype=np.int64) for dealt, rest in _complete(sizes)] for sizes in self._hands()
        ]
        for chosen in product(*hands):
            lines = np.empty(len(block), dtype=np.int64)
            for here, order in zip(places, chosen, strict=True):
                lines[here] = here[order]
            yield tuple(lines[: self.dealt].tolist())


def _everywhere(sizes: npt.NDArray[np.int64]) -> Iterator[tuple[int, ...]]:
    return (dealt for dealt, _ in _complete([int(size) for size in sizes]))


def _complete(sizes: list[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All ways to deal the numbers from 0 up: the places of every hand but the last, and what the last one gets."""

    def deal(left: tuple[int, ...], wanted: list[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        if not wanted:
            yield (), left
            return
        for hand in combinations(left, wanted[0]):
            taken = set(hand)
            for dealt, rest in deal(tuple(line for line in left if line not in taken), wanted[1:]):
                yield hand + dealt, rest

    return deal(tuple(range(sum(sizes))), sizes[:-1])


def _shuffled_within(block: Codes, rows: int, random: np.random.Generator) -> Lines:
    """Random orders of the lines of every block at the block's own places."""
    order = np.argsort(block[None, :] + random.random((rows, len(block))), axis=1)
    lines = np.empty_like(order)
    lines[:, np.argsort(block, kind="stable")] = order
    return lines
