"""Pools of curves to calibrate on: made ones, those of C4.5 on the paper's data sets, and those of the user."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.rng import Seed, generator
from bestofk.evidence.curves import Curves
from bestofk.replications.curves.learning_curves import COLLECTED, c45_curves
from bestofk.replications.curves.tictactoe import td0_curves

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
    if evidence.missing():
        raise InputError(
            f"{len(evidence.missing())} points are missing, the first at {evidence.missing()[0]}.",
            evidence.origin.source,
            'complete the curves; or --align common (align="common") keeps the steps that all have.',
        )
    return {name: np.array(each) for name, each in zip(evidence.learners, evidence.values, strict=True)}
