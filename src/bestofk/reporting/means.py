"""Means as the first screen reads them: which of two is better, and who is how far up by mean alone."""

from __future__ import annotations

from itertools import pairwise

from bestofk.judging import Verdict
from bestofk.ordering.by_means import is_smaller


def better_mean(one: str, other: str, verdict: Verdict) -> bool:
    """Whether the mean of the one is better; a last digit makes no mean better."""
    first, second = verdict.comparison.means[one], verdict.comparison.means[other]
    return is_smaller(-first, -second) if verdict.comparison.larger_is_better else is_smaller(first, second)


def ranks_by_mean(verdict: Verdict) -> dict[str, str]:
    """Each learner's rank by its mean in words; empty where the order is that of the means."""
    names = verdict.order
    if not any(better_mean(below, above, verdict) for above, below in pairwise(names)):
        return {}
    ahead = {name: sum(better_mean(other, name, verdict) for other in names) for name in names}
    most = max(ahead.values())
    return {name: _rank(count, count == most) for name, count in ahead.items()}


def _rank(ahead: int, last: bool) -> str:
    if ahead == 0:
        return "best mean"
    return "worst mean" if last else f"{ordinal(ahead + 1)} by mean"


def ordinal(number: int) -> str:
    """A number as a place in a row.

    Examples
    --------
    >>> [ordinal(number) for number in (1, 2, 3, 11, 22, 113)]
    ['1st', '2nd', '3rd', '11th', '22nd', '113th']
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
