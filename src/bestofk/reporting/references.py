"""Which papers a registered name rests on, ready to paste under a text."""

from __future__ import annotations

from typing import Any

from bestofk.core.shelf import Shelf
from bestofk.ordering import ORDERINGS
from bestofk.reporting.papers import PAPERS
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import CURVES
from bestofk.stats.method import Paper, papers_of
from bestofk.stats.omnibus import OMNIBUS, RANGES
from bestofk.stats.pairwise import PAIRWISE

_SHELVES: tuple[Shelf[Any], ...] = (PAIRWISE, OMNIBUS, RANGES, CURVES, ADJUST, ORDERINGS)
#: Name of an effect or of another method that stands on no shelf → its papers, most important first.
PAPERS_OF = {
    "friedman (Iman–Davenport)": ("friedman", "iman"),
    "repeated-anova (Greenhouse–Geisser)": ("greenhouse",),
    "bayes-signed-rank": ("bayes-wilcoxon",),
    "bayes-hierarchical": ("corani",),
    "bootstrap": ("efron",),
    "largest-correlation": ("westfall",),
    "hotelling": ("hotelling", "yildiz-aslan"),
    "hotelling-corrected": ("hotelling", "yildiz-aslan", "nadeau"),
    "hotelling-over-datasets": ("mottonen",),
    "threshold-test": ("schafer", "yildiz-aslan", "nadeau"),
    "delong": ("delong",),
    "manova": ("rencher",),
    "manova-corrected": ("rencher", "nadeau"),
    "dominance": ("berger",),
    "roc-hull": ("provost",),
    "cohens_d": ("cohen",),
    "a12": ("vargha",),
    "rank_biserial": ("kerby",),
}


def references_of(name: str) -> tuple[Paper, ...]:
    """The papers behind a registered name: a part says them itself.

    Examples
    --------
    >>> [paper.short for paper in references_of("corrected-t")]
    ['Nadeau and Bengio 2003', 'Bouckaert and Frank 2004']
    """
    for shelf in _SHELVES:
        if name in shelf:
            return tuple(PAPERS[each] if isinstance(each, str) else each for each in papers_of(shelf[name]))
    return tuple(PAPERS[key] for key in PAPERS_OF.get(name, ()))
