"""Several measures of a source or of evidence, side by side: of folds, of items, of every data set or class in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import counted
from bestofk.evidence.evidence import Evidence
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.dataset_rows import learners_in, tables_by_dataset
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.told_columns import as_told
from bestofk.evidence.measure_vectors.areas import ItemScores, areas_of, no_probabilities
from bestofk.evidence.measure_vectors.fold_vectors import vectors_of
from bestofk.evidence.measure_vectors.item_vectors import curves_of_one, vectors_of_items
from bestofk.evidence.measure_vectors.joined_datasets import joined_datasets, of_one_dataset
from bestofk.evidence.measure_vectors.wanted import (
    RECALLS,
    TWO_RECALLS,
    WHERE,
    Ask,
    Wanted,
    known_direction,
    threshold_in,
    wanted_measures,
)
from bestofk.evidence.reading import evidence_of, opened
from bestofk.evidence.scores import Scores
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
    table = opened(source, request)
    if isinstance(table, Table):
        table, request = as_told(table, request)
    tables = tables_by_dataset(table, request.told) if isinstance(table, Table) and request.dataset is None else {}
    names, learners = tuple(tables), _known_learners(table, request) if tables else None
    if tables and ask.areas:
        raise curves_of_one(names, str(source) if isinstance(source, str | Path) else "data frame")
    if not tables:
        found = evidence_of(table, request)
        names = found.fold_datasets if isinstance(found, Items) and not ask.areas else ()
        if not names:
            return vectors_from(found, ask)

    def alone(name: str) -> Evidence:
        if name in tables:
            return evidence_of(tables[name], replace(request, learners=_those_in(tables[name], learners, request.told)))
        return evidence_of(table, replace(request, dataset=name))

    parts = {name: of_one_dataset(name, alone) for name in names}

    def make(ask: Ask) -> Vectors:
        found = {
            name: of_one_dataset(name, lambda name: _vectors(parts[name], ask, one_of_many=True)) for name in names
        }
        return joined_datasets(found, learners)

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


def _known_learners(table: Table, request: Request) -> tuple[str, ...] | None:
    """The learners asked for, each of which has to be in some row of a long table."""
    asked, known = request.learners, learners_in(table, request.told)
    for name in asked or ():
        if known is not None and name not in known:
            raise unknown(name, known, what="learner", where=table.source)
    return asked


def _those_in(table: Table, asked: tuple[str, ...] | None, told: Mapping[str, str]) -> tuple[str, ...] | None:
    """Those asked for that a data set has, the others are missing there; no fewer than two, which evidence needs."""
    known = learners_in(table, told)
    if known is not None and len(known) < 2:
        raise InputError(
            f"there are results of one learner, {known[0]}.",
            table.source,
            "give those of the others, or remove its rows.",
        )
    if asked is None or known is None:
        return asked
    found = [name for name in asked if name in known]
    return tuple([*found, *(name for name in known if name not in found)][: max(len(found), 2)])


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
