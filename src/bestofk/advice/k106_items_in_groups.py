"""K106: items that belong together are not independent."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when items are in groups and each is taken for itself."""
    if not case.comparison.sample.groups_fixed:
        return None
    return Advice(
        "K106",
        "items of one group may err together, and each was tested for itself (--groups fixed)",
        "claim it of these groups only; without --groups fixed the groups are tested",
    )
