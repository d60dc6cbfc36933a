"""Advice on the choice of data sets."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from bestofk.advice.advice import Advice, Case, listed_datasets
from bestofk.core.arrays import Array
from bestofk.core.names import plain
from bestofk.evidence import Scores

if TYPE_CHECKING:
    from bestofk.stats.across.question import Places

#: Two at a time are left out where that holds no more values than these: advice must not be waited for.
MOST_VALUES = 1_500_000


def k116(case: Case) -> Advice | None:
    """K116: one or two data sets decide.

    Fire when the headline is another one without some one or two data sets: who is best, or that nobody is; where
    nobody is, with a control, who differs from it. Bounds beside a margin are not asked again.
    """
    if case.comparison.kind != "datasets" or case.within:
        return None
    from bestofk.advice.dataset_question import FirstPlace, first_place, question_of, values_looked_at
    from bestofk.stats.across.influence import on_all

    comparison, rows = case.comparison, case.comparison.sample.rows
    question = question_of(case.evidence, comparison)
    place = None if question is None else first_place(comparison, case.ordering, question)
    if question is None or place is None:
        return None
    asked = place.question or question
    sizes = [size for size in (1, 2) if values_looked_at(asked, rows.shape[1], size) <= MOST_VALUES]
    if not sizes:
        return None
    everything = on_all(rows if place.table is None else place.table, asked)
    of_pairs = comparison.control is not None and place.of(everything)[0] < 0
    before = everything.conclusion if of_pairs else place.of(everything)[:, None]
    for size in sizes:
        left = place.left_out(case.evidence, comparison, question, size)
        after = left.decided.conclusion if of_pairs else place.of(left.decided)[:, None]
        flips = np.flatnonzero((after != before).any(axis=1))
        if len(flips):
            was, then = before[0], after[flips[0]]
            if of_pairs:
                return _said(case, left.removed[flips], *_pair_words(case, was, then))
            wins = place.question is None and FirstPlace(comparison, None).of(left.decided)[flips[0]] >= 0
            return _said(case, left.removed[flips], *_best_words(case, was, then, bool(wins)))
    return None


def _said(case: Case, removed: Places, was: str, becomes: str) -> Advice:
    names = case.evidence.datasets if isinstance(case.evidence, Scores) else ()
    without = listed_datasets([names[i] for i in removed[0]])
    many, size = removed.shape
    every = f"{comb(len(names), size):,} {'data sets' if size == 1 else 'pairs of data sets'}"
    more = f" ({many:,} of {every} change that)" if many > 1 else ""
    return Advice(
        "K116",
        f"{was}; without {without} {becomes}{more}",
        "say so beside the verdict; add data sets, chosen before their results are known",
    )


def _best_words(case: Case, was: Array, then: Array, wins: bool) -> tuple[str, str]:
    """Who is best, or taken by preference, with all data sets and without some; the other ``wins``, or is preferred."""
    best, other = (case.comparison.learners[int(i)] if i >= 0 else "" for i in (was[0], then[0]))
    now, becomes = "taken" if case.preferred else "best", "best" if wins or not case.ordering.prior else "taken"
    changes = f" {becomes}" if other and best and now != becomes else ""
    return f"{best or 'nobody'} is {now}", f"{other or 'nobody'} is{changes}"


def _pair_words(case: Case, was: Array, then: Array) -> tuple[str, str]:
    """The first pair with another conclusion."""
    i = int(np.flatnonzero(was != then)[0])
    first, second = case.comparison.pairs[i]
    better = {0.0: "", 1.0: f"{first} is better", -1.0: f"{second} is better"}
    told = f"{better[was[i]]} than {second if was[i] > 0 else first}"
    return (
        told if was[i] else f"{first} and {second} do not differ significantly",
        better[then[i]] or "they do not differ significantly",
    )


def k137(case: Case) -> Advice | None:
    """K137: the mean speaks for one learner, most data sets for another.

    Fire when the first of the order passes its part of the winner test against a learner that is ahead of it on more
    than half of the data sets.
    """
    comparison, sample = case.comparison, case.comparison.sample
    if not (comparison.kind == "datasets" or sample.datasets) or comparison.several is not None or sample.incomplete:
        return None
    first, *others = case.ordering.order
    rows = dict(zip(sample.learners, sample.rows, strict=True))
    for name in others:
        ahead, number = int((rows[name] < rows[first]).sum()), len(rows[name])
        if 2 * ahead > number and comparison.wins(first, name):
            return Advice(
                "K137",
                f"{first} is better than {name} in the mean, and {name} is ahead on {ahead} of {number} data sets",
                "look at every data set: a few large differences make the mean",
            )
    return None


def k117(case: Case) -> Advice | None:
    """K117: data sets may have been chosen after their results.

    Fire when results over data sets come from a plan that was not locked.
    """
    if case.comparison.kind != "datasets" or "plan-not-locked" not in case.evidence.origin.assumed:
        return None
    return Advice(
        "K117",
        "the plan was not locked, so nothing shows that the data sets were chosen before their results",
        "lock the plan before the first run: bestofk plan lock plan.toml",
    )


#: Fewer well-known data sets are no collection.
FEWEST_PUBLIC = 5
#: Newcomers that the expected number of false discoveries is said for.
TRIED = 100


def k126(case: Case) -> Advice | None:
    """K126: on data sets that everybody uses some differences are luck.

    Fire when a significant result rests on data sets of which most are public and in wide use.
    """
    evidence, comparison = case.evidence, case.comparison
    if comparison.kind != "datasets" or not isinstance(evidence, Scores):
        return None
    from bestofk.design.datasets.paper_sets import PAPER_SETS
    from bestofk.design.datasets.shelf import DATASETS

    known = {plain(name) for name in (*PAPER_SETS, *DATASETS)}
    public = [name for name in evidence.datasets if plain(name) in known]
    shown = comparison.significant.any()
    if len(public) < FEWEST_PUBLIC or 2 * len(public) < len(evidence.datasets) or not shown:
        return None
    return Advice(
        "K126",
        f"{len(public)} of {len(evidence.datasets)} data sets are in wide use: of {TRIED} equal learners tried on them "
        f"by {TRIED} people, {TRIED * comparison.alpha:.3g} would be found to differ, and these get published",
        "test once more on data sets that nobody tuned on, or use a smaller alpha",
    )
