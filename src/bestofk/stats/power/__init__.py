"""How many results a test needs, and what it can see with those there are.

By formula where one exists, by enumeration where outcomes are counts, by seeded simulation elsewhere: from a model, or
from results that exist. Effects are in units of spread, so they need no unit of the measure; every function takes
arrays of effects and of sizes.

``power(test, effect, n)``, ``sample_size(test, effect)``, ``detectable(test, n)`` take the names of tests as typed at a
shell; ``from_pilot``, ``from_folds``, ``from_items`` and ``from_curves`` plan from results; the functions named after
tests are what the others call.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bestofk.stats.power.anova import anova
from bestofk.stats.power.corrected_t import corrected_t
from bestofk.stats.power.five_by_two_t import five_by_two_t
from bestofk.stats.power.friedman import friedman, nemenyi
from bestofk.stats.power.hotelling import hotelling
from bestofk.stats.power.mcnemar import mcnemar
from bestofk.stats.power.methods import METHODS
from bestofk.stats.power.outcome import Detectable, Power, SampleSize
from bestofk.stats.power.paired_t import paired_t
from bestofk.stats.power.permutation_t import permutation_t
from bestofk.stats.power.sample_size import detectable, power, sample_size
from bestofk.stats.power.sign import sign
from bestofk.stats.power.wilcoxon import wilcoxon

if TYPE_CHECKING:  # at run time these are imported when first used: they bring the tests of curves
    from bestofk.stats.power.pilot import PilotPlan, from_curves, from_folds, from_items, from_pilot
    from bestofk.stats.power.randomized_curves import randomized_anova, randomized_t

__all__ = [
    "METHODS",
    "Detectable",
    "PilotPlan",
    "Power",
    "SampleSize",
    "anova",
    "corrected_t",
    "detectable",
    "five_by_two_t",
    "friedman",
    "from_curves",
    "from_folds",
    "from_items",
    "from_pilot",
    "hotelling",
    "mcnemar",
    "nemenyi",
    "paired_t",
    "permutation_t",
    "power",
    "randomized_anova",
    "randomized_t",
    "sample_size",
    "sign",
    "wilcoxon",
]

_LATER = {
    "PilotPlan": "pilot",
    "from_curves": "pilot",
    "from_folds": "pilot",
    "from_items": "pilot",
    "from_pilot": "pilot",
    "randomized_anova": "randomized_curves",
    "randomized_t": "randomized_curves",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module 'bestofk.stats.power' has no attribute {name!r}")
        return getattr(import_module(f"bestofk.stats.power.{_LATER[name]}"), name)
