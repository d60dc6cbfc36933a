"""What a comparison could have seen: the smallest difference of every pair that is found with a given chance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from bestofk.comparing import Comparison, Sample
from bestofk.core.arrays import Array
from bestofk.stats import power as planning
from bestofk.stats.adjust import ADJUST
from bestofk.stats.distributions import normal_critical
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE

#: Simulated power of a verdict is for a table of two digits: so many runs give them.
RUNS = 2_000
#: Beyond this many values the permutation test has the power of the t test, which has a formula.
AS_T_FROM = 17
#: Beyond this many Wilcoxon's test has that of the t test on a spread √(π/3) as large (Hodges and Lehmann 1956).
RANKS_AS_T_FROM = 100
#: With so many items in disagreement the normal form of McNemar's power is within a few percent.
MANY_APART = 60
#: Adjustments that leave every pair its level: none, and what a test of all pairs has done already.
_ALONE = ("none", "nemenyi")


@dataclass(frozen=True, eq=False)
class Seeing:
    """How differences of each pair relate to power: ``spread`` in units of loss, and how to ask for the power."""

    test: str
    n: int
    unit: str
    level: float
    spread: Array
    options: tuple[tuple[str, Any], ...] = ()
    disagreement: Array | None = None

    def smallest(self, wanted: float) -> Array:
        """The smallest difference seen with the chance ``wanted``, per pair; infinite where none is."""
        if self.disagreement is not None:
            return np.array([_items_seen(self.test, self.n, float(d), wanted, self.level) for d in self.disagreement])
        seen = np.zeros(len(self.spread))  # without spread any difference is certain
        varies = self.spread > 0
        seen[varies] = self.spread[varies] * _detectable(self.test, self.n, wanted, self.level, self.options)
        return seen

    def power(self, difference: float, pair: int) -> float:
        """The chance to see a difference of a pair; certain where the pair has no spread."""
        size = abs(difference)
        asked: dict[str, Any] = {"alpha": self.level, **dict(self.options)}
        if self.disagreement is not None:
            asked["disagreement"] = min(1.0, max(float(self.disagreement[pair]), size))  # no less than the difference
            return float(planning.power(self.test, size, self.n, **asked).power)
        if self.spread[pair] == 0:
            return 1.0
        return float(planning.power(self.test, size / float(self.spread[pair]), self.n, **asked).power)


def seeing(sample: Sample, comparison: Comparison) -> Seeing | None:
    """Say how the power of a comparison is found; None for tests whose power is not known.

    The level is that of one pair if all m pairs share alpha equally: what Bonferroni takes, and the least that
    step-down adjustments take; see ``beside_others`` for those that step up.
    """
    if sample.incomplete or sample.vectors is not None or sample.areas is not None:
        return None
    first, second = comparison.places
    level = comparison.alpha if comparison.adjust in _ALONE else comparison.alpha / len(comparison.pairs)
    if sample.kind == "curves":
        return _of_curves(sample, comparison, first, second, level)
    difference = sample.rows[first] - sample.rows[second]
    n = difference.shape[1]
    spread = np.asarray(difference.std(axis=1, ddof=1)) if n > 1 else np.zeros(len(difference))
    test, options = _settings(sample, comparison, n)
    if test is None:
        return None
    if test.startswith("mcnemar"):
        return Seeing(test, n, "items", level, spread, disagreement=np.asarray((difference != 0).mean(axis=1)))
    if comparison.test == "wilcoxon" and test == "paired-t":
        spread = spread * np.sqrt(np.pi / 3.0)
    size, unit = _size(sample, test, n)
    return Seeing(test, size, unit, level, spread, options)


def beside_others(found: Seeing, comparison: Comparison) -> bool:
    """Whether pairs that are never seen by themselves, however different, can be shown beside others as clear."""
    pairs = len(comparison.pairs)
    if pairs == 1 or comparison.adjust in _ALONE or found.disagreement is not None or comparison.smallest == 0:
        return False
    return bool(np.min(ADJUST[comparison.adjust](np.full(pairs, comparison.smallest))) <= comparison.alpha)


def _settings(sample: Sample, comparison: Comparison, n: int) -> tuple[str | None, tuple[tuple[str, Any], ...]]:
    test = comparison.test
    if (test == "permutation-t" and n >= AS_T_FROM) or (test == "wilcoxon" and n >= RANKS_AS_T_FROM):
        return "paired-t", ()
    if test in ("wilcoxon", "permutation-t"):
        return test, (("runs", RUNS),)
    if test == "nemenyi":
        k = len(comparison.learners)
        runs = int(np.clip(1_000_000 // (n * k), 100, RUNS))
        return test, (("runs", runs), ("learners", k), ("control", comparison.control is not None))
    if test == "corrected-t":
        if sample.test_fraction is not None:
            return test, (("test_fraction", sample.test_fraction),)
        return test, (("folds", sample.replications_and_folds[1]),)
    if test in ("paired-t", "sign", "5x2cv-t", "mcnemar", "mcnemar-exact", "mcnemar-mid-p"):
        return test, ()
    independent = sample.kind in ("datasets", "items") and test in PAIRWISE
    return (test, (("runs", RUNS),)) if independent and method_of(PAIRWISE[test]).design == "values" else (None, ())


def _size(sample: Sample, test: str, n: int) -> tuple[int, str]:
    if test == "5x2cv-t":
        return 5, "replications of 2 folds"
    if test == "corrected-t" and sample.test_fraction is None:
        replications, folds = sample.replications_and_folds
        return replications, f"replication{'' if replications == 1 else 's'} of {folds} folds"
    if sample.kind == "folds":
        return n, "random splits" if sample.test_fraction is not None and not sample.divided else "folds"
    return n, "data sets" if sample.kind == "datasets" else "items"


def _of_curves(sample: Sample, comparison: Comparison, first: Any, second: Any, level: float) -> Seeing | None:
    """Curves by their means, as the randomized t test takes them."""
    fewest = min(len(each) for each in sample.curves)
    if comparison.test != "randomized-t" or fewest < 2:
        return None
    variance = np.array([each.mean(axis=1).var(ddof=1) for each in sample.curves])
    spread = np.sqrt(0.5 * (variance[first] + variance[second]))
    shuffles = int(np.clip(np.ceil(5.0 / level), 499, 9_999))  # fewer could not give a p value as small as the level
    options = (("points", 2), ("correlation", 0.999999), ("runs", 500), ("shuffles", shuffles))
    return Seeing("randomized-t", fewest, "curves per learner", level, spread, options)


@lru_cache(maxsize=256)
def _detectable(test: str, n: int, wanted: float, level: float, options: tuple[tuple[str, Any], ...]) -> float:
    return float(planning.detectable(test, n, power=wanted, alpha=level, **dict(options)).effect)


@lru_cache(maxsize=1024)
def _items_seen(test: str, n: int, disagreement: float, wanted: float, level: float) -> float:
    """The difference of error rates that McNemar's test sees; by the normal form where many items disagree."""
    if disagreement <= 0:
        return np.inf
    if n * disagreement < MANY_APART:
        return float(planning.detectable(test, n, power=wanted, disagreement=disagreement, alpha=level).effect)
    # Connor 1987: (δ√n − z√ψ)/√(ψ − δ²) is the normal score of the power; it grows with δ.
    reach, margin = normal_critical(level / 2.0), normal_critical(1.0 - wanted)
    low, high = 0.0, disagreement
    for _ in range(60):
        middle = 0.5 * (low + high)
        gap = middle * np.sqrt(n) - reach * np.sqrt(disagreement)
        low, high = (low, middle) if gap >= margin * np.sqrt(disagreement - middle**2) else (middle, high)
    return high
