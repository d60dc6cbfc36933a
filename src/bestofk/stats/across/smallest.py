"""The smallest set of data sets whose removal changes a conclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from math import comb

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, Flags
from bestofk.core.frozen import frozen
from bestofk.core.record import Record
from bestofk.stats.across.conclusions import Decided, decide
from bestofk.stats.across.influence import LeftOut, evidence_for_first, kept_without, on_all, subsets
from bestofk.stats.across.question import Places, Question, table_of
from bestofk.stats.distributions import binomial_half_tail, t_upper
from bestofk.stats.pairwise.student import too_few

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
    search = _Search(losses, question, changed, on_all(losses, question), upto)
    everything, found = search.everything, search.found
    own = changed is pair_conclusions_changed
    open_: dict[int, int] = dict.fromkeys(range(changed(everything, everything).shape[1]), 1)
    for size in range(1, upto + 1):
        asked = [c for c in open_ if c not in found and open_[c] == size]
        sure = [c for c in asked if own and cannot_change(losses, question, everything, c, size)]
        for column in sure:
            open_[column] = size + 1
        rest = [c for c in asked if c not in sure]
        if rest and comb(datasets, size) <= most_sets:
            tried = next((each for each in known if each.removed.shape[1] == size), None)
            search.go_through(search.all_of(size) if tried is None else iter([tried]), size, rest)
            for column in rest:
                open_[column] = size + 1
        elif own:
            for column in rest:
                search.try_likely(size, column)
    for column in open_:
        if column not in found:
            path = paths(column, upto) if paths else evidence_paths(losses, question, column, upto)
            found[column] = search.greedy(column, open_[column], path)
    return tuple(found[column] for column in sorted(found))


@frozen(eq=False)
class _Search:
    """A search for the smallest sets, of up to ``upto`` data sets, whose loss changes what ``everything`` says."""

    losses: Array
    question: Question
    changed: Changed
    everything: Decided
    upto: int
    found: dict[int, SmallestSet] = field(default_factory=dict)

    def without(self, removed: Places) -> Decided:
        """What is concluded without some data sets, one row per choice."""
        return decide(self.losses, kept_without(removed, self.losses.shape[1]), self.question)

    def all_of(self, size: int) -> Iterator[LeftOut]:
        """All sets of a size, part by part."""
        for start in range(0, comb(self.losses.shape[1], size), _STEP):
            removed = subsets(self.losses.shape[1], size, start, _STEP)
            yield LeftOut(removed, self.without(removed))

    def go_through(self, parts: Iterator[LeftOut], size: int, columns: list[int]) -> None:
        """Look through all sets of a size; the first that changes a conclusion is named, the others are counted."""
        hits: dict[int, list[Places]] = {column: [] for column in columns}
        for part in parts:
            which = self.changed(self.everything, part.decided)
            for column in columns:
                hits[column].append(part.removed[which[:, column]])
        for column in columns:
            sets = np.concatenate(hits[column])
            if len(sets):
                self._name(column, sets[0], size, ties=len(sets))

    def try_likely(self, size: int, column: int) -> None:
        """Try the sets that the bound itself names: smaller ones are ruled out, so one that does is a smallest one."""
        removed = likely_sets(self.losses, self.question, self.everything, column, size)
        if not len(removed):
            return
        hit = np.flatnonzero(self.without(removed).conclusion[:, column] != self.everything.conclusion[:, column])
        if hit.size:
            self._name(column, np.sort(removed[hit[0]]), size)

    def _name(self, column: int, removed: Places, size: int, ties: int = 0) -> None:
        chosen = tuple(int(i) for i in removed)
        self.found[column] = SmallestSet(chosen, exact=True, at_least=size, tried_up_to=self.upto, ties=ties)

    def greedy(self, column: int, at_least: int, paths: Places) -> SmallestSet:
        """Leave out one data set after the other along every path; the shortest that changes the conclusion counts."""
        best: tuple[int, ...] = ()
        for path in paths:
            for size in range(at_least, self.upto + 1):
                removed = np.sort(path[:size])[None]
                if self.changed(self.everything, self.without(removed))[0, column]:
                    if not best or size < len(best):
                        best = tuple(int(i) for i in removed[0])
                    break
        exact = len(best) == at_least or (not best and at_least > self.upto)
        return SmallestSet(best, exact=exact, at_least=at_least, tried_up_to=self.upto)


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


# Bounds that show that no set of a size can change a conclusion, so that its sets need not be tried.


#: A bound is believed when it clears the level by this share: sums in another order differ in the last digits.
_MARGIN = 1e-9


def cannot_change(losses: Array, question: Question, everything: Decided, pair: int, size: int) -> bool:
    """Whether it is certain that the conclusion of a pair is the same without any ``size`` data sets."""
    level = question.on_its_own
    if level is None or question.test not in _BOUNDS:
        return False
    first, second = losses[question.first[pair]], losses[question.second[pair]]
    if too_few(len(first) - size - 1.0, False):
        return False
    difference = _rounded(first, second, size)
    if difference is None or (question.test == "paired-t" and _may_be_flat(first, second, difference, size)):
        return False
    return bool(_BOUNDS[question.test](difference, float(everything.conclusion[0, pair]), level, size))


def _rounded(first: Array, second: Array, size: int) -> Array | None:
    """Differences with rounding as 0; None where what is rounding depends on which ``size`` data sets are left out."""
    largest = np.sort(np.maximum(np.abs(first), np.abs(second)))
    difference = np.asarray(first - second)
    at_most, at_least = ROUNDING * largest[-1], ROUNDING * largest[-1 - size]
    gap = np.abs(difference)
    if ((gap > at_least) & (gap <= at_most)).any():
        return None
    return np.where(gap <= at_least, 0.0, difference)


def _may_be_flat(first: Array, second: Array, difference: Array, size: int) -> bool:
    """Whether some rest of the data sets has differences that are equal but for rounding; Σ(d − mean)² ≥ range²/2."""
    n = len(difference) - size
    ordered = np.sort(difference)
    narrowest = float((ordered[n - 1 :] - ordered[: size + 1]).min())
    rounding = ROUNDING * float(np.maximum(np.abs(first), np.abs(second)).max())
    return bool(narrowest <= rounding * np.sqrt(2.0 * n))


def _sign(difference: Array, conclusion: float, level: float, size: int) -> bool:
    """Counts alone matter: of ``size`` removed, any number may be wins, losses and ties, within what there is."""
    above, below = int((difference > 0).sum()), int((difference < 0).sum())
    ties = len(difference) - above - below
    wins, losses = np.meshgrid(np.arange(min(size, above) + 1), np.arange(min(size, below) + 1), indexing="ij")
    rest = size - wins - losses
    there = (rest >= 0) & (rest <= ties)
    left, right = above - wins[there], below - losses[there]
    p = binomial_half_tail(left, left + right, "two-sided")
    after = np.where(p <= level, np.sign(right - left), 0.0)
    near = np.abs(p - level) <= _MARGIN * level
    return bool((after == conclusion).all() and not near.any())


def _paired_t(difference: Array, conclusion: float, level: float, size: int) -> bool:
    n = len(difference) - size
    critical = float(t_upper(level / 2.0, n - 1.0))
    ordered = np.sort(difference)
    if conclusion == 0:
        return _never_significant(ordered, n, critical)
    return _always_significant(ordered if conclusion < 0 else -ordered[::-1], n, critical)


def likely_sets(losses: Array, question: Question, everything: Decided, pair: int, size: int) -> Places:
    """Sets of a size that come to the mind of the bound: they change the conclusion if any simple set does."""
    level = question.on_its_own
    difference = losses[question.first[pair]] - losses[question.second[pair]]
    conclusion = float(everything.conclusion[0, pair])
    order = np.argsort(difference, kind="stable")
    if level is None or question.test not in _BOUNDS or len(order) - size < 2:
        return np.empty((0, size), dtype=np.intp)
    from_above = np.arange(size + 1)
    ends = [np.concatenate([order[: size - k], order[len(order) - k :]]) for k in from_above]
    if question.test == "paired-t" and conclusion != 0:
        turned = difference if conclusion < 0 else -difference
        n = len(difference) - size
        slopes = _slopes(turned, n, float(t_upper(level / 2.0, n - 1.0)))
        terms = turned - slopes[:, None] * np.square(turned)
        ends = list(np.unique(np.sort(np.argsort(terms, axis=1)[:, n:], axis=1), axis=0))
    return np.array(ends, dtype=np.intp).reshape(-1, size)


def _slopes(difference: Array, n: int, critical: float) -> Array:
    """Tangents of the root at sums of squares around the one that a sample of n has on the average."""
    gamma = critical**2 * n / (n - 1.0 + critical**2)
    middle = np.sqrt(gamma / (4.0 * max(float(np.square(difference).mean()) * n, 1e-300)))
    return np.asarray(middle * np.geomspace(0.1, 10.0, 201))


def _never_significant(ordered: Array, n: int, critical: float) -> bool:
    """|t| of a sample of fixed size is largest on neighbours in sorted order, so these are all that need a look.

    t² grows with S²/Q (sum and sum of squares), which is convex in (S, Q): its largest value lies at a corner of the
    hull of all (S, Q). Corners with large S²/Q minimise Q − λS = Σ d² − λd for some λ: the n values nearest to λ/2.
    """
    windows = np.lib.stride_tricks.sliding_window_view(ordered, n)
    mean, spread = windows.mean(axis=1), windows.std(axis=1, ddof=1)
    return bool((np.abs(mean) * np.sqrt(n) < critical * spread * (1.0 - _MARGIN)).all())


def _always_significant(ordered: Array, n: int, critical: float) -> bool:
    """Whether t > critical for every sample of n values, by the best of many linear bounds.

    t > c means S > √(γQ) with γ = c²n/(n − 1 + c²). The root is concave, so it lies below each of its tangents:
    S − √(γQ) ≥ Σ (d − a·d²) − b for every a > 0, with b = γ/(4a), and the n smallest d − a·d² give the least of that.
    """
    gamma = critical**2 * n / (n - 1.0 + critical**2)
    squares = np.square(ordered)
    slopes = _slopes(ordered, n, critical)
    terms = np.sort(ordered - slopes[:, None] * squares, axis=1)[:, :n].sum(axis=1)
    least = terms - gamma / (4.0 * slopes)
    return bool(least.max() > _MARGIN * float(np.abs(ordered).sum()))


_BOUNDS = {"sign": _sign, "paired-t": _paired_t}
