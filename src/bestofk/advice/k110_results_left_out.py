"""K110: results are missing, and the comparison goes without them."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when something was left out."""
    if not case.comparison.left_out:
        return None
    return Advice(
        "K110",
        f"results are missing: {case.comparison.left_out!r}",
        "a learner that fails where it is weak looks better without these results: complete them if you can",
    )
