"""Blocks: curves that belong together (one fold, one seed, one data set) change places only among themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, glimpse
from bestofk.core.errors import InputError
from bestofk.core.options import flag_of

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
