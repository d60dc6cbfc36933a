"""K133: (tpr, fpr) and (precision, recall) decide differently."""

from __future__ import annotations

from typing import Any

from bestofk.advice.advice import Advice
from bestofk.advice.k13x_measures import MeasuresCase
from bestofk.comparing.measures_compare import compare_measures
from bestofk.core.errors import InputError
from bestofk.evidence.outcomes.vectors import vectors_of

#: Pairs named in the sentence.
MOST = 3
_TF, _PR = frozenset({"tpr", "fpr"}), frozenset({"precision", "recall"})


def advise(case: Any) -> Advice | None:
    """Fire when the other of the two usual vectors tells apart other pairs of learners."""
    if not isinstance(case, MeasuresCase) or case.vectors.counts is None or case.names not in (_TF, _PR):
        return None
    other = ("precision", "recall") if case.names == _TF else ("tpr", "fpr")
    comparison = case.comparison
    try:
        beside = compare_measures(
            vectors_of(case.vectors, other),
            test=comparison.test,
            adjust=comparison.adjust,
            alpha=comparison.alpha,
            seed=comparison.seed,
        )
    except InputError:  # no precision in some fold: there is nothing to compare with
        return None
    pairs = zip(comparison.pairs, beside.pairs, strict=True)
    turned = [f"{one.first} and {one.second}" for one, two in pairs if one.significant != two.significant]
    if not turned:
        return None
    more = [f"{len(turned) - MOST} more pairs"] if len(turned) > MOST else []
    return Advice(
        "K133",
        f"{','.join(other)} would decide otherwise about {'; '.join([*turned[:MOST], *more])}: fpr divides "
        "false alarms by all negatives, precision by all alarms",
        "choose by the task, not by the answer: precision,recall to find positives, tpr,fpr to tell both classes apart",
    )
