"""Worked examples of the papers and of the textbook, typed in by hand. Usage: python papers.py FOLDER.

Tolerances are those of the printed digits: half a unit of the last one, unless a note says why more.
"""

import itertools
import math
import sys

from cases import Cases

BRAMER = "Bramer, Principles of Data Mining, chapter 15"
MULTITEST = "Yildiz and Alpaydin 2006, Ordering and Finding the Best of K > 2 Supervised Learning Algorithms"
MULTIVARIATE = "Yildiz, Aslan, Alpaydin 2011, Multivariate Statistical Tests for Comparing Classification Algorithms"
DEMSAR = "Demsar 2006, Statistical Comparisons of Classifiers over Multiple Data Sets"
GARCIA = "Garcia and Herrera 2008, An Extension on Statistical Comparisons of Classifiers over Multiple Data Sets"


def source(paper, place):
    """Program, version, call."""
    return "paper", paper, place


# ---- Bramer, chapter 15 ---------------------------------------------------------------------------------------

A10 = [80, 73, 85, 68, 82, 75, 73, 64, 75, 69]
B10 = [85, 70, 85, 74, 71, 65, 77, 73, 75, 76]
C10 = [81, 74, 86, 69, 83, 75, 75, 63, 75, 70]
A8 = [80, 73, 85, 68, 73, 64, 75, 69]
B8 = [85, 70, 85, 74, 77, 73, 75, 76]
A20 = [74, 69, 80, 67, 84, 87, 69, 74, 78, 72, 75, 72, 70, 75, 80, 84, 79, 79, 63, 75]
B20 = [86, 75, 86, 69, 83, 95, 65, 81, 74, 80, 73, 82, 68, 78, 78, 85, 79, 78, 76, 71]

T_TABLE = """
1 6.314 12.71 63.66
2 2.920 4.303 9.925
3 2.353 3.182 5.841
4 2.132 2.776 4.604
5 2.015 2.571 4.032
6 1.943 2.447 3.707
7 1.895 2.365 3.499
8 1.860 2.306 3.355
9 1.833 2.262 3.250
10 1.812 2.228 3.169
11 1.796 2.201 3.106
12 1.782 2.179 3.055
13 1.771 2.160 3.012
14 1.761 2.145 2.977
15 1.753 2.131 2.947
16 1.746 2.120 2.921
17 1.740 2.110 2.898
18 1.734 2.101 2.878
19 1.729 2.093 2.861
"""


