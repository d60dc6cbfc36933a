"""Rows of a node dealt to its branches; a row whose value is missing goes to all, in fractions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bestofk.c45.cases import Cases, Features, Ints
from bestofk.c45.margins import SMALL
from bestofk.core.arrays import Array


class Question(NamedTuple):
    """What a node asks; ``threshold`` is NaN for a nominal feature."""

    feature: int
    threshold: float
    branches: int


class Share(NamedTuple):
    """The rows that reach a node, and with what weight."""

    rows: npt.NDArray[np.intp]
    weights: Array


def branches_of(question: Question, features: Features, cases: Cases, rows: npt.NDArray[np.intp]) -> Ints:
    """The branch of each row, -1 where the value is missing."""
    slot = features.slot[question.feature]
    if features.levels[question.feature]:
        codes: Ints = cases.codes[slot, rows]
        return codes
    numbers = cases.numbers[slot, rows]
    above = (numbers - question.threshold >= SMALL).astype(np.int32)
    return np.where(np.isnan(numbers), np.int32(-1), above)


def dealt(question: Question, features: Features, cases: Cases, share: Share) -> list[Share]:
    """The share of each branch, by the proportions of the rows whose value is known."""
    branch = branches_of(question, features, cases, share.rows)
    fractions = _fractions(branch, share.weights, question.branches)
    missing = branch < 0
    dealings = []
    for number, fraction in enumerate(fractions):
        mine = branch == number
        takes = mine | missing if fraction > SMALL else mine
        weights = np.where(missing, fraction * share.weights, share.weights)
        dealings.append(Share(share.rows[takes], weights[takes]))
    return dealings


def _fractions(branch: Ints, weights: Array, branches: int) -> Array:
    known = branch >= 0
    bags = np.bincount(branch[known], weights[known], minlength=branches)
    total = bags.sum()
    return bags / total if total > SMALL else np.full(branches, 1.0 / branches)
