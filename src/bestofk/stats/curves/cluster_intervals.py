"""Clusters of neighbouring steps, and the intervals of training that they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.record import Record

Labels = npt.NDArray[np.int64]


class ClusterInterval(Record):
    """Neighbouring steps that differ in one direction; ``start`` and ``stop`` are steps and both belong to it."""

    start: float
    stop: float
    first_loses_more: bool
    mass: float
    pvalue: float

    def __repr__(self) -> str:
        where = f"step {self.start:g}" if self.start == self.stop else f"steps {self.start:g} to {self.stop:g}"
        who = "first" if self.first_loses_more else "second"
        return f"{where}: the {who} loses more, mass {self.mass:.3g}, p = {self.pvalue:.4g}"


def found_clusters(t: Array, threshold: float, sides: int) -> tuple[Labels, Array]:
    """Return the number of every step's cluster (0 for none) and, for every step, its cluster's mass.

    Examples
    --------
    >>> found_clusters(np.array([3.0, 0.0, 2.5, 2.5]), 2.0, 2)
    (array([1, 0, 2, 2]), array([3., 0., 5., 5.]))
    """
    sign = np.where(t >= threshold, 1, 0)
    if sides == 2:
        sign = np.where(t <= -threshold, -1, sign)
    begins = sign != 0
    begins[..., 1:] &= sign[..., 1:] != sign[..., :-1]
    label = np.where(sign != 0, np.cumsum(begins, axis=-1), 0)
    mass = np.zeros(t.shape)
    for number in range(1, int(label.max(initial=0)) + 1):
        inside = label == number
        mass += np.where(inside, np.where(inside, np.abs(t), 0.0).sum(axis=-1, keepdims=True), 0.0)
    return label, mass


def nested(label: Labels, mass: Array, pvalue: Array, signed: Array, steps: Array) -> tuple[Any, ...]:
    """The intervals, most massive first; for a batch one tuple per test, nested as the batch is."""
    if label.ndim > 1:
        rows = zip(label, mass, pvalue, signed, strict=True)
        return tuple(nested(*row, steps) for row in rows)
    found = []
    for number in range(1, int(label.max(initial=0)) + 1):
        inside = np.flatnonzero(label == number)
        at = int(inside[0])
        found.append(
            ClusterInterval(
                start=float(steps[at]),
                stop=float(steps[inside[-1]]),
                first_loses_more=bool(signed[at] > 0),
                mass=float(mass[at]),
                pvalue=float(pvalue[at]),
            )
        )
    return tuple(sorted(found, key=lambda each: -each.mass))
