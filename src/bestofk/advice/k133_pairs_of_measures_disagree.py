"""K133: (tpr, fpr) and (precision, recall) decide differently."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.comparing import compare_pairs
from bestofk.core.errors import InputError
from bestofk.evidence.vectors_making import vectors_of

#: Pairs named in the sentence.
MOST = 3
_TF, _PR = frozenset({"tpr", "fpr"}), frozenset({"precision", "recall"})


def advise(case: Case) -> Advice | None:
    """Fire when the other of the two usual vectors tells apart other pairs of learners."""
    if case.vectors is None or case.vectors.counts is None or case.names not in (_TF, _PR):
        return None
    other = ("precision", "recall") if case.names == _TF else ("tpr", "fpr")
    comparison = case.comparison
    try:
        beside = compare_pairs(
            vectors_of(case.vectors, other),
            choice=comparison.choice,
            adjust=comparison.adjust,
            alpha=comparison.alpha,
            control=comparison.control,
            seed=comparison.seed,
        )
    except InputError:  # no precision in some fold: there is nothing to compare with
        return None
    other_answer = np.flatnonzero(comparison.significant != beside.significant)
    turned = [" and ".join(comparison.pairs[i]) for i in other_answer]
    if not turned:
        return None
    more = [f"{len(turned) - MOST} more pairs"] if len(turned) > MOST else []
    return Advice(
        "K133",
        f"{','.join(other)} would decide otherwise about {'; '.join([*turned[:MOST], *more])}: fpr divides "
        "false alarms by all negatives, precision by all alarms",
        "choose by the task, not by the answer: precision,recall to find positives, tpr,fpr to tell both classes apart",
    )
