"""K103: rows of a table without key columns were taken as data sets."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when nothing in the source says what its rows are."""
    if "rows-are-datasets" not in case.evidence.origin.assumed:
        return None
    return Advice(
        "K103",
        "no column says what the rows are, and they were taken as independent data sets",
        "if they are folds of one data set say --rows folds, if they are items of one test set --rows items",
    )
