"""K121: many pairs, and nothing adjusted."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when several pairs are tested without adjustment."""
    comparison = case.comparison
    pairs = len(comparison.pairs)
    if comparison.adjust != "none" or pairs < 2:
        return None
    expected = pairs * comparison.alpha
    return Advice(
        "K121",
        f"{pairs} pairs are tested at {comparison.alpha:g} each without adjustment: were all learners equal, "
        f"{expected:.2g} of them would differ on the average",
        "use --adjust holm, which is valid whatever the learners are",
    )
