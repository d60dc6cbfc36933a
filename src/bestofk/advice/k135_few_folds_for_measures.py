"""K135: hardly more folds than measures, or too few data sets for any difference to be shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.advice.advice import Advice
from bestofk.advice.k13x_measures import MeasuresCase
from bestofk.comparing.measures_comparison import MeasuresComparison
from bestofk.core.phrases import counted
from bestofk.core.registry import registry

#: Fewer degrees of freedom below the line of F than this see large differences only.
FEW = 5.0
#: No study has more data sets than are counted up to here.
_MOST = 64


def advise(case: Any) -> Advice | None:
    """Fire when the F of Hotelling's test has few degrees of freedom left, or no signs of data sets can reject."""
    if not isinstance(case, MeasuresCase) or case.comparison.kind == "items":
        return None
    return _datasets(case.comparison) if case.comparison.kind == "datasets" else _folds(case.comparison)


def _folds(comparison: MeasuresComparison) -> Advice | None:
    left = min((pair.df[1] for pair in comparison.pairs if pair.df), default=FEW)  # signs have no degrees of freedom
    if left >= FEW:
        return None
    return Advice(
        "K135",
        f"{counted(comparison.rows, 'fold')} and {counted(len(comparison.names), 'measure')} leave "
        f"{counted(int(left), 'degree')} of freedom: only very large differences can be seen",
        "collect ten folds or more, or judge on fewer measures",
    )


def _datasets(comparison: MeasuresComparison) -> Advice | None:
    smallest = _smallest(comparison, comparison.rows)
    if smallest <= comparison.alpha:
        return None
    enough = (number for number in range(comparison.rows, _MOST) if _smallest(comparison, number) <= comparison.alpha)
    needed = next(enough, _MOST)
    return Advice(
        "K135",
        f"{counted(comparison.rows, 'data set')} cannot show any difference between "
        f"{counted(len(comparison.learners), 'learner')}: the signs of so few give p = {smallest:.2g} at best, "
        f"adjusted for {counted(len(comparison.pairs), 'pair')}",
        f"collect at least {needed} data sets, or compare fewer learners",
    )


def _smallest(comparison: MeasuresComparison, rows: int) -> float:
    """The smallest adjusted p that so many data sets can give: all signs alike, on every pair."""
    raw = np.full(len(comparison.pairs), 2.0 ** (1 - rows))
    return float(np.min(registry("adjust").load(comparison.adjust)(raw)))
