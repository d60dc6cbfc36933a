"""Who can be best at all? The learners that MultiTest chooses under some prior."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags, zero_one
from bestofk.core.errors import InputError
from bestofk.core.options import level_inside
from bestofk.stats.adjust import ADJUST
from bestofk.stats.adjust.stepwise import bonferroni, none, pvalues
from bestofk.stats.shapes import wrong_shape

Adjustment = Callable[[Any], Any]

#: Whether a pair is decided does not depend on the other pairs asked: one table of decisions serves every prior.
FIXED: tuple[Adjustment, ...] = (none, bonferroni)
#: More learners than these have too many priors to try: 8! is 40,320.
ENUMERATE_UP_TO = 8
_ROWS = 4096  # priors per pass


def possible_best(worse: Any) -> tuple[int, ...]:
    """Return the positions of the learners that are best under some prior.

    Under a prior the best is the most preferred learner that is not shown to be worse than a less preferred one. Let Y
    be the learners that x is shown to be worse than. x is best under some prior exactly when all of Y can be preferred
    to x and each of them still has somebody behind it that beats it. So Y is placed from its last place to its first:
    a learner may be placed when one of those behind it (x, everyone outside Y, and those placed already) is shown to
    beat it, and x is possible when all of Y gets placed. Others need not stand before x: behind it they only help.

    There is always at least one. A learner is best under every prior exactly when it is the only one.

    Parameters
    ----------
    worse : array_like of bool, (K, K)
        ``worse[i, j]``: i is shown to be worse than j, at a level that does not depend on the prior. The relation may
        be intransitive or cyclic.

    References
    ----------
    Yıldız and Alpaydın 2006, section 3, for the rule that a prior is judged by.

    Examples
    --------
    >>> possible_best([[0, 0, 1], [0, 0, 0], [0, 0, 0]])  # 0 is worse than 2, and nobody says a word about 1
    (1, 2)
    >>> possible_best([[0, 1, 0], [0, 0, 1], [0, 0, 0]])  # 1 may stand before 0: 2 beats it from behind
    (0, 2)
    """
    where = "possible_best"
    matrix = zero_one(worse, name="worse", where=where, meaning="give True where i is shown to be worse than j")
    _refuse_shape(matrix, "worse", where)
    if np.diag(matrix).any():
        i = int(np.argmax(np.diag(matrix)))
        raise InputError(
            f"worse says that learner {i} is worse than itself.",
            f"{where}, argument worse, position ({i}, {i})",
            "put False on the diagonal.",
        )
    return _possible(matrix.astype(bool))


def possible_best_adjusted(pvalue: Any, adjustment: str | Adjustment, alpha: float = 0.05) -> tuple[int, ...]:
    """Return the positions of the learners that MultiTest with this adjustment finds best under some prior.

    A prior asks one of the two one-sided questions of every pair. With ``none`` and ``bonferroni`` each answer stands
    by itself, for any number of learners; with Holm and the other adjustments it depends on which questions were asked
    beside it, so all K! priors are tried, for at most 8 learners (with ``bergmann-hommel`` 8 take about a minute).

    Parameters
    ----------
    pvalue : array_like, (K, K)
        ``pvalue[i, j]``: one-sided p of "i loses more than j". The diagonal is not looked at.
    adjustment : str or function
        A registered adjustment, or a function of p values of all pairs (last axis).
    alpha : float
        Family-wise level.

    References
    ----------
    Yıldız and Alpaydın 2006, section 3. Holm 1979.

    Examples
    --------
    >>> p = [[1, .01, .03], [.99, 1, .6], [.97, .4, 1]]
    >>> possible_best_adjusted(p, "holm")
    (1, 2)
    """
    where = "possible_best_adjusted"
    alpha = level_inside(alpha, name="alpha", where=where)
    rule: Adjustment = adjustment if callable(adjustment) else ADJUST[adjustment]
    matrix = _pvalue_table(pvalue, where)
    if rule in FIXED:
        return _possible(_decisions(matrix, rule, alpha))
    _refuse_many(len(matrix), adjustment, where)
    return _tried(matrix, rule, alpha)


def _possible(worse: Flags) -> tuple[int, ...]:
    return tuple(x for x in range(len(worse)) if _can_be_best(x, worse))


def _can_be_best(x: int, worse: Flags) -> bool:
    behind = ~worse[x]  # x itself and everyone it is not shown to be worse than
    while not behind.all():
        placed = ~behind & worse[:, behind].any(axis=1)
        if not placed.any():
            return False
        behind = behind | placed
    return True


def _decisions(matrix: Array, rule: Adjustment, alpha: float) -> Flags:
    first, second = np.triu_indices(len(matrix), 1)
    worse = np.zeros(matrix.shape, dtype=bool)
    for pairs in ((first, second), (second, first)):
        worse[pairs] = np.asarray(rule(matrix[pairs])) <= alpha
    return worse


def _tried(matrix: Array, rule: Adjustment, alpha: float) -> tuple[int, ...]:
    priors = np.array(list(permutations(range(len(matrix)))))
    found: set[int] = set()
    for start in range(0, len(priors), _ROWS):
        found.update(_best_of(priors[start : start + _ROWS], matrix, rule, alpha).tolist())
        if len(found) == len(matrix):
            break
    return tuple(sorted(found))


def _best_of(priors: npt.NDArray[np.intp], matrix: Array, rule: Adjustment, alpha: float) -> npt.NDArray[np.intp]:
    """The first step of the ordering, for many priors: the most preferred learner without outgoing edge."""
    first, second = np.triu_indices(len(matrix), 1)
    edges = np.asarray(rule(matrix[priors[:, first], priors[:, second]])) <= alpha
    outgoing = np.stack([edges[:, first == i].any(axis=1) for i in range(len(matrix))], axis=1)
    return np.asarray(np.take_along_axis(priors, np.argmin(outgoing, axis=1)[:, None], axis=1)[:, 0])


def _pvalue_table(pvalue: Any, where: str) -> Array:
    try:
        table = np.ma.array(pvalue, copy=True)  # keeps a mask for the door to see
    except ValueError:
        table = pvalue  # ragged: the door says so
    else:
        if table.dtype.kind == "f" and table.ndim == 2:
            table[np.diag_indices(min(table.shape))] = 1.0  # often NaN: nobody is tested against himself
    matrix = pvalues(table, where=where)
    _refuse_shape(matrix, "pvalue", where)
    return matrix


def _refuse_shape(matrix: Array, name: str, where: str) -> None:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
        raise wrong_shape(matrix, name, where, "give a square table of at least two learners.")


def _refuse_many(k: int, adjustment: str | Adjustment, where: str) -> None:
    if k > ENUMERATE_UP_TO:
        name = adjustment if isinstance(adjustment, str) else getattr(adjustment, "__name__", "this")
        raise InputError(
            f"{k} learners have too many priors to try, and {name} decides differently under each.",
            f"{where}, argument adjustment",
            f"use bonferroni or none, or compare at most {ENUMERATE_UP_TO} learners.",
        )
