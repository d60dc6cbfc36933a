"""K131: a rare positive class, and nothing says what the learners are for."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case

#: A class of fewer than this share of the rows is rare.
RARE = 0.2


def advise(case: Case) -> Advice | None:
    """Fire when positives are rare, so that (tpr, fpr) and (precision, recall) tell different stories."""
    if case.vectors is None or case.task is not None:
        return None
    shares = case.positive_shares()
    share = 1.0 if shares is None else float(shares.mean())
    if not share < RARE or not (case.looks_at_positives or case.looks_at_both_classes):
        return None
    return Advice(
        "K131",
        f"{100 * share:.2g} % of the rows are positive: a small fpr is a share of the many negatives, and most "
        "alarms can be false all the same, which precision shows and fpr does not",
        "say what the learners are for: --task retrieval (find the positives: precision,recall) or --task detection "
        "(tell both classes apart: tpr,fpr)",
    )
