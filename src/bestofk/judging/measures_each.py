"""Every class against the rest in one call, beside the recalls of all classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.vectors import Vectors
from bestofk.evidence.vectors_names import RECALLS, wanted_measures
from bestofk.judging.measures_from_items import asks_areas, names_asked

#: What ``positive`` says for every class in turn; a class of that name is meant before it.
EACH = "each"
#: The recall of a class, and that of the rest.
_TWO_RECALLS = ("tpr", "specificity")
_OF_RECALLS = ("tpr", "recall", "sensitivity", "specificity", "tnr")
_RATES = (*_OF_RECALLS, "fpr", "fnr")

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
    _refuse_twice_the_same(main.classes, on)
    every = tuple(make(name, _of_one_class(on)) for name in main.classes)
    asked = {**every[0].asked, "on": names_asked(on), "positive": EACH}
    return replace(main, each=every, asked=asked, positive=None)


def _of_one_class(on: Any) -> list[str]:
    """The measures of a class against the rest: their recalls are two, in the place of those of all classes."""
    names = names_asked(on)
    if RECALLS not in map(plain, names):
        return names
    return [*_TWO_RECALLS, *(name for name in names if plain(name) not in (RECALLS, *_OF_RECALLS))]


def _refuse_twice_the_same(classes: tuple[str, ...], on: Any) -> None:
    """Of two classes the rates of one are those of the other: the same test would be made at half its level."""
    if len(classes) == 2 and {plain(name) for name in names_asked(on)} <= {RECALLS, *_RATES}:
        raise InputError(
            f"positive is 'each', and of two classes the rates of {classes[0]} are those of {classes[1]} turned round.",
            "judge, arguments positive and on",
            f"leave it out, or say which class is positive: --positive {classes[1]}.",
        )
