"""Vectors of items over several data sets: those of each, put side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence import Scores
from bestofk.evidence.measure_vectors.finder import OTHER_CLASSES, NoPositive
from bestofk.evidence.measure_vectors.wanted import one_dataset
from bestofk.evidence.missing_results import LeftOut
from bestofk.evidence.natural_order import natural
from bestofk.evidence.vectors import Vectors
from bestofk.measures.catalogue import COUNTED

T = TypeVar("T")


def _completed(
    parts: Mapping[str, Vectors], learners: Sequence[str] | None, vectors: Vectors, missing: str
) -> tuple[Vectors, LeftOut]:
    """Leave items out of their data set, or name the first that are missing; learners go with whole data sets."""
    if missing not in ("refuse", "drop-items"):
        return vectors, LeftOut()
    found: dict[str, tuple[Vectors, LeftOut]] = {
        name: of_one_dataset(name, lambda name: parts[name].complete(parts[name], missing)) for name in parts
    }
    left_out = LeftOut(items=tuple(f"{name}: {item}" for name, (_, gone) in found.items() for item in gone.items))
    if not left_out:
        return vectors, left_out
    again = joined_datasets({name: part for name, (part, _) in found.items()}, learners)
    return replace(again, each=vectors.each, asked=vectors.asked, positive=vectors.positive, complete=None), left_out


def joined_datasets(parts: Mapping[str, Vectors], learners: Sequence[str] | None) -> Vectors:
    """Put the vectors of data sets together, each with its own folds and classes.

    ``learners`` are to be kept, all where none is named.
    """
    first, every = next(iter(parts.values())), parts.values()
    if any(part.names != first.names for part in every):  # recalls are named after classes
        raise one_dataset(OTHER_CLASSES, tuple(parts), first.origin.source)
    positive = _if_same(part.positive for part in every)
    notes = _notes({name: part.origin.notes for name, part in parts.items()})
    scores = _side_by_side(parts, learners)
    return replace(
        scores,
        origin=replace(scores.origin, notes=(*notes, *_positives(parts, positive))),
        error_of=next((part.error_of for part in every if part.error_of), ""),
        filled={name: value for part in every for name, value in part.filled.items()},
        positive=positive,
        classes=_if_same(part.classes for part in every) or (),
        items=None,
        complete=partial(_completed, parts, learners),
    )


def _positives(parts: Mapping[str, Vectors], positive: str | None) -> tuple[str, ...]:
    """Which class is positive where, if it is not the same one everywhere."""
    named = [f"{part.positive} of {name}" for name, part in parts.items() if part.positive is not None]
    names = {plain(name.partition("@")[0]) for part in parts.values() for name in part.names}
    either_way = all(name in COUNTED and COUNTED[name].classes is None for name in names)
    if positive is not None or len(named) < len(parts) or either_way:
        return ()
    return (f"positive is the second class of every data set: {listed(named)}",)


def of_one_dataset(name: str, of_dataset: Callable[[str], T]) -> T:
    """What a data set gives; what is wrong with it is said with its name."""
    try:
        return of_dataset(name)
    except NoPositive as error:
        fix = f"judge one data set: --dataset {name}, with --positive NAME; or on measures of all classes: --on "
        raise InputError(error.wrong, f"{error.where}, data set {name}", f"{fix}accuracy,kappa.") from None
    except InputError as error:
        raise InputError(error.wrong, f"{error.where}, data set {name}", error.fix) from None


def _if_same(values: Iterable[T]) -> T | None:
    """What all have, None where they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _side_by_side(parts: Mapping[str, Vectors], asked: Sequence[str] | None) -> Vectors:
    """One axis of data sets; folds and replications go by their names, and a data set may have fewer than others."""
    first, every = next(iter(parts.values())), tuple(parts.values())
    found = tuple(dict.fromkeys(name for part in every for name in part.learners))
    learners = found if asked is None else tuple(name for name in asked if name in found)
    replications, folds = (
        tuple(sorted({name for part in every for name in getattr(part, axis)}, key=natural))
        for axis in ("replications", "folds")
    )
    planned = np.zeros((len(parts), len(replications), len(folds)), dtype=bool)
    own = [(_places(replications, part.replications), _places(folds, part.folds)) for part in every]
    for d, part in enumerate(every):
        planned[d][np.ix_(*own[d])] = np.asarray(part.planned)[0]
    counted = all(part.counts is not None for part in every)  # of three classes or more there are none

    def together(arrays: Iterable[Array], *more: int) -> Array:
        table = np.full((len(learners), *planned.shape, *more), np.nan)
        for d, (part, array) in enumerate(zip(every, arrays, strict=True)):
            kept = [name for name in learners if name in part.learners]
            table[:, d][np.ix_(_places(learners, kept), *own[d])] = array[_places(part.learners, kept), 0]
        return table

    return replace(
        first,
        learners=learners,
        datasets=tuple(parts),
        replications=replications,
        folds=folds,
        planned=planned,
        values=together(part.values for part in every),
        others={name: together(part.others[name] for part in every) for name in first.others},
        counts=together((np.asarray(part.counts) for part in every), 4) if counted else None,
        costs={name: _mean_cost(name, every, learners) for part in every for name in part.costs},
    )


def _mean_cost(name: str, parts: Sequence[Scores], learners: Sequence[str]) -> dict[str, float]:
    """Mean over the data sets of which it is known; NaN for a learner of which none is."""
    found = {each: [part.costs[name][each] for part in parts if each in part.costs.get(name, {})] for each in learners}
    known = {each: [value for value in values if not np.isnan(value)] for each, values in found.items()}
    return {each: float(np.mean(values)) if values else float("nan") for each, values in known.items()}


def _places(whole: Sequence[str], some: Iterable[str]) -> list[int]:
    return [whole.index(name) for name in some]


def _notes(parts: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What is said of every data set once, the rest with its name."""
    shared = [note for note in next(iter(parts.values())) if all(note in notes for notes in parts.values())]
    own = [f"{name}: {note}" for name, notes in parts.items() for note in notes if note not in shared]
    return (*shared, *own)
