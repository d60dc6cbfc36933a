"""Data sets that a tree of decision tables gives: every combination of traits, and its mark."""

from __future__ import annotations

import numpy as np

from bestofk.design.datasets.by_rule import dataset_by_rule, every_combination, nominal_columns
from bestofk.design.datasets.dataset import Dataset

CAR_LEVELS = {
    "buying": ("vhigh", "high", "med", "low"),
    "maint": ("vhigh", "high", "med", "low"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
}
CAR_CLASSES = ("unacc", "acc", "good", "vgood")
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
    """Car evaluation: 1,728 cars of six traits, judged by a tree of decision tables (M. Bohanec).

    Return all combinations of the traits, in the order of the source, and the judgement.
    """
    traits = every_combination(*(len(levels) for levels in CAR_LEVELS.values()))
    buying, maintenance, doors, persons, luggage, safety = traits
    technical = TECHNICAL[COMFORT[doors, persons, luggage], safety]
    features = nominal_columns(CAR_LEVELS, traits)
    return dataset_by_rule("car", features, CAR[PRICE[buying, maintenance], technical], CAR_CLASSES)


NURSERY_LEVELS = {
    "parents": ("usual", "pretentious", "great_pret"),
    "has_nurs": ("proper", "less_proper", "improper", "critical", "very_crit"),
    "form": ("complete", "completed", "incomplete", "foster"),
    "children": ("1", "2", "3", "more"),
    "housing": ("convenient", "less_conv", "critical"),
    "finance": ("convenient", "inconv"),
    "social": ("nonprob", "slightly_prob", "problematic"),
    "health": ("recommended", "priority", "not_recom"),
}
NURSERY_CLASSES = ("recommend", "very_recom", "priority", "spec_prior", "not_recom")
#: Each table gives a mark, more pressing upwards, for the marks or levels that its axes name.
EMPLOYMENT = np.array([[0, 1, 1, 2, 3], [1, 1, 2, 3, 3], [2, 2, 3, 3, 3]])  # parents, nursing
STRUCTURE = np.array([[0, 1, 2, 2], [1, 1, 2, 2], [1, 2, 2, 2], [2, 2, 2, 2]])  # form, children
STANDING = np.array(  # structure, housing, finance
    [[[0, 1], [1, 1], [1, 1]], [[1, 1], [1, 1], [2, 2]], [[1, 2], [2, 2], [2, 2]]]
)
HEALTH = np.array([[0, 1, 2], [0, 1, 2], [1, 1, 2]])  # social, health
RANK = np.array(  # health, employment, standing
    [
        [[0, 1, 2], [1, 1, 2], [2, 2, 2], [2, 2, 3]],
        [[2, 2, 2], [2, 2, 2], [2, 2, 3], [2, 3, 3]],
        [[4, 4, 4], [4, 4, 4], [4, 4, 4], [4, 4, 4]],
    ]
)


def nursery() -> Dataset:
    """Nursery: 12,960 applications to a nursery school, ranked by a tree of decision tables (V. Rajkovič and others).

    Return all combinations of the answers, in the order of the source, and the rank.
    """
    answers = every_combination(*(len(levels) for levels in NURSERY_LEVELS.values()))
    parents, nursing, form, children, housing, finance, social, health = answers
    standing = STANDING[STRUCTURE[form, children], housing, finance]
    rank = RANK[HEALTH[social, health], EMPLOYMENT[parents, nursing], standing]
    features = nominal_columns(NURSERY_LEVELS, answers)
    return dataset_by_rule("nursery", features, rank, NURSERY_CLASSES)
