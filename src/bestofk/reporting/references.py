"""Which papers a registered name rests on, ready to paste under a text."""

from __future__ import annotations

from bestofk.reporting.papers import PAPERS
from bestofk.stats.method import Paper, method_of
from bestofk.stats.omnibus import OMNIBUS, RANGES
from bestofk.stats.pairwise import PAIRWISE

#: Name of an adjustment, a way of ordering, an effect or another method → its papers, most important first.
PAPERS_OF = {
    "randomized-t": ("piater",),
    "randomized-anova": ("piater",),
    "clusters": ("maris",),
    "split-plot-anova": ("anderson",),
    "feature-test": ("fisher", "gehan"),
    "friedman (Iman–Davenport)": ("friedman", "iman"),
    "repeated-anova (Greenhouse–Geisser)": ("greenhouse",),
    "bonferroni": ("dunn",),
    "holm": ("holm",),
    "hochberg": ("hochberg",),
    "hommel": ("hommel",),
    "finner": ("finner",),
    "li": ("li",),
    "holland": ("holland",),
    "shaffer": ("shaffer",),
    "bergmann-hommel": ("bergmann",),
    "benjamini-hochberg": ("benjamini-hochberg",),
    "benjamini-yekutieli": ("benjamini-yekutieli",),
    "multitest": ("yildiz",),
    "multi2test": ("ulas",),
    "test-first": ("yildiz",),
    "anova-best": ("yildiz",),
    "newman-keuls-best": ("yildiz",),
    "ranges": ("yildiz-aslan",),
    "cliques": ("yildiz-aslan",),
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
    """The papers behind a registered name: a test says them itself.

    Examples
    --------
    >>> [paper.short for paper in references_of("corrected-t")]
    ['Nadeau and Bengio 2003', 'Bouckaert and Frank 2004']
    """
    for shelf in (PAIRWISE, OMNIBUS, RANGES):
        if name in shelf:
            return tuple(PAPERS[each] if isinstance(each, str) else each for each in method_of(shelf[name]).papers)
    return tuple(PAPERS[key] for key in PAPERS_OF.get(name, ()))
