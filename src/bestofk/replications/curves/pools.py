"""Pools of curves to calibrate on: made ones, those of C4.5 and of TD(0) at tic-tac-toe, and those of the user."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled, compiled_wanted
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import count_of, flag_of
from bestofk.core.rng import Seed, generator
from bestofk.evidence.curves import Curves
from bestofk.evidence.step_grids import refuse_other_steps

if TYPE_CHECKING:
    from bestofk.design.plan.plan import Plan


#: Data sets made by their rules, by the names of bestofk: the paper's Chess and Tic-Tac-Toe.
COLLECTED = ("krkopt", "tictactoe")
#: Folds and training sizes of a curve. The paper has 20 folds and does not say how many sizes.
FOLDS, SIZES = 20, 20


def learning_curve_plan(dataset: str, *, seed: int = 0, folds: int = FOLDS, sizes: int = SIZES) -> Plan:
    """Return the plan of the curves: C4.5 beside the most frequent class, for a plan has at least two learners."""
    from bestofk.design.plan.plan import Plan

    if dataset not in COLLECTED:
        raise unknown(dataset, COLLECTED, what="data set", where="learning curves of C4.5")
    how = f"learning-curve-{folds}-fold-{sizes}"
    return Plan(learners={"c45": "c45", "max": "max"}, datasets=[dataset], folds=how, seed=seed, measures=["accuracy"])


def c45_curves(
    dataset: str,
    *,
    seed: int = 0,
    into: str | Path | None = None,
    workers: int = 1,
    folds: int = FOLDS,
    sizes: int = SIZES,
) -> Curves:
    """Collect the curves of C4.5 (and of the most frequent class): accuracy along training size, one per fold.

    ``into`` is a store (a file, or an address): what it has is not run again. Without it nothing is kept. The answer
    does not depend on ``workers``.
    """
    from bestofk.collecting.run.collect import collect_plan
    from bestofk.stores.address import open_store
    from bestofk.stores.evidence import evidence_from_store

    plan = learning_curve_plan(dataset, seed=seed, folds=folds, sizes=sizes)
    store = open_store("memory:" if into is None else into)
    try:
        collect_plan(plan, store, engine="serial" if workers == 1 else f"local:{workers}", progress=False)
        found = evidence_from_store(store, plan=plan.fingerprint, measure="accuracy")
    finally:
        store.close()
    return _complete(found, dataset)


def _complete(found: object, dataset: str) -> Curves:
    assert isinstance(found, Curves)  # of learning-curve folds
    if found.missing():
        raise InputError(
            f"{len(found.missing())} points are missing, the first at {found.missing()[0]}.",
            f"learning curves of C4.5 on {dataset}",
            "run the failed folds again: bestofk collect --retry-failed.",
        )
    return found


MADE = ("saturating", "td0", *COLLECTED)


def made_pool(name: str, rng: int = 0, *, into: str | Path | None = None, workers: int = 1) -> Array:
    """Return a pool by name.

    ``krkopt`` and ``tictactoe`` are 20 learning curves of C4.5 each, run once and kept in the store ``into`` where one
    is named; ``td0`` 10 of a player of tic-tac-toe; ``saturating`` 20 rising curves with dependent noise.
    """
    if name not in MADE:
        raise unknown(name, MADE, what="pool", where="calibrate-curves")
    if name in COLLECTED:
        return pools_of(c45_curves(name, seed=rng, into=into, workers=workers))["c45"]
    return saturating(rng=rng) if name == "saturating" else td0_curves(rng=rng)


def saturating(curves: int = 20, points: int = 20, *, rng: Seed = 0) -> Array:
    """Rising curves as of a classifier in cross-validation: a level of their own, noise that carries over.

    Examples
    --------
    >>> saturating(3, 5).shape
    (3, 5)
    """
    random = generator(rng, where="calibrate-curves")
    step = np.arange(points)
    noise = random.normal(size=(curves, points))
    for point in range(1, points):
        noise[:, point] = 0.8 * noise[:, point - 1] + 0.6 * noise[:, point]
    level, speed = 0.02 * random.normal(size=(curves, 1)), 5.0 * np.exp(0.1 * random.normal(size=(curves, 1)))
    return np.asarray(0.95 - 0.5 * np.exp(-step / speed) + level + 0.015 * noise)


def pools_of(evidence: object) -> dict[str, Array]:
    """The curves of every learner as a pool of its own."""
    if not isinstance(evidence, Curves):
        raise InputError(
            f"the results are {type(evidence).__name__}, not curves.",
            "calibrate-curves",
            "give curves: a table with learner, run, step and a measure.",
        )
    refuse_other_steps(evidence)
    if evidence.missing():
        raise InputError(
            f"{len(evidence.missing())} points are missing, the first at {evidence.missing()[0]}.",
            evidence.origin.source,
            'complete the curves; or --align common (align="common") keeps the steps that all have.',
        )
    return {name: np.array(each) for name, each in zip(evidence.learners, evidence.values, strict=True)}


# TD(0) learns tic-tac-toe against a random player: the paper's source of reinforcement-learning curves.


TD0 = "td0-tictactoe"


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
    for name, count in {"runs": runs, "points": points, "games": games, "test_games": test_games}.items():
        count_of(count, name=name, where=TD0)
    alpha, epsilon = _share(alpha, "alpha", at_least=None), _share(epsilon, "epsilon", at_least=0.0)
    fast = flag_of(compile, name="compile", where=TD0) and compiled_wanted()
    play = _compiled_games() if fast else play_games
    won = winners()
    curves = np.empty((runs, points))
    for run, random in enumerate(generator(rng, where=TD0).spawn(runs)):
        values = np.zeros(3**9)
        for point in range(points):
            play(values, random.random((games, 10, 2)), alpha, epsilon, POWERS, won)
            curves[run, point] = play(values, random.random((test_games, 10, 2)), 0.0, 0.0, POWERS, won)
    return curves


def _share(value: Any, name: str, *, at_least: float | None) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool) and value <= 1.0
    if not good or not (value > 0.0 or value == at_least):
        raise InputError(
            f"{name} is {value!r}.",
            f"{TD0}, argument {name}",
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
def _compiled_games() -> Callable[..., int]:
    """The same loops, compiled (extra ``fast``)."""
    return compiled(play_games)  # type: ignore[no-any-return]
