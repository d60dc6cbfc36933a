"""The same experiment with the learners of today: Quinlan's C4.5, regularised logistic regression, and so on."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.evidence import Scores

#: Registered learners in the places of the paper's five.
LEARNERS_TODAY = ("max", "nmc", "lgc", "c45", "nn")
#: Runs on each data set at most: the question is what would change, not by how many hundredths.
RUNS_TODAY = 3


def errors_today(
    sets: Mapping[str, Dataset], runs: int, seed: int, *, into: str | Path | None, workers: int
) -> dict[str, Array]:
    """Errors (learners, runs, 5, 2) on stratified halves; they are kept in a store beside ``into``."""
    from bestofk.collecting.collect import collect_plan
    from bestofk.design.plan.plan import Plan
    from bestofk.stores.evidence import evidence_from_store
    from bestofk.stores.opening import open_store

    runs = min(runs, RUNS_TODAY)
    named = [replace(dataset, name=name) for name, dataset in sets.items()]
    plan = Plan(list(LEARNERS_TODAY), named, folds=f"{5 * runs}x2-stratified", seed=seed)
    with closing(open_store("memory:" if into is None else store_beside(into))) as store:
        engine = "serial" if workers == 1 else "local"
        report = collect_plan(plan, store, engine=engine, workers=None if workers == 1 else workers, progress=False)
        if report.failed_in_store:
            raise InputError(
                f"{report.failed_in_store} folds of today's learners failed: {'; '.join(report.lines())}.",
                "replicate multitest, today's learners",
                "run it again; what is done is kept with --into FILE.",
            )
        scores = evidence_from_store(store, plan=plan.fingerprint, measure="error", larger_is_better=None)
    assert isinstance(scores, Scores)  # folds were collected
    losses = scores.losses()
    places = [scores.learners.index(name) for name in LEARNERS_TODAY]
    return {name: _by_run(losses[places, scores.datasets.index(name)], runs) for name in sets}


def store_beside(into: str | Path) -> Path:
    """Where today's results are kept: parts.db has parts-today.db beside it.

    Examples
    --------
    >>> store_beside("runs/parts.db").as_posix()
    'runs/parts-today.db'
    """
    path = Path(into)
    return path.with_name(f"{path.stem}-today{path.suffix}")


def _by_run(losses: Array, runs: int) -> Array:
    return np.asarray(losses).reshape(len(LEARNERS_TODAY), runs, 5, 2)
