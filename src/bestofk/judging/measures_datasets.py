"""Vectors of items over several data sets: those of each, put side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.evidence import Scores
from bestofk.evidence.natural_order import natural
from bestofk.evidence.vectors import Vectors
from bestofk.evidence.vectors_names import WHERE
from bestofk.evidence.vectors_refusals import different_classes
from bestofk.stats.arrays import Array

T = TypeVar("T")


def vectors_of_datasets(names: Sequence[str], of_dataset: Callable[[str], Vectors]) -> Vectors:
    """Make the vectors of every data set by itself, with its own folds and classes, and put them together."""
    parts = {name: _of_one(name, of_dataset) for name in names}
    first, every = next(iter(parts.values())), parts.values()
    if any(part.names != first.names for part in every):  # recalls are named after classes
        raise different_classes(tuple(names), f"{WHERE}, {first.scores.origin.source}")
    return replace(
        first,
        scores=_side_by_side({name: part.scores for name, part in parts.items()}),
        error_of=_if_same(part.error_of for part in every) or "",
        positive=_if_same(part.positive for part in every),
        classes=_if_same(part.classes for part in every) or (),
        items=None,
        made_from=None,
    )


def _of_one(name: str, of_dataset: Callable[[str], Vectors]) -> Vectors:
    """The vectors of a data set; what is wrong with it is said with its name."""
    try:
        return of_dataset(name)
    except InputError as error:
        raise InputError(error.wrong, f"{error.where}, data set {name}", error.fix) from None


def _if_same(values: Iterable[T]) -> T | None:
    """What all have, None where they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _side_by_side(parts: Mapping[str, Scores]) -> Scores:
    """One axis of data sets; folds and replications go by their names, and a data set may have fewer than others."""
    first, every = next(iter(parts.values())), tuple(parts.values())
    learners = tuple(dict.fromkeys(name for part in every for name in part.learners))
    replications, folds = (
        tuple(sorted({name for part in every for name in getattr(part, axis)}, key=natural))
        for axis in ("replications", "folds")
    )
    places = [_places(part, learners, replications, folds) for part in every]
    shape = (len(learners), len(parts), len(replications), len(folds))
    planned = np.zeros(shape[1:], dtype=bool)
    for d, (part, (_, *place)) in enumerate(zip(every, places, strict=True)):
        planned[d][np.ix_(*place)] = np.asarray(part.planned)[0]

    def together(arrays: Iterable[Array], *more: int) -> Array:
        table = np.full((*shape, *more), np.nan)
        for d, (array, place) in enumerate(zip(arrays, places, strict=True)):
            table[:, d][np.ix_(*place)] = array[:, 0]
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
        counts=None if first.counts is None else together((np.asarray(part.counts) for part in every), 4),
        costs={name: _mean_cost(name, every, learners) for name in first.costs},
        origin=replace(first.origin, notes=_notes({name: part.origin.notes for name, part in parts.items()})),
    )


def _mean_cost(name: str, parts: Sequence[Scores], learners: Sequence[str]) -> dict[str, float]:
    """Mean over the data sets; NaN for a learner of which one is not known."""
    return {
        learner: float(np.mean([part.costs.get(name, {}).get(learner, np.nan) for part in parts]))
        for learner in learners
    }


def _places(part: Scores, *axes: Sequence[str]) -> tuple[list[int], ...]:
    """Where learners, replications and folds of a data set are among those of all."""
    own = (part.learners, part.replications, part.folds)
    return tuple([whole.index(name) for name in some] for whole, some in zip(axes, own, strict=True))


def _notes(parts: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What is said of every data set once, the rest with its name."""
    shared = [note for note in next(iter(parts.values())) if all(note in notes for notes in parts.values())]
    own = [f"{name}: {note}" for name, notes in parts.items() for note in notes if note not in shared]
    return (*shared, *own)
