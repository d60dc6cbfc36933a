"""Boards and positions of games, and how they end: tic-tac-toe, king and rook against king."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Flags
from bestofk.design.datasets.by_rule import Codes, dataset_by_rule, every_combination, nominal
from bestofk.design.datasets.dataset import Dataset, Feature

BOARD = tuple(f"{row}_{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right"))
SIGNS = ("x", "o", "b")  # b for blank
X, O, BLANK = range(3)  # noqa: E741  the sign's own name
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def tictactoe() -> Dataset:
    """Tic-tac-toe: the 958 boards on which a game can end when x begins, and whether x has won.

    Return the boards in the order of the source: won by x, by o, by nobody; each by signs, x before o before b.
    """
    boards, won_by_x, won_by_o = _endings()
    order = np.argsort(np.where(won_by_x, 0, np.where(won_by_o, 1, 2)), kind="stable")
    features = (nominal(name, values[order], SIGNS) for name, values in zip(BOARD, boards, strict=True))
    return dataset_by_rule("tictactoe", features, won_by_x[order], ("negative", "positive"))


def _endings() -> tuple[Codes, Flags, Flags]:
    """Boards that a game ends on: the last move won or filled the board, and the number of moves fits the winner."""
    boards = every_combination(*[3] * 9)
    lead = (boards == X).sum(axis=0) - (boards == O).sum(axis=0)
    won_by_x, won_by_o = _has_line(boards, X), _has_line(boards, O)
    full = (boards != BLANK).all(axis=0)
    by_x, by_o = won_by_x & ~won_by_o & (lead == 1), won_by_o & ~won_by_x & (lead == 0)
    ended = by_x | by_o | (full & ~won_by_x & ~won_by_o & (lead == 1))
    return boards[:, ended], by_x[ended], by_o[ended]


def _has_line(boards: Codes, sign: int) -> Flags:
    found: Flags = np.logical_or.reduce([(boards[list(line)] == sign).all(axis=0) for line in LINES])
    return found


FILES = tuple("abcdefgh")
SQUARES = ("wk_file", "wk_rank", "wr_file", "wr_rank", "bk_file", "bk_rank")
DEPTHS = (
    *("draw", "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
)


def krkopt() -> Dataset:
    """King and rook against king, Black to move: 28,056 positions and in how many moves White wins at best.

    Return one position of each set of mirror images, in the order of the source: by depth, then by squares.
    """
    squares = np.indices((SIDE,) * 6).reshape(6, -1)
    squares = squares[:, _legal(*squares) & _representative(*squares)]
    depth = depths()[tuple(squares)]
    order = np.argsort(depth, kind="stable")  # positions are in the order of their squares already
    features = (_feature(name, axis, squares[axis, order]) for axis, name in enumerate(SQUARES))
    return dataset_by_rule("krkopt", features, depth[order] + 1, DEPTHS)


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


SIDE = 8
WHITE_KING, ROOK, BLACK_KING = 0, 2, 4  # the first of a piece's two axes
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
AROUND = (*STRAIGHT, (1, 1), (1, -1), (-1, 1), (-1, -1))
Depths = npt.NDArray[np.int64]


@cache
def depths() -> Depths:
    """Return the depth of win with Black to move: 0 is mate, -1 where Black holds a draw or the position is illegal.

    By retrograde analysis. A set of positions is an array of truth values with six axes: file and rank of White's king,
    of White's rook and of Black's king. A move of a piece shifts the array along two axes.
    """
    apart, check = _kings_apart(), _in_check()
    free = ~_same(ROOK, WHITE_KING) & ~_same(ROOK, BLACK_KING)
    black, white = apart & free, apart & free & ~check  # whose turn it is: Black is not in check on White's
    takes = _reached(_same(ROOK, BLACK_KING) & apart, BLACK_KING)  # a rook that its own king does not guard
    stuck = black & ~takes & (check | _reached(white, BLACK_KING))  # neither saved by taking nor stalemated
    found = np.full(black.shape, -1)
    won = np.zeros_like(black)
    for depth in range(SIDE**4):  # ends long before: the longest win takes sixteen moves
        lost = stuck & (found < 0) & ~_reached(white & ~won, BLACK_KING)
        if not lost.any():
            break
        found[lost] = depth
        won |= white & (_reached(lost, WHITE_KING) | _slid(lost, free))
    found.flags.writeable = False  # kept for the next call
    return found


def _reached(positions: Flags, king: int) -> Flags:
    """Positions from which one step of a king leads into the given ones; stepping back is stepping."""
    found: Flags = np.logical_or.reduce([_shifted(positions, king, step) for step in AROUND])
    return found


def _slid(positions: Flags, free: Flags) -> Flags:
    """Positions from which a move of the rook, over free squares, leads into the given ones."""
    found = np.zeros_like(positions)
    for step in STRAIGHT:
        moved = positions
        for _ in range(SIDE - 1):
            moved = _shifted(moved, ROOK, step) & free
            found |= moved
    return found


def _in_check() -> Flags:
    """Positions in which the rook attacks Black's king: straight on, unless White's king stands between."""
    return _slid(_same(ROOK, BLACK_KING), ~_same(ROOK, WHITE_KING))


def _same(piece: int, other: int) -> Flags:
    squares = np.indices((SIDE,) * 6, sparse=True)
    same = (squares[piece] == squares[other]) & (squares[piece + 1] == squares[other + 1])
    return np.broadcast_to(same, (SIDE,) * 6)


def _kings_apart() -> Flags:
    squares = np.indices((SIDE,) * 6, sparse=True)
    files, ranks = (np.abs(squares[WHITE_KING + axis] - squares[BLACK_KING + axis]) for axis in (0, 1))
    return np.broadcast_to((files > 1) | (ranks > 1), (SIDE,) * 6)


def _shifted(positions: Flags, piece: int, step: tuple[int, int]) -> Flags:
    """The positions with a piece one step on; what leaves the board is gone."""
    shifted = np.zeros_like(positions)
    into, out_of = [slice(None)] * 6, [slice(None)] * 6
    for axis, by in enumerate(step, start=piece):
        into[axis], out_of[axis] = slice(max(by, 0), SIDE + min(by, 0)), slice(max(-by, 0), SIDE - max(by, 0))
    shifted[tuple(into)] = positions[tuple(out_of)]
    return shifted
