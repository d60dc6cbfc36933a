"""Adjustments that sort p values: stepped down or up, one by one, and back in the order given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, index_text, numbers
from bestofk.core.errors import InputError
from bestofk.stats.method import adjustment
from bestofk.stats.shapes import wrong_shape


def pvalues(p: Any, *, where: str) -> Array:
    """Take p values along the last axis, all between 0 and 1."""
    array = numbers(p, name="p", where=where)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise wrong_shape(array, "p", where, "give at least one p value.")
    bad = (array < 0) | (array > 1)
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        raise InputError(
            f"p has the value {array[first]:g} at position {index_text(first)}.",
            f"{where}, argument p",
            "give p values between 0 and 1.",
        )
    return array


def in_order(p: Any, rule: Callable[[Array, Array], Array], *, where: str) -> Array:
    """Apply a rule to ascending p values and their places 1 … m, and undo the sorting."""
    array = pvalues(p, where=where)
    order = np.argsort(array, axis=-1, kind="stable")
    ordered = np.take_along_axis(array, order, axis=-1)
    adjusted = rule(ordered, np.arange(1.0, array.shape[-1] + 1.0))
    result = np.empty(array.shape)
    # Rounding may put 1 − (1 − p) a unit below p; an adjusted p is never below the raw one.
    np.put_along_axis(result, order, np.clip(adjusted, ordered, 1.0), axis=-1)
    return result


def step_down(p: Any, rule: Callable[[Array, Array], Array], *, where: str) -> Array:
    """From the smallest p up: an adjusted p is the largest so far."""
    return in_order(p, lambda ordered, place: np.maximum.accumulate(rule(ordered, place), axis=-1), where=where)


def step_up(p: Any, rule: Callable[[Array, Array], Array], *, where: str) -> Array:
    """From the largest p down: an adjusted p is the smallest so far."""

    def stepped(ordered: Array, place: Array) -> Array:
        return np.minimum.accumulate(rule(ordered, place)[..., ::-1], axis=-1)[..., ::-1]

    return in_order(p, stepped, where=where)


def log_complement(p: Array) -> Array:
    """Return log(1 − p), minus infinity at p = 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-p))


@adjustment(
    "none",
    name="none",
    assumes="one hypothesis, named before the results were seen",
    not_for="several pairs: with each one more, some equal pair is likelier to be called different",
)
def none(p: Any) -> Array:
    r"""Leave p values as they are: no protection against many tests.

    References
    ----------
    Rothman 1990 argues for it.

    Examples
    --------
    >>> none([0.01, 0.04, 0.03])
    array([0.01, 0.04, 0.03])
    """
    return pvalues(p, where="none").copy()


@adjustment(
    "family",
    name="bonferroni",
    papers=("dunn",),
    called="Bonferroni's method",
    assumes="nothing of how p values depend on each other",
    not_for="power: holm assumes no more and rejects all that it does",
)
def bonferroni(p: Any) -> Array:
    r"""Bonferroni: m·p, at most 1.

    References
    ----------
    Dunn 1961.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.03])
    array([0.03, 0.12, 0.09])
    """
    array = pvalues(p, where="bonferroni")
    return np.asarray(np.minimum(1.0, array.shape[-1] * array))


@adjustment(
    "none",
    name="li",
    papers=("li",),
    called="Li's method",
    assumes="independent p values",
    not_for="pairs of learners, whose p values are not independent (holm)",
)
def li(p: Any) -> Array:
    """Li: p/(p + 1 − largest p). Rejects all when the largest p does; otherwise depends on it.

    It holds the family of independent tests only, which those of pairs never are.

    A p value of 0 stays 0 even when the largest is 1.

    References
    ----------
    Li 2008. García, Fernández, Luengo and Herrera 2010.

    Examples
    --------
    >>> li([0.01, 0.04, 0.03]).round(6)
    array([0.010309, 0.04    , 0.030303])
    """
    array = pvalues(p, where="li")
    below = array + (1.0 - array.max(axis=-1, keepdims=True))  # in this order a tiny p is not lost beside 1
    return np.clip(np.where(array == 0, 0.0, array / np.where(below > 0, below, 1.0)), array, 1.0)


