"""Learning curves of C4.5 on the paper's two data sets: 20-fold cross-validation, twenty training sizes a fold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.evidence.curves import Curves

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
    from bestofk.collecting.collect import collect_plan
    from bestofk.stores.evidence import evidence_from_store
    from bestofk.stores.opening import open_store

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
