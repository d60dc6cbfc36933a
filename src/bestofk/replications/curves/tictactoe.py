"""TD(0) learns tic-tac-toe against a random player: the paper's source of reinforcement-learning curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, flag_of
from bestofk.core.rng import Seed, generator
from bestofk.evidence.curves import Curves
from bestofk.evidence.origin import Origin
from bestofk.replications.curves.tictactoe_kernel import POWERS, compiled, play_games, winners

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
