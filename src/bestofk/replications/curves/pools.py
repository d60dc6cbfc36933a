"""Pools of curves to calibrate on: made ones, those of C4.5 on the paper's data sets, and those of the user.

C4.5 learns by 20-fold cross-validation, with twenty training sizes a fold.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.rng import Seed, generator
from bestofk.evidence.curves import Curves
from bestofk.replications.curves.tictactoe import td0_curves

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
    if evidence.missing():
        raise InputError(
            f"{len(evidence.missing())} points are missing, the first at {evidence.missing()[0]}.",
            evidence.origin.source,
            'complete the curves; or --align common (align="common") keeps the steps that all have.',
        )
    return {name: np.array(each) for name, each in zip(evidence.learners, evidence.values, strict=True)}
