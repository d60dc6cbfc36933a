"""Checks of a measure by the catalogue: the direction that is asked for, and values that it cannot have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.measures.catalogue import MEASURES, Measure, is_larger_better, known_measure

Place = Callable[[tuple[int, ...]], str]


def settled_direction(measure: str, asked: bool | None, *, where: str) -> bool:
    """Return whether larger is better, from the measure's name or from the caller, who may not contradict the name."""
    known = is_larger_better(measure)
    if known is None and asked is None:
        raise InputError(
            f"the direction of the measure {measure!r} is not known.",
            where,
            "say --larger-is-better or --smaller-is-better (larger_is_better=True or False), "
            "or name a known measure: --measure accuracy (measure='accuracy').",
        )
    if known is not None and asked is not None and bool(asked) != known:
        raise InputError(
            f"{measure}: {_words(known)} is better, but {_words(asked)} was asked for.",
            where,
            f"leave the direction out, or rename the measure if it is no {measure}.",
        )
    return bool(asked if known is None else known)


def refuse_impossible(values: Array, measure: str, place: Place) -> None:
    """Refuse values of a rate below 0 or above 100, and rates of which some are percent and some are shares.

    ``place`` says where a value is, by its index. Small percentages of errors look like shares and are let pass.
    """
    known = known_measure(measure)
    if known is None or not known.is_rate:
        return
    wrong = (values < 0) | ((values > 100) & np.isfinite(values))  # infinities are refused elsewhere
    if wrong.any():
        where = _first(wrong)
        raise InputError(
            f"{measure} is {values[where]:g}.", place(where), f"give {measure} between 0 and 1, or in percent."
        )
    if known.larger_is_better and known.scale == "rate":
        _refuse_mixture(values, measure, place)


def _refuse_mixture(values: Array, measure: str, place: Place) -> None:
    percent, shares = values > 1, (values > 0) & (values <= 1)
    if percent.any() and shares.any():
        here, there = _first(shares), _first(percent)
        raise InputError(
            f"{measure} is {values[here]:g} here and {values[there]:g} in {place(there)}: "
            "shares and percent are mixed.",
            place(here),
            "write all values as shares (0.87), or all in percent (87).",
        )


def _first(flags: Flags) -> tuple[Any, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(flags)), flags.shape))


def _words(larger: bool) -> str:
    return "larger" if larger else "smaller"


class Data(Protocol):
    """What is asked of a data set that a measure is for."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def task(self) -> str:
        """Whether classes or numbers are learnt."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes."""


def measure_of(name: str, dataset: Data | None = None) -> Measure:
    """Return a registered measure, which can be computed; one that a data set does not allow is refused.

    Examples
    --------
    >>> measure_of("error").compute([[8, 2], [1, 9]])
    array(0.15)
    """
    known = MEASURES.names()
    if name not in known:
        raise unknown(name, known, what="measure", where="plan, measures")
    measure: Measure = MEASURES[name]
    if dataset is not None:
        _refuse_unfit(measure, dataset)
    return measure


def _refuse_unfit(measure: Measure, dataset: Data) -> None:
    where = f"measure {measure.name}, data set {dataset.name}"
    if measure.task != dataset.task:
        raise InputError(
            f"{measure.name} is for {measure.task}, and {dataset.name} is for {dataset.task}.",
            where,
            "choose a measure for the data: " + ("error." if dataset.task == "classification" else "mse."),
        )
    if measure.classes is not None and len(dataset.classes) != measure.classes:
        raise InputError(
            f"{measure.name} is for {measure.classes} classes, and {dataset.name} has {len(dataset.classes)}.",
            where,
            f"use {measure.name}_macro for several classes."
            if measure.name in ("precision", "recall", "f1")
            else "use balanced_accuracy or kappa for several classes.",
        )
