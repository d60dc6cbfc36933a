"""K111: a test that the design does not allow was forced."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when force=True had an effect."""
    if not case.comparison.choice.forced:
        return None
    return Advice(
        "K111",
        f"{case.comparison.test} was forced on {case.comparison.sample.units_text}, which does not allow it",
        "do not report its p values as if they were valid; --test auto takes the test that fits",
    )
