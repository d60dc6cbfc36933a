"""What compiled code learns a tree from: some rows of a coded table."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.cases import Cases, Features, Ints, Training
from bestofk.c45.compiled.coding import Coded, coded
from bestofk.core.arrays import Array, Flags


class Pool(NamedTuple):
    """Rows whose values may be thresholds: those in ``rows``, which are ``present``; ``order`` has all by value."""

    numbers: Array
    order: Ints
    rows: Any
    present: Flags


class Sample(NamedTuple):
    """``rows`` are learnt from, with their ``weights``; all else has a place for each row of the table.

    ``classes`` is the number of classes among the rows, ``averaged`` which features enter the average gain.
    """

    features: Features
    cases: Cases
    y: Ints
    coded: Coded
    rows: Any
    weights: Array
    classes: int
    averaged: Flags
    pool: Pool


def sample_of(training: Training) -> Sample:
    """All rows of a training set."""
    table = coded(training.features, training.cases, training.y, training.classes)
    order = table.order
    if training.all_numbers is not training.cases.numbers:  # rows are held out
        order = np.argsort(training.all_numbers, axis=1).astype(np.int32)
    everybody = np.arange(training.all_numbers.shape[1])
    pool = Pool(training.all_numbers, order, everybody, np.ones(len(everybody), np.bool_))
    rows = everybody[: len(training.y)]
    return Sample(
        training.features,
        training.cases,
        training.y,
        table,
        rows,
        training.weights,
        training.classes,
        training.averaged,
        pool,
    )


def kept_in_order(table: Coded, features: Features) -> Any:
    """The rows by value, for the features with many values."""
    return table.order[features.slot[table.line >= 0]].astype(np.uint32)
