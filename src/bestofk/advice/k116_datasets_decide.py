"""K116: one or two data sets decide."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.advice.dataset_names import listed_datasets
from bestofk.advice.over_datasets import left_out_of, question_of, values_looked_at
from bestofk.core.arrays import Array
from bestofk.core.phrases import counted
from bestofk.evidence import Scores
from bestofk.stats.across import LeftOut
from bestofk.stats.across.question import Places

#: Two at a time are left out where that holds no more values than these: advice must not be waited for.
MOST_VALUES = 1_500_000


def advise(case: Case) -> Advice | None:
    """Fire when a pair's conclusion is another one without some one or two data sets."""
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
    flips = [(left.decided.conclusion != before).any(axis=0) for left in tried]
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
    more = f" (one or two data sets decide {counted(fragile - 1, 'more pair')})" if fragile > 1 else ""
    was, becomes = (_told(first, second, c) for c in (before[pair], left.decided.conclusion[rows[0], pair]))
    return Advice(
        "K116",
        f"all data sets: {was}; without {without}: {becomes}{more}",
        "say so beside the verdict; add data sets, chosen before their results are known",
    )


def _told(first: str, second: str, conclusion: float) -> str:
    if conclusion == 0:
        return f"{first} and {second} not told apart"
    return f"{first if conclusion > 0 else second} better than {second if conclusion > 0 else first}"
