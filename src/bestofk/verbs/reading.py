"""The verb read: results that exist already, from files, stores, frames, arrays or scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict, Unpack, overload

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.phrases import counted
from bestofk.evidence import Evidence
from bestofk.evidence.layouts.dataset_rows import learners_in, tables_by_dataset
from bestofk.evidence.reading import opened, read_evidence
from bestofk.evidence.vectors import Vectors
from bestofk.judging.measures_judge import vectors_from
from bestofk.judging.measures_reading import read_vectors
from bestofk.stores.opening import is_store, open_store
from bestofk.tables.table import Table


class _Options(TypedDict, total=False):
    """Keywords of ``read`` beside ``on``, for type checkers."""

    measure: str | None
    larger_is_better: bool | None
    learners: Sequence[str] | None
    rows: str | None
    replications: int | None
    test_fraction: float | None
    align: str | None
    plan: str | None
    dataset: str | None
    positive: str | None
    undefined: float | None


@overload
def read(source: Any, *, on: None = None, **options: Unpack[_Options]) -> Evidence: ...


@overload
def read(source: Any, *, on: Iterable[str], **options: Unpack[_Options]) -> Vectors: ...


def read(
    source: Any,
    *,
    measure: str | None = None,
    larger_is_better: bool | None = None,
    learners: Sequence[str] | None = None,
    rows: str | None = None,
    replications: int | None = None,
    test_fraction: float | None = None,
    align: str | None = None,
    plan: str | None = None,
    dataset: str | None = None,
    on: Any = None,
    positive: str | None = None,
    undefined: float | None = None,
) -> Evidence | Vectors:
    """Read results that exist already: a file, a data frame, arrays, or what scikit-learn returns.

    Parameters
    ----------
    source : path, data frame, dict or list
        CSV, TSV, Parquet, JSON, JSON Lines or XLSX; a pandas or polars frame; ``{learner: scores}``;
        ``{learner: cross_validate(...)}``; ``cv_results_`` of a search; one JSON Lines file per model. Long tables
        have a column ``learner``, wide ones a column per learner; see docs/reading.md for every layout.
    measure : str, optional
        Which measure to judge by, when there are several.
    larger_is_better : bool, optional
        The direction of a measure that bestofk does not know.
    learners : sequence of str, optional
        Names for a list of results.
    rows : {"datasets", "folds", "items"}, optional
        What the rows of a table are that has no column to say so.
    replications : int, optional
        Folds in a row are so many replications, where the source does not say (scikit-learn's RepeatedKFold).
    test_fraction : float, optional
        The results are random splits (ShuffleSplit) with this share of test data.
    align : {"common", "interpolate", "relative"}, optional
        What to do with curves whose steps differ: keep the steps that all have, take values on lines between points,
        or count steps as shares of the last one of each data set.
    plan : str, optional
        Which plan of a store, by the beginning of its fingerprint, when it has several.
    dataset : str, optional
        Keep this data set only.
    on, positive, undefined : optional
        Several measures at once: see ``judge``.

    Returns
    -------
    Scores, Items or Curves; Vectors with ``on``
        ``repr`` says in one sentence what was understood.
    """
    options: dict[str, Any] = {
        "measure": measure,
        "larger_is_better": larger_is_better,
        "learners": learners,
        "rows": rows,
        "replications": replications,
        "test_fraction": test_fraction,
        "align": align,
        "plan": plan,
        "dataset": dataset,
    }
    several = {"on": on, "positive": positive, "undefined": undefined}
    found = _read(source, **options) if on is None else _read_on(source, **several, **options)
    if found is not source:  # evidence stays as it was read first
        given = {name: value for name, value in {**options, **several}.items() if value is not None}
        scores = found.scores if isinstance(found, Vectors) else found
        object.__setattr__(scores, "origin", scores.origin.read_with(source, given))
    return found


def _read(
    source: Any,
    *,
    measure: str | None,
    larger_is_better: bool | None,
    learners: Sequence[str] | None,
    rows: str | None,
    replications: int | None,
    test_fraction: float | None,
    align: str | None,
    plan: str | None,
    dataset: str | None,
) -> Evidence:
    if is_store(source):
        if align is not None:
            raise InputError(
                f"align is {align!r}, and the source is a store.",
                "argument align",
                "leave it out: learning curves of a store have one grid, of several data sets in shares.",
            )
        scores = from_store(str(source), plan, measure, larger_is_better)
        return read_evidence(
            scores, learners=learners, replications=replications, test_fraction=test_fraction, dataset=dataset
        )
    _refuse_store_among_others(source)
    return read_evidence(
        source,
        measure=measure,
        larger_is_better=larger_is_better,
        learners=learners,
        rows=rows,
        replications=replications,
        test_fraction=test_fraction,
        align=align,
        dataset=dataset,
    )


def _refuse_store_among_others(source: Any) -> None:
    """A store has all its learners inside, and is no file of one of them."""
    stores = [each for each in source if is_store(each)] if isinstance(source, list | tuple) else []
    if stores:
        raise InputError(
            f"a store is given beside {counted(len(source) - 1, 'other file')}.",
            str(stores[0]),
            "judge a store by itself; bestofk store merge puts several stores together, bestofk store export makes a "
            "table of one.",
        )


def _read_on(
    source: Any,
    *,
    on: Any,
    measure: str | None,
    positive: str | None,
    undefined: float | None,
    larger_is_better: bool | None,
    **given: Any,
) -> Vectors:
    """Several measures of every fold; ``given`` are the other options of ``read``."""
    on = list(on) if isinstance(on, Iterable) and not isinstance(on, str) else on  # an array or keys of a dict too
    if given["align"] is not None:
        raise InputError(f"align is {given['align']!r}, and on is given.", "arguments align and on", "leave one out.")
    if measure is not None:
        raise InputError(f"measure is {measure!r}, and on names measures too.", "arguments measure and on", "give one.")
    said: dict[str, Any] = {"positive": positive, "undefined": undefined, "larger_is_better": larger_is_better}
    if isinstance(source, Evidence):
        return vectors_from(_read(source, measure=None, larger_is_better=None, **given), on, **said)

    table = source if is_store(source) else opened(source)
    tables = tables_by_dataset(table) if isinstance(table, Table) and given["dataset"] is None else {}
    asked = _known_learners(table, given["learners"]) if tables else given["learners"]

    def once(name: str | None, larger: bool | None, dataset: str | None = None) -> Evidence:
        if dataset in tables:
            learners = _those_in(tables[dataset], asked)
            return _read(tables[dataset], measure=name, larger_is_better=larger, **{**given, "learners": learners})
        chosen = given if dataset is None else {**given, "dataset": dataset}
        return _read(table, measure=name, larger_is_better=larger, **chosen)

    return read_vectors(once, source, on, datasets=tuple(tables), learners=asked, **said)


def _known_learners(table: Table, asked: Sequence[str] | None) -> Sequence[str] | None:
    """The learners asked for, each of which has to be in some row of a long table."""
    known = learners_in(table)
    for name in () if isinstance(asked, str) else asked or ():  # text in the place of a list is refused by the reader
        if known is not None and name not in known:
            raise unknown(name, known, what="learner", where=table.source)
    return asked


def _those_in(table: Table, asked: Sequence[str] | None) -> Sequence[str] | None:
    """Those asked for that a data set has, the others are missing there; no fewer than two, which evidence needs."""
    known = learners_in(table)
    if known is not None and len(known) < 2:
        raise InputError(
            f"there are results of one learner, {known[0]}.",
            table.source,
            "give those of the others, or remove its rows.",
        )
    if asked is None or known is None or isinstance(asked, str):
        return asked
    found = [name for name in asked if name in known]
    return [*found, *(name for name in known if name not in found)][: max(len(found), 2)]


def from_store(url: str, plan: str | None, measure: str | None, larger_is_better: bool | None) -> Evidence:
    """Read the results of a store, of one plan where it has several."""
    from bestofk.stores.evidence import evidence_from_store

    store = open_store(url, create=False)
    try:
        return evidence_from_store(store, plan=plan, measure=measure, larger_is_better=larger_is_better)
    finally:
        store.close()
