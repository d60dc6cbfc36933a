"""Folds with the counts of all classes, as ``bestofk store export`` writes them in columns classes and confusion."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence.layouts.grid import Key, key_of
from bestofk.evidence.layouts.layout import Layout, Read
from bestofk.evidence.layouts.long_scores import long_scores, score_keys
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import roles_of
from bestofk.evidence.measure_vectors.known import Known, known_of_counts
from bestofk.evidence.scores import Scores
from bestofk.measures.catalogue import ENTRIES, Measure
from bestofk.measures.checks import refuse_unfit
from bestofk.tables.table import Numbers, Table

CLASSES, CONFUSION = "classes", "confusion"


def has_confusion(names: Sequence[str]) -> bool:
    """Whether the columns hold counts of all classes beside learners."""
    return {"learner", CLASSES, CONFUSION} <= set(names)


def counted_scores(table: Table, request: Request) -> Scores | Read:
    """Read scores that know the counts behind them; a measure of counts that has no column is made of them."""
    bare = table.without([CLASSES, CONFUSION])
    roles = roles_of(bare)
    counted = list(_counted_rows(table, key_of(table, "dataset", roles.column.get("dataset"))))
    measure = _measure_of_counts(bare, request)
    if measure is not None:
        values = _measured(measure, counted, len(table))
        bare = bare.with_columns({str(request.measure): Numbers(values)})
        roles = roles_of(bare)
    if "step" in roles:  # of learning curves one measure is all that is asked for
        return bare, request, []
    keys = score_keys(bare, roles)
    scores = long_scores(bare, roles, request)
    two = all(len(each.classes) == 2 for each in counted)
    return replace(scores, counts=scores.counts if two else None, outcomes=_outcomes(counted, keys, scores))


def matrix_of(text: str) -> list[list[int]] | None:
    """Counts of truth × prediction; None where the text holds none.

    Examples
    --------
    >>> matrix_of("20 2/0 35"), matrix_of("20 2/0")
    ([[20, 2], [0, 35]], None)
    """
    rows = [line.split() for line in text.split("/")]
    if any(len(row) != len(rows) or not "".join(row).isdecimal() or max(map(len, row)) > 9 for row in rows):
        return None
    return [[int(count) for count in row] for row in rows]


def classes_of(text: str) -> tuple[str, ...]:
    """Names in a JSON list; none where the text is no such list.

    Examples
    --------
    >>> classes_of('["no", "yes"]'), classes_of("no")
    (('no', 'yes'), ())
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    return tuple(map(str, found)) if isinstance(found, list) else ()


@frozen(eq=False)
class _Counted:
    """The rows of a data set, its classes, and the counts of every row, (rows, C, C), NaN where nothing was counted."""

    dataset: str
    rows: npt.NDArray[np.intp]
    classes: tuple[str, ...]
    counts: Array


def _counted_rows(table: Table, dataset: Key) -> Iterator[_Counted]:
    words, lists = table.text(CONFUSION), table.text(CLASSES)
    matrices, names = [matrix_of(each) for each in words.categories], [classes_of(each) for each in lists.categories]
    said = np.array([*(each is None or bool(np.sum(each)) for each in matrices), False])[words.codes]
    for code, name in enumerate(dataset.names):
        rows = np.flatnonzero(dataset.codes == code)
        there = rows[said[rows]]
        classes = names[lists.codes[there[0]]] if len(there) and lists.codes[there[0]] >= 0 else ()
        _refuse_other_classes(table, there, lists.codes[there], name)
        counts = np.full((len(rows), len(classes), len(classes)), np.nan)
        for place, row in zip(np.flatnonzero(said[rows]), there, strict=True):
            matrix = matrices[words.codes[row]]
            if matrix is None or len(matrix) != len(classes):
                raise InputError(
                    f"the counts {words.categories[words.codes[row]]!r} are not those of {len(classes)} classes.",
                    table.where(row=int(row), column=CONFUSION),
                    'give classes as a list, ["no", "yes"], and their counts row by row of the truth: 20 2/0 35.',
                )
            counts[place] = matrix
        yield _Counted(name, rows, classes, counts)


def _refuse_other_classes(table: Table, rows: npt.NDArray[np.intp], codes: Any, dataset: str) -> None:
    other = np.flatnonzero(codes != codes[:1])
    if len(other):
        words = table.text(CLASSES)
        shown = listed([words.categories[code] if code >= 0 else "none" for code in (codes[0], codes[other[0]])])
        where = table.where(row=int(rows[other[0]]), column=CLASSES)
        raise InputError(f"data set {dataset} has the classes {shown}.", where, "give a data set one list of classes.")


def _measure_of_counts(table: Table, request: Request) -> Measure | None:
    """The measure asked for, where counts give it and no column does."""
    asked = plain(request.measure or "")
    known = ENTRIES.get(asked)
    there = asked in {plain(name) for name in table.names}
    return None if known is None or known.needs != "counts" or there else known


def _measured(measure: Measure, counted: Sequence[_Counted], length: int) -> Array:
    """A measure of the counts of every row; NaN where there are none."""
    values = np.full(length, np.nan)
    for each in counted:
        if each.classes:
            refuse_unfit(measure, each.dataset, "classification", len(each.classes))
            values[each.rows] = measure.compute(each.counts)
    return values


@frozen(eq=False)
class CountedOutcomes:
    """Counts of all classes by data set, (learners, replications, folds, C, C), with the names of the axes.

    ``confusion`` is empty where some result has no counts.
    """

    learners: tuple[str, ...]
    replications: tuple[str, ...]
    folds: tuple[str, ...]
    classes: dict[str, tuple[str, ...]]
    confusion: dict[str, Array]

    def known(self, scores: Scores, positive: str | None) -> tuple[Scores, Known]:
        """The counts of the positive class, and those of all classes."""
        axes = (self.learners, self.replications, self.folds)
        names = (scores.learners, scores.replications, scores.folds)
        if not all(set(some) <= set(every) for some, every in zip(names, axes, strict=True)):
            raise InputError(
                "the folds were read in other groups than the table has them.",
                f"judge, argument on, {scores.origin.source}",
                "leave replications and test_fraction out: the table names its folds.",
            )
        places = [[every.index(name) for name in some] for some, every in zip(names, axes, strict=True)]
        kept = [name for name in scores.datasets if name in self.confusion]
        confusion = tuple(self.confusion[name][np.ix_(*places)] for name in kept)
        return known_of_counts(scores, confusion, {self.classes[name] for name in scores.datasets}, positive)


def _outcomes(counted: Sequence[_Counted], keys: Sequence[Key], scores: Scores) -> CountedOutcomes:
    learner, _, replication, fold = keys
    shape = tuple(len(key.names) for key in (learner, replication, fold))
    confusion: dict[str, Array] = {}
    for each, name in zip(counted, scores.datasets, strict=True):
        size = len(each.classes)
        confusion[name] = np.full((*shape, size, size), np.nan)
        confusion[name][learner.codes[each.rows], replication.codes[each.rows], fold.codes[each.rows]] = each.counts
    gone = any(
        bool((np.isnan(confusion[name]).any(axis=(3, 4)) & ~np.isnan(scores.values[:, place])).any())
        or not each.classes
        for place, (name, each) in enumerate(zip(scores.datasets, counted, strict=True))
    )
    classes = {name: each.classes for name, each in zip(scores.datasets, counted, strict=True)}
    return CountedOutcomes(learner.names, replication.names, fold.names, classes, {} if gone else confusion)


CONFUSIONS = Layout(has_confusion, counted_scores, keys=frozenset({CONFUSION}))
