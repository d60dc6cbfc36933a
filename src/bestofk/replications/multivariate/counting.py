"""Confusion counts of five learners on ten folds of a data set, kept in a file so that a stopped run goes on."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.collecting.making import Estimators
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.version import __version__
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding import encoded
from bestofk.design.folds.shelf import folds_of
from bestofk.design.learners.shelf import learner_of
from bestofk.replications.multivariate.published import LEARNERS

FOLDS = 10
#: Cells that would take longer than all others together: a learner and the size above which it is left out.
MOST_ROWS = {"svm": 10_000}
MOST_COLUMNS = {"qda": 1_000}

Counts = dict[str, Array]


def oriented(counts: Counts, positive: int) -> Counts:
    """Counts with the class of the given code as the positive one; they are kept with code 1 as positive."""
    return counts if positive == 1 else {learner: each[:, ::-1] for learner, each in counts.items()}


def too_large(learner: str, dataset: Dataset) -> bool:
    """Whether a cell is left out for its size."""
    rows, columns = len(dataset.y), len(dataset.features)
    return rows > MOST_ROWS.get(learner, rows) or columns > MOST_COLUMNS.get(learner, columns)


def counts_of(dataset: Dataset, learner: str, seed: int) -> Array:
    """Return tp, fn, fp, tn per fold, (10, 4), with class code 1 as the positive one."""
    contender = learner_of(learner)
    estimators = Estimators(contender, dataset)
    y = dataset.y.astype(np.int64)
    found = []
    for fold in folds_of(f"{FOLDS}-fold-stratified").split(dataset, 0, seed):
        train, test = encoded(dataset, contender.encoding, fold.train, fold.test)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # collinear columns of 1-of-n: the paper's learners had them too
            said = estimators.fresh(seed).fit(train, y[fold.train]).predict(test) == 1
        truth = y[fold.test] == 1
        found.append([(said & truth).sum(), (~said & truth).sum(), (said & ~truth).sum(), (~said & ~truth).sum()])
    return np.array(found, dtype=float)


class Kept:
    """Counts by data set, learner and seed of the folds, written after every cell where a file is given."""

    def __init__(self, path: str | Path | None) -> None:
        self.path = None if path is None else _writable(Path(path))
        self.cells: dict[str, Any] = self._read()

    def get(self, dataset: Dataset, learner: str, seed: int) -> Array | None:
        """Return the counts of a cell that was run on the same data."""
        found = self.cells.get(self._key(dataset, learner, seed))
        return None if found is None else np.array(found, dtype=float)

    def put(self, dataset: Dataset, learner: str, seed: int, counts: Array) -> None:
        """Keep a cell; the file is replaced as a whole."""
        self.cells[self._key(dataset, learner, seed)] = counts.astype(int).tolist()
        if self.path is not None:
            fresh = self.path.with_name(self.path.name + ".new")
            fresh.write_text(json.dumps({"cells": self.cells}), encoding="utf-8")
            fresh.replace(self.path)

    def _key(self, dataset: Dataset, learner: str, seed: int) -> str:
        data = hashlib.sha256(dataset.y.tobytes())
        for feature in dataset.features:
            data.update(np.ascontiguousarray(feature.values).tobytes())
        made = f"{learner_of(learner).fingerprint[:12]} {learner} seed {seed}"
        return f"{dataset.name} {data.hexdigest()[:12]} {made} bestofk {__version__} sklearn {version('scikit-learn')}"

    def _read(self) -> dict[str, Any]:
        if self.path is None or not self.path.exists():
            return {}
        try:
            return dict(json.loads(self.path.read_text(encoding="utf-8"))["cells"])
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"{self.path} is no file of this replication.", "replicate multivariate, --into", "name another file."
            ) from None


def _writable(path: Path) -> Path:
    """Refuse before the work what could not be written after it."""
    wrong = None
    if path.is_dir():
        wrong = f"{path} is a folder."
    elif not path.parent.is_dir():
        wrong = f"the folder {path.parent} is not there."
    elif not os.access(path.parent, os.W_OK):
        wrong = f"the folder {path.parent} cannot be written to."
    if wrong is not None:
        raise InputError(wrong, "replicate multivariate, --into", "name a file in a folder that is there: counts.json.")
    return path


def all_counts(
    dataset: Dataset,
    kept: Kept,
    seed: int,
    learners: Sequence[str] = LEARNERS,
    told: Callable[[str], None] = lambda learner: None,
) -> Counts:
    """Return counts (10, 4) by learner, running what is not kept; cells that are too large are absent."""
    found = {}
    for learner in learners:
        if too_large(learner, dataset):
            continue
        told(learner)
        counts = kept.get(dataset, learner, seed)
        if counts is None:
            counts = counts_of(dataset, learner, seed)
            kept.put(dataset, learner, seed, counts)
        found[learner] = counts
    return found
