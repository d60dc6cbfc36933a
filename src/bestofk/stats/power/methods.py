"""The tests whose power is known, by their names at a shell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bestofk.core.names import unknown
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.power.anova import anova
from bestofk.stats.power.corrected_t import corrected_t
from bestofk.stats.power.five_by_two_t import five_by_two_t
from bestofk.stats.power.friedman import friedman, nemenyi
from bestofk.stats.power.hotelling import hotelling
from bestofk.stats.power.mcnemar import mcnemar
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.paired_t import paired_t
from bestofk.stats.power.permutation_t import permutation_t
from bestofk.stats.power.sign import sign
from bestofk.stats.power.simulation import any_test
from bestofk.stats.power.wilcoxon import wilcoxon


@dataclass(frozen=True)
class PowerMethod:
    """How to ask for the power of a test.

    ``smallest`` is the least n that makes sense, ``options`` are always passed, ``fixed`` says that the design has no
    other size, ``in_steps`` that power rises in steps and can fall between them, ``limited`` that it stays below a
    bound however large n is, ``far`` that a formula takes over where a simulation would be too large.
    """

    ask: Callable[..., Power]
    smallest: int = 2
    options: dict[str, Any] = field(default_factory=dict)
    fixed: bool = False
    in_steps: bool = False
    simulated: bool = False
    limited: bool = False
    far: bool = False


def _randomized_t(*asked: Any, **options: Any) -> Power:
    from bestofk.stats.power.randomized_curves import randomized_t

    return randomized_t(*asked, **options)


def _randomized_anova(*asked: Any, **options: Any) -> Power:
    from bestofk.stats.power.randomized_curves import randomized_anova

    return randomized_anova(*asked, **options)


METHODS: dict[str, PowerMethod] = {
    "paired-t": PowerMethod(paired_t),
    "corrected-t": PowerMethod(corrected_t, smallest=1, limited=True),
    "5x2cv-t": PowerMethod(five_by_two_t, smallest=5, fixed=True),
    "wilcoxon": PowerMethod(wilcoxon, simulated=True, far=True),
    "sign": PowerMethod(sign, smallest=1, in_steps=True),
    "permutation-t": PowerMethod(permutation_t, simulated=True, far=True),
    "mcnemar": PowerMethod(mcnemar, smallest=1, options={"method": "chi2-corrected"}, in_steps=True),
    "mcnemar-exact": PowerMethod(mcnemar, smallest=1, options={"method": "exact"}, in_steps=True),
    "mcnemar-mid-p": PowerMethod(mcnemar, smallest=1, options={"method": "mid-p"}, in_steps=True),
    "anova": PowerMethod(anova),
    "repeated-anova": PowerMethod(anova, options={"blocks": True}),
    "friedman": PowerMethod(friedman, simulated=True),
    "nemenyi": PowerMethod(nemenyi, simulated=True),
    "hotelling": PowerMethod(hotelling),
    "randomized-t": PowerMethod(_randomized_t, simulated=True),
    "randomized-anova": PowerMethod(_randomized_anova, simulated=True),
}


def power_method(test: Any) -> PowerMethod:
    """The way to ask for a test's power, by simulation for any other test of values; unknown names are refused."""
    if isinstance(test, str) and test in METHODS:
        return METHODS[test]
    if isinstance(test, str) and test in PAIRWISE and method_of(PAIRWISE[test]).design == "values":
        return PowerMethod(partial(any_test, test), simulated=True)
    raise unknown(test, METHODS, what="test", where="power, argument test")


def smallest_size(test: str, options: dict[str, Any]) -> int:
    """The least n that can be asked about with these options."""
    if test == "hotelling":
        return int(options.get("measures", 1)) + 1
    if test == "corrected-t" and (options.get("test_fraction") is not None or options.get("folds", 10) == 2):
        return 2
    return power_method(test).smallest
