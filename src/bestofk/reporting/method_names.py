"""What a paper calls the tests, adjustments and ways of ordering that the package knows by short names."""

from __future__ import annotations

from typing import Any

from bestofk.comparing.test_choice import SPECIAL
from bestofk.core.shelf import Shelf
from bestofk.ordering.methods import ORDERINGS
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import CURVES
from bestofk.stats.method import called_of
from bestofk.stats.omnibus import OMNIBUS, RANGES
from bestofk.stats.pairwise import PAIRWISE

#: Those that are on no shelf; what is on one says it itself (``called=`` in its mark).
CALLED = {
    "hotelling-corrected": "Hotelling's T² test with the covariance corrected for overlap",
    "friedman (Iman–Davenport)": "Friedman's test in its F form",
    "manova-corrected": "MANOVA with the covariance corrected for overlap",
    "repeated-anova (Greenhouse–Geisser)": "repeated-measures ANOVA with corrected degrees of freedom",
}


_SHELVES: tuple[Shelf[Any], ...] = (PAIRWISE, OMNIBUS, RANGES, CURVES, SPECIAL, ADJUST, ORDERINGS)


def part_of(name: str) -> Any:
    """What stands on a shelf under this name; None where nothing does."""
    return next((shelf[name] for shelf in _SHELVES if name in shelf), None)


def called(name: str) -> str:
    """What a paper calls it; what does not say so keeps its name.

    Examples
    --------
    >>> called("holm"), called("my-test")
    ("Holm's method", 'my-test')
    """
    part = part_of(name)
    return CALLED.get(name) or (called_of(part) if part is not None else "") or name
