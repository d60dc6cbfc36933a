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
``repeated_cv_t``             repeated folds or many random splits, which tell no more of the data than one
``welch_t``                   independent runs (seeds), of any number and spread
``welch_permutation``         the same without normality: runs dealt anew between the two
``stratified_t``              t tests of several data sets or tasks, combined into one of these
============================  ==================================================================
"""

from bestofk.core.shelf import Shelf
from bestofk.stats.method import PairwiseTest, named
from bestofk.stats.pairwise.calibrated_t import calibrated_t
from bestofk.stats.pairwise.corrected_t import corrected_t, repeated_cv_t
from bestofk.stats.pairwise.five_by_two import five_by_two_f, five_by_two_t
from bestofk.stats.pairwise.mcnemar import (
    mcnemar,
    mcnemar_auto_losses,
    mcnemar_exact_losses,
    mcnemar_from,
    mcnemar_losses,
    mcnemar_mid_p_losses,
)
from bestofk.stats.pairwise.paired_t import paired_t
from bestofk.stats.pairwise.permutation_t import permutation_t
from bestofk.stats.pairwise.sign_test import sign_test
from bestofk.stats.pairwise.stratified_t import stratified_t
from bestofk.stats.pairwise.welch import welch_permutation, welch_t
from bestofk.stats.pairwise.wilcoxon import wilcoxon

#: Every test imported above whose ``@method`` has a name.
PAIRWISE: Shelf[PairwiseTest] = Shelf("pairwise", named(globals()))

__all__ = [
    "PAIRWISE",
    "calibrated_t",
    "corrected_t",
    "five_by_two_f",
    "five_by_two_t",
    "mcnemar",
    "mcnemar_auto_losses",
    "mcnemar_exact_losses",
    "mcnemar_from",
    "mcnemar_losses",
    "mcnemar_mid_p_losses",
    "paired_t",
    "permutation_t",
    "repeated_cv_t",
    "sign_test",
    "stratified_t",
    "welch_permutation",
    "welch_t",
    "wilcoxon",
]
