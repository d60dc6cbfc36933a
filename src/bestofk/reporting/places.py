"""The order as a list: place, learner, mean, and what the tests say of it against the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bestofk.judging import Verdict
from bestofk.reporting.tables import mean_text

BEST_FIRST = "Order, best first"
_FIRST = {
    "decided": "best",
    "preferred": "the choice",
    "tied": "first by mean, not separated from others",
    "undecided": "first by mean alone",
}


@dataclass(frozen=True)
class Place:
    """One learner of the order; ``state`` is first, worse, open (not separated or not compared) or better."""

    number: int
    learner: str
    mean: str
    state: str
    finding: str


def places_of(verdict: Verdict) -> tuple[Place, ...]:
    """Every learner, best first."""
    return tuple(_place(row, verdict) for row in verdict.rows())


def scale(verdict: Verdict) -> str:
    """What the numbers of the list are, and which way is better."""
    better = "larger" if verdict.comparison.larger_is_better else "smaller"
    return f"mean {verdict.measure}, {better} is better"


def order_title(verdict: Verdict) -> str:
    """What the list is sorted by: a preference may put a learner above one of better mean."""
    return "Order: preference, corrected by tests" if verdict.prior else BEST_FIRST


def _place(row: dict[str, Any], verdict: Verdict) -> Place:
    mean = mean_text(row[f"mean {verdict.measure}"])
    found = row["against first"]
    if found is None:
        said = f"{_FIRST[verdict.status]}; p of the others is against it"
        return Place(row["place"], row["learner"], mean, "first", said)
    state = {"worse": "worse", "better": "better", "worse than the control": "worse"}.get(found, "open")
    finding = {"worse": "significantly worse", "better": "shown to be better"}.get(found, found)
    p = "" if row["p against first"] is None else f", p = {row['p against first']:.2g}"
    return Place(row["place"], row["learner"], mean, state, finding + p)
