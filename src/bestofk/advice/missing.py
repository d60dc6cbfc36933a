"""Advice on results that are missing or failed."""

from __future__ import annotations

from collections import Counter

from bestofk.advice.advice import Advice, Case
from bestofk.core.phrases import counted
from bestofk.evidence import Scores


def k110(case: Case) -> Advice | None:
    """K110: results are missing, and the comparison goes without them.

    Fire when something was left out.
    """
    if not case.comparison.left_out:
        return None
    return Advice(
        "K110",
        f"results are missing: {case.comparison.left_out!r}",
        "a learner that fails where it is weak looks better without these results: complete them if you can",
    )


def k122(case: Case) -> Advice | None:
    """K122: cells that failed.

    Fire when results are missing because a learner failed, and say who failed most, and why.
    """
    evidence = case.evidence
    if not isinstance(evidence, Scores) or not evidence.failures:
        return None
    learner, number = Counter(cell[0] for cell in evidence.failures).most_common(1)[0]
    reason = Counter(why for cell, why in evidence.failures.items() if cell[0] == learner).most_common(1)[0][0]
    return Advice(
        "K122",
        f"{counted(len(evidence.failures), 'result')} failed, {number} of {learner} ({reason.rstrip('.')})",
        "failures are not missing at random: mend the learner and run again, or count a failure as a loss",
    )
