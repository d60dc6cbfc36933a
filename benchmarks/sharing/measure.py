"""CPU seconds per fold of one learner on one data set: shared, and by ``cross_validate``."""

from __future__ import annotations

import gc
import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.sharing.sets import encoded_beforehand, halves
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold
from bestofk.design.learners.learner import Learner
from bestofk.sharing import way_for
from bestofk.testing.design import example_datasets, example_folds

#: Folds of the paper's table for one learner and data set; both sides are measured on fewer and are linear in them.
FOLDS = 10_000
#: Seconds that our side and the peer's are measured for, and folds at most.
OURS, PEER, MOST = 0.2, 0.3, 1_280
#: Folds that tell how many to measure, and those that are measured at least. Words of 64 folds cost the same half full:
#: whole words are measured, for the 10,000 folds of the table are given in one call.
PILOT, FEWEST, WORD = 16, 128, 64


@dataclass(frozen=True)
class Timing:
    """One learner on one data set; ``setup`` is what our side does once, ``alone`` the folds it ran the plain way."""

    learner: str
    dataset: str
    rows: int
    shared: str
    setup: float
    ours: float
    peer: float
    alone: float
    ties: float

    @property
    def table(self) -> tuple[float, float]:
        """CPU seconds of all folds of the paper's table, ours and the peer's."""
        return self.setup + FOLDS * self.ours, FOLDS * self.peer


def timing(learner: Learner, peer: Any, dataset: Dataset, sharings: Any = None) -> Timing | None:
    """Measure both sides; None where the peer fails on every fold (too few rows of a class)."""
    way = way_for(learner, dataset, sharings)
    if way is None:
        return None
    folds = halves(dataset, MOST // 2)
    _spent(way_for(learner, dataset, sharings), folds[:FEWEST])  # loops that only some data need are loaded too
    start = time.process_time()
    good = _good(way, folds[:4])
    first = time.process_time() - start
    if not good:
        return None
    folds = [fold for fold in folds if not _lacks_rows(dataset, fold, folds[0])] or folds
    ours, done, failed = _ours(way, folds)
    return Timing(
        learner.name,
        dataset.name,
        dataset.rows,
        way.name,
        max(0.0, first - 4 * ours),
        ours,
        _peer(peer, dataset, folds),
        (way.plain_folds + failed) / max(1, done + 4),
        way.ties / max(1, done + 4),
    )


def warmed(learner: Learner, sharings: Any) -> float:
    """CPU seconds until the loops are loaded and ready: long only where they are compiled anew."""
    start = time.process_time()
    for dataset in example_datasets()[:3]:
        way = way_for(learner, dataset, sharings)
        if way is not None:
            _good(way, example_folds(dataset)[:3])
    return time.process_time() - start


def _good(way: Any, folds: list[Fold]) -> int:
    good = 0
    for fold in folds:
        try:
            way.predict([fold])
            good += 1
        except (ValueError, np.linalg.LinAlgError):
            continue
    return good


def _lacks_rows(dataset: Dataset, fold: Fold, example: Fold) -> bool:
    """Folds without some class are refused by some learners; both sides leave them out."""
    present = np.bincount(dataset.y[fold.train].astype(int), minlength=len(dataset.classes)) > 0
    return not bool(present.all())


def _ours(way: Any, folds: list[Fold]) -> tuple[float, int, int]:
    """Seconds per fold, folds run and folds refused: as many folds in one call as a few of them say fit the time."""
    few, _ = _spent(way, folds[:PILOT])
    count = int(min(max(FEWEST, OURS / max(few / PILOT, 1e-7)), len(folds)))
    count = count // WORD * WORD or count
    spent, failed = _spent(way, folds[:count])
    return spent / count, count + PILOT, failed


def _spent(way: Any, folds: list[Fold]) -> tuple[float, int]:
    """CPU seconds of one call, and the folds that it refused."""
    gc.collect()
    start = time.process_time()
    try:
        way.predict(folds)
    except (ValueError, np.linalg.LinAlgError):
        return time.process_time() - start, len(folds)
    return time.process_time() - start, 0


def _peer(estimator: Any, dataset: Dataset, folds: list[Fold]) -> float:
    from sklearn.model_selection import cross_validate

    X, y = encoded_beforehand(dataset)
    pairs = [(fold.train, fold.test) for fold in folds]
    spent, done, step = 0.0, 0, 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while spent < PEER and done < len(pairs):
            start = time.process_time()
            cross_validate(estimator, X, y, cv=pairs[done : done + step])
            spent += time.process_time() - start
            done += len(pairs[done : done + step])
            step = min(2 * step, 20)
    return spent / done
