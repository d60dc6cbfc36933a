"""Ways to deal curves to algorithms: all of them, or random ones; freely or within blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from math import comb
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import InputError, glimpse
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.options import flag_of
from bestofk.stats.curves import matrix_kernel
from bestofk.stats.curves.matrix_kernel import Lines

Codes = npt.NDArray[np.int64]


def block_codes(sizes: Sequence[int], *, paired: Any, blocks: Any, where: str) -> Codes | None:
    """Return the block of every curve, set after set, or None where all curves may change places."""
    paired = flag_of(paired, name="paired", where=where)
    if not paired and blocks is None:
        return None
    if paired and blocks is not None:
        raise InputError(
            "both paired and blocks are given.",
            f"{where}, arguments paired and blocks",
            "give paired=True when row i of every set is the same fold or seed, else blocks alone.",
        )
    codes = _rows(sizes, where) if paired else _labels(sizes, blocks, where)
    _refuse_nothing_to_deal(sizes, codes, where)
    return codes


def block_means(values: Array, block: Codes) -> Array:
    """Return, for every line (..., N, k), the mean of its block."""
    member = block[:, None] == np.arange(block.max() + 1)
    share = member / member.sum(axis=0)
    return np.asarray(member.astype(float) @ (share.T @ values))


def _rows(sizes: Sequence[int], where: str) -> Codes:
    if len(set(sizes)) > 1:
        raise InputError(
            f"the sets have {', '.join(map(str, sizes))} curves, which cannot be paired.",
            f"{where}, argument paired",
            "give every algorithm the same folds or seeds in the same order, or leave paired out.",
        )
    return np.tile(np.arange(sizes[0]), len(sizes))


def _labels(sizes: Sequence[int], blocks: Any, where: str) -> Codes:
    place = f"{where}, argument blocks"
    if isinstance(blocks, str | bytes | Mapping) or not hasattr(blocks, "__len__"):
        raise InputError(f"blocks is {glimpse(blocks)}.", place, "give one list of labels per set of curves.")
    rows = [list(row) if _is_list(row) else None for row in blocks]
    if len(set(sizes)) == 1 and len(rows) == sizes[0] and all(row is None for row in rows):
        rows = [list(blocks)] * len(sizes)  # one list for all sets
    if len(rows) != len(sizes) or any(row is None for row in rows):
        raise InputError(f"blocks is {glimpse(blocks)}.", place, f"give {len(sizes)} lists of labels, one per set.")
    labels: list[Any] = []
    for i, row in enumerate(rows):
        if row is None or len(row) != sizes[i]:
            raise InputError(
                f"blocks[{i}] has {0 if row is None else len(row)} labels for {sizes[i]} curves.",
                place,
                "give one label per curve.",
            )
        labels += row
    known: dict[Any, int] = {}
    return np.array([known.setdefault(str(label), len(known)) for label in labels], dtype=np.int64)


def _is_list(row: Any) -> bool:
    return not isinstance(row, str | bytes) and np.ndim(row) == 1


def _refuse_nothing_to_deal(sizes: Sequence[int], block: Codes, where: str) -> None:
    """Every set must share blocks with another, and something must be left to estimate the error from."""
    spread = between_blocks(sizes, block)
    rank = int(np.linalg.matrix_rank(spread, tol=1e-9 * max(1.0, float(np.abs(spread).max()))))
    if rank < len(sizes) - 1:
        raise InputError(
            "some sets of curves share no block with the others.",
            f"{where}, argument blocks",
            "give blocks in which the algorithms meet, or leave blocks out.",
        )
    if len(block) - int(block.max()) - 1 - rank < 1:
        raise InputError(
            f"{len(block)} curves in {int(block.max()) + 1} blocks leave nothing to estimate the error from.",
            where,
            "give more runs, or fewer blocks.",
        )


def between_blocks(sizes: Sequence[int] | npt.NDArray[np.int64], block: Codes) -> Array:
    """The matrix of sums of squares and products of the sets' indicators within blocks, (m, m)."""
    member = membership(sizes)
    return np.asarray(member.T @ (member - block_means(member, block)))


