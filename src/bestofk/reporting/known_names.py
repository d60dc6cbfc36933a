"""What short names stand for: a learner of a plan by its registered name, an advice by its code."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Mapping

from bestofk.advice.shelf import ADVICE
from bestofk.design.learners.shelf import LEARNERS
from bestofk.judging import Verdict
from bestofk.stores.collected import CollectedCurves, CollectedScores


def learner_meanings(verdict: Verdict) -> dict[str, str]:
    """What the registered learners of a plan's names do; a name from a file may stand for anything and has none."""
    if not isinstance(verdict.evidence, CollectedScores | CollectedCurves):
        return {}
    return _first_lines({name: inspect.getdoc(LEARNERS[name]) for name in verdict.order if name in LEARNERS})


def learners_line(verdict: Verdict) -> tuple[str, ...]:
    """The meanings in a sentence, where there are any."""
    known = learner_meanings(verdict)
    said = "; ".join(f"{name}: {meaning}" for name, meaning in known.items())
    return (f"Registered learners of these names: {said}.",) if known else ()


def advice_titles(codes: Iterable[str]) -> dict[str, str]:
    """An advice in a few words."""
    files = {code: sys.modules[ADVICE[code].__module__].__doc__ for code in codes if code in ADVICE}
    return {code: text.removeprefix(f"{code}: ") for code, text in _first_lines(files).items()}


def _first_lines(texts: Mapping[str, str | None]) -> dict[str, str]:
    """The first line of each text, without its full stop."""
    return {name: text.strip().split("\n")[0].rstrip(".") for name, text in texts.items() if text and text.strip()}
