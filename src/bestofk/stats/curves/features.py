"""Features of a curve: one number for where it ends, how high it lies, how soon it gets there, how it falls."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import number_inside, one_of

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
    lines = numbers(curves, name="curves", where=where)
    if lines.ndim < 1 or lines.size == 0 or lines.shape[-1] < 2:
        raise InputError(
            f"curves has the shape {lines.shape}.",
            f"{where}, argument curves",
            "give curves of at least two points, one row per curve.",
        )
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
