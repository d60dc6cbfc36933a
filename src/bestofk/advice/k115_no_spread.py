"""K115: a difference that is the same everywhere."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when a pair differs by the same amount on all folds or data sets, so that a t test is certain."""
    effects = case.comparison.cohens_d
    if effects is None or not np.isinf(effects).any():
        return None
    first, second = case.comparison.pairs[int(np.argmax(np.isinf(effects)))]
    return Advice(
        "K115",
        f"{first} and {second} differ by the same amount on {case.comparison.sample.units_text}: without spread a t "
        "test is certain, however few the results",
        "check whether the scores are rounded; give more digits or more results",
    )
