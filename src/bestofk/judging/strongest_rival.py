"""The pair that is looked at closely: the first of an order and the learner that most calls it into question."""

from __future__ import annotations

from collections.abc import Sequence

from bestofk.comparing import Comparison


def strongest_rival(order: Sequence[str], rivals: Sequence[str], comparison: Comparison) -> str:
    """Of ``rivals``, those not separated from the first or shown to be better, the best mean; else of all others.

    The second of an order by preference may be the worst of all: a picture of it says nothing about the choice. Only
    learners that were compared with the first count.
    """
    others = [name for name in order[1:] if comparison.compared(order[0], name)]
    asked = [name for name in others if name in rivals] or others
    sign = -1.0 if comparison.larger_is_better else 1.0
    place = {name: i for i, name in enumerate(order)}
    return min(asked, key=lambda name: (sign * comparison.means[name], place[name]))
