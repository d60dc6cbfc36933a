"""One list of near kinds for every kind of row, ordered by a distance that no fold's scaling undercuts by much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.collecting.sharing.neighbour_rows import NeighbourRows, Weights
from bestofk.core.arrays import Array

#: Distances held at once, random halves that show how much weights vary, and what rounding may take off a distance.
BLOCK, HALVES, SLACK = 2_000_000, 32, 1e-12


@dataclass(frozen=True, eq=False)
class NeighbourLists:
    """``kinds[i]`` are near kind i, ``bounds[i]`` their squared distances under the weights ``number`` and ``level``.

    Kinds that are not listed are at least as far as the last one that is. With other weights, at least ``shrink`` times
    these, no distance falls below ``shrink`` times its bound: that is how a fold with its own scaling knows when to
    stop looking.
    """

    kinds: npt.NDArray[np.int32]
    bounds: npt.NDArray[np.float32]
    weights: Array

    def shrink(self, weights: Weights) -> float:
        """The least share of the list's weights that a fold's weights have, over columns that matter in the fold."""
        share = np.concatenate([weights.number, weights.level[:-1]]) / self.weights
        told = share if weights.told.all() else share[weights.told]
        return float(told.min()) * (1.0 - SLACK) if len(told) else 0.0


def neighbour_lists(rows: NeighbourRows, length: int, nearest: Any) -> NeighbourLists:
    """List the nearest kinds of every kind, up to a length."""
    weights = _steady_weights(rows)
    ones = np.zeros((len(rows.numbers), rows.level_count + 1))
    np.put_along_axis(ones, rows.levels.astype(np.intp), 1.0, axis=1)
    table = np.hstack([rows.numbers, ones[:, :-1]]) * np.sqrt(weights)
    return NeighbourLists(*_listed(table, max(1, min(length, len(table) - 1)), nearest), weights)


def _steady_weights(rows: NeighbourRows) -> Array:
    """Weights of the whole data set, less for columns that weigh much less in some halves than others do.

    Those are rare categories and columns with outliers; a bound that holds for them at full weight would be loose for
    every row, although they tell few rows apart.
    """
    count = len(rows.kind)
    usual, _ = _weights_in(rows, np.arange(count))
    rng, least = np.random.default_rng(0), np.ones(len(usual))
    for _ in range(HALVES):
        half, told = _weights_in(rows, np.sort(rng.permutation(count)[: (count + 1) // 2]))
        least = np.where(told, np.minimum(least, half / np.where(usual > 0, usual, 1.0)), least)
    _weights_in(rows, np.arange(count))
    reduced = usual * np.minimum(1.0, least / np.median(least))
    reduced[reduced <= 0] = 1.0  # a category that never occurs
    return reduced


def _weights_in(rows: NeighbourRows, train: Any) -> tuple[Array, Any]:
    found = rows.weigh(train, np.bincount(rows.kind[train], minlength=rows.count).astype(np.int32))
    return np.concatenate([found.number, found.level[:-1]]), found.told


def _listed(table: Array, length: int, nearest: Any) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    squares = np.einsum("ij,ij->i", table, table)
    turned = np.ascontiguousarray(-2.0 * table.T)
    listed = np.empty((len(table), length), dtype=np.int32)
    bounds = np.zeros((len(table), length), dtype=np.float32)
    step = max(1, BLOCK // len(table))
    for start in range(0, len(table), step):
        block = slice(start, min(start + step, len(table)))
        distances = table[block] @ turned
        distances += squares
        found = np.empty((len(distances), length))
        nearest(distances, start, listed, found)
        # Products of matrices and single precision round: a bound must not be above the distance.
        found = (found + squares[block, None] - SLACK * (squares[block, None] + squares.max())) * (1.0 - 1e-6)
        bounds[block] = np.maximum(found, 0.0)
    return listed, bounds