def bramer(cases):
    examples = {
        "15.2": (B10, A10, 0.7, 2.19, 0.32),
        "15.5": (C10, A10, 0.7, 0.26, 2.69),
        "15.6": (B8, A8, 3.5, 1.45, 2.41),
        "15.7": ([*B8, 80, 88], [*A8, 75, 82], 3.9, 1.18, 3.31),
    }
    for figure, (new, old, mean, error, t) in examples.items():
        cases.add(
            f"bramer-{figure}",
            "stats.pairwise.paired_t",
            [new, old],
            {"statistic": t, "standard_error": error, "estimate": mean, "df": [len(new) - 1]},
            source(BRAMER, f"Figure {figure} and the steps below it"),
            rtol=0,
            atol=0.005,
            note="the totals of A in Figure 15.7 are misprinted; they are 744 and 74.4" if figure == "15.7" else None,
        )
    cases.add(
        "bramer-15.7-95-99",
        "stats.pairwise.paired_t",
        [[*B8, 95, 99], [*A8, 75, 82]],
        {"statistic": 2.81},
        source(BRAMER, "section 15.3, results of 95 and 99 on data sets 11 and 12"),
        rtol=0,
        atol=0.005,
    )
    # the book multiplies a rounded standard error: its ends are off by up to t * 0.005
    for figure, level, new, old, printed, sharp, slack in (
        ("15.6", 0.95, B8, A8, (0.071, 6.929), (0.0675, 6.9325), 0.012),
        ("15.7", 0.99, [*B8, 80, 88], [*A8, 75, 82], (0.065, 7.735), (0.0716, 7.7284), 0.017),
    ):
        low, high = f"confidence_interval({level}).low", f"confidence_interval({level}).high"
        cases.add(
            f"bramer-{figure}-interval-printed",
            "stats.pairwise.paired_t",
            [new, old],
            {low: printed[0], high: printed[1]},
            source(BRAMER, f"section 15.3.1, interval for Figure {figure}"),
            rtol=0,
            atol=slack,
            note="printed from a standard error rounded to two decimals; the tolerance is that rounding times t",
        )
        cases.add(
            f"bramer-{figure}-interval",
            "stats.pairwise.paired_t",
            [new, old],
            {low: sharp[0], high: sharp[1]},
            source(BRAMER, f"section 15.3.1, interval for Figure {figure} without intermediate rounding"),
            rtol=0,
            atol=5e-5,
        )
    cases.add(
        "bramer-exercise",
        "stats.pairwise.paired_t",
        [B20, A20],
        {
            "estimate": 2.8,
            "standard_error": 1.2367,
            "statistic": 2.2641,
            "pvalue": 0.0355,
            "df": [19],
            "confidence_interval(0.95).low": 0.2115,
            "confidence_interval(0.95).high": 5.3885,
        },
        source(BRAMER, "section 15.7, exercises 1 to 4, worked out to four decimals"),
        rtol=0,
        atol=5e-5,
    )
    cases.add(
        "bramer-15.3",
        "stats.distributions.t_critical",
        [0.1005, 9],
        {"": 1.83},
        source(BRAMER, "Figure 15.3: the area outside -1.83 and 1.83 is 0.1005"),
        rtol=0,
        atol=0.005,
    )
    for line in T_TABLE.strip().splitlines():
        df, *values = line.split()
        for probability, value in zip((0.10, 0.05, 0.01), values, strict=True):
            decimals = len(value.split(".")[1])
            cases.add(
                f"bramer-15.4-{df}-{probability}",
                "stats.distributions.t_critical",
                [probability, int(df)],
                {"": float(value)},
                source(BRAMER, f"Figure 15.4, {df} degrees of freedom, probability {probability:.2f}"),
                rtol=0,
                atol=0.5 * 10**-decimals + 1e-9,
            )


# ---- MultiTest ------------------------------------------------------------------------------------------------


def multitest(cases):
    everybody = [1, 2, 3, 4, 5]
    cases.add(
        "multitest-figure-2",
        "ordering.from_edges",
        [[[1, 2], [1, 3], [1, 4], [2, 3]], [1, 2, 3, 4]],
        {"order": [3, 2, 4, 1]},
        source(MULTITEST, "Figure 2"),
    )
    cases.add(
        "multitest-hepatitis",
        "ordering.from_edges",
        [[], everybody],
        {"order": everybody},
        source(MULTITEST, "section 4.3, hepatitis: all tests accept, the prior orders"),
    )
    cases.add(
        "multitest-pendigits",
        "ordering.from_edges",
        [[list(pair) for pair in itertools.combinations(everybody, 2) if pair != (3, 4)], everybody],
        {"order": [5, 3, 4, 2, 1]},
        source(MULTITEST, "section 4.3, pendigits: all tests but 3 against 4 reject"),
    )
    # the scans lose the underlines; they are put back from the sentences around them
    underlined = {
        "first": ([3, 5, 4, 2, 1], [[5, 4, 2, 1]], 3, "first condition: the first is not underlined"),
        "second": (
            [5, 4, 3, 2, 1],
            [[5, 4, 3]],
            3,
            "second condition: the line of the first overlaps with no other",
        ),
        "third": (
            [2, 4, 5, 3, 1],
            [[2, 4, 5], [5, 3, 1]],
            2,
            "third condition: the overlap leaves out the first",
        ),
        "fourth": (
            [5, 2, 4, 3, 1],
            [[5, 2, 4], [4, 3]],
            2,
            "fourth condition: the overlap holds no simpler one; underlines as in section 2.4.2",
        ),
        "none": (
            [5, 4, 2, 1, 3],
            [[5, 4, 2], [2, 1, 3]],
            None,
            "the second line chooses 1, which is simpler than 2: no best",
        ),
    }
    for name, (order, ranges, best, place) in underlined.items():
        cases.add(
            f"newman_keuls_best-{name}",
            "ordering.newman_keuls_best_from",
            [order, ranges, everybody],
            {"": best},
            source(MULTITEST, f"section 4.2, {place}"),
            note="underlines reconstructed from the text",
        )
    cases.add(
        "newman_keuls_best-pendigits",
        "ordering.newman_keuls_best_from",
        [[5, 3, 4, 2, 1], [], everybody],
        {"": 5},
        source(MULTITEST, "section 4.3, pendigits: nothing is underlined"),
    )
    cases.add(
        "newman_keuls_best-hepatitis",
        "ordering.newman_keuls_best_from",
        [[3, 5, 2, 1, 4], [[3, 5, 2, 1, 4]], everybody],
        {"": 1},
        source(MULTITEST, "section 4.3, hepatitis: all five are underlined; order by the means of Table 1"),
    )


