"""Several measures of a source or of evidence, side by side: of folds, of items, of every data set or class in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import counted
from bestofk.evidence.evidence import Evidence
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.dataset_rows import learners_in, tables_by_dataset
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.outcomes.areas import areas_of
from bestofk.evidence.outcomes.datasets import of_one_dataset, vectors_of_datasets
from bestofk.evidence.outcomes.items import curves_of_one, vectors_of_items
from bestofk.evidence.outcomes.vectors import vectors_of
from bestofk.evidence.outcomes.wanted import (
    RECALLS,
    Wanted,
    asks_areas,
    known_direction,
    names_asked,
    no_probabilities,
    refuse_areas_among_others,
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
#: The recall of a class, and that of the rest.
_TWO_RECALLS = ("tpr", "specificity")

#: Makes vectors of a class, or of all of them, on measures: ``make(positive, on)``.
_Make = Callable[[str | None, Any], Vectors]


def read_vectors(
    source: object,
    on: Any,
    request: Request,
    *,
    positive: str | None = None,
    undefined: float | None = None,
    larger_is_better: bool | None = None,
) -> Vectors:
    """Read a source once, with everything that it has of the measures asked for, and put them side by side.

    Items of several data sets are read one data set after another, for each has folds and classes of its own.
    """
    refuse_areas_among_others(on)
    said: dict[str, Any] = {"undefined": undefined, "larger_is_better": larger_is_better}
    request = replace(request, on=_wanted(on, larger_is_better), larger_is_better=None)
    table = opened(source)
    tables = tables_by_dataset(table) if isinstance(table, Table) and request.dataset is None else {}
    names, asked = tuple(tables), _known_learners(table, request.learners) if tables else None
    if tables and asks_areas(on):
        raise curves_of_one(names, str(source) if isinstance(source, str | Path) else "data frame")
    if not tables:
        found = evidence_of(table, request)
        names = found.fold_datasets if isinstance(found, Items) and not asks_areas(on) else ()
        if not names:
            return vectors_from(found, on, positive=positive, **said)

    def alone(name: str) -> Evidence:
        if name in tables:
            return evidence_of(tables[name], replace(request, learners=_those_in(tables[name], asked)))
        return evidence_of(table, replace(request, dataset=name))

    return _over_datasets({name: of_one_dataset(name, alone) for name in names}, on, positive, asked, said)


def _wanted(on: Any, larger: bool | None) -> tuple[Wanted, ...]:
    """The measures with their directions; ``larger`` is that of those of which nothing else says it."""
    if asks_areas(on):
        return (Wanted("auc"),)
    return tuple(
        replace(each, larger_is_better=larger)
        if each.larger_is_better is None and known_direction(each.name) is None
        else each
        for each in wanted_measures(on)
    )


def _over_datasets(
    parts: dict[str, Evidence], on: Any, positive: str | None, learners: Sequence[str] | None, said: dict[str, Any]
) -> Vectors:
    def make(chosen: str | None, what: Any) -> Vectors:
        def of_dataset(name: str) -> Vectors:
            part = parts[name]
            if not isinstance(part, Items):
                return vectors_of(part, what)  # which says why not
            return vectors_of_items(part, what, chosen, **said, may_be_one_set=True)

        return vectors_of_datasets(tuple(parts), of_dataset, learners)

    return _of_each_class(make, on) if positive == EACH else make(positive, on)


def _known_learners(table: Table, asked: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The learners asked for, each of which has to be in some row of a long table."""
    known = learners_in(table)
    for name in asked or ():
        if known is not None and name not in known:
            raise unknown(name, known, what="learner", where=table.source)
    return asked


def _those_in(table: Table, asked: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Those asked for that a data set has, the others are missing there; no fewer than two, which evidence needs."""
    known = learners_in(table)
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


def vectors_from(
    evidence: Evidence,
    on: Any,
    *,
    positive: str | None = None,
    undefined: float | None = None,
    larger_is_better: bool | None = None,
) -> Vectors:
    """The named measures of evidence, made of whatever it has: its columns, its counts, its items, its store."""

    def make(chosen: str | None, what: Any) -> Vectors:
        said: dict[str, Any] = {"undefined": undefined, "larger_is_better": larger_is_better}
        if isinstance(evidence, Items):
            _refuse_datasets_read_together(evidence, what)
            return vectors_of_items(evidence, what, chosen, **said)
        if not isinstance(evidence, Scores) and asks_areas(what):
            raise no_probabilities(evidence)
        if not isinstance(evidence, Scores):
            return vectors_of(evidence, what)  # which says why not
        return _vectors_of_scores(evidence, what, chosen, **said)

    refuse_areas_among_others(on)
    return _of_each_class(make, on) if positive == EACH else make(positive, on)


def _vectors_of_scores(
    evidence: Scores, on: Any, positive: str | None, undefined: float | None, larger_is_better: bool | None
) -> Vectors:
    """Of a store ROC curves stand beside other measures where it kept all that they need."""
    said: dict[str, Any] = {"undefined": undefined, "larger_is_better": larger_is_better}
    if evidence.outcomes is None:
        columns = {plain(name) for name in (evidence.measure, *evidence.others)}
        if asks_areas(on) or any(threshold_in(name) and plain(name) not in columns for name in names_asked(on)):
            raise no_probabilities(evidence)
        if positive is not None:
            raise InputError(
                f"positive is {positive!r}, and the results have no classes by name.",
                f"judge, argument positive, {evidence.origin.source}",
                "leave it out: the counts tp, fn, fp, tn say which class is positive; a store knows classes by name.",
            )
        return vectors_of(evidence, on, **said)
    scores, known = evidence.outcomes.known(evidence, positive)
    if asks_areas(on):
        items = no_probabilities(evidence) if known.items is None else known.items()
        if isinstance(items, InputError):
            raise items
        asked = {"on": names_asked(on), "positive": positive, "undefined": undefined}
        return areas_of(evidence, items, asked, known.classes)
    vectors = vectors_of(scores, on, known=known, **said)
    items = None if known.items is None or known.positive is None else known.items()
    return vectors if items is None or isinstance(items, InputError) else replace(vectors, items=items)


def _refuse_datasets_read_together(items: Items, on: Any) -> None:
    """Items that were read already do not tell the folds of their data sets apart."""
    if items.fold_datasets and not asks_areas(on):
        raise InputError(
            f"these items of {counted(len(items.fold_datasets), 'data set')} were read already, all together.",
            f"judge, argument on, {items.origin.source}",
            "give judge the file or the frame itself, or bk.read(source, on=…): every data set is read with its folds.",
        )


def _of_each_class(make: _Make, on: Any) -> Vectors:
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
    return [*_TWO_RECALLS, *(name for name in names if plain(name) != RECALLS and not _is_rate(name, turned=False))]


def _is_rate(name: str, *, turned: bool) -> bool:
    """Whether a measure is the recall of the class or of the rest; ``turned``: or 1 minus it."""
    recall = any(same_values(name) == same_values(each) for each in _TWO_RECALLS)
    return recall and (turned or is_larger_better(name) is True)


def _refuse_twice_the_same(classes: tuple[str, ...], on: Any) -> None:
    """Of two classes the rates of one are those of the other: the same test would be made at half its level."""
    if len(classes) == 2 and all(plain(name) == RECALLS or _is_rate(name, turned=True) for name in names_asked(on)):
        raise InputError(
            f"positive is 'each', and of two classes the rates of {classes[0]} are those of {classes[1]} turned round.",
            "judge, arguments positive and on",
            f"leave it out, or say which class is positive: --positive {classes[1]}.",
        )
