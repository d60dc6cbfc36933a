"""What an order is sorted by: by quality alone, by a preference that tests may correct, or by another method."""

from __future__ import annotations

from bestofk.ordering.methods import GROUPS

#: Methods whose order is the preference, changed where tests contradict it; others name a best and go on by mean.
CORRECTED = ("multitest", "multi2test")
_BEST_FIRST, _BY_MEAN = "best first", "by mean alone"
#: How every sentence and figure names such an order.
PREFERENCE_CORRECTED = "preference corrected by tests"


def sorted_by(method: str, *, preferred: bool, found: bool = True) -> str:
    """What stands first; ``preferred``: a preference has a part in it, ``found``: the method names a best.

    Examples
    --------
    >>> sorted_by("multitest", preferred=True), sorted_by("anova-best", preferred=True)
    ('preference corrected by tests', 'by anova-best, the others by mean')
    """
    if not found:
        return f"{_BY_MEAN}, for no best is found"
    if not preferred or method in GROUPS:  # these put means in order, whatever is preferred
        return _BEST_FIRST
    return PREFERENCE_CORRECTED if method in CORRECTED else f"by {method}, the others by mean"


def heading_of(sorting: str) -> str:
    """The same in two words, above a column of a figure."""
    if sorting.startswith(_BY_MEAN):
        return _BY_MEAN
    return _BEST_FIRST if sorting == _BEST_FIRST else "order found"
