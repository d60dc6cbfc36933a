"""Tic-tac-toe: the 958 boards on which a game can end when x begins, and whether x has won."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Flags
from bestofk.design.datasets.by_rule import Codes, dataset_by_rule, every_combination, nominal
from bestofk.design.datasets.dataset import Dataset

COLUMNS = tuple(f"{row}_{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right"))
SIGNS = ("x", "o", "b")  # b for blank
X, O, BLANK = range(3)  # noqa: E741  the sign's own name
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def tictactoe() -> Dataset:
    """Return the boards in the order of the source: won by x, by o, by nobody; each by signs, x before o before b."""
    boards, won_by_x, won_by_o = _endings()
    order = np.argsort(np.where(won_by_x, 0, np.where(won_by_o, 1, 2)), kind="stable")
    features = (nominal(name, values[order], SIGNS) for name, values in zip(COLUMNS, boards, strict=True))
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
