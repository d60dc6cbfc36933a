"""How the folds of a store overlap, by the rows that each was trained and tested on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.frozen import frozen
from bestofk.design.plan.cell import CellResult
from bestofk.evidence.divisions import grow, mean_share
from bestofk.evidence.evidence import Divided
from bestofk.stores.store import Store


@frozen
class Overlap:
    """A word for folds that are neither k-fold nor random splits, and the share of test rows that corrects for overlap.

    The share f stands for the mean of n_test/n_train over the folds, which is f/(1 − f); None for k-fold, where the
    number of folds tells it.
    """

    way: Divided = ""
    test_fraction: float | None = None


def divided(
    cells: Iterable[CellResult], datasets: Sequence[str], shape: tuple[int, int], folds: str, *, sizes: int = 1
) -> Overlap:
    """Say how rows were divided into ``shape``, replications and folds, under the name ``folds`` of the plan.

    Where every fold is trained on ``sizes`` growing sets, the last of them, which are whole, say it.
    """
    if _tests_on_training(folds):
        return Overlap("trained-on")
    kept = [cell for cell in cells if cell.train_sizes is not None and cell.test_sizes is not None]
    train, test = (
        _sizes(kept, datasets, shape, part)[..., sizes - 1 :: sizes] for part in ("train_sizes", "test_sizes")
    )
    known = (train > 0) & (test > 0)
    if known[0].size < 2 or not known.any():
        return Overlap()
    share = mean_share(train[known], test[known])
    if known.shape[-1] == 1:
        return Overlap("", share)
    whole = known.all(axis=-1)  # replications of which every size is known
    if _as_in_kfold(train[whole], test[whole], slack=max([1, *(len(cell.classes) for cell in kept)])):
        return Overlap()
    return Overlap("growing" if grow(train[whole], test[whole]) else "uneven", share)


def notes_on(folds: str) -> list[str]:
    """What a reader of results under this name of folds should know."""
    low = "every bootstrap sample was tested on the full set, rows that were trained on included: errors are too low"
    return [low] if _tests_on_training(folds) else []


def lost_in_tables(store: Store, series: Sequence[str] | None = None) -> list[str]:
    """Names of folds that only the store itself can be judged by: a table tells replications and folds, not sizes."""
    names = dict.fromkeys(each.key.folds for each in store.finished(series))
    return [name for name in names if _tests_on_training(name) or name.startswith(("forward-", "TimeSeriesSplit("))]


def _tests_on_training(folds: str) -> bool:
    inner = re.sub(r"^learning-curve-(.+)-\d+$", r"\1", folds)
    return inner.startswith("bootstrap") and not inner.endswith("-oob")


def _sizes(cells: list[CellResult], datasets: Sequence[str], shape: tuple[int, int], part: str) -> Array:
    """Rows of every fold, (data sets, replications, folds): equal for all learners; 0 where none could be made."""
    sizes = np.zeros((len(datasets), *shape))
    for cell in cells:
        own = getattr(cell, part)
        place = sizes[datasets.index(cell.key.dataset), cell.key.start : cell.key.stop, : own.shape[1]]
        np.maximum(place, own, out=place)
    return sizes


def _as_in_kfold(train: Array, test: Array, *, slack: int) -> bool:
    """Every row is tested once per replication, in parts as equal as rounding, or stratifying, lets them be."""
    rows = train + test
    once: Flags = (rows == rows[..., :1]).all(axis=-1) & (test.sum(axis=-1) == rows[..., 0])
    return bool((once & (np.ptp(test, axis=-1) <= slack)).all())
