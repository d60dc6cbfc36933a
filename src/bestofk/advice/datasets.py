"""Advice on the choice of data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestofk.advice.advice import Advice, Case, listed_datasets
from bestofk.core.arrays import Array
from bestofk.core.phrases import counted
from bestofk.evidence import Scores
from bestofk.ordering.methods import winner_of

if TYPE_CHECKING:
    from bestofk.stats.across import LeftOut
    from bestofk.stats.across.question import Places

#: Two at a time are left out where that holds no more values than these: advice must not be waited for.
MOST_VALUES = 1_500_000


def k116(case: Case) -> Advice | None:
    """K116: one or two data sets decide.

    Fire when the conclusion about a pair that decides (the first of the order and another) is another one without some
    one or two data sets.
    """
    if case.comparison.kind != "datasets":
        return None
    from bestofk.advice.dataset_question import left_out_of, question_of, values_looked_at

    question = question_of(case.evidence, case.comparison)
    if question is None:
        return None
    datasets = case.comparison.sample.rows.shape[1]
    before = np.where(case.comparison.significant, case.comparison.better, 0.0)
    tried = [
        left_out_of(case.evidence, case.comparison, question, size)
        for size in (1, 2)
        if values_looked_at(question, datasets, size) <= MOST_VALUES
    ]
    deciding = np.array([case.ordering.order[0] in pair for pair in case.comparison.pairs])
    if winner_of(case.comparison) is not None:  # that one more pair becomes significant speaks for it
        deciding &= before != 0
    flips = [(left.decided.conclusion != before).any(axis=0) & deciding for left in tried]
    for left, each in zip(tried, flips, strict=True):
        if each.any():
            return _said(case, left, before, np.flatnonzero(each), int(np.logical_or.reduce(flips).sum()))
    return None


def _said(case: Case, left: LeftOut, before: Array, pairs: Places, fragile: int) -> Advice:
    names = case.evidence.datasets if isinstance(case.evidence, Scores) else ()
    pair = int(pairs[0])
    rows = np.flatnonzero(left.decided.conclusion[:, pair] != before[pair])
    without = listed_datasets([names[i] for i in left.removed[rows[0]]])
    first, second = case.comparison.pairs[pair]
    more = f" (the same of {counted(fragile - 1, 'more pair')})" if fragile > 1 else ""
    was = _told(first, second, before[pair])
    becomes = _becomes(first, second, left.decided.conclusion[rows[0], pair])
    return Advice(
        "K116",
        f"{was}; without {without} {becomes}{more}",
        "say so beside the verdict; add data sets, chosen before their results are known",
    )


def _told(first: str, second: str, conclusion: float) -> str:
    if conclusion == 0:
        return f"{first} and {second} do not differ significantly"
    return f"{first if conclusion > 0 else second} is better than {second if conclusion > 0 else first}"


def _becomes(first: str, second: str, conclusion: float) -> str:
    """The other conclusion about a pair that was named just before."""
    if conclusion == 0:
        return "they do not differ significantly"
    return f"{first if conclusion > 0 else second} is better"


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

    known = {*PAPER_SETS, *DATASETS}
    public = [name for name in evidence.datasets if _plain(name) in known]
    shown = comparison.significant.any()
    if len(public) < FEWEST_PUBLIC or 2 * len(public) < len(evidence.datasets) or not shown:
        return None
    return Advice(
        "K126",
        f"{len(public)} of {len(evidence.datasets)} data sets are in wide use: of {TRIED} equal learners tried on them "
        f"by {TRIED} people, {TRIED * comparison.alpha:.3g} would be found to differ, and these get published",
        "test once more on data sets that nobody tuned on, or use a smaller alpha",
    )


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "-").replace("_", "-")
