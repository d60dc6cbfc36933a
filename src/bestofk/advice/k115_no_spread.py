"""K115: a difference that is the same everywhere."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case

#: Tests of no effect size whose p is 0 without spread.
_CERTAIN = ("hotelling", "hotelling-corrected", "delong")


def advise(case: Case) -> Advice | None:
    """Fire when a pair differs by the same amount on all folds or data sets, so that a test is certain."""
    comparison = case.comparison
    effects = comparison.statistic if comparison.test in _CERTAIN else comparison.cohens_d
    if effects is None or not np.isinf(effects).any():
        return None
    first, second = comparison.pairs[int(np.argmax(np.isinf(effects)))]
    return Advice(
        "K115",
        f"{first} and {second} differ by the same amount on {comparison.sample.units_text}: without spread a test is "
        "certain, however few the results",
        "check whether the scores are rounded; give more digits or more results",
    )
