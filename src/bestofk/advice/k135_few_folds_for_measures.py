"""K135: hardly more folds than measures, or too few folds or data sets for signs to show any difference."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.advice.advice import Advice
from bestofk.advice.k13x_measures import MeasuresCase
from bestofk.comparing.measures_comparison import MeasuresComparison
from bestofk.core.phrases import counted
from bestofk.core.registry import registry
from bestofk.stats.multivariate.flips import smallest_share

#: Fewer degrees of freedom below the line of F than this see large differences only.
FEW = 5.0
#: Nobody is told to collect more than this.
_MOST = 64


def advise(case: Any) -> Advice | None:
    """Fire when the F of Hotelling's test has few degrees of freedom left, or no signs dealt anew can reject."""
    if not isinstance(case, MeasuresCase) or case.comparison.kind == "items":
        return None
    comparison = case.comparison
    if comparison.kind == "datasets":
        return _signs(comparison, "data set")
    return _signs(comparison, "fold") if comparison.test == "threshold-test" else _folds(comparison)


def _folds(comparison: MeasuresComparison) -> Advice | None:
    left = min((pair.df[1] for pair in comparison.pairs if pair.df), default=FEW)  # areas have none
    if left >= FEW:
        return None
    return Advice(
        "K135",
        f"{counted(comparison.rows, 'fold')} and {counted(len(comparison.names), 'measure')} leave "
        f"{counted(int(left), 'degree')} of freedom: only very large differences can be seen",
        "collect ten folds or more, or judge on fewer measures",
    )


def _signs(comparison: MeasuresComparison, unit: str) -> Advice | None:
    """Signs of rows, data sets or folds, give p values that are not smaller than a share of their patterns."""
    smallest = _smallest(comparison, comparison.rows)
    if smallest <= comparison.alpha:
        return None
    enough = (number for number in range(comparison.rows, _MOST) if _smallest(comparison, number) <= comparison.alpha)
    needed = next(enough, None)
    pairs = len(comparison.pairs)
    ways = [f"collect at least {counted(needed, unit)}"] if needed is not None else []
    ways += ["compare fewer learners"] if pairs > 1 else []
    ways += ["judge at one threshold, by Hotelling's test"] if unit == "fold" else []
    adjusted = f", adjusted for {counted(pairs, 'pair')}" if pairs > 1 and comparison.adjust != "none" else ""
    return Advice(
        "K135",
        f"{counted(comparison.rows, unit)} cannot show any difference between "
        f"{counted(len(comparison.learners), 'learner')}: signs dealt anew give p = {smallest:.2g} at best{adjusted}",
        ", or ".join(ways),
    )


def _smallest(comparison: MeasuresComparison, rows: int) -> float:
    """The smallest adjusted p that so many rows can give: all signs alike, on every pair."""
    raw = np.full(len(comparison.pairs), smallest_share(rows))
    return float(np.min(registry("adjust").load(comparison.adjust)(raw)))
