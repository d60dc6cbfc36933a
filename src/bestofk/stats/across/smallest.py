"""The smallest set of data sets whose removal changes a conclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import comb

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.record import Record
from bestofk.stats.across.bounds import cannot_change, likely_sets
from bestofk.stats.across.deciding import Decided, decide
from bestofk.stats.across.influence import evidence_for_first
from bestofk.stats.across.leaving_out import LeftOut, kept_without, on_all, subsets
from bestofk.stats.across.question import Places, Question, table_of

#: Sizes with more sets than these are not gone through; there the search is greedy.
MOST_SETS = 20_000
#: Sets tested at once.
_STEP = 5_000
#: A conclusion that survives the loss of any so many hangs on no few.
MOST_REMOVED = 10
#: Smaller than any p value, and than those by which the normal form of a test may be off.
NO_LEVEL = 1e-315

#: From what is decided with all data sets and without some to which conclusions (columns) changed.
Changed = Callable[[Decided, Decided], Flags]
#: From a conclusion (column) to data sets in the order to leave them out, one row per way to try.
Paths = Callable[[int, int], Places]


class SmallestSet(Record):
    """A set of data sets, by their places, whose removal changes a conclusion.

    ``exact``: no smaller set does. Otherwise at least ``at_least`` must go, and these are the fewest that were found.
    ``removed`` is empty where none was found up to ``tried_up_to``; ``ties`` counts sets as small (only where all sets
    of that size were tried).
    """

    removed: tuple[int, ...]
    exact: bool
    at_least: int
    tried_up_to: int
    ties: int = 0


def pair_conclusions_changed(before: Decided, after: Decided) -> Flags:
    """Whether the conclusion of each pair is another one."""
    return np.asarray(after.conclusion != before.conclusion)


def smallest_sets(
    losses: Array,
    question: Question,
    *,
    changed: Changed = pair_conclusions_changed,
    paths: Paths | None = None,
    most: int | None = None,
    most_sets: int = MOST_SETS,
    known: Sequence[LeftOut] = (),
) -> tuple[SmallestSet, ...]:
    """Find for every conclusion the fewest data sets that it hangs on.

    Sizes are gone through one by one, all sets of a size at once. A size is skipped for a pair where a bound shows that
    no set of it can do (paired t, sign). Sizes with more than ``most_sets`` sets are left to a greedy search, which
    takes out, step by step, the data set whose absence moves the pair's evidence most: its answer is an upper bound,
    and the sizes gone through are a lower one.

    Parameters
    ----------
    losses : array, (K, D)
    question : Question
    changed : callable
        What counts as a change, one column per conclusion; the pairs' conclusions unless said otherwise.
    paths : callable
        Data sets in the order to leave out where not all sets are tried, from a conclusion and how many.
    most : int, optional
        Sizes beyond these are not looked at: half the data sets, and no more than ten.
    most_sets : int
    known : sequence of LeftOut
        Sizes that were gone through already.

    Examples
    --------
    >>> from bestofk.stats.across import all_pairs
    >>> a, b = [80, 73, 85, 68, 82, 75, 73, 64, 75, 69], [85, 70, 85, 74, 71, 65, 77, 73, 75, 76]
    >>> found, = smallest_sets(-np.array([a, b], dtype=float), all_pairs(2, "paired-t"))
    >>> found.removed, found.exact, found.ties
    ((4, 5), True, 1)
    """
    losses = table_of(losses)
    datasets = losses.shape[1]
    upto = max(1, min(most or min(datasets // 2, MOST_REMOVED), datasets - 2))
    everything = on_all(losses, question)
    own = changed is pair_conclusions_changed
    open_: dict[int, int] = dict.fromkeys(range(changed(everything, everything).shape[1]), 1)
    found: dict[int, SmallestSet] = {}
    for size in range(1, upto + 1):
        asked = [c for c in open_ if c not in found and open_[c] == size]
        sure = [c for c in asked if own and cannot_change(losses, question, everything, c, size)]
        for column in sure:
            open_[column] = size + 1
        rest = [c for c in asked if c not in sure]
        if rest and comb(datasets, size) <= most_sets:
            tried = next((each for each in known if each.removed.shape[1] == size), None)
            parts = _all_of(losses, question, size) if tried is None else iter([tried])
            _through(parts, changed, everything, size, rest, upto, found)
            for column in rest:
                open_[column] = size + 1
        elif own:
            for column in rest:
                _try_likely(losses, question, everything, size, column, upto, found)
    for column in open_:
        if column not in found:
            found[column] = _greedy(losses, question, changed, everything, column, open_[column], upto, paths)
    return tuple(found[column] for column in sorted(found))


def _all_of(losses: Array, question: Question, size: int) -> Iterator[LeftOut]:
    """All sets of a size, part by part."""
    for start in range(0, comb(losses.shape[1], size), _STEP):
        removed = subsets(losses.shape[1], size, start, _STEP)
        yield LeftOut(removed, decide(losses, kept_without(removed, losses.shape[1]), question))


def _through(
    parts: Iterator[LeftOut],
    changed: Changed,
    everything: Decided,
    size: int,
    columns: list[int],
    upto: int,
    found: dict[int, SmallestSet],
) -> None:
    """Look through all sets of a size; the first that changes a conclusion is named, the others are counted."""
    hits: dict[int, list[Places]] = {column: [] for column in columns}
    for part in parts:
        which = changed(everything, part.decided)
        for column in columns:
            hits[column].append(part.removed[which[:, column]])
    for column in columns:
        sets = np.concatenate(hits[column])
        if len(sets):
            chosen = tuple(int(i) for i in sets[0])
            found[column] = SmallestSet(chosen, exact=True, at_least=size, tried_up_to=upto, ties=len(sets))


def _try_likely(
    losses: Array,
    question: Question,
    everything: Decided,
    size: int,
    column: int,
    upto: int,
    found: dict[int, SmallestSet],
) -> None:
    """Try the sets that the bound itself names: smaller ones are ruled out, so one that does is a smallest one."""
    removed = likely_sets(losses, question, everything, column, size)
    if not len(removed):
        return
    after = decide(losses, kept_without(removed, losses.shape[1]), question)
    hit = np.flatnonzero(after.conclusion[:, column] != everything.conclusion[:, column])
    if hit.size:
        chosen = tuple(sorted(int(i) for i in removed[hit[0]]))
        found[column] = SmallestSet(chosen, exact=True, at_least=size, tried_up_to=upto)


def _greedy(
    losses: Array,
    question: Question,
    changed: Changed,
    everything: Decided,
    column: int,
    at_least: int,
    upto: int,
    paths: Paths | None,
) -> SmallestSet:
    """Leave out one data set after the other along every path; the shortest way that changes the conclusion counts."""
    best: tuple[int, ...] = ()
    for path in paths(column, upto) if paths else evidence_paths(losses, question, column, upto):
        for size in range(at_least, upto + 1):
            removed = np.sort(path[:size])[None]
            after = decide(losses, kept_without(removed, losses.shape[1]), question)
            if changed(everything, after)[0, column]:
                if not best or size < len(best):
                    best = tuple(int(i) for i in removed[0])
                break
    exact = len(best) == at_least or (not best and at_least > upto)
    return SmallestSet(best, exact=exact, at_least=at_least, tried_up_to=upto)


def evidence_paths(losses: Array, question: Question, pair: int, upto: int) -> Places:
    """Two orders of leaving out: what moves the evidence of a pair most towards the first, and towards the second."""
    together = question.test == "nemenyi"  # ranks need all learners
    pairs = slice(None) if together else [pair]
    test = "paired-t" if question.test == "permutation-t" else question.test  # which grows with the same sums
    # Nothing is decided on the way, so no p needs to be exact: at such a level none is near a decision.
    alone = replace(question, test=test, alpha=NO_LEVEL, first=question.first[pairs], second=question.second[pairs])
    place = pair if together else 0
    return np.array([_path(losses, alone, place, towards, upto) for towards in (1.0, -1.0)], dtype=np.intp)


def _path(losses: Array, question: Question, place: int, towards: float, upto: int) -> list[int]:
    gone: list[int] = []
    while len(gone) < upto:
        left = [d for d in range(losses.shape[1]) if d not in gone]
        removed = np.array([[*gone, d] for d in left], dtype=np.intp)
        after = decide(losses, kept_without(removed, losses.shape[1]), question)
        gone.append(left[int(np.argmax(towards * evidence_for_first(after)[:, place]))])
    return gone
