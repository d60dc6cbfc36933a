"""Who shares the top where no learner is best by itself, and who is not separated from it but beaten by another."""

from __future__ import annotations

from collections.abc import Callable

from bestofk.core.phrases import listed
from bestofk.judging import Verdict

Listing = Callable[[tuple[str, ...]], str]


def top_of(verdict: Verdict) -> tuple[str, ...]:
    """Of the first and those not separated from it, the learners that nobody is shown to beat, in their order.

    A learner that comes first under no preference is left out too, where that is known.
    """
    asked = tuple(name for name in verdict.order if name == verdict.order[0] or name in verdict.rivals)
    return tuple(name for name in asked if not beaten_by(name, verdict) and _possible(name, verdict))


def beaten_by(name: str, verdict: Verdict) -> tuple[str, ...]:
    """The learners that the comparison shows to be better."""
    comparison = verdict.comparison
    others = (other for other in verdict.order if other != name and comparison.compared(other, name))
    return tuple(other for other in others if comparison.shows(other, name))


def from_whom(asked: tuple[str, ...], verdict: Verdict, some: Listing = listed) -> str:
    """Those whom the data do not separate from the first; of a tie, those that others beat apart from the rest."""
    top = top_of(verdict) if verdict.status == "tied" else asked
    level, beaten = tuple(n for n in asked if n in top), tuple(n for n in asked if n not in top)
    if not beaten:
        return some(asked)
    nor = f"{some(level)}, nor from " if level else ""
    return f"{nor}{some(beaten)}, {_why_not(beaten, verdict, some)}"


def _why_not(beaten: tuple[str, ...], verdict: Verdict, some: Listing) -> str:
    by = {other for name in beaten for other in beaten_by(name, verdict)}
    if not all(beaten_by(name, verdict) for name in beaten):
        verb = "comes" if len(beaten) == 1 else "come"
        return f"which {verb} first under no preference"
    if len(beaten) == 1:
        names = tuple(name for name in verdict.order if name in by)
        return f"which {some(names)} {'is' if len(names) == 1 else 'are'} shown to beat"
    return "each of which another learner is shown to beat"


def _possible(name: str, verdict: Verdict) -> bool:
    return verdict.possible_best is None or name in verdict.possible_best
