"""Car evaluation: 1,728 cars of six traits, judged by a tree of decision tables (M. Bohanec)."""

from __future__ import annotations

import numpy as np

from bestofk.design.datasets.by_rule import dataset_by_rule, every_combination, nominal
from bestofk.design.datasets.dataset import Dataset

LEVELS = {
    "buying": ("vhigh", "high", "med", "low"),
    "maint": ("vhigh", "high", "med", "low"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
}
CLASSES = ("unacc", "acc", "good", "vgood")
#: Each table gives a mark, better upwards, for the marks or levels that its axes name.
PRICE = np.array([[0, 0, 1, 1], [0, 1, 1, 1], [1, 1, 2, 3], [1, 2, 3, 3]])  # buying, maintenance
COMFORT = np.array(  # doors, persons, luggage
    [
        [[0, 0, 0], [1, 1, 2], [0, 1, 2]],
        [[0, 0, 0], [1, 1, 2], [1, 2, 2]],
        [[0, 0, 0], [1, 2, 2], [1, 2, 2]],
        [[0, 0, 0], [1, 2, 2], [1, 2, 2]],
    ]
)
TECHNICAL = np.array([[0, 0, 0], [0, 1, 2], [0, 2, 3]])  # comfort, safety
CAR = np.array([[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 1, 3], [0, 1, 2, 3]])  # price, technical


def car() -> Dataset:
    """Return all combinations of the traits, in the order of the source, and the judgement."""
    traits = every_combination(*(len(levels) for levels in LEVELS.values()))
    buying, maintenance, doors, persons, luggage, safety = traits
    technical = TECHNICAL[COMFORT[doors, persons, luggage], safety]
    features = (nominal(name, codes, levels) for (name, levels), codes in zip(LEVELS.items(), traits, strict=True))
    return dataset_by_rule("car", features, CAR[PRICE[buying, maintenance], technical], CLASSES)
