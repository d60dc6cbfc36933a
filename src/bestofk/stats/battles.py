"""Strengths of K models from battles of two: who won, who lost, which were tied."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of
from bestofk.core.record import Record
from bestofk.stats.distributions import ratio, t_tail
from bestofk.stats.method import cites
from bestofk.stats.pairwise.student import StudentResult, of_signs

#: Points of rating per unit of log-odds: 400 points are odds of 10 to 1. The mean rating is ``MIDDLE``.
POINTS, MIDDLE = 400.0 / np.log(10.0), 1000.0
#: A model with fewer battles, or battles on fewer prompts, shows nothing.
FEWEST_UNITS = 6
_STEPS, _CONVERGED, _MOST_VALUES = 100, 1e-10, 400_000
#: What is left of a score by its unit's leverage is taken for no less.
_LEAST = 0.1
#: A variance of so little, in log-odds, is rounding, and a sum of squares of so little.
_NOTHING, _LITTLE = 1e-18, 1e-9

__all__ = ["Strengths", "bradley_terry"]

Codes = npt.NDArray[np.intp]


class Strengths(Record):
    """Ratings (K,) of models, with what their differences are judged by.

    ``spread`` is the variance, (K, K), of the difference of two ratings, and ``df`` the degrees of freedom of that
    variance. ``units`` are those of each model, battles or prompts; ``counting`` how many equal ones the battles that
    were not tied are worth, (Σm)²/Σm² where a unit has m of them.
    """

    ratings: Array
    spread: Array
    units: Array
    counting: Array
    df: Array

    def compare(self, first: Any, second: Any, *, alternative: str = "two-sided") -> StudentResult:
        """Test whether the models at these places differ; t is positive where the first is stronger.

        Degrees of freedom are those of the variance, and at most the units that count, of the model that has fewer,
        less one: tied battles tell models that are equal nothing, and all others the same, whoever won.
        """
        alternative = alternative_of(alternative, where="bradley-terry")
        estimate = np.asarray(self.ratings[first] - self.ratings[second])
        variance = np.asarray(self.spread[first, second])
        constant: Flags = variance <= _NOTHING * POINTS**2
        few, counting = (np.minimum(each[first], each[second]) for each in (self.units, self.counting))
        df = np.where(constant, few - 1.0, np.minimum(counting - 1.0, self.df[first, second]))
        df = np.where(few < FEWEST_UNITS, 1.0, np.maximum(df, 1.0))
        error = np.sqrt(np.where(constant, 0.0, variance))
        t = ratio(estimate, error, no_effect=lambda: np.abs(estimate) <= 1e-6, no_spread=constant)
        return StudentResult(
            test="bradley-terry",
            statistic=t,
            pvalue=t_tail(t, df, alternative),
            df=(df,),
            estimate=estimate,
            alternative=alternative,
            standard_error=error,
            rarest=of_signs(df),
        )


@cites(
    "bradley",
    "liang",
    "bell",
    called="the Bradley–Terry model (a tie is half a win, 400 points are odds of 10 to 1), with a robust covariance, "
    "summed within prompts where these are given",
    assumes="independent battles, or prompts where these are given, and one strength of each model",
    not_for="results where a few prompts have most battles, of which it rejects equal models in up to 7 % of cases",
)
def bradley_terry(first: Any, second: Any, score: Any, *, prompts: Any = None, models: int | None = None) -> Strengths:
    r"""Ratings of models from battles, a tie counting half a win, with a covariance that is right whatever ties do.

    .. math:: \mathrm E\,y = \frac1{1 + 10^{(R_b - R_a)/400}}, \qquad \sum (y - \mathrm E\,y)\,(e_a - e_b) = 0

    The equations ask of the model only the mean of ``score``, so ties need no model of their own. The covariance is
    the sandwich of the scores, summed within prompts where these are given. The scores of a unit, a battle or a prompt,
    are divided by the root of 1 minus its leverage, and degrees of freedom fall where a few prompts have most battles.

    Parameters
    ----------
    first, second : array_like of int, (n,)
        The two models of every battle, from 0.
    score : array_like, (n,)
        1 where the first won, 0 where the second did, ½ for a tie.
    prompts : array_like of int, (n,), optional
        The prompt of every battle: battles on one prompt are not independent.
    models : int, optional
        How many there are, where the last ones may have no battle.

    References
    ----------
    Bradley and Terry 1952. Liang and Zeger 1986. Bell and McCaffrey 2002, *Bias reduction in standard errors for linear
    regression with multi-stage samples*. Imbens and Kolesár 2016, *Robust standard errors in small samples*.

    Examples
    --------
    >>> a = bradley_terry([0] * 30 + [0] * 10, [1] * 40, [1.0] * 30 + [0.0] * 10)
    >>> a.ratings.round(1).tolist(), a.compare(0, 1)
    ([1095.4, 904.6], bradley-terry (two-sided): t = 2.971, df = 39, p = 0.005064: rejects at 0.05)
    """
    a, b, y, prompts = checked(first, second, score, prompts, models)
    k = int(max(a.max(), b.max())) + 1 if models is None else models
    number, won = counts(a, b, y, k)
    unreached = outside(won)
    if unreached.any():
        raise InputError(
            f"models {np.flatnonzero(unreached).tolist()} have no finite strength.",
            "bradley-terry",
            "give battles by which every model is led to every other by wins or ties.",
        )
    strength = _fitted(number, won)
    chance = _chance(strength)
    codes = np.arange(len(y)) if prompts is None else np.unique(prompts, return_inverse=True)[1]
    spread, df = _spread(a, b, y - chance[a, b], codes, chance * (1.0 - chance), number)
    apart = y != 0.5
    return Strengths(
        ratings=MIDDLE + POINTS * strength,
        spread=POINTS**2 * spread,
        units=_number(a, b, codes, k)[0],
        counting=_number(a[apart], b[apart], codes[apart], k)[1],
        df=df,
    )


def checked(
    first: Any, second: Any, score: Any, prompts: Any = None, models: Any = None, *, where: str = "bradley-terry"
) -> tuple[Codes, Codes, Array, Codes | None]:
    """Take the two models, the score and the prompt of every battle; ``models`` are names, or how many there are."""
    y = numbers(score, name="score", where=where)
    if y.ndim != 1 or not len(y):
        raise InputError("there is no battle, or no list of them.", f"{where}, score", "give one score per battle.")
    if not np.isin(y, (0.0, 0.5, 1.0)).all():
        row = int(np.argmin(np.isin(y, (0.0, 0.5, 1.0))))
        raise InputError(
            f"battle {row + 1} has the score {y[row]:g}.",
            f"{where}, score",
            "give 1 where the first won, 0 where the second did, 0.5 for a tie.",
        )
    a, b = (_places(each, len(y), name, where) for name, each in (("first", first), ("second", second)))
    units = None if prompts is None else _places(prompts, len(y), "prompts", where)
    most = np.inf if models is None else models if isinstance(models, int) else len(models)
    apart = (np.minimum(a, b) >= 0) & (np.maximum(a, b) < most)
    if not apart.all():
        row = int(np.argmin(apart))
        raise InputError(
            f"battle {row + 1} is of the models {a[row]} and {b[row]}.",
            f"{where}, first and second",
            "give the places of models, from 0." if models is None else f"give places of models, from 0 to {most - 1}.",
        )
    if (a == b).any():
        row = int(np.argmax(a == b))
        name = f"model {a[row]}" if models is None or isinstance(models, int) else models[a[row]]
        raise InputError(
            f"battle {row + 1} is of {name} with itself.",
            f"{where}, first and second",
            "take out battles of a model with itself.",
        )
    return a, b, y, units


def _places(given: Any, length: int, name: str, where: str) -> Codes:
    """Whole numbers, one per battle."""
    values = numbers(given, name=name, where=where)
    if values.shape != (length,):
        raise InputError(
            f"{name} has {values.size:,} entries, score has {length:,}.",
            f"{where}, {name}",
            f"give {length:,} entries.",
        )
    if (values != np.floor(values)).any():
        wrong = values[np.argmax(values != np.floor(values))]
        raise InputError(f"{name} holds {wrong:g}.", f"{where}, {name}", "give whole numbers.")
    return values.astype(np.intp)


def counts(first: Codes, second: Codes, score: Array, models: int) -> tuple[Array, Array]:
    """Battles of every pair and points of the row against the column, (K, K) each."""
    flat, size = first * models + second, models * models
    number, points = (np.bincount(flat, weights, size).reshape(models, models) for weights in (None, score))
    return np.asarray(number + number.T, dtype=float), np.asarray(points + (number - points).T)


def outside(won: Array) -> Flags:
    """Models without a finite strength: wins and ties do not lead from the largest group to them and back.

    Strengths are finite where every model is reached from every other by wins (Ford 1957).
    """
    from scipy.sparse.csgraph import connected_components

    _, group = connected_components(won > 0, directed=True, connection="strong")
    return np.asarray(group != np.argmax(np.bincount(group)))


def _fitted(number: Array, won: Array) -> Array:
    """Strengths in log-odds with mean 0, by Newton's method with halved steps."""
    strength = np.zeros(len(number))
    height = _likelihood(strength, won)
    for _ in range(_STEPS):
        chance = _chance(strength)
        weights = number * chance * (1.0 - chance)
        gradient = (won - number * chance).sum(axis=1)
        step = np.linalg.solve(np.diag(weights.sum(axis=1)) - weights + 1.0 / len(number), gradient)
        step -= step.mean()
        size = 1.0
        while (reached := _likelihood(strength + size * step, won)) < height and size > 1e-6:
            size *= 0.5
        strength, height = strength + size * step, max(height, reached)
        if np.abs(step).max() < _CONVERGED:
            break
    return strength


