"""Convex hull of classifiers in ROC space: who is best for which costs and class ratio."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from math import hypot
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import number_inside
from bestofk.core.record import Record
from bestofk.stats.shapes import wrong_shape

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
        slopes = _slopes(vertices)
        members = [(number, i) for i, corner in enumerate(self._corners) for number in corner[2]]
        return HullResult(
            vertices=vertices,
            members=tuple(number for number, _ in members),
            slopes=tuple(slopes[i] for _, i in members),
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
        raise wrong_shape(array, "points", where, "give one (fpr, tpr) per classifier.")
    bad = (array < 0) | (array > 1)
    if bad.any():
        row = int(np.argwhere(bad)[0][0])
        raise InputError(
            f"point {row} is ({array[row, 0]:g}, {array[row, 1]:g}).",
            f"{where}, argument points",
            "rates lie between 0 and 1.",
        )
    return array


NEVER, ALWAYS = "never positive", "always positive"


class CostRange(Record):
    """One corner of the hull: ``learners`` stand there and are best for slopes from ``low`` to ``high``.

    The two trivial classifiers, "never positive" and "always positive", are corners too.
    """

    learners: tuple[str, ...]
    fpr: float
    tpr: float
    low: float
    high: float


class CostRanges(Record):
    """Corners from (0, 0) to (1, 1), so from large slopes to small; ``optimal`` are the learners on any of them."""

    ranges: tuple[CostRange, ...]
    optimal: tuple[str, ...]
    learners: tuple[str, ...]

    def best_for(self, slope: float) -> tuple[str, ...]:
        """Learners (or trivial classifiers) of least expected cost at a slope; several at an exact tie."""
        value = number_inside(slope, name="slope", where="cost ranges, best_for", low=0.0, high=np.inf)
        found = [name for each in self.ranges if each.low <= value <= each.high for name in each.learners]
        return tuple(dict.fromkeys(found))

    def of(self, learner: str) -> tuple[tuple[float, float], ...]:
        """Slopes (low, high) for which a learner is best, neighbouring ranges joined, largest slopes first."""
        joined: list[tuple[float, float]] = []
        for each in (corner for corner in self.ranges if learner in corner.learners):
            if joined and joined[-1][0] == each.high:
                joined[-1] = (each.low, joined[-1][1])
            else:
                joined.append((each.low, each.high))
        return tuple(joined)


class LearnersHull:
    """A hull of whole learners: one more learner asks only about its own points.

    Examples
    --------
    >>> hull = LearnersHull()
    >>> hull.add("lda", [[.1, .6], [.3, .8]]), hull.add("knn", [[.2, .65]])
    (True, False)
    >>> hull.ranges().optimal
    ('lda',)
    """

    def __init__(self) -> None:
        self._hull = ConvexHull()
        self._owners: list[str] = []
        self._learners: list[str] = []

    def add(self, learner: str, points: Any) -> bool:
        """Add a learner's points (fpr, tpr); say whether it is best for some costs among all so far."""
        if learner in self._learners or learner in (NEVER, ALWAYS):
            raise InputError(f"learner {learner!r} is there already.", "hull of learners", "give every learner once.")
        array = numbers(points, name="points", where=f"hull of learners, {learner}")
        array = points_of(np.atleast_2d(array), where=f"hull of learners, {learner}")
        everybodys = (array == 0.0).all(axis=-1) | (array == 1.0).all(axis=-1)
        for point in array[~everybodys]:
            self._hull.add(*point)
            self._owners.append(learner)
        self._learners.append(learner)
        return learner in self.ranges().optimal

    def ranges(self) -> CostRanges:
        """Return the corners as they stand, and for which slopes each is best."""
        found = self._hull.result()
        corners = []
        for place, ((x, y), (low, high)) in enumerate(zip(found.vertices, _slopes(found.vertices), strict=True)):
            here = [self._owners[i] for i, corner in zip(found.members, found.corners, strict=True) if corner == place]
            here += [NEVER] if place == 0 and y == 0 else [ALWAYS] if place == len(found.vertices) - 1 else []
            corners.append(CostRange(tuple(dict.fromkeys(here)), float(x), float(y), low, high))
        on = {name for corner in corners for name in corner.learners}
        optimal = tuple(name for name in self._learners if name in on)
        return CostRanges(tuple(corners), optimal, tuple(self._learners))


def cost_ranges(points: Mapping[str, Any]) -> CostRanges:
    """Say which learners are best for some costs and class ratio, and for which.

    Expected cost is least where tpr − slope·fpr is greatest, with slope = (cost of a false alarm × share of negatives)/
    (cost of a miss × share of positives): see ``cost_slope``.

    Parameters
    ----------
    points : dict of learner → array_like (n, 2)
        One (fpr, tpr), or all those of a curve, per learner. The ends (0, 0) and (1, 1) are nobody's own: they stand
        for the trivial classifiers "never positive" and "always positive".

    References
    ----------
    Provost and Fawcett 2001, *Robust classification for imprecise environments*.

    Examples
    --------
    >>> found = cost_ranges({"lda": [.1, .6], "knn": [.3, .7], "svm": [.4, .9]})
    >>> found.optimal, found.best_for(2.0)
    (('lda', 'svm'), ('lda',))
    """
    if not isinstance(points, Mapping) or not points:
        raise InputError("points names no learner.", "cost ranges, argument points", "give a dict of learner → points.")
    hull = LearnersHull()
    for learner, given in points.items():
        hull.add(learner, given)
    return hull.ranges()


def cost_slope(*, positives: float, cost_of_miss: float = 1.0, cost_of_alarm: float = 1.0) -> float:
    """Return the slope of equal cost for a share of positives and the costs of the two errors.

    Examples
    --------
    >>> cost_slope(positives=0.25, cost_of_miss=3.0)
    1.0
    """
    where = "cost_slope"
    share = number_inside(positives, name="positives", where=where, low=0.0, high=1.0)
    miss, alarm = (
        number_inside(value, name=name, where=where, low=0.0, high=np.inf)
        for value, name in ((cost_of_miss, "cost_of_miss"), (cost_of_alarm, "cost_of_alarm"))
    )
    return alarm * (1.0 - share) / (miss * share)


def _slopes(vertices: Array) -> list[tuple[float, float]]:
    """For each corner, the slopes of the side after it and of the side before it."""
    steps = np.diff(vertices, axis=0)
    level = steps[:, 0] > 0
    sides = np.where(level, steps[:, 1] / np.where(level, steps[:, 0], 1.0), np.inf)
    bounds = np.concatenate([[np.inf], sides, [0.0]])
    return [(float(low), float(high)) for low, high in zip(bounds[1:], bounds[:-1], strict=True)]