@adjustment(
    "family",
    name="holm",
    papers=("holm",),
    called="Holm's method",
    assumes="nothing of how p values depend on each other",
    not_for="all pairs where power is short: shaffer and bergmann-hommel reject all that it does",
)
def holm(p: Any, *, weights: Any = None) -> Array:
    r"""Holm: (m − i + 1)·p₍ᵢ₎, stepping down; valid for any dependence.

    Parameters
    ----------
    p : array_like, (..., m)
        p values.
    weights : array_like, (m,) or (..., m), optional
        Positive shares of the level, up to a common factor: the smallest p/w comes first, and every p/w is taken times
        the weights that are left.

    References
    ----------
    Holm 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> holm([0.01, 0.04, 0.03], weights=[1, 2, 1])
    array([0.04, 0.06, 0.06])
    """
    array = pvalues(p, where="holm")
    weight = _weights(weights, array.shape)
    order = np.argsort(array / weight, axis=-1, kind="stable")
    ordered, own = (np.take_along_axis(each, order, axis=-1) for each in (array, weight))
    left = np.cumsum(own[..., ::-1], axis=-1)[..., ::-1]
    result = np.empty(array.shape)
    np.put_along_axis(result, order, np.maximum.accumulate(left * ordered / own, axis=-1), axis=-1)
    return np.clip(result, array, 1.0)


def _weights(given: Any, shape: tuple[int, ...]) -> Array:
    """A positive weight of every p value; 1 each where none are given."""
    weights = np.ones(shape[-1]) if given is None else numbers(given, name="weights", where="holm")
    if weights.shape not in (shape, shape[-1:]):
        raise wrong_shape(weights, "weights", "holm", f"give {shape[-1]} numbers, one for each p value.")
    if not (weights > 0).all():
        first = tuple(int(i) for i in np.argwhere(weights <= 0)[0])
        raise InputError(
            f"weights has the value {weights[first]:g} at position {index_text(first)}.",
            "holm, argument weights",
            "give positive weights, and leave out what is not to be tested.",
        )
    return np.broadcast_to(weights, shape)


def levels_tested(p: Any, adjusted: Any, alpha: float, *, weights: Any = None) -> Array:
    """The level at which every p value was decided: a rejected one is at most that level, any other above it.

    In Holm's procedure that is alpha/m for the smallest, alpha/(m − 1) for the next, and so on up to the first that is
    not rejected, at whose level the procedure stops; equal ones have one level. With ``weights`` it is the share of
    alpha that a weight has of those left. Of another adjustment it is alpha · p/adjusted p.

    Examples
    --------
    >>> p = [0.01, 0.04, 0.03]
    >>> levels_tested(p, holm(p), 0.05).round(4)
    array([0.0167, 0.025 , 0.025 ])
    """
    raw, last = np.asarray(p, dtype=float), np.asarray(adjusted, dtype=float)
    weight = _weights(weights, raw.shape)
    total = weight.sum(axis=-1, keepdims=True)
    left = np.where((raw > 0) & (last < 1.0), last / np.where(raw > 0, raw, 1.0), np.nan)
    if np.array_equal(last, holm(raw, weights=weights)):
        left = total - _smaller(raw / weight, weight)
    rejected = last <= alpha
    known = np.where(rejected | np.isnan(left), -np.inf, left)
    stopped = known.max(axis=-1, keepdims=True)
    stopped = np.where(np.isinf(stopped), total, stopped)
    return np.asarray(alpha * weight / np.where(rejected, np.where(np.isnan(left), total, left), stopped))


def _smaller(values: Array, weight: Array) -> Array:
    """The weight of all values that are smaller than each, along the last axis."""
    order = np.argsort(values, axis=-1, kind="stable")
    ordered, own = (np.take_along_axis(each, order, axis=-1) for each in (values, weight))
    before = np.cumsum(own, axis=-1) - own
    first = np.where(np.diff(ordered, axis=-1, prepend=-np.inf) > 0, before, 0.0)
    found = np.empty_like(values)
    np.put_along_axis(found, order, np.maximum.accumulate(first, axis=-1), axis=-1)
    return found


