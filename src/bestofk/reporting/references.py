"""Which papers a registered name rests on, ready to paste under a text."""

from __future__ import annotations

from bestofk.reporting.papers import PAPERS, Reference

#: Registered name of a test, an adjustment, a way of ordering or an effect → its papers, most important first.
PAPERS_OF = {
    "paired-t": ("student",),
    "5x2cv-t": ("dietterich",),
    "5x2cv-f": ("alpaydin",),
    "corrected-t": ("nadeau", "bouckaert-frank"),
    "calibrated-t": ("bouckaert",),
    "mcnemar": ("mcnemar", "dietterich"),
    "mcnemar-exact": ("mcnemar",),
    "mcnemar-mid-p": ("mcnemar", "fagerland"),
    "wilcoxon": ("wilcoxon", "demsar"),
    "sign": ("demsar",),
    "permutation-t": ("fisher",),
    "nemenyi": ("nemenyi", "demsar"),
    "randomized-t": ("piater",),
    "randomized-anova": ("piater",),
    "clusters": ("maris",),
    "split-plot-anova": ("anderson",),
    "feature-test": ("fisher", "gehan"),
    "friedman": ("friedman", "demsar"),
    "friedman (Iman–Davenport)": ("friedman", "iman"),
    "skillings-mack": ("skillings",),
    "cochran-q": ("cochran",),
    "repeated-anova": ("fisher-anova", "greenhouse"),
    "repeated-anova (Greenhouse–Geisser)": ("greenhouse",),
    "anova": ("fisher-anova", "yildiz"),
    "kruskal-wallis": ("kruskal",),
    "looney": ("looney",),
    "newman-keuls": ("newman", "keuls"),
    "tukey": ("tukey",),
    "duncan": ("duncan",),
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


def references_of(name: str) -> tuple[Reference, ...]:
    """The papers behind a registered name; empty for a plug-in's own.

    Examples
    --------
    >>> [paper.short for paper in references_of("corrected-t")]
    ['Nadeau and Bengio 2003', 'Bouckaert and Frank 2004']
    """
    return tuple(PAPERS[key] for key in PAPERS_OF.get(name, ()))