# ---- the multivariate tests -----------------------------------------------------------------------------------


def cliques(cases):
    names = ["c45", "lda", "qda", "svm", "knn"]
    tables = {
        "breast-univariate": (
            ["lda qda", "lda svm", "lda knn", "qda svm", "qda knn", "svm knn"],
            ["c45", "lda qda svm knn"],
            "Table 2, univariate",
            None,
        ),
        "breast-multivariate": (
            ["lda svm", "lda knn", "svm knn"],
            ["c45", "qda", "lda svm knn"],
            "Table 2, MultiTF and MultiPR",
            "the table prints lda-qda as accepted; the text and Figure 2 reject it",
        ),
        "spect-multitf": (
            ["c45 qda", "c45 svm", "lda knn", "qda svm"],
            ["c45 qda svm", "lda knn"],
            "Table 3, MultiTF",
            None,
        ),
        "spect-multipr": (["lda knn", "qda svm"], ["c45", "qda svm", "lda knn"], "Table 3, MultiPR", None),
        "spect-univariate": (
            ["c45 qda", "c45 svm", "qda svm", "knn c45", "lda c45", "lda knn", "svm knn"],
            ["c45 qda svm", "c45 knn svm", "c45 knn lda"],
            "section 4.2, the seven accepted pairs on spect",
            "the paper lists one clique of three and four pairs; the seven pairs make three maximal cliques",
        ),
    }
    for name, (pairs, expected, place, note) in tables.items():
        accepted = [frozenset(pair.split()) for pair in pairs]
        accepts = [[a == b or frozenset((a, b)) in accepted for b in names] for a in names]
        cases.add(
            f"cliques-{name}",
            "ordering.cliques",
            [accepts],
            {"": [clique.split() for clique in expected]},
            source(MULTIVARIATE, place),
            kwargs={"names": names},
            compare="sets",
            note=note,
        )


# ---- comparisons over data sets -------------------------------------------------------------------------------

# Ranks of C4.5, C4.5 with m, with cf, with both on 14 data sets.
DEMSAR_RANKS = [
    [4, 3, 2, 1],
    [1, 2, 3, 4],
    [4, 1, 2, 3],
    [4, 1, 3, 2],
    [4, 2, 3, 1],
    [1, 2.5, 4, 2.5],
    [3, 2, 4, 1],
    [2.5, 2.5, 4, 1],
    [4, 3, 2, 1],
    [2.5, 2.5, 2.5, 2.5],
    [4, 2.5, 1, 2.5],
    [3, 2, 4, 1],
    [4, 1, 2, 3],
    [3, 1, 4, 2],
]
DEMSAR_C45 = [
    0.763,
    0.599,
    0.954,
    0.628,
    0.882,
    0.936,
    0.661,
    0.583,
    0.775,
    1.000,
    0.940,
    0.619,
    0.972,
    0.957,
]
DEMSAR_C45M = [
    0.768,
    0.591,
    0.971,
    0.661,
    0.888,
    0.931,
    0.668,
    0.583,
    0.838,
    1.000,
    0.962,
    0.666,
    0.981,
    0.978,
]
NEMENYI_Q = {
    0.05: (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164),
    0.10: (1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920),
}