@adjustment(
    "family",
    name="hochberg",
    papers=("hochberg",),
    called="Hochberg's method",
    assumes="independent or positively dependent p values",
    not_for="p values that may depend negatively (holm)",
)
def hochberg(p: Any) -> Array:
    r"""Hochberg: (m − i + 1)·p₍ᵢ₎, stepping up; valid for independent or positively dependent tests.

    References
    ----------
    Hochberg 1988.

    Examples
    --------
    >>> hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return step_up(p, lambda ordered, place: (len(place) - place + 1.0) * ordered, where="hochberg")


@adjustment(
    "family",
    name="hommel",
    papers=("hommel",),
    called="Hommel's method",
    assumes="independent or positively dependent p values",
    not_for="p values that may depend negatively (holm)",
)
def hommel(p: Any) -> Array:
    """Hommel: Simes' test of every subset, closed; at least as powerful as Hochberg.

    References
    ----------
    Hommel 1988. Wright 1992 for the algorithm.

    Examples
    --------
    >>> hommel([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return in_order(p, _rule, where="hommel")


def _rule(ordered: Array, place: Array) -> Array:
    m = len(place)
    adjusted = np.repeat((m * ordered / place).min(axis=-1, keepdims=True), m, axis=-1)
    for size in range(m - 1, 1, -1):
        # Subsets of this size: the largest size − 1 p values decide, then the smaller ones against them.
        split = m - size + 1
        tail = (size * ordered[..., split:] / np.arange(2, size + 1)).min(axis=-1, keepdims=True)
        head = np.minimum(size * ordered[..., :split], tail)
        adjusted = np.maximum(adjusted, np.concatenate([head, np.repeat(head[..., -1:], size - 1, axis=-1)], axis=-1))
    return np.asarray(np.maximum(adjusted, ordered))


@adjustment(
    "weak",
    name="finner",
    papers=("finner",),
    called="Finner's method",
    assumes="independent p values, and that no two learners differ",
    not_for="families with a false hypothesis: with five false of ten, a true one is rejected in 14 % of cases (holm)",
)
def finner(p: Any) -> Array:
    r"""Finner: 1 − (1 − p₍ᵢ₎)^(m/i), stepping down.

    Controls the family-wise error when all hypotheses are true; with some false ones it does not (0.14 at alpha 0.05
    with 5 of 10 false, see ``benchmarks/calibration``).

    References
    ----------
    Finner 1993. García, Fernández, Luengo and Herrera 2010.

    Examples
    --------
    >>> finner([0.01, 0.04, 0.03])
    array([0.029701  , 0.04466079, 0.04466079])
    """
    return step_down(p, lambda ordered, place: -np.expm1(len(place) / place * log_complement(ordered)), where="finner")


@adjustment(
    "family",
    name="holland",
    papers=("holland",),
    called="Holland's method",
    assumes="independent or positively dependent p values",
    not_for="p values that may depend negatively (holm)",
)
def holland(p: Any) -> Array:
    r"""Holland: 1 − (1 − p₍ᵢ₎)^(m−i+1), stepping down.

    References
    ----------
    Holland and Copenhaver 1987.

    Examples
    --------
    >>> holland([0.01, 0.04, 0.03])
    array([0.029701, 0.0591  , 0.0591  ])
    """

    def rule(ordered: Array, place: Array) -> Array:
        return -np.expm1((len(place) - place + 1.0) * log_complement(ordered))

    return step_down(p, rule, where="holland")


@adjustment(
    "fdr",
    name="benjamini-hochberg",
    papers=("benjamini-hochberg",),
    called="the Benjamini–Hochberg procedure",
    assumes="independent or positively dependent p values",
    not_for="a claim that no finding is false (holm)",
)
def benjamini_hochberg(p: Any) -> Array:
    r"""Benjamini–Hochberg: m/i·p₍ᵢ₎, stepping up; controls the false discovery rate, not the family-wise error.

    References
    ----------
    Benjamini and Hochberg 1995.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return step_up(p, lambda ordered, place: len(place) / place * ordered, where="benjamini-hochberg")


@adjustment(
    "fdr",
    name="benjamini-yekutieli",
    papers=("benjamini-yekutieli",),
    called="the Benjamini–Yekutieli procedure",
    assumes="nothing of how p values depend on each other",
    not_for="a claim that no finding is false (holm)",
)
def benjamini_yekutieli(p: Any) -> Array:
    r"""Benjamini–Yekutieli: m/i·p₍ᵢ₎·Σ1/j, stepping up; false discovery rate under any dependence.

    References
    ----------
    Benjamini and Yekutieli 2001.

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04, 0.03])
    array([0.055     , 0.07333333, 0.07333333])
    """

    def rule(ordered: Array, place: Array) -> Array:
        return np.asarray(len(place) / place * (1.0 / place).sum() * ordered)

    return step_up(p, rule, where="benjamini-yekutieli")
