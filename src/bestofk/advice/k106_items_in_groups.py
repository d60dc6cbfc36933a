"""K106: items that belong together are not independent."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case
from bestofk.evidence import Items


def advise(case: Case) -> Advice | None:
    """Fire when items are grouped and the test takes each for itself."""
    evidence = case.evidence
    if not isinstance(evidence, Items) or evidence.groups is None:
        return None
    groups = len(set(evidence.groups))
    if groups in (1, len(evidence.items)):
        return None
    return Advice(
        "K106",
        f"the {len(evidence.items)} items come from {groups} groups, and items of one group may err together",
        "a claim beyond these groups needs many groups: compare the means per group as data sets",
    )
