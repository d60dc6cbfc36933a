"""Reading several measures of one source: the first in front, then whatever the first reading lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bestofk.core.errors import BestOfKError, InputError, UnknownName
from bestofk.evidence import Evidence, Items, Scores
from bestofk.evidence.columns import plain
from bestofk.evidence.layouts.measured import SeveralMeasures
from bestofk.evidence.layouts.unclear_scores import UnclearScores
from bestofk.evidence.measures import is_larger_better
from bestofk.evidence.scores import COUNTS
from bestofk.evidence.vectors import Vectors
from bestofk.evidence.vectors_known import Known
from bestofk.evidence.vectors_making import vectors_of
from bestofk.evidence.vectors_names import RECALLS, WHERE, Wanted, direction_of, wanted_measures
from bestofk.judging.measures_each import EACH, of_each_class
from bestofk.judging.measures_from_items import (
    asks_areas,
    asks_thresholds,
    refuse_areas,
    refuse_areas_among_others,
    vectors_of_items,
)
from bestofk.judging.measures_from_store import known_from_store
from bestofk.judging.measures_store import vectors_of_store
from bestofk.stats.arrays import Array
from bestofk.stats.multivariate.measures import RATIOS
from bestofk.stores.opening import is_store

#: Reads the source with one measure in front: ``read(measure, larger_is_better)``.
Read = Callable[[str | None, bool | None], Evidence]


def read_vectors(
    read: Read,
    source: object,
    on: Any,
    *,
    positive: str | None = None,
    undefined: float | None = None,
    larger_is_better: bool | None = None,
) -> Vectors:
    """Read the named measures of every fold of a source, as often as it takes."""
    said: dict[str, Any] = {"undefined": undefined, "larger_is_better": larger_is_better}
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
) -> Vectors:
    refuse_areas_among_others(on)
    if (asks_areas(on) or asks_thresholds(on)) and not is_store(source):
        found = read(None, None)
        if isinstance(found, Items):
            return vectors_of_items(found, on, positive, undefined, larger_is_better)
        refuse_areas(on, found)
    if is_store(source):
        return vectors_of_store(read(None, None), on, positive, undefined, larger_is_better, source)
    wanted = wanted_measures(on)
    front = _front(read, wanted, larger_is_better)
    if isinstance(front, Items):
        return vectors_of_items(front, on, positive, undefined, larger_is_better)
    if not isinstance(front, Scores):
        return vectors_of(front, on)  # which says why not
    scores, _ = known_from_store(front, positive, source)  # which refuses a class by name
    known = Known(more=_more(read, wanted, larger_is_better))
    return vectors_of(scores, on, known=known, undefined=undefined, larger_is_better=larger_is_better)


def _front(read: Read, wanted: Iterable[Wanted], larger: bool | None) -> Evidence:
    """Read with the error in front where there are counts or such a column, else with a measure that was named."""
    names = [each for each in wanted if plain(each.name) not in (*COUNTS, RECALLS)]
    tries: list[tuple[str | None, bool | None]] = []
    if any(plain(each.name) in (*RATIOS, *COUNTS, RECALLS) for each in wanted):
        tries += [("error", None), ("tp", True)]  # a fold without any row has no error, and has counts all the same
    known = [each for each in names if _direction(each, larger) is not None] or names
    tries += [(each.name, _asked(each, larger)) for each in known[:1]] or [(None, larger)]
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
        found = read(name, larger_here)
        return found.values if isinstance(found, Scores) else None

    return more
