"""The papers' prior order: simple learners before complex ones."""

from __future__ import annotations

from collections.abc import Sequence

from bestofk.core.errors import InputError
from bestofk.design.learner import Learner

#: The name of this order in a plan's ``prior``.
SIMPLE_FIRST = "complexity"


def simple_first(learners: Sequence[Learner]) -> tuple[str, ...]:
    """Names from simple to complex; a learner whose complexity nobody has said is refused."""
    unsaid = [learner.name for learner in learners if learner.complexity is None]
    if unsaid:
        raise InputError(
            f"nothing says how complex {', '.join(unsaid)} is.",
            "plan, prior",
            "give the learners' names, most preferred first.",
        )
    return tuple(learner.name for learner in sorted(learners, key=lambda each: (each.complexity or 0.0, each.name)))
