"""K130: measures that do not fit what the learners are for."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire on (tpr, fpr) for retrieval, and on (precision, recall) for detection."""
    if case.vectors is None:
        return None
    if case.task == "retrieval" and case.looks_at_both_classes and "precision" not in case.names:
        return Advice(
            "K130",
            "the task is retrieval, and fpr changes when more negatives are added that nobody retrieves; precision and "
            "recall do not",
            "judge on precision,recall (MultiPR)",
        )
    if case.task == "detection" and case.looks_at_positives:
        return Advice(
            "K130",
            "the task is to tell two kinds apart, and precision and recall do not see how many negatives are "
            "recognised; precision also changes with the ratio of the classes",
            "judge on tpr,fpr (MultiTF)",
        )
    return None
