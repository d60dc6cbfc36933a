"""The order as a list: place, learner, mean, what the tests say of it against the first, and why it stands there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bestofk.judging import Verdict
from bestofk.reporting.at_the_top import beaten_words
from bestofk.reporting.by_ranks import by_ranks, ranked_apart, ranks_column, ranks_note, ranks_of
from bestofk.reporting.known_names import learner_meanings
from bestofk.reporting.means import better_mean, ranks_by_mean
from bestofk.reporting.order_words import BEST_FIRST, CORRECTED, CORRECTED_TITLE
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

    ``by_mean`` is its rank by mean where the order is another one, ``because`` why it stands above the next,
    ``meaning`` what the registered learner of that name does.
    """

    number: int
    learner: str
    mean: str
    state: str
    finding: str
    by_mean: str = ""
    because: str = ""
    meaning: str = ""

    @property
    def line(self) -> str:
        """Everything but number and learner, in a line."""
        mean = f"{self.mean} ({self.by_mean})" if self.by_mean else self.mean
        return f"{mean}: {self.finding}{'; ' if self.because else ''}{self.because}"


def places_of(verdict: Verdict) -> tuple[Place, ...]:
    """Every learner in the order of the verdict."""
    ranks, meanings = ranks_by_mean(verdict), learner_meanings(verdict)
    places = (_place(row, ranks.get(row["learner"], ""), verdict) for row in verdict.rows())
    return tuple(replace(each, meaning=meanings.get(each.learner, "")) for each in places)


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
        return CORRECTED_TITLE
    return f"Order: {verdict.ordering.method}, the others by mean"


def order_note(verdict: Verdict) -> str:
    """What the order is not, where it is not one of means."""
    if not verdict.prior or verdict.ordering.method not in CORRECTED:
        return ""
    rule = "places below the first follow the preference until tests correct it; they are no measure of quality"
    return f"No ranking by mean {verdict.measure}: {rule}. {ranks_note(verdict)}".rstrip()


def learners_caption(verdict: Verdict) -> str:
    """What the table of learners is sorted by."""
    title, note = order_title(verdict), order_note(verdict).replace("(in brackets)", f"({ranks_column(verdict)})")
    return "The learners, best first." if title == BEST_FIRST else f"The learners. {title}. {note}".rstrip()


def _place(row: dict[str, Any], by_mean: str, verdict: Verdict) -> Place:
    state, finding = _finding(row, verdict)
    mean = mean_text(row[f"mean {verdict.measure}"])
    return Place(row["place"], row["learner"], mean, state, finding, by_mean, _because(row["place"], verdict))


def _finding(row: dict[str, Any], verdict: Verdict) -> tuple[str, str]:
    """State and what is found against the first."""
    found, first = row["against first"], _short(verdict.order[0], "the first")
    if found is None:
        return "first", _FIRST[verdict.status] + _rank(row, verdict)
    state = {"worse": "worse", "better": "better", "worse than the control": "worse"}.get(found, "open")
    p = "" if row["p against first"] is None else f", p = {row['p against first']:.2g}"
    if by_ranks(verdict):
        return state, _found_by_ranks(row, first, p, verdict)
    said = {
        "worse": f"significantly worse than {first}",
        "better": f"shown to be better than {first}",
        "not separated": f"not separated from {first}",
        "not compared": f"not compared with {first}",
    }.get(found, found)
    return state, said + p + beaten_words(row["learner"], verdict)


def _found_by_ranks(row: dict[str, Any], first: str, p: str, verdict: Verdict) -> str:
    """With Multi²Test: its own finding with the rank that p compares, or that of the test of pairs by name."""
    found = row["against first"]
    own = ranked_apart(verdict.order[0], row["learner"], verdict)
    if found in ("worse", "better"):
        return f"{found} than {first} by {verdict.test}{p}"
    return (f"ranked below {first}" if own else found) + p + _rank(row, verdict)


def _rank(row: dict[str, Any], verdict: Verdict) -> str:
    """With Multi²Test the mean rank that its p value compares."""
    ranks = ranks_of(verdict)
    return f" (rank {ranks[row['learner']]:.3g})" if ranks else ""


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
    by = f"by {verdict.test} " if by_ranks(verdict) else ""
    return {
        "ranked": f"ranked above {next_one}",
        "significant": f"shown {by}to be better than {next_one}",
        "against": f"above {next_one} although {_who(verdict)} {next_one} to be better",
        "graph": f"above {next_one} because others are {_beating(verdict)} {next_one}",
    }.get(ground, "")


def _who(verdict: Verdict) -> str:
    return f"{verdict.test} shows" if by_ranks(verdict) else "tests show"


def _beating(verdict: Verdict) -> str:
    return "ranked above" if by_ranks(verdict) else "shown to beat"


def _short(name: str, otherwise: str) -> str:
    return name if len(name) <= LONGEST else otherwise
