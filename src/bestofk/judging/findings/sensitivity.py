"""How much a verdict hangs on the choice of data sets."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np

from bestofk.advice.advice import listed_datasets
from bestofk.advice.dataset_question import FirstPlace, first_place, left_out_of, question_of
from bestofk.comparing import Comparison
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.options import count_of
from bestofk.core.phrases import counted, listed
from bestofk.core.record import Record
from bestofk.evidence import Evidence, Scores
from bestofk.ordering import Ordering
from bestofk.stats.across import (
    Decided,
    Question,
    SmallestSet,
    influences,
    resampled,
    share_alike,
)
from bestofk.stats.across.conclusions import decide
from bestofk.stats.across.influence import LeftOut, kept_without, on_all
from bestofk.stats.across.smallest import smallest_sets


class Removal(Record, kw_only=True):
    """Data sets left out, and what is concluded then: the learner shown to be better, or None."""

    without: tuple[str, ...]
    then: str | None
    adjusted: float | None = None


class Robustness(Record, kw_only=True):
    """How one conclusion stands the loss of data sets.

    ``about`` names the pair, or is empty for who is best; ``conclusion`` is the better learner (or the
    best one), None where nothing is shown. ``flips_one`` and ``flips_two`` count the single data sets and the pairs of
    them whose loss changes it (None where pairs were not tried), with examples. ``smallest`` is the fewest data sets
    whose loss changes it: none smaller does if ``exact``, otherwise ``at_least`` so many must go; empty where no set of
    up to ``tried_up_to`` was found. ``stability`` is the share of resamples of the data sets with the same conclusion.
    """

    about: tuple[str, ...]
    conclusion: str | None
    adjusted: float | None
    flips_one: int
    flips_two: int | None
    examples: tuple[Removal, ...]
    smallest: Removal | None
    exact: bool
    at_least: int
    tried_up_to: int
    stability: float

    @property
    def flips(self) -> bool:
        """Whether one data set changes it, or two do, of those that were all tried."""
        return bool(self.flips_one or self.flips_two)

    @property
    def fragile(self) -> bool:
        """Whether one or two data sets decide."""
        return bool(self.flips_one or self.flips_two or (self.smallest and len(self.smallest.without) <= 2))

    def said(self, *then: str | None) -> str:
        """The conclusion in words, or the one that is given."""
        (name,) = then or (self.conclusion,)
        nobody, somebody = ("not significant", "better") if self.about else ("no single best", "is best")
        return nobody if name is None else f"{name} {somebody}"

    def __repr__(self) -> str:
        what = f"{listed(self.about)}: " if self.about else ""
        return f"{what}{_held(self)}; the same on {100 * self.stability:.3g} % of resamples"


class Sensitivity(Record, kw_only=True):
    """The conclusions of a verdict and what becomes of them on other choices of data sets.

    ``influence`` (pairs, data sets) is the normal score of a pair's p with a data set minus that without it: positive
    where the data set speaks for the first of the pair. ``best`` is None where the method is
    another than MultiTest or Multi²Test.
    """

    datasets: tuple[str, ...]
    learners: tuple[str, ...]
    test: str
    adjust: str
    alpha: float
    pairs: tuple[Robustness, ...]
    best: Robustness | None
    influence: Array
    resamples: int
    seed: int

    def pair(self, first: str, second: str) -> Robustness:
        """What is known of a pair, in either order."""
        for each in self.pairs:
            if set(each.about) == {first, second}:
                return each
        raise InputError(
            f"{first} and {second} were not compared.", "sensitivity", f"pairs of {listed(self.learners)}."
        )

    @property
    def fragile(self) -> tuple[Robustness, ...]:
        """Conclusions that one or two data sets decide."""
        return tuple(each for each in (*((self.best,) if self.best else ()), *self.pairs) if each.fragile)

    @property
    def shakiest(self) -> Robustness | None:
        """The pair whose conclusion the fewest data sets change; None where no such set was found."""
        found = [each for each in self.pairs if each.smallest is not None]
        return min(found, key=lambda each: len(each.smallest.without) if each.smallest else 0, default=None)

    def __repr__(self) -> str:
        return "\n".join(repr(each) for each in (*((self.best,) if self.best else ()), *self.pairs))


def _held(each: Robustness) -> str:
    """What it takes to change a conclusion, in half a sentence."""
    if each.smallest is None:
        sure = "no set" if each.exact else "no set found"
        return f"{each.said()}, and {sure} of up to {counted(each.tried_up_to, 'data set')} changes that"
    few = "" if each.exact else f" (at least {each.at_least} must go)"
    without = listed_datasets(each.smallest.without)
    return f"{each.said()}, but without {without}: {each.said(each.smallest.then)}{few}"


#: Leaving out two at a time holds at most so many values; beyond, one at a time only.
MOST_VALUES = 400_000_000
#: Values of all resamples together, and pairs times data sets beyond which only single data sets are tried.
MOST_DRAWN, MANY = 50_000_000, 20_000
#: Resamples that are drawn at least, however little effort is allowed.
FEWEST_RESAMPLES = 100
#: Examples of removals that are named; all are counted.
MOST_NAMED = 20


def sensitivity_of(
    evidence: Evidence,
    comparison: Comparison,
    ordering: Ordering | None = None,
    *,
    resamples: int = 1_000,
    seed: int = 0,
    effort: int | None = None,
) -> Sensitivity | None:
    """Try other choices of data sets; None where the comparison is not one over complete data sets.

    Parameters
    ----------
    evidence : Scores
        As it was compared.
    comparison, ordering
        What was concluded; without an ordering the pairs alone are looked at.
    resamples : int
        Bootstrap samples of the data sets; fewer where tables are very large.
    seed : int
    effort : int, optional
        Values of pairs that each part of the work may look at: beyond, data sets are left out one at a time only;
        resamples and the sets that are gone through become fewer. Thorough without it.
    """
    resamples = count_of(resamples, name="resamples", where="sensitivity")
    asked = question_of(evidence, comparison)
    if asked is None or not isinstance(evidence, Scores):
        return None
    losses = comparison.sample.rows
    datasets, pairs = len(evidence.datasets), len(asked.first)
    affordable = comb(datasets, 2) * pairs * datasets <= (effort or MOST_VALUES)
    sizes = (1, 2) if affordable else (1,)
    fewest, drawn_values = (
        (50, MOST_DRAWN) if effort is None else (FEWEST_RESAMPLES, effort // 30)
    )  # ties make resamples dear
    resamples = min(resamples, max(fewest, drawn_values // (pairs * datasets)))
    left_out = tuple(left_out_of(evidence, comparison, asked, size) for size in sizes)
    tried = _tried(losses, asked, left_out, resamples, seed)
    searched = 100_000_000 if effort is None else effort // 10
    most_sets = int(np.clip(searched // (pairs * datasets), datasets, 20_000))
    most = 1 if pairs * datasets > MANY or (effort is not None and not affordable) else None
    search: dict[str, Any] = {"most": most, "most_sets": most_sets}
    found = smallest_sets(losses, asked, known=tried.left_out, **search)
    names = evidence.datasets
    place = first_place(comparison, ordering, asked) if ordering is not None else None
    by_place = tried
    if place and place.table is not None and place.question is not None:
        ranks_left_out = tuple(place.left_out(evidence, comparison, asked, size) for size in sizes)
        by_place = _tried(place.table, place.question, ranks_left_out, resamples, seed)
    return Sensitivity(
        datasets=evidence.datasets,
        learners=comparison.learners,
        test=comparison.test,
        adjust=comparison.adjust,
        alpha=comparison.alpha,
        pairs=tuple(_of_pair(i, tried, found[i], names, comparison.pairs[i]) for i in range(pairs)),
        best=_of_first(place, by_place, names, comparison.learners, search) if place else None,
        influence=influences(tried.everything, tried.left_out[0]),
        resamples=resamples,
        seed=seed,
    )


@frozen(eq=False)
class _Tried:
    """What a question finds in a table (K, D): on all data sets, without one (and two) of them, and on resamples."""

    table: Array
    asked: Question
    everything: Decided
    left_out: tuple[LeftOut, ...]
    drawn: Decided

    def without(self, removed: tuple[int, ...]) -> Decided:
        """What it finds without some data sets."""
        kept = kept_without(np.array([removed], dtype=np.intp), self.table.shape[1])
        return decide(self.table, kept, self.asked)


def _tried(table: Array, asked: Question, left_out: tuple[LeftOut, ...], resamples: int, seed: int) -> _Tried:
    drawn = resampled(table, asked, resamples=resamples, rng=seed)
    return _Tried(table, asked, on_all(table, asked), left_out, drawn)


def _robustness(
    tried: _Tried,
    found: SmallestSet,
    datasets: tuple[str, ...],
    about: tuple[str, ...],
    concluded: Callable[[Decided], Any],
    named: Callable[[Any], str | None],
    pair: int | None = None,
) -> Robustness:
    """How a conclusion stands other data sets: ``concluded`` finds it on every choice, ``named`` says for whom."""

    def adjusted(decided: Decided, row: int) -> float | None:
        return None if pair is None else float(decided.adjusted[row, pair])

    def removal(places: Any, then: Any, p: float | None) -> Removal:
        return Removal(without=tuple(datasets[int(i)] for i in places), then=named(then), adjusted=p)

    before = concluded(tried.everything)[0]
    after = [concluded(each.decided) for each in tried.left_out]
    rows = [np.flatnonzero(each != before) for each in after]
    examples = [
        removal(each.removed[row], then[row], adjusted(each.decided, row))
        for each, then, places in zip(tried.left_out, after, rows, strict=True)
        for row in places[:MOST_NAMED]
    ]
    without = tried.without(found.removed) if found.removed else None
    return Robustness(
        about=about,
        conclusion=named(before),
        adjusted=adjusted(tried.everything, 0),
        flips_one=len(rows[0]),
        flips_two=len(rows[1]) if len(rows) > 1 else None,
        examples=tuple(examples[:MOST_NAMED]),
        smallest=None if without is None else removal(found.removed, concluded(without)[0], adjusted(without, 0)),
        exact=found.exact,
        at_least=found.at_least,
        tried_up_to=found.tried_up_to,
        stability=float(share_alike(before, concluded(tried.drawn))),
    )


def _of_pair(i: int, tried: _Tried, found: SmallestSet, datasets: tuple[str, ...], pair: tuple[str, str]) -> Robustness:
    names = {0.0: None, 1.0: pair[0], -1.0: pair[1]}
    return _robustness(tried, found, datasets, pair, lambda each: each.conclusion[:, i], lambda c: names[float(c)], i)


def _of_first(
    place: FirstPlace, tried: _Tried, datasets: tuple[str, ...], learners: tuple[str, ...], search: dict[str, Any]
) -> Robustness:
    paths = place.paths(tried.table, int(place.of(tried.everything)[0]))
    (found,) = smallest_sets(
        tried.table, tried.asked, changed=place.changed, paths=paths, known=tried.left_out, **search
    )
    return _robustness(tried, found, datasets, (), place.of, lambda c: learners[int(c)] if c >= 0 else None)
