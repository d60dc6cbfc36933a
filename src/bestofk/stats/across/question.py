"""What is concluded about every pair: the test, the family and the level."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, numbers
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.options import level_inside
from bestofk.stats.adjust import ADJUST
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.shapes import wrong_shape

Places = npt.NDArray[np.intp]

#: Tests of one value per data set that have ways of their own to be asked many times.
TESTS = ("paired-t", "wilcoxon", "sign", "permutation-t", "nemenyi")
#: Tests whose p values are adjusted for all pairs already.
ADJUSTED_ALREADY = ("nemenyi",)


def asks_datasets(test: str) -> bool:
    """Whether a test takes one value per data set, so that it can be asked of other data sets."""
    return test in TESTS or (test in PAIRWISE and method_of(PAIRWISE[test]).design == "values")


@frozen(eq=False)
class Question:
    """Pairs (first[i], second[i]) of learners, tested two-sided by ``test`` and adjusted together.

    ``beside`` is asked too, of a second table of the same learners and data sets that stands under the first.
    ``whole`` says that it is asked of all data sets, to be answered to the last digit as a comparison is.
    """

    test: str
    first: Places
    second: Places
    adjust: str = "bonferroni"
    alpha: float = 0.05
    seed: int = 0
    beside: Question | None = None
    whole: bool = False

    def __post_init__(self) -> None:
        if not asks_datasets(self.test):
            raise unknown(self.test, TESTS, what="test", where="across data sets, argument test")
        level_inside(self.alpha, name="alpha", where="across data sets")
        ADJUST[self.adjust]  # refuses an unknown name

    def adjusted(self, pvalue: Array) -> Array:
        """Adjust along the last axis, one family per row."""
        if self.test in ADJUSTED_ALREADY:
            return pvalue
        return np.asarray(ADJUST[self.adjust](pvalue))

    @property
    def on_its_own(self) -> float | None:
        """The level of one pair where no other pair has a say in it; None where the family is adjusted step by step."""
        if self.test in ADJUSTED_ALREADY or self.adjust == "none" or len(self.first) == 1:
            return self.alpha
        return self.alpha / len(self.first) if self.adjust == "bonferroni" else None


def all_pairs(
    learners: int, test: str = "wilcoxon", adjust: str = "bonferroni", alpha: float = 0.05, seed: int = 0
) -> Question:
    """Ask about all pairs of K learners.

    Examples
    --------
    >>> len(all_pairs(5).first)
    10
    """
    first, second = np.triu_indices(learners, 1)
    return Question(test, first, second, adjust, alpha, seed)


def table_of(losses: Any, *, at_least: int = 3) -> Array:
    """Take a complete table of losses (K, D)."""
    table = numbers(losses, name="losses", where="across data sets")
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < at_least:
        raise wrong_shape(
            table,
            "losses",
            "across data sets",
            f"give (learners, data sets) with at least 2 learners and {at_least} data sets.",
        )
    return table
