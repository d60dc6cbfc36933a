"""The verdict as fields; words and figures read them and never compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bestofk.core.registry import registry
from bestofk.ordering import MultiTestOrder
from bestofk.stats.results import Fields

Status = Literal["decided", "preferred", "tied", "undecided"]

#: significant: the data show it. preferred: not shown to be worse. mean: no preference given. graph: neither, but a
#: learner between the two in the graph of significant differences puts it there.
Ground = Literal["significant", "preferred", "mean", "graph"]


@dataclass(frozen=True, eq=False, repr=False)
class Reason(Fields):
    """Why one learner stands directly above the next.

    ``pvalue`` is adjusted for all pairs and belongs to ``question``: whether the two differ, or whether the one named
    first in the preference is worse than the other.
    """

    better: str
    worse: str
    ground: Ground
    question: Literal["two-sided", "one-sided"]
    pvalue: float


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(Fields):
    """Who is best, in what order the others follow, and how sure that is.

    ``status`` is ``decided`` when every other learner is significantly worse than the best; ``preferred`` when the data
    do not separate it from ``rivals`` and the prior names it; ``tied`` when they do not and no prior was given: then
    ``order`` is by mean alone. ``overtaken`` are learners preferred to the best that somebody is shown to beat, with
    who. ``means`` are in units of the measure.
    """

    best: str
    order: tuple[str, ...]
    status: Status
    rivals: tuple[str, ...]
    overtaken: tuple[tuple[str, tuple[str, ...]], ...]
    reasons: tuple[Reason, ...]
    measure: str
    larger_is_better: bool
    means: dict[str, float]
    test: str
    why_test: str
    adjust: str
    alpha: float
    seed: int
    prior: tuple[str, ...] | None
    evidence: str
    ordering: MultiTestOrder | None

    def __repr__(self) -> str:
        # Words live above this room; they are found by name so that this room does not import them.
        return str(registry("words").load("verdict")(self))
