"""K136: Hotelling's test without correction on folds of one data set."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when folds, which share training data, are tested as if they were independent."""
    if case.vectors is None or case.comparison.test != "hotelling":
        return None
    return Advice(
        "K136",
        f"hotelling takes {case.comparison.sample.units_text} for independent, which they are not, and finds too many "
        "differences",
        "use hotelling-corrected (--test auto); the plain test is for repeating the paper's results",
    )
