"""Which way shares the work of a learner on a data set, by its class and parameters."""

from __future__ import annotations

from collections.abc import Iterable

from bestofk.collecting.sharing.case import case_of
from bestofk.collecting.sharing.shelf import SHARING, Sharing
from bestofk.collecting.sharing.way import Way
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.learner import Learner


def way_for(learner: Learner, dataset: Dataset, sharings: Iterable[Sharing] | None = None) -> Way | None:
    """Return the way that shares this learner's work on the folds of a data set; None: run the plain way.

    Asked are the sharings given, or all that there are; the first that recognises
    the case answers.
    """
    case = case_of(learner, dataset)
    if case is None:
        return None
    found = (share(case) for share in (SHARING.values() if sharings is None else sharings))
    return next((way for way in found if way is not None), None)