def demsar(cases):
    cases.add(
        "demsar-wilcoxon",
        "stats.pairwise.wilcoxon",
        [DEMSAR_C45M, DEMSAR_C45],
        {"statistic": 93},
        source(DEMSAR, "Table 2 and the example in section 3.1.3: sums of ranks 93 and 12"),
        kwargs={"zeros": "split", "method": "normal"},
        note="differences of 0.005 are tied although their doubles differ; both zeros are shared",
    )
    cases.add(
        "demsar-friedman",
        "stats.omnibus.friedman",
        [DEMSAR_RANKS],
        {"statistic": 9.28, "f_statistic": 3.69, "f_df": [3, 39]},
        source(DEMSAR, "Table 6 and the example in section 3.2.2"),
        kwargs={"ties": False},
        rtol=0,
        atol=0.005,
    )
    cases.add(
        "demsar-friedman-ranks",
        "stats.omnibus.friedman",
        [DEMSAR_RANKS],
        {"mean_ranks": [3.143, 2.000, 2.893, 1.964]},
        source(DEMSAR, "Table 6, average rank"),
        rtol=0,
        atol=0.0005,
    )
    for alpha, width in ((0.05, 1.25), (0.10, 1.12)):
        cases.add(
            f"demsar-nemenyi-{alpha}",
            "stats.omnibus.nemenyi",
            [DEMSAR_RANKS],
            {"critical_difference": width},
            source(DEMSAR, f"section 3.2.2, critical difference at {alpha}"),
            kwargs={"alpha": alpha},
            rtol=0,
            atol=0.005,
        )
    for alpha, row in NEMENYI_Q.items():
        for k, q in enumerate(row, start=2):
            cases.add(
                f"demsar-q-{alpha}-{k}",
                "stats.studentized_range.critical",
                [alpha, k, math.inf],
                {"": q * math.sqrt(2)},
                source(DEMSAR, f"Table 5(a), {k} classifiers, {alpha}"),
                rtol=0,
                atol=0.001 * math.sqrt(2),
                note="the table is divided by the root of two and in places cut off, not rounded: "
                "one unit of the last digit",
            )


def garcia(cases):
    """C4.5, 1-NN, naive Bayes, kernel, CN2 on 30 data sets: the p values follow from the printed average ranks."""
    ranks = (2.100, 3.250, 2.200, 4.333, 3.117)
    p = [
        math.erfc(abs(a - b) / math.sqrt(5 * 6 / (6 * 30)) / math.sqrt(2)) for a, b in itertools.combinations(ranks, 2)
    ]
    # order (0,1), (0,2), ...; the last two hypotheses have adjusted values above 1
    shaffer = [0.0291, 1, 4.487e-7, 0.0511, 0.0478, 0.0478, 1, 1.042e-6, 0.0742, 0.0173]
    bergmann = [0.0291, 1, 4.487e-7, 0.0383, 0.0319, 0.0319, 1, 1.042e-6, 0.0383, 0.0115]
    note = "from ranks printed to three decimals, hence 2e-4; values above 1 are cut at 1"
    cases.add(
        "garcia-shaffer",
        "stats.adjust.shaffer",
        [p],
        {"": shaffer},
        source(GARCIA, "adjusted p values of the case study, Shaffer"),
        kwargs={"kind": "static"},
        rtol=0,
        atol=2e-4,
        note=note,
    )
    cases.add(
        "garcia-bergmann-hommel",
        "stats.adjust.bergmann_hommel",
        [p],
        {"": bergmann},
        source(GARCIA, "adjusted p values of the case study, Bergmann and Hommel"),
        rtol=0,
        atol=2e-4,
        note=note,
    )


def main(folder):
    cases = Cases("papers", "papers")
    for write in (bramer, multitest, cliques, demsar, garcia):
        write(cases)
    cases.save(folder)


if __name__ == "__main__":
    main(sys.argv[1])