def membership(sizes: Sequence[int] | npt.NDArray[np.int64]) -> Array:
    """0/1 indicators (N, m) of the set of every line."""
    sizes = np.asarray(sizes)
    return np.asarray(np.repeat(np.eye(len(sizes)), sizes, axis=0))


_CHUNK = 4096  # enumerated dealings per pass
_EXACT_AUTO = 10_000  # at most this many are enumerated without being asked
_EXACT_MOST = 5_000_000


class Backend(Protocol):
    """How dealings are drawn, and sums of squares and masses of clusters taken: the same numbers from every backend."""

    CHUNK: int  # shuffles per pass, so that the working arrays stay in cache; the numbers do not depend on it

    def deal(self, draws: npt.NDArray[np.uint32], lines: int) -> Lines:
        """Turn random numbers (shuffles, places) into the line at every place, by Fisher and Yates."""

    def sums(self, lines: Array, sizes: npt.NDArray[np.int64], dealing: Lines) -> tuple[Array, Array]:
        """Return the sums of squares of algorithm and of cells for every dealing of centred lines."""

    def masses(
        self, lines: Array, dealing: Lines, total: Array, weight: float, df: float, threshold: float, sides: int
    ) -> Array:
        """Return the largest mass of every dealing (shuffles, places of the first set) of centred lines."""


def backend_of(name: str, where: str) -> Backend:
    """Return the compiled kernel when it is asked for, or there, and the matrix form otherwise."""
    if name not in ("auto", "numpy", "numba"):
        raise unknown(name, ("auto", "numpy", "numba"), what="backend", where=f"{where}, argument backend")
    if name == "numba" or (name == "auto" and compiled_wanted()):
        from bestofk.stats.curves import compiled_kernel

        return compiled_kernel
    return matrix_kernel


@frozen
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

    def dealings(
        self, exact: Any, shuffles: int, random: np.random.Generator, backend: Backend, where: str
    ) -> tuple[bool, Iterator[Lines]]:
        """Whether all dealings are enumerated, and all of them, or random ones."""
        every = self.is_exact(exact, where)
        return every, self.all() if every else self.random(shuffles, random, backend)

    def all(self) -> Iterator[Lines]:
        """Every dealing, in parts; the first is the one observed."""
        free = self.block is None
        ways = _deals(tuple(range(self.lines)), self.sizes[:-1].tolist()) if free else self._within_blocks()
        while chunk := list(islice(ways, _CHUNK)):
            yield np.array(chunk)

    def random(self, shuffles: int, random: np.random.Generator, dealer: Backend) -> Iterator[Lines]:
        """Random dealings, in parts that stay in cache."""
        for start in range(0, shuffles, dealer.CHUNK):
            rows = min(dealer.CHUNK, shuffles - start)
            yield self.shuffled(rows, random, dealer)

    def shuffled(self, rows: int, random: np.random.Generator, dealer: Backend) -> Lines:
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
        hands = [list(_whole_deals(sizes)) for sizes in self._hands()]
        for chosen in product(*hands):
            lines = np.empty(len(block), dtype=np.int64)
            for here, order in zip(places, chosen, strict=True):
                lines[here] = here[order]
            yield tuple(lines[: self.dealt].tolist())


def _deals(left: tuple[int, ...], wanted: list[int]) -> Iterator[tuple[int, ...]]:
    """All ways to deal lines to every hand but the last, which gets what is left."""
    if len(wanted) == 1:
        yield from combinations(left, wanted[0])
        return
    for hand in combinations(left, wanted[0]):
        for dealt in _deals(tuple(line for line in left if line not in hand), wanted[1:]):
            yield hand + dealt


def _whole_deals(sizes: list[int]) -> Iterator[Codes]:
    """The same with the lines of the last hand."""
    lines = tuple(range(sum(sizes)))
    for dealt in _deals(lines, sizes[:-1]):
        yield np.array([*dealt, *(line for line in lines if line not in dealt)], dtype=np.int64)


def _shuffled_within(block: Codes, rows: int, random: np.random.Generator) -> Lines:
    """Random orders of the lines of every block at the block's own places."""
    order = np.argsort(block[None, :] + random.random((rows, len(block))), axis=1)
    lines = np.empty_like(order)
    lines[:, np.argsort(block, kind="stable")] = order
    return lines
