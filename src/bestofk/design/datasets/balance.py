"""Balance scale: 625 settings of two weights and their distances, and the side to which the beam tips."""

from __future__ import annotations

import numpy as np

from bestofk.design.datasets.by_rule import dataset_by_rule, every_combination
from bestofk.design.datasets.dataset import Dataset, Feature

COLUMNS = ("left_weight", "left_distance", "right_weight", "right_distance")


def balance() -> Dataset:
    """Return all settings from 1 to 5; the greater torque, weight × distance, wins: B(alanced), L(eft) or R(ight)."""
    settings = every_combination(5, 5, 5, 5) + 1
    left_weight, left_distance, right_weight, right_distance = settings
    side = np.sign(right_weight * right_distance - left_weight * left_distance)
    features = (Feature(name, values.astype(np.float64)) for name, values in zip(COLUMNS, settings, strict=True))
    return dataset_by_rule("balance", features, side + 1, ("L", "B", "R"))
