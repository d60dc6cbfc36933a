"""TD(0) learns tic-tac-toe against a random player: the paper's source of reinforcement-learning curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.core.options import count_of, flag_of
from bestofk.core.rng import Seed, generator
from bestofk.evidence.curves import Curves
from bestofk.evidence.evidence import Origin

WHERE = "td0-tictactoe"


def td0_curves(
    runs: int = 10,
    points: int = 20,
    *,
    games: int = 50,
    test_games: int = 100,
    alpha: float = 0.2,
    epsilon: float = 0.1,
    rng: Seed = None,
    compile: bool = True,
) -> Array:
    """Return learning curves (runs, points): the score of ``test_games`` games after every ``games`` training games.

    The learner keeps a value for every afterstate (the board after its own move), all 0 at first; it moves to the
    afterstate of largest value, ties by lot, and to any in a share ``epsilon`` of its training moves. After each of its
    moves the value of the afterstate before goes ``alpha`` of the way to that of the new one, at the end of a game to
    its result: 1, 0 or −1 for a win, a draw, a loss. Who begins is drawn. Test games neither explore nor teach; their
    score is wins minus losses, so ``test_games`` at most. Every run is one training of its own, with draws of its own.

    References
    ----------
    Sutton 1988. Piater, Cohen, Zhang and Atighetchi 1998, appendix.

    Examples
    --------
    >>> td0_curves(2, 3, games=20, rng=1).shape
    (2, 3)
    """
    runs, points = count_of(runs, name="runs", where=WHERE), count_of(points, name="points", where=WHERE)
    games, test_games = count_of(games, name="games", where=WHERE), count_of(test_games, name="test_games", where=WHERE)
    alpha, epsilon = _share(alpha, "alpha", at_least=None), _share(epsilon, "epsilon", at_least=0.0)
    play = compiled() if flag_of(compile, name="compile", where=WHERE) else play_games
    won = winners()
    curves = np.empty((runs, points))
    for run, random in enumerate(generator(rng, where=WHERE).spawn(runs)):
        values = np.zeros(3**9)
        for point in range(points):
            play(values, random.random((games, 10, 2)), alpha, epsilon, POWERS, won)
            curves[run, point] = play(values, random.random((test_games, 10, 2)), 0.0, 0.0, POWERS, won)
    return curves


def td0_evidence(
    learners: Mapping[str, Mapping[str, float]],
    runs: int = 10,
    points: int = 20,
    *,
    games: int = 50,
    test_games: int = 100,
    rng: Seed = 0,
) -> Curves:
    """Return curves of several settings: ``{"careful": {"alpha": 0.1}, "bold": {"alpha": 0.9, "epsilon": 0.3}}``."""
    randoms = generator(rng, where=WHERE).spawn(len(learners))
    values = tuple(
        td0_curves(runs, points, games=games, test_games=test_games, rng=random, **dict[str, Any](settings))
        for settings, random in zip(learners.values(), randoms, strict=True)
    )
    return Curves(
        learners=tuple(learners),
        values=values,
        steps=tuple(float(games * (point + 1)) for point in range(points)),
        measure=f"score of {test_games} games",
        larger_is_better=True,
        origin=Origin("TD(0) at tic-tac-toe", notes=(f"{games} training games a step against a random player",)),
    )


def _share(value: Any, name: str, *, at_least: float | None) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool) and value <= 1.0
    if not good or not (value > 0.0 or value == at_least):
        raise InputError(
            f"{name} is {value!r}.",
            f"{WHERE}, argument {name}",
            f"give a number {'from' if at_least == 0 else 'above'} 0 up to 1.",
        )
    return float(value)


# One stretch of tic-tac-toe games: plain loops over numbers that were drawn before, compiled where numba is there.


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
