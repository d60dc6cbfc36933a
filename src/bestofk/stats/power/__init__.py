"""How many results a test needs, and what it can see with those there are.

By formula where one exists, by enumeration where outcomes are counts, by seeded simulation elsewhere: from a model, or
from results that exist. Effects are in units of spread, so they need no unit of the measure; every function takes
arrays of effects and of sizes.

``power(test, effect, n)``, ``sample_size(test, effect)``, ``detectable(test, n)`` take the names of tests as typed at a
shell; ``from_pilot``, ``from_folds``, ``from_items``, ``from_runs`` and ``from_curves`` plan from results; the
functions named after tests are what the others call.
"""

from bestofk.stats.power.enumeration import mcnemar, sign
from bestofk.stats.power.formulas import (
    anova,
    calibrated_t,
    corrected_t,
    five_by_two_t,
    hotelling,
    paired_t,
    repeated_cv_t,
    stratified_t,
    welch_t,
)
from bestofk.stats.power.permutation_tests import permutation_t, randomized_anova, randomized_t, welch_permutation
from bestofk.stats.power.pilot import PilotPlan, from_curves, from_folds, from_items, from_pilot, from_runs
from bestofk.stats.power.question import Detectable, Power, SampleSize
from bestofk.stats.power.rank_tests import friedman, nemenyi, wilcoxon
from bestofk.stats.power.sample_size import METHODS, detectable, power, sample_size

__all__ = [
    "METHODS",
    "Detectable",
    "PilotPlan",
    "Power",
    "SampleSize",
    "anova",
    "calibrated_t",
    "corrected_t",
    "detectable",
    "five_by_two_t",
    "friedman",
    "from_curves",
    "from_folds",
    "from_items",
    "from_pilot",
    "from_runs",
    "hotelling",
    "mcnemar",
    "nemenyi",
    "paired_t",
    "permutation_t",
    "power",
    "randomized_anova",
    "randomized_t",
    "repeated_cv_t",
    "sample_size",
    "sign",
    "stratified_t",
    "welch_permutation",
    "welch_t",
    "wilcoxon",
]
