"""Which way shares the work of a learner on a data set, by its class and parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bestofk.collecting.sharing.case import Case, case_of
from bestofk.collecting.sharing.way import Way
from bestofk.core.registry import registry
from bestofk.design.dataset import Dataset
from bestofk.design.learner import Learner

Sharing = Callable[[Case], Way | None]


def way_for(learner: Learner, dataset: Dataset, sharings: Iterable[Sharing] | None = None) -> Way | None:
    """Return the way that shares this learner's work on the folds of a data set; None: run the plain way.

    Asked are the sharings given, or all that are registered, in the order of their names; the first that recognises
    the case answers.
    """
    case = case_of(learner, dataset)
    if case is None:
        return None
    found = (share(case) for share in (registered() if sharings is None else sharings))
    return next((way for way in found if way is not None), None)


def registered() -> list[Sharing]:
    """All sharings of the registry."""
    known = registry("sharing")
    return [known.load(name) for name in known.names()]
