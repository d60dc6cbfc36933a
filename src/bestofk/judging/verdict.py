"""The verdict as fields; words and figures read them and never compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bestofk.ordering import MultiTestOrder
from bestofk.stats.results import Fields

Status = Literal["decided", "preferred", "tied", "undecided"]


@dataclass(frozen=True, eq=False, repr=False)
class Reason(Fields):
    """Why one learner stands above the next: the data say so, or nothing speaks against the preference."""

    better: str
    worse: str
    significant: bool
    difference: float
    pvalue: float


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(Fields):
    """Who is best, in what order the others follow, and how sure that is.

    ``rivals`` are the learners that the data do not separate from the best. ``reasons`` compares neighbours in the
    order; its p values are two-sided and adjusted for all pairs.
    """

    best: str
    order: tuple[str, ...]
    status: Status
    rivals: tuple[str, ...]
    reasons: tuple[Reason, ...]
    test: str
    why_test: str
    adjust: str
    alpha: float
    means: dict[str, float]
    prior: tuple[str, ...] | None
    evidence: str
    ordering: MultiTestOrder

    def __repr__(self) -> str:
        # Words live above this room; they are found by name so that this room does not import them.
        from bestofk.core.registry import registry

        return str(registry("words").load("verdict")(self))
