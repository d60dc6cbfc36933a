"""What short names stand for: a learner of a plan by its registered name, an advice by its code."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from bestofk.advice.shelf import ADVICE
from bestofk.core.shelf import Shelf
from bestofk.design.learners.shelf import LEARNERS
from bestofk.judging import Verdict


def learner_meanings(verdict: Verdict) -> dict[str, str]:
    """What the registered learners of a plan's names do; a name from a file may stand for anything and has none."""
    if verdict.evidence is None or not verdict.evidence.origin.collected:
        return {}
    return _first_lines(LEARNERS, verdict.order)


def learners_line(verdict: Verdict) -> tuple[str, ...]:
    """The meanings in a sentence, where there are any."""
    known = learner_meanings(verdict)
    said = "; ".join(f"{name}: {meaning}" for name, meaning in known.items())
    return (f"Registered learners of these names: {said}.",) if known else ()


def advice_titles(codes: Iterable[str]) -> dict[str, str]:
    """An advice in a few words."""
    return {code: text.removeprefix(f"{code}: ") for code, text in _first_lines(ADVICE, codes).items()}


def _first_lines(known: Shelf[Any], names: Iterable[str]) -> dict[str, str]:
    """The first sentence of each registered name's file, without its full stop."""
    there = [name for name in dict.fromkeys(names) if name in known]
    told = {name: sys.modules[known[name].__module__].__doc__ or "" for name in there}
    return {name: text.strip().split("\n")[0].rstrip(".") for name, text in told.items() if text.strip()}
