"""Data sets drawn from a known distribution: ours, not the sample that was published once."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import count_of
from bestofk.design.datasets.by_rule import Codes
from bestofk.design.datasets.dataset import Dataset, Feature

#: The seed of the registered samples; any other gives another sample of the same distribution.
SEED = 1


def source_of_numbers(name: str, n: Any, seed: Any) -> np.random.RandomState:
    """Return the generator of a sample: the one whose stream numpy promises to keep, as fingerprints need."""
    count_of(n, name="n", where=f"data set {name}", at_least=2)
    return np.random.RandomState(count_of(seed, name="seed", where=f"data set {name}", at_least=0))


def drawn_dataset(name: str, numbers: Array, classes: Codes, *, count: int, decimals: int, seed: int) -> Dataset:
    """Return the sample, rounded as the published one; columns f1, f2, …, classes 0, 1, …"""
    rounded = np.round(numbers, decimals) + 0.0  # no minus before 0
    features = tuple(Feature(f"f{place}", rounded[:, place - 1].copy()) for place in range(1, rounded.shape[1] + 1))
    names = tuple(str(code) for code in range(count))
    source = f"drawn by bestofk, n = {len(classes)}, seed = {seed}"
    return Dataset(name, features, classes.astype(np.float64), names, source=source)
