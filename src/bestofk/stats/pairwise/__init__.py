"""Two learners: is the first worse, better, or not shown to differ?

Losses go in, smaller is better; ``alternative="greater"`` asks whether *the first loses more*.

============================  ==================================================================
``paired_t``                  k folds of one data set, or one value per data set
``five_by_two_t``             5 replications of 2 folds, one- or two-sided (Dietterich)
``five_by_two_f``             5 replications of 2 folds, combined, two-sided (Alpaydın)
``corrected_t``               repeated folds or random splits, variance corrected (Nadeau, Bengio)
``calibrated_t``              repeated folds, calibrated degrees of freedom (Bouckaert)
``mcnemar``                   one test set, items that exactly one of the two gets wrong
``wilcoxon`` ``sign_test``    one value per data set, without normality
``permutation_t``             sign flips
============================  ==================================================================
"""

from typing import Any, Protocol

from bestofk.core.shelf import Shelf
from bestofk.stats.pairwise.calibrated_t import calibrated_t
from bestofk.stats.pairwise.corrected_t import corrected_t
from bestofk.stats.pairwise.five_by_two import five_by_two_f, five_by_two_t
from bestofk.stats.pairwise.mcnemar import (
    mcnemar,
    mcnemar_exact_losses,
    mcnemar_from,
    mcnemar_losses,
    mcnemar_mid_p_losses,
)
from bestofk.stats.pairwise.paired_t import paired_t
from bestofk.stats.pairwise.permutation_t import permutation_t
from bestofk.stats.pairwise.sign_test import sign_test
from bestofk.stats.pairwise.wilcoxon import wilcoxon
from bestofk.stats.results import Result


class PairwiseTest(Protocol):
    """A test of two learners; ``method_of`` says which design it needs, and some take more options.

    The result's ``estimate`` is the mean difference of all values, whatever the statistic. A test that has no interval
    of it returns a plain ``Result``, and the interval shown is that of ``paired_t``. Equal learners have p = 1.
    ``bestofk.testing.check_pairwise`` asks for all of it.
    """

    def __call__(self, first: Any, second: Any, *, alternative: str = ...) -> Result:
        """Ask whether the first loses more, less, or not as much as the second."""
        ...


PAIRWISE: Shelf[PairwiseTest] = Shelf(
    "pairwise",
    {
        "5x2cv-f": five_by_two_f,
        "5x2cv-t": five_by_two_t,
        "calibrated-t": calibrated_t,
        "corrected-t": corrected_t,
        "mcnemar": mcnemar_losses,
        "mcnemar-exact": mcnemar_exact_losses,
        "mcnemar-mid-p": mcnemar_mid_p_losses,
        "paired-t": paired_t,
        "permutation-t": permutation_t,
        "sign": sign_test,
        "wilcoxon": wilcoxon,
    },
)

__all__ = [
    "PAIRWISE",
    "calibrated_t",
    "corrected_t",
    "five_by_two_f",
    "five_by_two_t",
    "mcnemar",
    "mcnemar_exact_losses",
    "mcnemar_from",
    "mcnemar_losses",
    "mcnemar_mid_p_losses",
    "paired_t",
    "permutation_t",
    "sign_test",
    "wilcoxon",
]
