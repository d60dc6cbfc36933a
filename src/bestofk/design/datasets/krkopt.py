"""King and rook against king, Black to move: 28,056 positions and in how many moves White wins at best."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.design.datasets.by_rule import dataset_by_rule, nominal
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.krk_endgame import SIDE, depths

FILES = tuple("abcdefgh")
COLUMNS = ("wk_file", "wk_rank", "wr_file", "wr_rank", "bk_file", "bk_rank")
CLASSES = (
    *("draw", "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
)


def krkopt() -> Dataset:
    """Return one position of each set of mirror images, in the order of the source: by depth, then by squares."""
    squares = np.indices((SIDE,) * 6).reshape(6, -1)
    squares = squares[:, _legal(*squares) & _representative(*squares)]
    depth = depths()[tuple(squares)]
    order = np.argsort(depth, kind="stable")  # positions are in the order of their squares already
    features = (_feature(name, axis, squares[axis, order]) for axis, name in enumerate(COLUMNS))
    return dataset_by_rule("krkopt", features, depth[order] + 1, CLASSES)


def _feature(name: str, axis: int, values: np.typing.NDArray[np.intp]) -> Feature:
    """Files are letters; ranks are numbers from 1."""
    if axis % 2:
        return Feature(name, (values + 1).astype(np.float64))
    return nominal(name, values, FILES[: int(values.max()) + 1])


def _legal(wk_file: Any, wk_rank: Any, wr_file: Any, wr_rank: Any, bk_file: Any, bk_rank: Any) -> Any:
    apart = (np.abs(wk_file - bk_file) > 1) | (np.abs(wk_rank - bk_rank) > 1)
    on_white = (wr_file == wk_file) & (wr_rank == wk_rank)
    on_black = (wr_file == bk_file) & (wr_rank == bk_rank)
    return apart & ~on_white & ~on_black


def _representative(wk_file: Any, wk_rank: Any, wr_file: Any, wr_rank: Any, bk_file: Any, bk_rank: Any) -> Any:
    """White's king in the triangle a1, d1, d4; on its diagonal, Black's king and then the rook not above it."""
    in_triangle = (wk_file < SIDE // 2) & (wk_rank <= wk_file)
    rook_below = (bk_rank < bk_file) | (wr_rank <= wr_file)
    below = (bk_rank <= bk_file) & rook_below
    return in_triangle & ((wk_rank < wk_file) | below)
