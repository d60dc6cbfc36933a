"""One stretch of tic-tac-toe games: plain loops over numbers that were drawn before, compiled where numba is there.

A board is a number in base 3 (0 empty, 1 the learner, 2 its opponent), cell i being the digit of 3^i.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.extras import need

POWERS = 3 ** np.arange(9)
LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])

Ints = npt.NDArray[np.int64]


@cache
def winners() -> npt.NDArray[np.int8]:
    """Who has three in a row on each of the 3⁹ boards: 1, 2, or 0 for nobody."""
    cells = np.arange(3**9)[:, None] // POWERS % 3
    won = np.zeros(3**9, dtype=np.int8)
    for player in (1, 2):
        won[(cells[:, LINES] == player).all(axis=-1).any(axis=-1)] = player
    return won


def play_games(
    values: Array, draws: Array, alpha: float, epsilon: float, powers: Ints, won: npt.NDArray[np.int8]
) -> int:
    """Play one game per row of ``draws`` (games, 10, 2) and return wins minus losses; ``alpha`` 0 changes no value.

    draws[g, 9, 0] says who begins; draws[g, ply] are two uniform numbers: whether to explore, and what to choose.
    """
    score = 0
    for game in range(draws.shape[0]):
        board, before, result = 0, -1, 0
        learners_turn = draws[game, 9, 0] < 0.5
        for ply in range(9):
            explore, pick = draws[game, ply, 0], draws[game, ply, 1]
            if not learners_turn:
                free = 9 - ply
                chosen = int(pick * free)
                for cell in range(9):
                    if (board // powers[cell]) % 3 == 0:
                        if chosen == 0:
                            board += 2 * powers[cell]
                            break
                        chosen -= 1
            else:
                best, ties = -2.0, 0
                if epsilon > 0.0 and explore < epsilon:
                    best, ties = 2.0, 9 - ply  # any free cell
                else:
                    for cell in range(9):
                        if (board // powers[cell]) % 3 == 0:
                            value = values[board + powers[cell]]
                            if value > best:
                                best, ties = value, 1
                            elif value == best:
                                ties += 1
                chosen = int(pick * ties)
                for cell in range(9):
                    if (board // powers[cell]) % 3 == 0 and (best == 2.0 or values[board + powers[cell]] == best):
                        if chosen == 0:
                            board += powers[cell]
                            break
                        chosen -= 1
                if alpha > 0.0 and before >= 0 and won[board] == 0:
                    values[before] += alpha * (values[board] - values[before])
            if won[board] != 0 or ply == 8:
                result = 0 if won[board] == 0 else (1 if won[board] == 1 else -1)
                if alpha > 0.0:
                    # The last afterstate gets the result itself; an afterstate that ends the game is a result.
                    last = board if learners_turn else before
                    if learners_turn and before >= 0 and won[board] != 0:
                        values[before] += alpha * (1.0 - values[before])
                    if last >= 0:
                        values[last] += alpha * (result - values[last])
                break
            if learners_turn:
                before = board
            learners_turn = not learners_turn
        score += result
    return score


@cache
def compiled() -> Callable[..., int]:
    """The same loops, compiled by numba where the extra ``fast`` is installed."""
    if not compiled_wanted():
        return play_games
    numba: Any = need("numba", purpose="compiled tic-tac-toe")
    return numba.njit(cache=True, nogil=True)(play_games)  # type: ignore[no-any-return]
