"""What a paper calls the tests, adjustments and ways of ordering that the package knows by short names."""

from __future__ import annotations

CALLED = {
    # tests of pairs
    "5x2cv-f": "the combined 5×2 cv F test",
    "5x2cv-t": "the 5×2 cv t test",
    "calibrated-t": "the calibrated t test of repeated cross-validation",
    "corrected-t": "the corrected resampled t test",
    "mcnemar": "McNemar's test",
    "mcnemar-exact": "McNemar's exact test",
    "mcnemar-mid-p": "McNemar's mid-p test",
    "paired-t": "the paired t test",
    "permutation-t": "the paired permutation test",
    "repeated-cv-t": "the corrected t test of repeated cross-validation",
    "sign": "the sign test",
    "welch-permutation": "the studentized permutation test",
    "welch-t": "Welch's t test",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "stratified-t": "the stratified t test",
    "delong": "DeLong's test",
    "hotelling": "Hotelling's T² test",
    "hotelling-corrected": "Hotelling's T² test with the covariance corrected for overlap",
    "hotelling-over-datasets": "the multivariate signed-rank test",
    "threshold-test": "Hotelling's T² test with a shrunk covariance corrected for overlap",
    # tests of all learners, and of ranges
    "anova": "one-way ANOVA",
    "cochran-q": "Cochran's Q test",
    "friedman": "Friedman's test",
    "friedman (Iman–Davenport)": "Friedman's test in its F form",
    "kruskal-wallis": "the Kruskal–Wallis test",
    "looney": "Looney's test",
    "skillings-mack": "the Skillings–Mack test",
    "manova": "MANOVA",
    "manova-corrected": "MANOVA with the covariance corrected for overlap",
    "repeated-anova": "repeated-measures ANOVA",
    "repeated-anova (Greenhouse–Geisser)": "repeated-measures ANOVA with corrected degrees of freedom",
    "duncan": "Duncan's test",
    "nemenyi": "Nemenyi's test",
    "newman-keuls": "the Newman–Keuls test",
    "tukey": "Tukey's test",
    # tests of curves
    "clusters": "the cluster-based permutation test",
    "feature-test": "the permutation test of a feature",
    "randomized-anova": "randomized ANOVA",
    "randomized-t": "the randomized t test",
    "split-plot-anova": "split-plot ANOVA",
    # adjustments
    "benjamini-hochberg": "the Benjamini–Hochberg procedure",
    "benjamini-yekutieli": "the Benjamini–Yekutieli procedure",
    "bergmann-hommel": "the Bergmann–Hommel procedure",
    "bonferroni": "Bonferroni's method",
    "finner": "Finner's method",
    "hochberg": "Hochberg's method",
    "holland": "Holland's method",
    "holm": "Holm's method",
    "hommel": "Hommel's method",
    "li": "Li's method",
    "shaffer": "Shaffer's method",
    # ways of ordering
    "anova-best": "ANOVA",
    "multi2test": "Multi²Test",
    "multitest": "MultiTest",
    "newman-keuls-best": "the Newman–Keuls test",
    "test-first": "testing each learner against the simpler ones",
}


def called(name: str) -> str:
    """What a paper calls it; a part of another package keeps its name.

    Examples
    --------
    >>> called("holm"), called("my-test")
    ("Holm's method", 'my-test')
    """
    return CALLED.get(name, name)
