"""Every class against the rest in one call, beside the recalls of all classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bestofk.core.errors import InputError
from bestofk.evidence.vectors import Vectors
from bestofk.evidence.vectors_names import RECALLS, wanted_measures
from bestofk.judging.measures_from_items import asks_areas

#: What ``positive`` says for every class in turn; a class of that name is meant before it.
EACH = "each"

#: Makes vectors of a class, or of all of them, on measures: ``make(positive, on)``.
Make = Callable[[str | None, Any], Vectors]


def of_each_class(make: Make, on: Any) -> Vectors:
    """Recalls of all classes, with the named measures of every class against the rest in ``each``."""
    if asks_areas(on):
        raise InputError(
            "positive is 'each', and curves are of one class against the rest.",
            "judge, arguments positive and on",
            "say which class: --positive NAME.",
        )
    wanted_measures(on)  # a wrong name is one before anything is read
    main = make(None, RECALLS)
    if EACH in main.classes or not main.classes:  # the first is a class, the second is refused with its own reason
        return make(EACH, on)
    every = tuple(make(name, on) for name in main.classes)
    return replace(main, each=every, asked={**every[0].asked, "positive": EACH}, positive=None)
