"""Every sharing by its name."""

from __future__ import annotations

from collections.abc import Callable

from bestofk.collecting.sharing.case import Case
from bestofk.collecting.sharing.way import Way
from bestofk.core.shelf import Shelf

#: Recognises a learner on a data set; None: not this one.
Sharing = Callable[[Case], Way | None]


def _sharings() -> dict[str, Sharing]:
    from bestofk.collecting.sharing.c45 import share as c45
    from bestofk.collecting.sharing.linear_discriminant import share as linear_discriminant
    from bestofk.collecting.sharing.logistic import share as logistic
    from bestofk.collecting.sharing.most_frequent import share as most_frequent
    from bestofk.collecting.sharing.naive_bayes import share as naive_bayes
    from bestofk.collecting.sharing.nearest_mean import share as nearest_mean
    from bestofk.collecting.sharing.nearest_neighbours import share as nearest_neighbours
    from bestofk.collecting.sharing.quadratic_discriminant import share as quadratic_discriminant

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
