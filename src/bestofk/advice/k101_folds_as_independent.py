"""K101: a test of independent values on folds of one data set."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE


def advise(case: Case) -> Advice | None:
    """Fire when folds, which share training data, are tested as if they were independent."""
    comparison = case.comparison
    if comparison.kind != "folds" or comparison.several is not None:  # of several measures K136 speaks
        return None
    if comparison.test in PAIRWISE:
        needed = method_of(PAIRWISE[comparison.test]).design
        if needed != "values":
            return None
    return Advice(
        "K101",
        f"{comparison.test} takes {comparison.sample.units_text} for independent, which they are not, and finds too "
        "many differences",
        "use corrected-t, or 5x2cv-t on 5 replications of 2 folds",
    )
