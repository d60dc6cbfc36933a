"""K135: hardly more folds than measures, or too few folds or data sets for signs to show any difference."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.comparing import Comparison
from bestofk.comparing.vector_tests import different_measures
from bestofk.core.phrases import counted, listed
from bestofk.stats.adjust import ADJUST
from bestofk.stats.multivariate.flips import smallest_share

#: Fewer degrees of freedom below the line of F than this see large differences only.
FEW = 5.0
#: Nobody is told to collect more than this.
_MOST_ROWS = 64

#: The smallest p of so many rows: ``least(comparison, rows)``.
Least = Callable[[Comparison, int], float]


def advise(case: Case) -> Advice | None:
    """Fire when the F of Hotelling's test has few degrees of freedom left, or no signs dealt anew can reject."""
    comparison = case.comparison
    if case.vectors is None or comparison.several is None:
        return None
    if comparison.kind == "datasets":
        first, second = np.array([[comparison.learners.index(name) for name in pair] for pair in comparison.pairs]).T
        return _signs(comparison, "data set", different_measures(case.vectors.rows(), first, second))
    return _signs(comparison, "fold", 1) if comparison.test == "threshold-test" else _folds(comparison)


def _folds(comparison: Comparison) -> Advice | None:
    assert comparison.several is not None
    left = float(comparison.several.df[:, 1].min())
    if left >= FEW:
        return None
    return Advice(
        "K135",
        f"{counted(comparison.sample.units, 'fold')} and {counted(len(comparison.names), 'measure')} leave "
        f"{counted(int(left), 'degree')} of freedom: only very large differences can be seen",
        "collect ten folds or more, or judge on fewer measures",
    )


def _signs(comparison: Comparison, unit: str, measures: int) -> Advice | None:
    """Signs of rows, data sets or folds, give p values that are not smaller than a share of their patterns.

    ``measures`` are those that single ones are adjusted for.
    """
    pairs = len(comparison.pairs)
    if _smallest(comparison, comparison.sample.units) > comparison.alpha:
        learners = counted(len(comparison.learners), "learner")
        can, how, number = f"cannot show any difference between {learners}", "signs dealt anew give", 1
    elif unit == "data set" and _smallest_single(comparison, comparison.sample.units, measures) > comparison.alpha:
        number = measures
        can, how = "can show that learners differ, but in no single measure", "Wilcoxon's test of one gives"
    else:
        return None
    least = _smallest if number == 1 else partial(_smallest_single, measures=number)
    smallest = least(comparison, comparison.sample.units)
    several = pairs > 1 and comparison.adjust != "none"
    family = [counted(pairs, "pair")] if several else []
    family += [counted(number, "measure")] if number > 1 and comparison.adjust != "none" else []
    adjusted = f", adjusted for {listed(family)}" if family else ""
    return Advice(
        "K135",
        f"{counted(comparison.sample.units, unit)} {can}: {how} p = {smallest:.2g} at best{adjusted}",
        ", or ".join(_ways(comparison, unit, least, several)),
    )


def _ways(comparison: Comparison, unit: str, least: Least, several: bool) -> list[str]:
    """What would help: more rows, if any number would, fewer learners, one threshold, or another level."""
    enough = (
        rows for rows in range(comparison.sample.units, _MOST_ROWS) if least(comparison, rows) <= comparison.alpha
    )
    needed = next(enough, None)
    ways = [f"collect at least {counted(needed, unit)}"] if needed is not None else []
    ways += ["compare fewer learners"] if several else []
    ways += ["judge at one threshold, by Hotelling's test"] if unit == "fold" else []
    return ways or [f"choose a larger alpha than {comparison.alpha:g}"]


def _smallest(comparison: Comparison, rows: int) -> float:
    """The smallest adjusted p of all measures together: all signs alike, on every pair."""
    return _adjusted(comparison, smallest_share(rows))


def _smallest_single(comparison: Comparison, rows: int, measures: int) -> float:
    """The same of one measure by Wilcoxon's test, whose signs are all counted, adjusted for so many measures."""
    adjusted = _adjusted(comparison, 2.0 ** (1 - rows))
    return adjusted if comparison.adjust == "none" else min(1.0, measures * adjusted)


def _adjusted(comparison: Comparison, pvalue: float) -> float:
    raw = np.full(len(comparison.pairs), pvalue)
    return float(np.min(ADJUST[comparison.adjust](raw)))
