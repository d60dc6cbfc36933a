"""Convex hull of classifiers in ROC space: who is best for some costs and class ratio."""

from __future__ import annotations

from bisect import bisect_left
from math import hypot
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.record import Record

_ROUNDING = 1e-12  # points this close to a side lie on it


class HullResult(Record):
    """Upper convex hull from (0, 0) to (1, 1).

    ``vertices`` are strict corners, (m, 2) as (fpr, tpr). ``members`` are the positions of the given points that are
    corners: the potentially optimal classifiers. Corner ``members[i]`` is best for slopes between ``slopes[i]``:
    (low, high) of (cost of a false alarm × negatives)/(cost of a miss × positives). ``corners[i]`` is its row in
    ``vertices``; several members may stand at one.
    """

    vertices: Array
    members: tuple[int, ...]
    slopes: tuple[tuple[float, float], ...]
    corners: tuple[int, ...]


def convex_hull(points: Any) -> HullResult:
    """Convex hull of points (fpr, tpr), with (0, 0) and (1, 1) always in it.

    Parameters
    ----------
    points : array_like, (n, 2)
        One (fpr, tpr) per classifier or threshold.

    References
    ----------
    Provost and Fawcett 2001, *Robust classification for imprecise environments*.

    Examples
    --------
    >>> convex_hull([[.1, .6], [.3, .7], [.4, .9]]).members
    (0, 2)
    """
    array = points_of(points)
    hull = ConvexHull()
    for point in array:
        hull.add(*point)
    return hull.result()


class ConvexHull:
    """A hull that takes one classifier at a time; adding does not look at those already inside.

    Examples
    --------
    >>> hull = ConvexHull()
    >>> hull.add(.1, .6), hull.add(.3, .65)
    (True, False)
    """

    def __init__(self) -> None:
        # fpr, tpr and the classifiers that stand there
        self._corners: list[tuple[float, float, tuple[int, ...]]] = [(0.0, 0.0, ()), (1.0, 1.0, ())]
        self._count = 0

    def add(self, fpr: float, tpr: float) -> bool:
        """Add a classifier; say whether it is potentially optimal among all so far."""
        x, y = (float(value) for value in points_of([[fpr, tpr]])[0])
        number, self._count = self._count, self._count + 1
        corners = self._corners
        place = bisect_left(corners, (x, y))
        if place < len(corners) and corners[place][:2] == (x, y):
            corners[place] = (x, y, (*corners[place][2], number))
            return True
        # Beyond an end nothing is above the hull: x is 0 or 1 there, and the end point is the best on its side.
        if place in (0, len(corners)) or not _turns_right(corners[place - 1], (x, y), corners[place]):
            return False
        corners.insert(place, (x, y, (number,)))
        while place + 2 < len(corners) and not _turns_right(*corners[place : place + 3]):
            del corners[place + 1]
        while place >= 2 and not _turns_right(*corners[place - 2 : place + 1]):
            del corners[place - 1]
            place -= 1
        return True

    def result(self) -> HullResult:
        """Return the hull as it stands."""
        vertices = np.array([corner[:2] for corner in self._corners])
        steps = np.diff(vertices, axis=0)
        with np.errstate(divide="ignore"):
            sides = np.where(steps[:, 0] > 0, steps[:, 1] / np.where(steps[:, 0] > 0, steps[:, 0], 1.0), np.inf)
        bounds = np.concatenate([[np.inf], sides, [0.0]])
        members = [(number, i) for i, corner in enumerate(self._corners) for number in corner[2]]
        return HullResult(
            vertices=vertices,
            members=tuple(number for number, _ in members),
            slopes=tuple((float(bounds[i + 1]), float(bounds[i])) for _, i in members),
            corners=tuple(i for _, i in members),
        )


def _turns_right(a: Any, b: Any, c: Any) -> bool:
    """Say whether b lies above the side from a to c, by more than rounding of the two distances."""
    cross = (b[1] - a[1]) * (c[0] - a[0]) - (c[1] - a[1]) * (b[0] - a[0])
    return bool(cross > _ROUNDING * hypot(b[0] - a[0], b[1] - a[1]) * hypot(c[0] - a[0], c[1] - a[1]))


def points_of(points: Any, *, where: str = "convex hull") -> Array:
    """Take (n, 2) of rates, (fpr, tpr) each."""
    array = numbers(points, name="points", where=where)
    if array.ndim != 2 or array.shape[-1] != 2 or len(array) == 0:
        raise InputError(
            f"points has the shape {array.shape}.",
            f"{where}, argument points",
            "give one (fpr, tpr) per classifier.",
        )
    bad = (array < 0) | (array > 1)
    if bad.any():
        row = int(np.argwhere(bad)[0][0])
        raise InputError(
            f"point {row} is ({array[row, 0]:g}, {array[row, 1]:g}).",
            f"{where}, argument points",
            "rates lie between 0 and 1.",
        )
    return array
