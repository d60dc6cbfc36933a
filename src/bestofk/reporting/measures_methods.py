"""The paragraph on methods for several measures, and the papers it names."""

from __future__ import annotations

from bestofk.core.phrases import counted, listed
from bestofk.judging.measures_verdict import MeasuresVerdict
from bestofk.reporting.methods import Methods
from bestofk.reporting.papers import PAPERS, Reference
from bestofk.reporting.references import references_of

HOTELLING = Reference(
    "Hotelling 1931",
    "Hotelling, H. The generalization of Student's ratio. Annals of Mathematical Statistics 2(3), 360–378, 1931.",
    "10.1214/aoms/1177732979",
)
MULTIVARIATE = PAPERS["yildiz-aslan"]
RENCHER = Reference("Rencher 1995", "Rencher, A. C. Methods of Multivariate Analysis. Wiley, New York, 1995.")
MOTTONEN = Reference(
    "Möttönen and Oja 1995",
    "Möttönen, J. and Oja, H. Multivariate spatial sign and rank methods. Journal of Nonparametric Statistics 5(2), "
    "201–213, 1995.",
)

BERGER = Reference(
    "Berger 1982",
    "Berger, R. L. Multiparameter hypothesis testing and acceptance sampling. Technometrics 24(4), 295–300, 1982.",
)

DELONG = Reference(
    "DeLong, DeLong and Clarke-Pearson 1988",
    "DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. Comparing the areas under two or more correlated receiver "
    "operating characteristic curves: a nonparametric approach. Biometrics 44(3), 837–845, 1988.",
    "10.2307/2531595",
)
SCHAFER = Reference(
    "Schäfer and Strimmer 2005",
    "Schäfer, J. and Strimmer, K. A shrinkage approach to large-scale covariance matrix estimation and implications "
    "for functional genomics. Statistical Applications in Genetics and Molecular Biology 4(1), 2005.",
    "10.2202/1544-6115.1175",
)
PROVOST = Reference(
    "Provost and Fawcett 2001",
    "Provost, F. and Fawcett, T. Robust classification for imprecise environments. Machine Learning 42(3), 203–231, "
    "2001.",
    "10.1023/A:1007601015854",
)

_TESTED = {
    "delong": "DeLong's test of areas under ROC curves on the same items (DeLong, DeLong and Clarke-Pearson 1988)",
    "corrected-t": "the corrected t test on the areas under the ROC curves of every fold (Nadeau and Bengio 2003)",
    "paired-t": "the paired t test on the areas under the ROC curves of every fold",
    "threshold-test": "a test of the rates at all thresholds with a shrunk covariance (Schäfer and Strimmer 2005), p "
    "by the signs of the folds dealt anew, corrected for overlapping training sets (after Nadeau and Bengio 2003)",
    "hotelling-corrected": "Hotelling's T² test on paired vectors (Hotelling 1931; Yıldız, Aslan and Alpaydın 2011), "
    "the covariance of the mean corrected for overlapping training sets (after Nadeau and Bengio 2003)",
    "hotelling": "Hotelling's T² test on paired vectors (Hotelling 1931; Yıldız, Aslan and Alpaydın 2011)",
    "hotelling-over-datasets": "a sign-flip test on spatial signed ranks of the differences per data set (Möttönen and "
    "Oja 1995)",
}


def measures_methods_of(verdict: MeasuresVerdict) -> Methods:
    """Say what was done, with the papers it rests on."""
    comparison = verdict.comparison
    sentences = [
        f"Compared were {listed(comparison.learners)}: {comparison.evidence}.",
        _pairs(verdict),
        *_over(verdict),
        *_dominance(verdict),
    ]
    if verdict.prior is not None:
        sentences.append(f"The prior preference was {', '.join(verdict.prior)}; dominance alone overrides it.")
    versions = ", ".join(f"{name} {number}" for name, number in verdict.provenance.versions.items())
    sentences.append(f"Computed by {versions}; seed {verdict.provenance.seed}.")
    return Methods(" ".join(sentences), _papers(verdict))


def _pairs(verdict: MeasuresVerdict) -> str:
    """How pairs were tested; one p value has nothing to be adjusted for."""
    comparison = verdict.comparison
    tested = f"tested{_in(verdict)} by {_TESTED[comparison.test]}"
    if len(comparison.pairs) == 1:
        return f"The pair was {tested}; level {comparison.alpha:g}."
    adjusted = (
        "without adjustment"
        if comparison.adjust == "none"
        else f"with p values adjusted for {counted(len(comparison.pairs), 'pair')} by {comparison.adjust}"
    )
    return f"Pairs were {tested}, {adjusted}; level {comparison.alpha:g}."


def _in(verdict: MeasuresVerdict) -> str:
    """In which measures, where the test itself does not say it."""
    return "" if verdict.comparison.of_areas else f" in {listed(verdict.names)} together"


def _dominance(verdict: MeasuresVerdict) -> tuple[str, ...]:
    comparison = verdict.comparison
    if len(comparison.names) == 1:
        return ("Curves were put under one convex hull (Provost and Fawcett 2001).",)
    return (
        f"Single measures were tested after it by {comparison.measure_test}.",
        "A learner dominates another when the test tells the two apart and it is shown to be better in every measure, "
        f"by one-sided tests of which each has to reject (intersection–union, Berger 1982), "
        f"{_held(comparison.adjust)}.",
    )


def _held(adjust: str) -> str:
    return "without adjustment" if adjust == "none" else "adjusted for all pairs by Holm"


def _over(verdict: MeasuresVerdict) -> tuple[str, ...]:
    comparison = verdict.comparison
    if comparison.over_pvalue is None:
        return ()
    what = "MANOVA (Rencher 1995)" if comparison.manova else comparison.over
    return (f"Over all learners, beside the pairs: {what}, p = {comparison.over_pvalue:.3g}.",)


def _papers(verdict: MeasuresVerdict) -> tuple[Reference, ...]:
    comparison = verdict.comparison
    if comparison.of_areas:
        own = (DELONG,) if comparison.test == "delong" else references_of(comparison.test)
        adjust = references_of(comparison.adjust) if len(comparison.pairs) > 1 else ()
        return (*own, PROVOST, *adjust)
    own = (MOTTONEN,) if comparison.kind == "datasets" else (HOTELLING, MULTIVARIATE)
    own = (SCHAFER, MULTIVARIATE) if comparison.test == "threshold-test" else own
    corrected = (PAPERS["nadeau"],) if comparison.test in ("hotelling-corrected", "threshold-test") else ()
    manova = (RENCHER,) if comparison.manova else ()
    more = (*references_of(comparison.adjust), *references_of(comparison.measure_test))
    return tuple(dict.fromkeys((*own, *corrected, *manova, BERGER, *more)))
