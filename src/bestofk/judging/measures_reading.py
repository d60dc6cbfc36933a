"""Reading several measures of one source: the first in front, then whatever the first reading lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from bestofk.core.arrays import Array
from bestofk.core.errors import BestOfKError, InputError, UnknownName
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence import Evidence, Items, Scores
from bestofk.evidence.layouts.measured import SeveralMeasures
from bestofk.evidence.layouts.unclear_scores import UnclearScores
from bestofk.evidence.scores import COUNTS
from bestofk.evidence.vectors import Vectors
from bestofk.evidence.vectors_known import Known
from bestofk.evidence.vectors_making import vectors_of
from bestofk.evidence.vectors_names import RECALLS, WHERE, Wanted, direction_of, wanted_measures
from bestofk.judging.measures_datasets import vectors_of_datasets
from bestofk.judging.measures_each import EACH, of_each_class
from bestofk.judging.measures_from_items import (
    asks_areas,
    asks_thresholds,
    curves_of_one,
    no_probabilities,
    refuse_areas,
    refuse_areas_among_others,
    vectors_of_items,
)
from bestofk.judging.measures_from_store import known_from_store
from bestofk.judging.measures_one_score import Read, refuse_no_counts, refuse_one_score
from bestofk.judging.measures_store import vectors_of_store
from bestofk.measures.catalogue import is_larger_better
from bestofk.measures.count_columns import OF_COUNTS
from bestofk.stores.opening import is_store


def read_vectors(
    read: Read,
    source: object,
    on: Any,
    *,
    positive: str | None = None,
    undefined: float | None = None,
    larger_is_better: bool | None = None,
    datasets: Sequence[str] = (),
    learners: Sequence[str] | None = None,
) -> Vectors:
    """Read the named measures of every fold of a source, as often as it takes.

    ``datasets`` are those of a table of items where each has folds of its own, ``learners`` those asked for.
    """
    said: dict[str, Any] = {"undefined": undefined, "larger_is_better": larger_is_better}
    said |= {"datasets": datasets, "learners": learners}
    if positive == EACH:
        return of_each_class(lambda name, what: _read_class(read, source, what, positive=name, **said), on)
    return _read_class(read, source, on, positive=positive, **said)


def _read_class(
    read: Read,
    source: object,
    on: Any,
    *,
    positive: str | None,
    undefined: float | None,
    larger_is_better: bool | None,
    datasets: Sequence[str] = (),
    learners: Sequence[str] | None = None,
) -> Vectors:
    refuse_areas_among_others(on)
    said: dict[str, Any] = {"positive": positive, "undefined": undefined, "larger_is_better": larger_is_better}
    if datasets and asks_areas(on):
        raise curves_of_one(datasets, str(source) if isinstance(source, str | Path) else "data frame")
    if datasets:
        return _over_datasets(datasets, learners, read, on, **said)
    if (asks_areas(on) or asks_thresholds(on)) and not is_store(source):
        found = _with_probabilities(read, on)
        if isinstance(found, Items):
            return _of_items(found, read, on, **said)
        if found is not None:
            refuse_areas(on, found)
    if is_store(source):
        return vectors_of_store(read(None, None), on, positive, undefined, larger_is_better, source)
    wanted = wanted_measures(on)
    refuse_no_counts(read, wanted)
    front = _front(read, wanted, larger_is_better)
    if isinstance(front, Items):
        return _of_items(front, read, on, **said)
    if not isinstance(front, Scores):
        return vectors_of(front, on)  # which says why not
    refuse_one_score(read, front, wanted)
    scores, _ = known_from_store(front, positive, source)  # which refuses a class by name
    known = Known(more=_more(read, wanted, larger_is_better))
    return vectors_of(scores, on, known=known, undefined=undefined, larger_is_better=larger_is_better)


def _of_items(items: Items, read: Read, on: Any, **said: Any) -> Vectors:
    """Vectors of the items; those of several data sets with folds one data set after another."""
    if items.fold_datasets and not asks_areas(on):
        return _over_datasets(items.fold_datasets, None, read, on, **said)
    return vectors_of_items(items, on, **said)


def _over_datasets(
    datasets: Sequence[str], learners: Sequence[str] | None, read: Read, on: Any, **said: Any
) -> Vectors:
    wanted = wanted_measures(on)  # a wrong name is one before anything is read

    def of_dataset(name: str) -> Vectors:
        found = read(None, None, name) if asks_thresholds(on) else _front(_of_one(read, name), wanted, None)
        if not isinstance(found, Items):
            return vectors_of(found, on)  # which says why not
        return vectors_of_items(found, on, **said, may_be_one_set=True)

    return vectors_of_datasets(datasets, of_dataset, learners)


def _of_one(read: Read, dataset: str) -> Read:
    """Reads one data set alone."""

    def alone(measure: str | None, larger: bool | None, _: str | None = None, /) -> Evidence:
        return read(measure, larger, dataset)

    return alone


def _with_probabilities(read: Read, on: Any) -> Evidence | None:
    """What curves or thresholds are asked of; None where names with an @ are columns, such as recall@5 of a search."""
    names = {plain(each.name) for each in wanted_measures(on) if "@" in each.name} if asks_thresholds(on) else None
    try:
        found = read(None, None)
    except SeveralMeasures as error:
        if names is not None and names <= set(map(plain, error.names)):
            return None
        raise no_probabilities(f"the measures {listed(error.names)} of folds", error.where, per_fold=True) from None
    known = {plain(each) for each in (found.measure, *found.others)} if isinstance(found, Scores) else set()
    return None if names is not None and names <= known else found


def _front(read: Read, wanted: Iterable[Wanted], larger: bool | None) -> Evidence:
    """Read with the error in front where there are counts or such a column, else with a measure that was named."""
    names = [each for each in wanted if plain(each.name) not in (*COUNTS, RECALLS)]
    tries: list[tuple[str | None, bool | None]] = []
    if any(plain(each.name) in (*OF_COUNTS, RECALLS) for each in wanted):
        tries += [("error", None), ("tp", True)]  # a fold without any row has no error, and has counts all the same
    known = [each for each in names if _direction(each, larger) is not None] or names
    known.sort(key=lambda each: each.said != "")  # seconds may go by another name; whatever stands beside them is there
    tries += [(each.name, _asked(each, larger)) for each in known[:1]] or [(None, larger)]
    tries += [("error", None)] if known and known[0].said else []
    if names and all(_direction(each, larger) is None for each in names) and len(tries) == 1:
        read(names[0].name, True)  # whether it is there at all; its direction has to be said with the name
        direction_of(names[0], larger, where=WHERE)
    faults: list[BestOfKError] = []
    tries += _of_recalls(read, wanted)
    for measure, direction in tries:
        try:
            return read(measure, direction)
        except BestOfKError as error:
            faults.append(error)
    return _outcomes(read, faults)


def _of_recalls(read: Read, wanted: Iterable[Wanted]) -> list[tuple[str | None, bool | None]]:
    """The recall of some class in front, where nothing else is asked for than those of all."""
    if [each.name for each in wanted] != [RECALLS]:
        return []
    try:
        read(None, None)
    except SeveralMeasures as error:
        names = [name for name in error.names if plain(name).startswith("recall_")]
        return [(name, None if is_larger_better(name) is not None else True) for name in names[:1]]
    except BestOfKError:
        pass
    return []


def _outcomes(read: Read, faults: list[BestOfKError]) -> Evidence:
    """Items that have outcomes of their own, which say themselves what vectors need; else what is wrong is raised."""
    wrong = next((each for each in faults if not isinstance(each, UnknownName)), None)
    try:
        found = read(None, None) if wrong is None else None
    except UnclearScores:
        raise
    except BestOfKError:
        found = None
    if not isinstance(found, Items):
        raise wrong or faults[-1]
    return found


def _direction(wanted: Wanted, larger: bool | None) -> bool | None:
    try:
        return direction_of(wanted, larger, where=WHERE)
    except InputError:
        return None


def _asked(wanted: Wanted, larger: bool | None) -> bool | None:
    """The direction to read a measure with: none where its name says it to the reader."""
    return None if is_larger_better(wanted.name) is not None else _direction(wanted, larger)


def _more(read: Read, wanted: Iterable[Wanted], larger: bool | None) -> Callable[[str], Array | None]:
    asked = {each.name: each for each in wanted}

    def more(name: str) -> Array | None:
        wanted = asked.get(name, Wanted(name))
        # A direction that nobody knows is asked for later, with the way to say it beside the name.
        larger_here = None if is_larger_better(name) is not None else _asked(wanted, larger) is not False
        try:
            found = read(name, larger_here)
        except UnknownName:
            return None  # with everything that is known beside it
        return found.values if isinstance(found, Scores) else None

    return more
