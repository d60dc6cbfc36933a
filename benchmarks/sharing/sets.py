"""The 30 data sets of the MultiTest paper's Table 1, in the shapes that it used, and folds of them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np

from bestofk.design.datasets.arrays import dataset_of_arrays
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.index import Index
from bestofk.design.datasets.table import Wishes
from bestofk.design.encoding import Encoder
from bestofk.design.folds.base import Fold
from bestofk.design.folds.resampling import RepeatedFolds
from bestofk.design.learners.learner import Encoding

TABLE_1 = (
    *("balance", "breast", "bupa", "car", "cmc", "credit", "cylinder", "dermatology", "ecoli", "flare", "glass"),
    *("haberman", "hepatitis", "horse", "iris", "ironosphere", "monks", "mushroom", "nursery", "optdigits"),
    *("pendigits", "pima", "segment", "spambase", "tictactoe", "vote", "wave", "wine", "yeast", "zoo"),
)


def folder() -> Path:
    """The folder of data: ``BESTOFK_DATA``, or ``shared/data`` beside the repository."""
    beside = Path(__file__).resolve().parents[2].parent / "shared" / "data"
    found = Path(os.environ.get("BESTOFK_DATA") or beside)
    if not (found / "index.json").exists():
        raise SystemExit(f"no data in {found}: set BESTOFK_DATA to the folder with index.json.")
    return found


def datasets(names: list[str]) -> list[Dataset]:
    index = Index.open(folder())
    return [index.dataset(name, "authors") for name in names or list(TABLE_1)]


def as_matrix(dataset: Dataset) -> Dataset:
    """The data set as the peer has it: numbers alone."""
    return replace(dataset_of_arrays(*encoded_beforehand(dataset), Wishes(name=dataset.name)), name=dataset.name)


def halves(dataset: Dataset, replications: int) -> list[Fold]:
    """Two folds for each replication."""
    ways = RepeatedFolds(replications, 2)
    return [fold for each in range(replications) for fold in ways.split(dataset, each, 1)]


def encoded_beforehand(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """The matrix that the peer is given: 1-of-n and filled in once for all rows, which spares it that work."""
    rows = np.arange(dataset.rows)
    return Encoder.fit(dataset, rows, Encoding()).transform(rows), dataset.y.astype(int)
