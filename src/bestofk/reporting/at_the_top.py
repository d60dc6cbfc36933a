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


def tied_words(verdict: Verdict, some: Listing = listed) -> str:
    """Who shares the top: nobody whom another is shown to beat."""
    first, top = verdict.order[0], top_of(verdict)
    if verdict.beaten_by:
        ahead = f"{some(verdict.beaten_by)} {_is(verdict.beaten_by)} shown to be better"
        return f"Nobody alone: {first} stands first by its mean, and {ahead}."
    if len(top) < 2:
        unbeaten = f", though only {first} is beaten by nobody" if top == (first,) else ""
        return f"Nobody alone: {first} is not shown to be better than every other{unbeaten}."
    return f"Nobody alone: {some(top)} share the top."


def beaten_words(name: str, verdict: Verdict) -> str:
    """For the list: that another beats a learner which the data do not separate from the first of a tie."""
    by = beaten_by(name, verdict) if verdict.status == "tied" and name in verdict.rivals else ()
    return f", but {by[0] if len(by) == 1 else 'others'} {_is(by)} shown to beat it" if by else ""


def _why_not(beaten: tuple[str, ...], verdict: Verdict, some: Listing) -> str:
    by = {other for name in beaten for other in beaten_by(name, verdict)}
    if not all(beaten_by(name, verdict) for name in beaten):
        return f"which one-sided tests would overrule even if {'it' if len(beaten) == 1 else 'they'} were preferred"
    if len(beaten) == 1:
        names = tuple(name for name in verdict.order if name in by)
        return f"which {some(names)} {_is(names)} shown to beat"
    return "each of which another learner is shown to beat"


def _possible(name: str, verdict: Verdict) -> bool:
    return verdict.possible_best is None or name in verdict.possible_best


def _is(names: tuple[str, ...]) -> str:
    return "is" if len(names) == 1 else "are"
