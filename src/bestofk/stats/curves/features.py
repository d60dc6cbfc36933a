"""Features of a curve, such as where it ends and how high it lies; a test of one; and controlled changes of curves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import number_inside, one_of
from bestofk.core.rng import Seed
from bestofk.stats.curves.curve_table import curve_sets
from bestofk.stats.curves.randomized_t import dealt_t
from bestofk.stats.method import cites
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Numeric, Result
from bestofk.stats.shapes import wrong_shape

FEATURES = ("final", "area", "steps-to", "slope")


def curve_features(curves: Any, feature: str, *, steps: Any = None, threshold: float | None = None) -> Array:
    """Return one number per curve (...), from losses (..., k).

    ``final`` is the last value; ``area`` the area under the curve divided by the length of training (trapezoids), in
    units of the loss; ``slope`` the least-squares change per unit of step; ``steps-to`` the first step at which the
    loss is at or below ``threshold``, infinite for a curve that never is: it is censored at its end.

    Examples
    --------
    >>> curve_features([[9, 5, 4], [9, 8, 7]], "steps-to", threshold=5, steps=[10, 20, 30])
    array([20., inf])
    >>> curve_features([9.0, 5.0, 4.0], "area")
    array(5.75)
    """
    where = "curve-features"
    feature = one_of(feature, FEATURES, name="feature", where=where)
    lines = _lines(curves, where)
    grid = steps_of(steps, lines.shape[-1], where=where)
    level = threshold_of(threshold, feature, where=where)
    if feature == "final":
        return np.asarray(lines[..., -1])
    if feature == "area":
        return np.asarray(np.trapezoid(lines, grid, axis=-1) / (grid[-1] - grid[0]))
    if feature == "slope":
        centred = grid - grid.mean()
        return np.asarray(lines @ (centred / (centred @ centred)))
    below = lines <= level
    return np.where(below.any(axis=-1), grid[np.argmax(below, axis=-1)], np.inf)


def _lines(curves: Any, where: str) -> Array:
    lines = numbers(curves, name="curves", where=where)
    if lines.ndim < 1 or lines.size == 0 or lines.shape[-1] < 2:
        raise wrong_shape(lines, "curves", where, "give curves of at least two points, one row per curve.")
    return lines


def steps_of(steps: Any, points: int, *, where: str) -> Array:
    """Return the steps of training, 1, 2, 3 … where none are given; they must grow."""
    if steps is None:
        return np.arange(1.0, points + 1.0)
    grid = numbers(steps, name="steps", where=where)
    if grid.shape != (points,) or not (np.diff(grid) > 0).all():
        raise InputError(
            f"steps has the shape {grid.shape}" + ("." if grid.shape != (points,) else " and does not grow."),
            f"{where}, argument steps",
            f"give {points} growing numbers, one per point.",
        )
    return grid


def threshold_of(threshold: Any, feature: str, *, where: str) -> float:
    """Return the loss to be reached; it is needed for ``steps-to`` and for nothing else."""
    if (feature == "steps-to") != (threshold is not None):
        raise InputError(
            f"threshold is {threshold!r} for the feature {feature!r}.",
            f"{where}, argument threshold",
            "give the loss to be reached." if threshold is None else "leave threshold out.",
        )
    if threshold is None:
        return 0.0
    return number_inside(threshold, name="threshold", where=where, low=-np.inf, high=np.inf)


class FeatureResult(Result):
    """Result of ``feature_test``: ``first`` and ``second`` are the features of the curves, ``censored`` how many of
    each set never reached the threshold (0 for the other features)."""

    feature: str
    first: Numeric
    second: Numeric
    censored: tuple[Numeric, Numeric]
    shuffles: int
    exact: bool

    symbol: ClassVar[str] = "t"


@cites(
    "fisher",
    "gehan",
    called="the permutation test of a feature",
    assumes="independent curves, any of which may as well belong to the other algorithm if they are the same",
    not_for="features that are chosen after the curves were seen, or several without adjustment",
)
def feature_test(
    first: Any,
    second: Any,
    *,
    feature: str = "final",
    steps: Any = None,
    threshold: float | None = None,
    alternative: str = "two-sided",
    shuffles: int = 9999,
    paired: bool = False,
    blocks: Any = None,
    rng: Seed = None,
    exact: bool | str = "auto",
) -> FeatureResult:
    """Compare two algorithms by one feature of their curves; whole curves are dealt anew.

    Parameters
    ----------
    first, second : array_like, (..., l₁, k) and (..., l₂, k)
        Losses: one row per curve (run, fold), one column per point of training.
    feature : {"final", "area", "steps-to", "slope"}
        The last value; the area under the curve over the length of training; the first step with a loss at or below
        ``threshold``; the least-squares slope.
    steps : sequence of k numbers, optional
        Where the points lie; 1, 2, 3 … otherwise.
    threshold : float
        The loss to be reached, for ``steps-to`` only.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first has the larger feature: it ends higher, lies higher, needs more steps, falls less.
    shuffles, paired, blocks, rng, exact
        As for ``randomized_t``.

    Notes
    -----
    t is that of the features, pooled (of differences where paired), against curves dealt anew; p = (b + 1)/(z + 1), or
    count/ways when all ways are counted. For ``steps-to`` t is that of the midranks of the steps in both sets together:
    a curve that never reaches the threshold is known only to need more steps than there are, so all such curves share
    the last rank, whatever they would have done later, and nothing is made up (Gehan's test for one common end of
    observation). ``estimate`` then counts them at the last step, which is a difference of restricted means. When no
    curve, or every curve at the first step, has reached it, p is 1.

    References
    ----------
    Gehan 1965. Phipson and Smyth 2010.

    Examples
    --------
    >>> slow = [[.9, .8, .6], [.8, .7, .5], [.9, .7, .6]]
    >>> quick = [[.6, .4, .3], [.5, .4, .2], [.6, .3, .2], [.7, .4, .2]]
    >>> feature_test(slow, quick, feature="steps-to", threshold=.5, alternative="greater")
    feature-test (greater): t = 4.83, p = 0.02857: rejects at 0.05
    """
    where = "feature-test"
    feature = one_of(feature, FEATURES, name="feature", where=where)
    one, two = curve_sets((first, second), where=where)
    grid = steps_of(steps, one.shape[-1], where=where)
    threshold_of(threshold, feature, where=where)
    found = [curve_features(side, feature, steps=grid, threshold=threshold) for side in (one, two)]
    compared = _ranked(found, grid[-1]) if feature == "steps-to" else found
    how: Any = {"alternative": alternative, "shuffles": shuffles, "paired": paired, "blocks": blocks, "rng": rng}
    dealt = dealt_t(*compared, scale=_scale(one, two, grid, feature, compared), exact=exact, where=where, **how)
    if feature == "steps-to":
        dealt["estimate"] = _restricted(found, grid[-1])
    never = [np.isinf(side).sum(axis=-1) for side in found]
    return FeatureResult(**dealt, feature=feature, first=found[0], second=found[1], censored=(never[0], never[1]))


def _ranked(found: list[Array], end: float) -> list[Array]:
    steps = np.concatenate(found, axis=-1)
    ranks = average_ranks(np.where(np.isinf(steps), end + 1.0, steps))
    return np.split(ranks, [found[0].shape[-1]], axis=-1)


def _restricted(found: list[Array], end: float) -> Array:
    means = [np.where(np.isinf(side), end, side).mean(axis=-1) for side in found]
    return np.asarray(means[0] - means[1])


def _scale(one: Array, two: Array, grid: Array, feature: str, compared: list[Array]) -> Array:
    """Size of the numbers that the feature was computed from: differences far below it are rounding."""
    if feature == "steps-to":
        return np.asarray(np.maximum(*(side.max(axis=-1) for side in compared)))
    values = np.maximum(np.abs(one).max(axis=(-2, -1)), np.abs(two).max(axis=(-2, -1)))
    if feature != "slope":
        return np.asarray(values)
    centred = grid - grid.mean()
    return np.asarray(values * np.abs(centred).sum() / (centred @ centred))


def modify(curves: Any, kind: str, factor: float) -> Array:
    """Return curves changed by M_a … M_d of Piater et al.; the input stays as it is.

    a: raised as a whole (algorithm effect). b: raised early, lowered late (interaction). c: pulled apart with
    training (both). d: a bump in the middle (both, early). r, L₁ and Lᵢ are the original values of each curve. M_b
    keeps a curve's mean only when the number of points is even.

    Parameters
    ----------
    curves : array_like, (..., k)
    kind : {"a", "b", "c", "d"}
    factor : float
        f of the paper, 0 for no change.

    References
    ----------
    Piater, Cohen, Zhang and Atighetchi 1998, appendix.

    Examples
    --------
    >>> modify([0.0, 4.0, 6.0, 8.0], "a", 10)
    array([1., 5., 7., 9.])
    """
    where = "modify"
    kind = one_of(kind, ("a", "b", "c", "d"), name="kind", where=where)
    factor = number_inside(factor, name="factor", where=where, low=-np.inf, high=np.inf)
    lines = _lines(curves, where)
    k = lines.shape[-1]
    i = np.arange(1, k + 1)
    rise = lines[..., -1:] - lines[..., :1]
    early = i <= k / 2
    if kind == "a":
        change = rise / 80.0 * np.ones(k)
    elif kind == "b":
        change = rise / 100.0 * np.where(early, k / 2 - i + 1, -(i - k / 2))
    elif kind == "c":
        change = (lines - lines[..., :1]) / 100.0 * (i - 1)
    else:
        change = rise / 100.0 * np.where(early, i - 1, k - i)
    return np.asarray(lines + factor * change)
