"""The order as a list: place, learner, mean, what the tests say of it against the first, and why it stands there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bestofk.judging import Verdict
from bestofk.reporting.means import better_mean, ranks_by_mean
from bestofk.reporting.order_words import BEST_FIRST, CORRECTED
from bestofk.reporting.tables import mean_text

#: A name longer than this is not said again in every row.
LONGEST = 24

_FIRST = {
    "decided": "best",
    "preferred": "the choice",
    "tied": "first by mean, not separated from others",
    "undecided": "first by mean alone",
}


@dataclass(frozen=True)
class Place:
    """One learner of the order; ``state`` is first, worse, open (not separated or not compared) or better.

    ``by_mean`` is its rank by mean where the order is another one, ``because`` why it stands above the next.
    """

    number: int
    learner: str
    mean: str
    state: str
    finding: str
    by_mean: str = ""
    because: str = ""

    @property
    def line(self) -> str:
        """Everything but number and learner, in a line."""
        mean = f"{self.mean} ({self.by_mean})" if self.by_mean else self.mean
        return f"{mean}: {self.finding}{'; ' if self.because else ''}{self.because}"


def places_of(verdict: Verdict) -> tuple[Place, ...]:
    """Every learner in the order of the verdict."""
    ranks = ranks_by_mean(verdict)
    return tuple(_place(row, ranks.get(row["learner"], ""), verdict) for row in verdict.rows())


def scale(verdict: Verdict) -> str:
    """What the numbers of the list are, and which way is better."""
    better = "larger" if verdict.comparison.larger_is_better else "smaller"
    return f"mean {verdict.measure}, {better} is better"


def order_title(verdict: Verdict) -> str:
    """What the list is sorted by: a preference may put a learner above one of better mean."""
    if verdict.status == "undecided":
        return "By mean alone, for no best is found"
    if not verdict.prior:
        return BEST_FIRST
    if verdict.ordering.method in CORRECTED:
        return "Order: preference, corrected by tests"
    return f"Order: {verdict.ordering.method}, the others by mean"


def order_note(verdict: Verdict) -> str:
    """What the order is not, where it is not one of means."""
    if not verdict.prior or verdict.ordering.method not in CORRECTED:
        return ""
    rule = "a preferred learner stands above others until tests show it to be worse"
    return f"No ranking by mean {verdict.measure}: {rule}."


def learners_caption(verdict: Verdict) -> str:
    """What the table of learners is sorted by."""
    title, note = order_title(verdict), order_note(verdict)
    return "The learners, best first." if title == BEST_FIRST else f"The learners. {title}. {note}".rstrip()


def _place(row: dict[str, Any], by_mean: str, verdict: Verdict) -> Place:
    state, finding = _finding(row, verdict)
    mean = mean_text(row[f"mean {verdict.measure}"])
    return Place(row["place"], row["learner"], mean, state, finding, by_mean, _because(row["place"], verdict))


def _finding(row: dict[str, Any], verdict: Verdict) -> tuple[str, str]:
    """State and what is found against the first."""
    found, first = row["against first"], _short(verdict.order[0], "the first")
    if found is None:
        return "first", _FIRST[verdict.status]
    state = {"worse": "worse", "better": "better", "worse than the control": "worse"}.get(found, "open")
    said = {
        "worse": f"ranked below {first}" if _ranked(verdict) else f"significantly worse than {first}",
        "better": f"shown to be better than {first}",
        "not separated": f"not separated from {first}",
        "not compared": f"not compared with {first}",
    }.get(found, found)
    p = "" if row["p against first"] is None else f", p = {row['p against first']:.2g}"
    return state, said + p


def _because(place: int, verdict: Verdict) -> str:
    """Why it stands above the next: only where a preference may have put it there."""
    if not verdict.prior or verdict.ordering.method not in CORRECTED:
        return ""
    name = verdict.order[place - 1]
    if place == len(verdict.order):
        return "least preferred" if name == verdict.prior[-1] else ""
    below = verdict.order[place]
    next_one = _short(below, "the next")
    ground = verdict.reason(name, below).ground
    if ground == "preferred":
        how = "by preference, not by mean" if better_mean(below, name, verdict) else "by preference only"
        return f"above {next_one} {how}"
    return {
        "significant": f"{'ranked above' if _ranked(verdict) else 'shown to be better than'} {next_one}",
        "against": f"above {next_one} although tests show {next_one} to be better",
        "graph": f"above {next_one} because others are shown to beat {next_one}",
    }.get(ground, "")


def _ranked(verdict: Verdict) -> bool:
    """Whether ranks that keep to the preference decide, of which the test of pairs need not say the same."""
    return verdict.ordering.method == "multi2test"


def _short(name: str, otherwise: str) -> str:
    return name if len(name) <= LONGEST else otherwise
