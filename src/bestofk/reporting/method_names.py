"""What a paper calls the tests, adjustments and ways of ordering that the package knows by short names."""

from __future__ import annotations

from bestofk.ordering.methods import ORDERINGS
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import CURVES
from bestofk.stats.method import called_of
from bestofk.stats.omnibus import OMNIBUS, RANGES
from bestofk.stats.pairwise import PAIRWISE

#: Those that are on no shelf; what is on one says it itself (``called=`` in its mark).
CALLED = {
    "stratified-t": "the stratified t test",
    "delong": "DeLong's test",
    "bradley-terry": "the Bradley–Terry model (a tie is half a win, 400 points are odds of 10 to 1), with a covariance "
    "summed within prompts",
    "hotelling": "Hotelling's T² test",
    "hotelling-corrected": "Hotelling's T² test with the covariance corrected for overlap",
    "hotelling-over-datasets": "the multivariate signed-rank test",
    "threshold-test": "Hotelling's T² test with a shrunk covariance corrected for overlap",
    "friedman (Iman–Davenport)": "Friedman's test in its F form",
    "skillings-mack": "the Skillings–Mack test",
    "manova": "MANOVA",
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
    shelf = next((each for each in (PAIRWISE, OMNIBUS, RANGES, CURVES, ADJUST, ORDERINGS) if name in each), None)
    return CALLED.get(name) or (called_of(shelf[name]) if shelf is not None else "") or name
