"""Who shares the top where no learner is best by itself, and who is not separated from it but beaten by another."""

from __future__ import annotations

from collections.abc import Callable

from bestofk.core.phrases import listed
from bestofk.judging import Verdict

Listing = Callable[[tuple[str, ...]], str]


def top_of(verdict: Verdict) -> tuple[str, ...]:
    """Of the first and those not separated from it, the learners that nobody is shown to beat, in their order.

    A learner that comes first under no preference is left out too, where that is known, and one that was not compared
    with the first.
    """
    level = tuple(name for name in verdict.rivals if name not in verdict.not_compared)
    asked = tuple(name for name in verdict.order if name == verdict.order[0] or name in level)
    return tuple(name for name in asked if not beaten_by(name, verdict) and _possible(name, verdict))


def beaten_by(name: str, verdict: Verdict) -> tuple[str, ...]:
    """The learners that the comparison shows to be better."""
    comparison = verdict.comparison
    others = (other for other in verdict.order if other != name and comparison.compared(other, name))
    return tuple(other for other in others if comparison.shows(other, name))


def from_whom(asked: tuple[str, ...], verdict: Verdict, some: Listing = listed) -> str:
    """Those whom the data do not separate from the first; of a tie, those that others beat apart from the rest."""
    top = top_of(verdict) if verdict.status == "tied" else asked
    behind = tuple(name for name in asked if name not in top)
    overruled = tuple(name for name in behind if not _possible(name, verdict))
    beaten = tuple(name for name in behind if name not in overruled)
    if all(beaten_by(name, verdict) for name in overruled):
        overruled, beaten = (), behind  # that they are beaten says more
    level = tuple(name for name in asked if name not in behind)
    parts = (
        some(level) if level else "",
        f"{some(beaten)}, {_by_whom(beaten, verdict, some)}" if beaten else "",
        f"{some(overruled)}, {_even_if_preferred(overruled)}" if overruled else "",
    )
    return ", nor from ".join(part for part in parts if part)


def tied_words(verdict: Verdict, some: Listing = listed) -> str:
    """Who shares the top: nobody whom another is shown to beat; with a control, who was compared with it only."""
    first, top = verdict.order[0], top_of(verdict)
    if verdict.beaten_by:
        ahead = f"{some(verdict.beaten_by)} {_is(verdict.beaten_by)} shown to be better"
        return f"Nobody alone: {first} stands first by its mean, and {ahead}."
    if len(top) < 2:
        alone = f"{first} is not shown to be better than every other{_all_the_same(verdict)}"
        return f"Nobody alone: {alone}{_control_only(verdict, top, some)}."
    return f"Nobody alone: {some(top)} share the top{_control_only(verdict, top, some)}."


def beaten_words(name: str, verdict: Verdict) -> str:
    """For the list: that another beats a learner which the data do not separate from the first of a tie."""
    by = beaten_by(name, verdict) if verdict.status == "tied" and name in verdict.rivals else ()
    return f", but {by[0] if len(by) == 1 else 'others'} {_is(by)} shown to beat it" if by else ""


def _all_the_same(verdict: Verdict) -> str:
    """What singles out the first of a tie all the same, two-sided or under every preference; empty where nothing."""
    first, *others = verdict.order
    if all(beaten_by(name, verdict) for name in others):
        return f", though only {first} is beaten by nobody"
    if verdict.possible_best == (first,):
        return f", though only {first} stays first whatever the preference"
    if all(beaten_by(name, verdict) or not _possible(name, verdict) for name in others):
        return ", though each of them is beaten by another or first under no preference"
    return ""


def _control_only(verdict: Verdict, top: tuple[str, ...], some: Listing) -> str:
    """Learners of whom nothing says how they stand to each other, for each was compared with the control."""
    first, control = verdict.order[0], verdict.control
    if control is None:
        return ""
    others = tuple(name for name in top if name != control) if first == control else verdict.not_compared
    if not others or (first == control and len(others) < 2):
        return ""
    like = "" if first == control else f", like {first},"
    return f"; {some(others)} {'was' if len(others) == 1 else 'were'}{like} compared with {control} only"


def _by_whom(beaten: tuple[str, ...], verdict: Verdict, some: Listing) -> str:
    if len(beaten) == 1:
        names = beaten_by(beaten[0], verdict)
        return f"which {some(names)} {_is(names)} shown to beat"
    return "each of which another learner is shown to beat"


def _even_if_preferred(overruled: tuple[str, ...]) -> str:
    return f"which tests would overrule even if {'it' if len(overruled) == 1 else 'they'} were preferred"


def _possible(name: str, verdict: Verdict) -> bool:
    return verdict.possible_best is None or name in verdict.possible_best


def _is(names: tuple[str, ...]) -> str:
    return "is" if len(names) == 1 else "are"
