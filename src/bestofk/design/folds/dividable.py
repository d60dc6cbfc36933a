"""Can data sets be divided at all? One replication of each is made, and nothing is trained."""

from __future__ import annotations

from collections.abc import Iterable

from bestofk.core.errors import BestOfKError
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Folds


def refuse_undividable(folds: Folds, datasets: Iterable[Dataset], seed: int) -> None:
    """Refuse folds that a data set does not allow; a fault in someone's own folds is left to the failed rows."""
    for dataset in datasets:
        try:
            folds.split(dataset, 0, seed)
        except BestOfKError:
            raise
        except Exception:
            continue
