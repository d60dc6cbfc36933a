"""Nursery: 12,960 applications to a nursery school, ranked by a tree of decision tables (V. Rajkovič and others)."""

from __future__ import annotations

import numpy as np

from bestofk.design.datasets.by_rule import dataset_by_rule, every_combination, nominal
from bestofk.design.datasets.dataset import Dataset

LEVELS = {
    "parents": ("usual", "pretentious", "great_pret"),
    "has_nurs": ("proper", "less_proper", "improper", "critical", "very_crit"),
    "form": ("complete", "completed", "incomplete", "foster"),
    "children": ("1", "2", "3", "more"),
    "housing": ("convenient", "less_conv", "critical"),
    "finance": ("convenient", "inconv"),
    "social": ("nonprob", "slightly_prob", "problematic"),
    "health": ("recommended", "priority", "not_recom"),
}
CLASSES = ("recommend", "very_recom", "priority", "spec_prior", "not_recom")
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
    """Return all combinations of the answers, in the order of the source, and the rank."""
    answers = every_combination(*(len(levels) for levels in LEVELS.values()))
    parents, nursing, form, children, housing, finance, social, health = answers
    standing = STANDING[STRUCTURE[form, children], housing, finance]
    rank = RANK[HEALTH[social, health], EMPLOYMENT[parents, nursing], standing]
    features = (nominal(name, codes, levels) for (name, levels), codes in zip(LEVELS.items(), answers, strict=True))
    return dataset_by_rule("nursery", features, rank, CLASSES)
