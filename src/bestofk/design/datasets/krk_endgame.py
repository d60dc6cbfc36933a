"""King and rook against king: in how many of White's moves Black, to move, is mated; by retrograde analysis.

A set of positions is an array of truth values with six axes: file and rank of White's king, of White's rook and of
Black's king. A move of a piece shifts the array along two axes.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Flags

SIDE = 8
WHITE_KING, ROOK, BLACK_KING = 0, 2, 4  # the first of a piece's two axes
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
AROUND = (*STRAIGHT, (1, 1), (1, -1), (-1, 1), (-1, -1))
Depths = npt.NDArray[np.int64]


@cache
def depths() -> Depths:
    """Return the depth of win with Black to move: 0 is mate, -1 where Black holds a draw or the position is illegal."""
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
    found = np.zeros((SIDE,) * 6, dtype=np.bool_)
    beside_white = ~_same(ROOK, WHITE_KING)
    for step in STRAIGHT:
        moved = _same(ROOK, BLACK_KING)
        for _ in range(SIDE - 1):
            moved = _shifted(moved, ROOK, step) & beside_white
            found |= moved
    return found


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
