"""Results that were filled in, and whether the verdict hangs on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from bestofk.core.errors import InputError
from bestofk.core.phrases import listed
from bestofk.core.record import Record
from bestofk.evidence.filled_results import BASELINE

#: What was judged for comparison, in words.
INSTEAD = {
    "drop-datasets": "without these data sets",
    "drop-items": "without these items",
    "drop-runs": "without these runs",
    "worst": "with the worst result of any learner in their place",
    "drop-learners": "without these learners",
}

Found = TypeVar("Found")


def judged_instead(by: str, judged: Callable[[str], Found], ways: Iterable[str] = INSTEAD) -> tuple[str, Found | None]:
    """The first other of these ways of missing results that can be gone, "" where none can, and what is found by it."""
    for way in ways:
        try:
            if way != by:
                return way, judged(way)
        except InputError:
            continue
    return "", None


class FilledIn(Record, kw_only=True):
    """How many ``results`` of which learner are not its own, and ``by`` what they were filled in.

    ``instead`` is the other way of missing results by which the same was judged, "" where there is none, with its
    ``status``, ``best`` and ``best_set``; ``same`` says whether status and best, or where nobody is best status
    and set, are those of the verdict.
    """

    results: dict[str, int]
    by: str
    instead: str = ""
    status: str | None = None
    best: str | None = None
    best_set: tuple[str, ...] = ()
    same: bool | None = None

    def __repr__(self) -> str:
        total = sum(self.results.values())
        whose = listed([f"{number:,} of {name}" for name, number in self.results.items()])
        source = self.by.removeprefix(BASELINE)
        taken = f"those of {source}" if source != self.by else "the worst"
        return f"{total:,} {'result is' if total == 1 else 'results are'} {taken}: {whose}{self._otherwise()}"

    def _otherwise(self) -> str:
        if self.same is None:
            return ""
        if self.same:
            return f"; {INSTEAD[self.instead]}: the same verdict"
        would = f"{self.best} would be {'best' if self.status == 'decided' else 'taken'}"
        if self.best is None:
            among = f"the best would be among {listed(self.best_set)}"
            would = "nothing would be decided" if self.status == "undecided" else among
        return f"; {INSTEAD[self.instead]} {would}"
