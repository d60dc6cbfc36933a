"""What an order is sorted by: by quality alone, or by a preference that tests may correct."""

from __future__ import annotations

from collections.abc import Sequence

from bestofk.plots.sorted_by import CORRECTED, PREFERENCE_CORRECTED, sorted_by

__all__ = ["BEST_FIRST", "CORRECTED", "CORRECTED_TITLE", "order_sentence"]

BEST_FIRST = "Order, best first"
#: The heading of a list that is sorted so.
CORRECTED_TITLE = f"Order: {PREFERENCE_CORRECTED}"


def order_sentence(order: Sequence[str], prior: Sequence[str] | None, method: str = "multitest") -> str:
    """The learners in order, with what put them there.

    Examples
    --------
    >>> order_sentence(["b", "a"], ["a", "b"], "multitest")
    'Order, preference corrected by tests: b, a.'
    """
    how = sorted_by(method, preferred=bool(prior))
    return f"Order{' ' if how.startswith('by ') else ', '}{how}: {', '.join(order)}."
