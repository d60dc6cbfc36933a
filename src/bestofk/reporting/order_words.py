"""What an order is sorted by: by quality alone, or by a preference that tests may correct."""

from __future__ import annotations

from collections.abc import Sequence

BEST_FIRST = "Order, best first"
#: Methods whose order is the preference, changed where tests contradict it; others name a best and go on by mean.
CORRECTED = ("multitest", "multi2test")


def order_sentence(order: Sequence[str], prior: Sequence[str] | None, method: str = "multitest") -> str:
    """The learners in order, with what put them there.

    Examples
    --------
    >>> order_sentence(["b", "a"], ["a", "b"], "multitest")
    'Order, preference corrected by tests: b, a.'
    """
    return f"{_sorted_by(prior, method)}: {', '.join(order)}."


def _sorted_by(prior: Sequence[str] | None, method: str) -> str:
    if not prior:
        return BEST_FIRST
    return "Order, preference corrected by tests" if method in CORRECTED else f"Order by {method}, the others by mean"
