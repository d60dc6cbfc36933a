"""K109: learners of equal cost were put in order by name."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when a cost does not tell learners apart."""
    if not case.ordering.prior_ties:
        return None
    groups = "; ".join(", ".join(group) for group in case.ordering.prior_ties)
    return Advice(
        "K109",
        f"the cost is equal for {groups}; they are preferred in the order of their names",
        "name the learners in --prior if you prefer one",
    )
