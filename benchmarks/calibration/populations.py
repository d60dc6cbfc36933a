"""Where data sets come from: a model population, or a large stored data set that stands for one.

Nulls that are true by construction, since the contenders are exchangeable, and every run draws a fresh data set:

own columns  every contender is the same algorithm on columns of its own, all columns being alike
own rows     every contender is the same algorithm, training on its own random share of the training rows; this
             holds for any data set
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

#: Data sets kept beside the repository; the calibration does without them when they are not there.
SHARED_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

COLUMNS = 20
SHIFT = 2 / COLUMNS**0.5  # Breiman's twonorm: the two class means are ±shift in every column


class Sample(NamedTuple):
    """A batch of data sets: what each contender sees of it."""

    features: np.ndarray  # (runs, learners, rows, columns)
    truth: np.ndarray  # (runs, rows), booleans
    trains: np.ndarray  # (runs, learners, rows), booleans: rows that the learner may train on


@dataclass(frozen=True)
class Population:
    """``draw(rng, runs, rows, learners, effect)``; with an effect the last learner's columns tell less."""

    name: str
    null: str  # what makes the contenders equal: own columns, or own rows
    draw: Callable[[np.random.Generator, int, int, int, float], Sample]
    has_effects: bool = False


def _draw_model(rng: np.random.Generator, runs: int, rows: int, learners: int, effect: float) -> Sample:
    truth = rng.random((runs, rows)) < 0.5
    shift = SHIFT * (1.0 - effect * (np.arange(learners) == learners - 1))
    features = rng.normal(size=(runs, learners, rows, COLUMNS // learners))
    features += shift[:, None, None] * np.where(truth, 1.0, -1.0)[:, None, :, None]
    return Sample(features, truth, np.ones((runs, learners, rows), dtype=bool))


def _draw_twonorm(rng: np.random.Generator, runs: int, rows: int, learners: int, effect: float) -> Sample:
    """Columns are dealt anew in every run, so that no contender has the better ones."""
    values, classes = _stored("twonorm", "1")
    chosen = _rows(rng, runs, rows, len(classes))
    columns = rng.permuted(np.tile(np.arange(COLUMNS), (runs, 1)), axis=1).reshape(runs, learners, 1, -1)
    features = values[chosen[:, None, :, None], columns]
    return Sample(features, classes[chosen], np.ones((runs, learners, rows), dtype=bool))


def _draw_magic(rng: np.random.Generator, runs: int, rows: int, learners: int, effect: float) -> Sample:
    """Rows are dealt anew in every run: the contenders' training sets are disjoint, the tested rows the same."""
    values, classes = _stored("magic", "g")
    chosen = _rows(rng, runs, rows, len(classes))
    owner = rng.permuted(np.tile(np.arange(rows) % learners, (runs, 1)), axis=1)
    features = np.broadcast_to(values[chosen][:, None], (runs, learners, rows, values.shape[1]))
    return Sample(features, classes[chosen], owner[:, None, :] == np.arange(learners)[:, None])


def _rows(rng: np.random.Generator, runs: int, rows: int, stored: int) -> np.ndarray:
    return np.stack([rng.choice(stored, size=rows, replace=False) for _ in range(runs)])


@lru_cache(maxsize=4)
def _stored(name: str, positive: str) -> tuple[np.ndarray, np.ndarray]:
    """Columns of a stored data set on one scale, and which rows are of the positive class."""
    with gzip.open(SHARED_DATA / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        table = list(csv.reader(file))[1:]
    values = np.array([row[:-1] for row in table], dtype=float)
    return (values - values.mean(axis=0)) / values.std(axis=0), np.array([row[-1] == positive for row in table])


MODEL = Population("two normal classes (model)", "own columns", _draw_model, has_effects=True)
STORED = {
    "twonorm": Population("twonorm (stored data set, 7,400 rows)", "own columns", _draw_twonorm),
    "magic": Population("magic (stored data set, 19,020 rows)", "own rows", _draw_magic),
}


def available() -> tuple[Population, ...]:
    """The model population, and the stored ones whose files are there."""
    found = (population for name, population in STORED.items() if (SHARED_DATA / f"{name}.csv.gz").exists())
    return (MODEL, *found)
