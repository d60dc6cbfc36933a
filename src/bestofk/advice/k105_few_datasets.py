"""K105: a claim over few data sets."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case

ENOUGH = 10  # Demšar 2006, section 3.2.2: N > 10 and K > 5 for the usual approximation


def advise(case: Case) -> Advice | None:
    """Fire below ten data sets."""
    if case.comparison.kind != "datasets":
        return None
    datasets = case.comparison.sample.rows.shape[1]
    if datasets >= ENOUGH:
        return None
    return Advice(
        "K105",
        f"{datasets} data sets are few: one more could turn the verdict, and the approximations are rough",
        f"collect at least {ENOUGH}, chosen before the results are known",
    )
