"""Every sharing by its name, and which of them recognises a learner on a data set."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bestofk.core.shelf import Shelf
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.learner import Learner
from bestofk.sharing.case import Case, case_of
from bestofk.sharing.way import Way

#: Recognises a learner on a data set; None: not this one.
Sharing = Callable[[Case], Way | None]


def _sharings() -> dict[str, Sharing]:
    from bestofk.sharing.c45 import share as c45
    from bestofk.sharing.linear_discriminant import share as linear_discriminant
    from bestofk.sharing.logistic.regression import share as logistic
    from bestofk.sharing.most_frequent import share as most_frequent
    from bestofk.sharing.naive_bayes import share as naive_bayes
    from bestofk.sharing.nearest_mean import share as nearest_mean
    from bestofk.sharing.neighbours.nearest import share as nearest_neighbours
    from bestofk.sharing.quadratic_discriminant import share as quadratic_discriminant

    return {
        "c45": c45,
        "linear-discriminant": linear_discriminant,
        "logistic": logistic,
        "most-frequent": most_frequent,
        "naive-bayes": naive_bayes,
        "nearest-mean": nearest_mean,
        "nearest-neighbours": nearest_neighbours,
        "quadratic-discriminant": quadratic_discriminant,
    }


SHARING: Shelf[Sharing] = Shelf("sharing", _sharings)


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
