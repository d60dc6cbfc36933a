"""Several measures of a source or of evidence, side by side: of folds, of items, of every data set or class in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import counted
from bestofk.evidence import Evidence, Items, Scores
from bestofk.evidence.layouts.dataset_rows import learners_in, tables_by_dataset
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.told_columns import as_told
from bestofk.evidence.logs import evidence_from_logs
from bestofk.evidence.measure_vectors.areas import ItemScores, areas_of, no_probabilities
from bestofk.evidence.measure_vectors.finder import OTHER_CLASSES, NoPositive
from bestofk.evidence.measure_vectors.fold_vectors import vectors_of
from bestofk.evidence.measure_vectors.item_vectors import curves_of_one, vectors_of_items
from bestofk.evidence.measure_vectors.wanted import (
    RECALLS,
    TWO_RECALLS,
    WHERE,
    Ask,
    Wanted,
    known_direction,
    one_dataset,
    threshold_in,
    wanted_measures,
)
from bestofk.evidence.missing_results import LeftOut
from bestofk.evidence.natural_order import natural
from bestofk.evidence.reading import evidence_of, opened
from bestofk.evidence.vectors import Vectors
from bestofk.measures.catalogue import is_larger_better, same_values
from bestofk.tables.table import Table

#: What ``positive`` says for every class in turn; a class of that name is meant before it.
EACH = "each"


def read_vectors(source: object, ask: Ask, request: Request) -> Vectors:
    """Read a source once, with everything that it has of the measures asked for, and put them side by side.

    Items of several data sets are read one data set after another, for each has folds and classes of its own.
    """
    ask.refuse_areas_among_others()
    request = replace(request, on=_wanted(ask), larger_is_better=None)
    evidence_from_logs(source, request)  # logs have one measure, and are refused
    table = opened(source, request)
    if isinstance(table, Table):
        table, request = as_told(table, request)
    tables = tables_by_dataset(table, request.told) if isinstance(table, Table) and request.dataset is None else {}
    names = tuple(tables)
    if tables and ask.areas:
        raise curves_of_one(names, str(source) if isinstance(source, str | Path) else "data frame")
    if not tables:
        found = evidence_of(table, request)
        names = found.fold_datasets if isinstance(found, Items) and not ask.areas else ()
        if not names:
            return vectors_from(found, ask)

    def alone(name: str) -> Evidence:
        if name not in tables:
            return evidence_of(table, replace(request, dataset=name))
        known = learners_in(tables[name], request.told)
        if known is not None and len(known) < 2:
            wrong = f"there are results of one learner, {known[0]}."
            raise InputError(wrong, tables[name].source, "give those of the others, or remove its rows.")
        return evidence_of(tables[name], request if known is None else replace(request, learners=None))

    parts = {name: of_one_dataset(name, alone) for name in names}

    def make(ask: Ask) -> Vectors:
        found = {
            name: of_one_dataset(name, lambda name: _vectors(parts[name], ask, one_of_many=True)) for name in names
        }
        return joined_datasets(found, request.learners)

    return _of_classes(ask, make)


def _wanted(ask: Ask) -> tuple[Wanted, ...]:
    """The measures with their directions, that of unknown ones too."""
    if ask.areas:
        return (Wanted("auc"),)
    return tuple(
        replace(each, larger_is_better=ask.larger_is_better)
        if each.larger_is_better is None and known_direction(each.name) is None
        else each
        for each in wanted_measures(ask.on)
    )


def vectors_from(evidence: Evidence, ask: Ask) -> Vectors:
    """The named measures of evidence, made of whatever it has: its columns, its counts, its items, its store."""
    ask.refuse_areas_among_others()
    return _of_classes(ask, partial(_vectors, evidence))


def _vectors(evidence: Evidence, ask: Ask, *, one_of_many: bool = False) -> Vectors:
    """Vectors of one class, or of all; ``one_of_many`` data sets may be one test set."""
    if isinstance(evidence, Items):
        _refuse_datasets_read_together(evidence, ask)
        return vectors_of_items(evidence, ask, may_be_one_set=one_of_many)
    if isinstance(evidence, Scores):
        return _vectors_of_scores(evidence, ask)
    if ask.areas:
        raise no_probabilities(evidence)
    raise InputError(
        f"several measures need folds or data sets, and there are {evidence!r}.",
        WHERE,
        "give results per fold with counts tp, fn, fp, tn, or with a column per measure.",
    )


def _vectors_of_scores(evidence: Scores, ask: Ask) -> Vectors:
    """Of a store ROC curves stand beside other measures where it kept all that they need."""
    if evidence.outcomes is None:
        _refuse_chances(evidence, ask)
        if ask.positive is not None:
            raise InputError(
                f"positive is {ask.positive!r}, and the results have no classes by name.",
                f"judge, argument positive, {evidence.origin.source}",
                "leave it out: the counts tp, fn, fp, tn say which class is positive; a store knows classes by name.",
            )
        return vectors_of(evidence, ask)
    scores, known = evidence.outcomes.known(evidence, ask.positive)
    if known.counts_at is None:
        _refuse_chances(evidence, ask)
    items = None if known.items is None or (known.positive is None and not ask.areas) else known.items()
    if ask.areas:
        if not isinstance(items, ItemScores):
            raise items or no_probabilities(evidence)
        return areas_of(evidence, items, ask.said, known.classes)
    vectors = vectors_of(scores, ask, known)
    return replace(vectors, items=items) if isinstance(items, ItemScores) else vectors


def _refuse_chances(evidence: Scores, ask: Ask) -> None:
    """Refuse ROC curves, and rates at a threshold that are no columns, where no probabilities are known."""
    columns = {plain(name) for name in (evidence.measure, *evidence.others)}
    if ask.areas or any(threshold_in(name) and plain(name) not in columns for name in ask.names):
        raise no_probabilities(evidence)


def _refuse_datasets_read_together(items: Items, ask: Ask) -> None:
    """Items that were read already do not tell the folds of their data sets apart."""
    if items.fold_datasets and not ask.areas:
        raise InputError(
            f"these items of {counted(len(items.fold_datasets), 'data set')} were read already, all together.",
            f"judge, argument on, {items.origin.source}",
            "give judge the file or the frame itself, or bk.read(source, on=…): every data set is read with its folds.",
        )


def _of_classes(ask: Ask, make: Callable[[Ask], Vectors]) -> Vectors:
    """What is asked for; of each class in turn, recalls of all classes, with the vectors of every class in ``each``."""
    if ask.positive != EACH:
        return make(ask)
    if ask.areas:
        raise InputError(
            "positive is 'each', and curves are of one class against the rest.",
            "judge, arguments positive and on",
            "say which class: --positive NAME.",
        )
    wanted_measures(ask.on)  # a wrong name is one before anything is read
    main = make(replace(ask, on=RECALLS, positive=None))
    if EACH in main.classes or not main.classes:  # the first is a class, the second is refused with its own reason
        return make(ask)
    _refuse_twice_the_same(main.classes, ask)
    every = tuple(make(replace(ask, on=_of_one_class(ask), positive=name)) for name in main.classes)
    asked = {**every[0].asked, "on": ask.names, "positive": EACH}
    return replace(main, each=every, asked=asked, positive=None)


def _of_one_class(ask: Ask) -> list[str]:
    """The measures of a class against the rest: their recalls are two, in the place of those of all classes."""
    if RECALLS not in map(plain, ask.names):
        return ask.names
    return [*TWO_RECALLS, *(name for name in ask.names if plain(name) != RECALLS and not _is_rate(name, turned=False))]


def _is_rate(name: str, *, turned: bool) -> bool:
    """Whether a measure is the recall of the class or of the rest; ``turned``: or 1 minus it."""
    recall = any(same_values(name) == same_values(each) for each in TWO_RECALLS)
    return recall and (turned or is_larger_better(name) is True)


def _refuse_twice_the_same(classes: tuple[str, ...], ask: Ask) -> None:
    """Of two classes the rates of one are those of the other: the same test would be made at half its level."""
    if len(classes) == 2 and all(plain(name) == RECALLS or _is_rate(name, turned=True) for name in ask.names):
        raise InputError(
            f"positive is 'each', and of two classes the rates of {classes[0]} are those of {classes[1]} turned round.",
            "judge, arguments positive and on",
            f"leave it out, or say which class is positive: --positive {classes[1]}.",
        )


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
        origin=replace(scores.origin, notes=notes),
        error_of=next((part.error_of for part in every if part.error_of), ""),
        filled={name: value for part in every for name, value in part.filled.items()},
        positive=positive,
        classes=_if_same(part.classes for part in every) or (),
        items=None,
        complete=partial(_completed, parts, learners),
    )


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
    learners = found if asked is None else tuple(asked)
    for name in learners:
        if name not in found:
            raise unknown(name, found, what="learner", where=first.origin.source)
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
