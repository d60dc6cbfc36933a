"""A cell's key as the columns of a row, the same in every database, and the names of its arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bestofk.design.plan.cell import CellKey

#: Columns of a key as ``key_of_row`` wants them first in a row.
KEY_COLUMNS = "dataset, dataset_fingerprint, learner, learner_fingerprint, folds, seed, start, stop, measures"
#: Arrays of a cell whose first axis is the replications; scores come beside them.
BY_REPLICATION = ("confusion", "fit_seconds", "predict_seconds", "size", "fingerprints", "test_sizes", "train_sizes")
#: What is kept per fold (replication, fold) where the plan asks for it.
BY_FOLD = ("predictions", "probabilities", "truths")


def series_row(key: CellKey) -> tuple[str, ...]:
    """What is the same for all cells of a series; a seed may be longer than an integer of a database."""
    return (
        *(key.dataset, key.dataset_fingerprint, key.learner, key.learner_fingerprint, key.folds),
        *(str(key.seed), key.measures),
    )


def key_of_row(row: Sequence[Any]) -> CellKey:
    """Return the key at the start of a row."""
    dataset, dataset_mark, learner, learner_mark, folds, seed, start, stop, measures = row[:9]
    return CellKey(dataset, dataset_mark, learner, learner_mark, folds, int(seed), start, stop, measures)
