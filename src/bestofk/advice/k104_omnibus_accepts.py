"""K104: the test over all learners finds nothing, and a pair differs all the same."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when pairs are significant although the omnibus test accepts."""
    omnibus = case.comparison.omnibus
    significant = int(case.comparison.significant.sum())
    if omnibus is None or not omnibus.accepts or significant == 0:
        return None
    return Advice(
        "K104",
        f"{omnibus.test} finds no difference among all learners (p = {omnibus.pvalue:.3g}), and {significant} "
        f"pair{'s differ' if significant > 1 else ' differs'} all the same",
        "report both; "
        + (
            "without adjustment some pairs differ by chance"
            if case.comparison.adjust == "none"
            else "adjusted pairs are valid without the test over all, which may see less"
        ),
    )