def _chance(strength: Array) -> Array:
    """Expected score of the row against the column."""
    return np.asarray(1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None])))


def _likelihood(strength: Array, won: Array) -> float:
    return -float((won * np.logaddexp(0.0, strength[None, :] - strength[:, None])).sum())


def _number(a: Codes, b: Codes, codes: Codes, k: int) -> tuple[Array, Array]:
    """Units of each model, and how many equal ones they are worth."""
    size = int(codes.max(initial=0)) + 1
    flat, battles = np.unique(np.concatenate([a, b]) * size + np.tile(codes, 2), return_counts=True)
    units, sums, squares = (np.bincount(flat // size, each, k) for each in (None, battles, battles.astype(float) ** 2))
    return units.astype(float), np.asarray(sums**2 / np.maximum(squares, 1.0))


def _spread(a: Codes, b: Codes, residual: Array, codes: Codes, variance: Array, number: Array) -> tuple[Array, Array]:
    """Variances of differences of strengths, with their degrees of freedom, (K, K) both.

    Scores of a unit are divided by the root of 1 minus its leverage, a matrix (Bell and McCaffrey 2002).
    """
    k = len(number)
    weights = number * variance
    inverse: Array = np.asarray(np.linalg.inv(np.diag(weights.sum(axis=1)) - weights + 1.0 / k) - 1.0 / k, dtype=float)
    products, joint, together, expected = np.zeros((k, k)), np.zeros((k, k)), 0.0, 0.0
    units = partial(_units, a, b, residual, codes, variance)
    for rows, scores, times in units():
        reach, across = rows @ inverse, np.swapaxes(rows, 1, 2)
        left, turn = np.linalg.eigh(np.eye(rows.shape[1]) - reach @ across)
        turned = np.swapaxes(turn, 1, 2) @ scores[:, :, None]
        adjusted = turn @ (turned / np.sqrt(np.maximum(left, _LEAST))[:, :, None])
        added = (np.swapaxes(reach, 1, 2) @ adjusted)[:, :, 0]
        products += added.T @ added
        inside = rows @ across
        joint += np.tensordot(times, np.swapaxes(reach, 1, 2) @ inside @ reach, 1)
        together += float(((across @ adjusted) ** 2).sum())
        expected += float((inside**2).sum(axis=(1, 2)) @ times)
    # How far residuals on one prompt go together, beside how far they vary: ties vary less than wins and losses.
    own, of_battles = float((residual**2).sum()), variance[a, b]
    expected -= 4.0 * float((of_battles**2).sum())
    scale = expected * own / float(of_battles.sum())
    shared = max(together - 2.0 * own, 0.0) / scale if expected > _LITTLE and own > 0.0 else 0.0
    wider, df = _freedom(units(), inverse, np.asarray(joint, dtype=float), shared)
    return np.maximum(wider * _between(products), 0.0), df


def _freedom(
    units: Iterator[tuple[Array, Array, Array]], inverse: Array, joint: Array, shared: float
) -> tuple[Array, Array]:
    """By what variances are to be multiplied, and their degrees of freedom, (K, K) both.

    A variance is a sum of squares u² of what units add; its mean and spread follow from the covariance of the u (Bell
    and McCaffrey 2002), in which battles on one prompt go together as far as was found (Imbens and Kolesár 2016). For a
    difference, a unit has the share p of all information, and v of the variance.
    """
    whole = _between(inverse)
    whole = np.where(whole > 0.0, whole, 1.0)
    total = 1.0 + shared * _between(joint) / whole
    sums = np.zeros((5, *inverse.shape))
    for rows, _, times in units:
        reach = rows @ inverse
        back = np.swapaxes(reach, 1, 2)
        p = _between(back @ reach) / whole
        v = p if shared == 0.0 else p + shared * _between(back @ (rows @ np.swapaxes(rows, 1, 2)) @ reach) / whole
        scale = 1.0 / np.maximum(1.0 - p, _LEAST)
        alone, rest = scale * v, scale * p * (p * total - 2.0 * v)
        for place, each in enumerate((alone + rest, alone * (alone + 2.0 * rest), scale * p * p, alone * v, alone * p)):
            sums[place] += np.tensordot(times, each, 1)
    mean, squares, pp, vv, pv = sums
    squares += 2.0 * pp * vv + (pp * total) ** 2 + 2.0 * pv**2 - 4.0 * pp * pv * total
    mean, squares = (np.where(each > 0.0, each, 1.0) for each in (mean, squares))
    return total / mean, np.round(mean**2 / squares, 6)


def _between(products: Array) -> Array:
    """Of products of strengths, (..., K, K), the squares of their differences."""
    own = np.diagonal(products, axis1=-2, axis2=-1)
    return np.asarray(own[..., :, None] + own[..., None, :] - 2.0 * products)


def _units(a: Codes, b: Codes, residual: Array, codes: Codes, variance: Array) -> Iterator[tuple[Array, Array, Array]]:
    """Units of as many rows, in turn: rows (units, rows, K), a score of each row, and how often a unit is there.

    A row is a pair of models, in units of the standard deviation of its battles. Battles that are alone on their prompt
    are one unit for each pair; a prompt of more rows than models is turned into as many rows as models.
    """
    k = len(variance)
    pair = np.minimum(a, b) * k + np.maximum(a, b)
    signed = np.where(a < b, residual, -residual)
    alone = np.bincount(codes)[codes] == 1
    pairs, place, times = np.unique(pair[alone], return_inverse=True, return_counts=True)
    root = np.sqrt(np.bincount(place, residual[alone] ** 2, len(pairs)) / variance.flat[pairs])
    for part in _parts(len(pairs), k * k):
        rows = _rows(pairs[part], np.sqrt(variance.flat[pairs[part]]), k)
        yield rows[:, None], root[part, None], times[part].astype(float)
    flat, place, battles = np.unique((codes * k * k + pair)[~alone], return_inverse=True, return_counts=True)
    unit, pairs = np.divmod(flat, k * k)
    deviation = np.sqrt(battles * variance.flat[pairs])
    scores = np.bincount(place, signed[~alone], len(flat)) / deviation
    _, start, sizes = np.unique(unit, return_index=True, return_counts=True)
    for size in np.unique(sizes):
        first = start[sizes == size]
        for part in _parts(len(first), max(int(size), k) * k):
            own = first[part, None] + np.arange(size)
            rows, of_rows = _rows(pairs[own], deviation[own], k), scores[own]
            if size > k:
                square, turn = np.linalg.eigh(np.swapaxes(rows, 1, 2) @ rows)
                root = np.sqrt(np.maximum(square, 0.0))
                of_models = np.swapaxes(turn, 1, 2) @ (np.swapaxes(rows, 1, 2) @ of_rows[:, :, None])
                of_rows = np.where(square > 1e-9, of_models[:, :, 0] / np.maximum(root, 1e-9), 0.0)
                rows = root[:, :, None] * np.swapaxes(turn, 1, 2)
            yield rows, of_rows, np.ones(len(own))


def _parts(number: int, values: int) -> Iterator[slice]:
    """Slices of so many units, of which each has so many values."""
    step = max(1, _MOST_VALUES // values)
    return (slice(start, start + step) for start in range(0, number, step))


def _rows(pairs: Codes, deviation: Array, k: int) -> Array:
    """One row (..., K) for every pair of models: the deviation at the first, and negated at the second."""
    places = np.arange(k)
    one, two = np.divmod(pairs, k)
    signs = (places == one[..., None]).astype(float) - (places == two[..., None])
    return np.asarray(signs * deviation[..., None])
