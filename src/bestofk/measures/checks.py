"""Checks of a measure by the catalogue: the direction that is asked for, and values that it cannot have."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError, Unsaid
from bestofk.core.names import plain, unknown
from bestofk.measures.catalogue import (
    ENTRIES,
    MEASURES,
    Measure,
    bounds_of,
    is_larger_better,
)

#: How alike a name must be to one of the catalogue to be a slip of the pen.
NEAR = 0.85
#: Names that do not say of what; scores without a name are called score.
UNTOLD = frozenset({"score", "value", "result", "mean", "average"})

Place = Callable[[tuple[int, ...]], str]


#: How the direction of one measure is said.
_SAY = "say --larger-is-better or --smaller-is-better (larger_is_better=True or False)"
_NAME = ", or name a known measure: --measure accuracy (measure='accuracy')"


def settled_direction(
    measure: str, asked: bool | None, *, where: str, known: bool | None = None, fix: str = ""
) -> bool:
    """Return whether larger is better, from the measure's name or from the caller, who may not contradict the name.

    ``known`` is the direction where the caller knows it better than the name says, ``fix`` how to say an unknown one.
    """
    known = is_larger_better(measure) if known is None else known
    if known is None and asked is None:
        untold = plain(measure) in UNTOLD
        near = [] if untold else get_close_matches(plain(measure), ENTRIES, n=1, cutoff=NEAR)
        hint = f"did you mean {near[0]!r}? Else " if near else ""
        fix = fix or f"{_SAY}{_NAME if untold else ''}."
        wrong = f"the direction of the measure {measure!r} is not known."
        raise Unsaid(wrong, where, hint + fix, option="larger_is_better", choices=(True, False))
    if known is not None and asked is not None and bool(asked) != known:
        raise InputError(
            f"{measure}: {_words(known)} is better, but {_words(asked)} was asked for.",
            where,
            f"leave the direction out, or rename the measure if it is no {measure}.",
        )
    return bool(asked if known is None else known)


def refuse_impossible(values: Array, measure: str, place: Place) -> None:
    """Refuse values that the catalogue says a measure cannot have; ``place`` says where a value is, by its index."""
    low, high = bounds_of(measure)
    wrong = ((values < low) | (values > high)) & np.isfinite(values)  # infinities are refused elsewhere
    if wrong.any():
        where = _first(wrong)
        fix = "give rates from 0 to 1 or in percent, losses from 0 up; neg_ before a loss says that larger is better."
        raise InputError(f"{measure} is {values[where]:g}.", place(where), fix)


def _first(flags: Flags) -> tuple[Any, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(flags)), flags.shape))


def _words(larger: bool) -> str:
    return "larger" if larger else "smaller"


def measure_of(name: str) -> Measure:
    """Return a registered measure, which can be computed.

    Examples
    --------
    >>> measure_of("error").compute([[8, 2], [1, 9]])
    array(0.15)
    """
    if name not in MEASURES:
        raise unknown(name, MEASURES, what="measure", where="plan, measures")
    return MEASURES[name]


def refuse_unfit(measure: Measure, dataset: str, task: str, classes: int | None) -> None:
    """Refuse a measure that is for another task than a data set, or for another number of classes, if that is known."""
    where = f"measure {measure.name}, data set {dataset}"
    if measure.task != task:
        raise InputError(
            f"{measure.name} is for {measure.task}, and {dataset} is for {task}.",
            where,
            f"choose a measure for the data: {'error' if task == 'classification' else 'mse'}.",
        )
    if measure.classes is not None and classes not in (None, measure.classes):
        macro = f"{measure.name}_macro"
        raise InputError(
            f"{measure.name} is for {measure.classes} classes, and {dataset} has {classes}.",
            where,
            f"use {macro if macro in MEASURES else 'balanced_accuracy or kappa'} for several classes.",
        )
