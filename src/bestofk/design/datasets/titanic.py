"""Titanic: the 2,201 people on board by class, age and sex, and who survived, from the counts of the inquiry."""

from __future__ import annotations

import numpy as np

from bestofk.design.datasets.by_rule import dataset_by_rule, nominal
from bestofk.design.datasets.dataset import Dataset

COLUMNS = {"cls": ("0", "1", "2", "3"), "age": ("0", "1"), "sex": ("0", "1")}
#: Class (0 crew), age (1 adult), sex (1 male), survived, died.
COUNTS = (
    (1, 1, 1, 57, 118),
    (1, 1, 0, 140, 4),
    (1, 0, 1, 5, 0),
    (1, 0, 0, 1, 0),
    (2, 1, 1, 14, 154),
    (2, 1, 0, 80, 13),
    (2, 0, 1, 11, 0),
    (2, 0, 0, 13, 0),
    (3, 1, 1, 75, 387),
    (3, 1, 0, 76, 89),
    (3, 0, 1, 13, 35),
    (3, 0, 0, 14, 17),
    (0, 1, 1, 192, 670),
    (0, 1, 0, 20, 3),
)


def titanic() -> Dataset:
    """Return one row per person, group by group, the survivors of a group first; class 1 has survived."""
    counts = np.array(COUNTS)
    people = np.repeat(counts[:, :3], counts[:, 3:].sum(axis=1), axis=0).T
    survived = np.repeat(np.tile([1, 0], len(counts)), counts[:, 3:].ravel())
    features = (nominal(name, codes, levels) for (name, levels), codes in zip(COLUMNS.items(), people, strict=True))
    return dataset_by_rule("titanic", features, survived, ("0", "1"))
