"""What a paper calls the tests, adjustments and ways of ordering that the package knows by short names."""

from __future__ import annotations

from bestofk.comparing.test_choice import SPECIAL
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


def called(name: str) -> str:
    """What a paper calls it; what does not say so keeps its name.

    Examples
    --------
    >>> called("holm"), called("my-test")
    ("Holm's method", 'my-test')
    """
    shelf = next(
        (each for each in (PAIRWISE, OMNIBUS, RANGES, CURVES, SPECIAL, ADJUST, ORDERINGS) if name in each), None
    )
    return CALLED.get(name) or (called_of(shelf[name]) if shelf is not None else "") or name
