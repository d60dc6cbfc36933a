"""What holds where the formulas give no number. Usage: python rulings.py FOLDER.

Each case quotes the rule it rests on (see STATISTICS.md, the project's page of corrected formulas) and says what other
programs do with the same input.
"""

import sys

from cases import Cases

ZERO = '0/0 is "no evidence": statistic 0, two-sided p 1, one-sided p 0.5 (accepts at any usual alpha).'
CERTAIN = 'Nonzero/0 is "certain": statistic ±inf, p 0 or 1 by direction.'
ROUNDING = "Differences equal up to rounding (relative 1e-12 of the data's scale) count as equal."
WRONG = (
    "NaN, infinity, unequal lengths, too few values, a wrong design, an unknown name: "
    "`InputError`, never a silent number."
)
INF = float("inf")


def source(sentence):
    """Program, version, call."""
    return "ruling", "STATISTICS.md", sentence


def nested(value, *shape):
    """An array of the shape with one value everywhere."""
    return [nested(value, *shape[1:]) for _ in range(shape[0])] if shape else value


SAME = [0.1, 0.2, 0.35]
GRID = [[0.1, 0.2], [0.15, 0.25], [0.3, 0.12], [0.22, 0.2], [0.18, 0.31]]
RAISED = [[0.2, 0.3], [0.25, 0.35], [0.4, 0.22], [0.32, 0.3], [0.28, 0.41]]  # one tenth more everywhere


def t_like(cases):
    """Every test whose statistic is a mean over a standard error."""
    long = [[0.1, 0.2, 0.3], [0.15, 0.25, 0.2], [0.3, 0.12, 0.4]]
    raised = [[round(v + 0.1, 2) for v in row] for row in long]
    designs = {
        "paired_t": (
            SAME,
            [0.2, 0.3, 0.45],
            "scipy gives nan for identical learners and t 5e15 for a constant difference; R gives NaN and stops",
        ),
        "five_by_two_t": (
            GRID,
            RAISED,
            "mlxtend gives nan for identical learners and t 4e15 for a constant difference",
        ),
        "corrected_t": (long, raised, "the bare formula divides by zero"),
        "calibrated_t": (long, raised, "the bare formula divides by zero"),
    }
    for name, (low, high, note) in designs.items():
        function = f"stats.pairwise.{name}"
        for side, p in (("two-sided", 1.0), ("greater", 0.5), ("less", 0.5)):
            cases.add(
                f"{name}-identical-{side}",
                function,
                [low, low],
                {"statistic": 0.0, "pvalue": p},
                source(ZERO),
                kwargs={"alternative": side},
                note=note,
            )
        for side, p in (("two-sided", 0.0), ("greater", 0.0), ("less", 1.0)):
            cases.add(
                f"{name}-constant-{side}",
                function,
                [high, low],
                {"statistic": INF, "pvalue": p},
                source(CERTAIN),
                kwargs={"alternative": side},
                note=note,
            )
        for side, p in (("two-sided", 0.0), ("greater", 1.0), ("less", 0.0)):
            cases.add(
                f"{name}-constant-mirrored-{side}",
                function,
                [low, high],
                {"statistic": -INF, "pvalue": p},
                source(CERTAIN),
                kwargs={"alternative": side},
                note=note,
            )
    cases.add(
        "paired_t-rounding",
        "stats.pairwise.paired_t",
        [[0.1 + 0.2, 0.1 * 7, 0.2], [0.3, 0.7, 0.2]],
        {"statistic": 0.0, "pvalue": 1.0},
        source(ROUNDING),
        note="scipy gives t 1.73, p 0.23 for differences that are rounding only",
    )
    cases.add(
        "five_by_two_t-silent_first",
        "stats.pairwise.five_by_two_t",
        [[[0.2, 0.2], [0.3, 0.3], [0.25, 0.25], [0.25, 0.25], [0.3, 0.3]], nested(0.2, 5, 2)],
        {"statistic": 0.0, "pvalue": 1.0},
        source(ZERO),
        note="other replications differ, but the numerator is the first fold of the first one: 0/0",
    )
    cases.add(
        "five_by_two_f-identical",
        "stats.pairwise.five_by_two_f",
        [GRID, GRID],
        {"statistic": 0.0, "pvalue": 1.0},
        source(ZERO),
        note="mlxtend stops with ZeroDivisionError",
    )
    cases.add(
        "five_by_two_f-constant",
        "stats.pairwise.five_by_two_f",
        [RAISED, GRID],
        {"statistic": INF, "pvalue": 0.0},
        source(CERTAIN),
        note="mlxtend gives 1.6e31: the differences are equal up to rounding only",
    )


def counts(cases):
    """McNemar, sign, Wilcoxon, sign flips."""
    for method in ("chi2-corrected", "chi2", "exact", "mid-p"):
        cases.add(
            f"mcnemar-none-{method}",
            "stats.pairwise.mcnemar",
            [0, 0],
            {"pvalue": 1.0},
            source("no disagreement: p 1."),
            kwargs={"method": method},
            note="mlxtend and statsmodels give p 0 with the correction, statsmodels nan without; "
            "the mid-p formula alone would give 0.5",
        )
    cases.add(
        "mcnemar-equal-chi2-corrected",
        "stats.pairwise.mcnemar",
        [7, 7],
        {"statistic": 0.0, "pvalue": 1.0},
        source("the corrected statistic is 0 when n₀₁=n₁₀"),
        kwargs={"method": "chi2-corrected"},
        note="statsmodels and mlxtend give 1/14, p 0.79",
    )
    cases.add(
        "mcnemar_from-agreement",
        "stats.pairwise.mcnemar_from",
        [[0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 0, 0]],
        {"pvalue": 1.0},
        source("no disagreement: p 1."),
    )
    for zeros in ("drop", "pratt", "split"):
        for method in ("exact", "normal"):
            cases.add(
                f"wilcoxon-identical-{zeros}-{method}",
                "stats.pairwise.wilcoxon",
                [SAME, SAME],
                {"pvalue": 1.0},
                source(ZERO),
                kwargs={"zeros": zeros, "method": method},
                note="R gives NaN",
            )
    for zeros in ("drop", "split"):
        cases.add(
            f"sign_test-identical-{zeros}",
            "stats.pairwise.sign_test",
            [SAME, SAME],
            {"pvalue": 1.0},
            source(ZERO),
            kwargs={"zeros": zeros},
        )
    cases.add("permutation_t-identical", "stats.pairwise.permutation_t", [SAME, SAME], {"pvalue": 1.0}, source(ZERO))
    for side, p in (("two-sided", 0.125), ("greater", 0.0625), ("less", 1.0)):
        cases.add(
            f"permutation_t-constant-{side}",
            "stats.pairwise.permutation_t",
            [[0.2, 0.3, 0.4, 0.5], [0.1, 0.2, 0.3, 0.4]],
            {"pvalue": p},
            source("sign flips; all 2^L when L ≤ 16"),
            kwargs={"alternative": side},
            note="a constant difference is not certain for sign flips: one pattern of sixteen, two with its mirror",
        )


def many(cases):
    """Tests of K learners."""
    noisy = [[0.1, 0.2, 0.3, 0.25]] * 3
    apart = [[0.1] * 4, [0.2] * 4, [0.3] * 4]
    shifted = [[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.3, 0.4, 0.5]]
    cases.add("anova-identical", "stats.omnibus.anova", [noisy], {"statistic": 0.0, "pvalue": 1.0}, source(ZERO))
    cases.add(
        "anova-all_equal",
        "stats.omnibus.anova",
        [nested(0.2, 3, 4)],
        {"statistic": 0.0, "pvalue": 1.0},
        source(ZERO),
        note="scipy gives nan",
    )
    cases.add("anova-constant", "stats.omnibus.anova", [apart], {"statistic": INF, "pvalue": 0.0}, source(CERTAIN))
    cases.add(
        "repeated_anova-identical",
        "stats.omnibus.repeated_anova",
        [noisy],
        {"statistic": 0.0, "pvalue": 1.0},
        source("Identical columns: F 0/0 rule above"),
        note="other programs divide two rounding errors: statsmodels gives F 0.71 here, on other data a negative F; "
        "pingouin can give inf",
    )
    cases.add(
        "repeated_anova-constant",
        "stats.omnibus.repeated_anova",
        [shifted],
        {"statistic": INF, "pvalue": 0.0},
        source(CERTAIN),
    )
    for rule in ("newman_keuls", "tukey", "duncan"):
        cases.add(
            f"{rule}-identical",
            f"stats.omnibus.{rule}",
            [noisy],
            {"order": [0, 1, 2], "ranges": [[0, 1, 2]]},
            source(ZERO),
            kwargs={"alpha": 0.05},
        )
        cases.add(
            f"{rule}-constant",
            f"stats.omnibus.{rule}",
            [apart],
            {"order": [0, 1, 2], "ranges": []},
            source(CERTAIN),
            kwargs={"alpha": 0.05},
        )
    cases.add(
        "kruskal_wallis-all_equal",
        "stats.omnibus.kruskal_wallis",
        [[1, 1, 1], [1, 1], [1, 1, 1]],
        {"statistic": 0.0, "pvalue": 1.0},
        source(ZERO),
        note="R and scipy give nan",
    )
    cases.add(
        "friedman-identical",
        "stats.omnibus.friedman",
        [nested(0.2, 5, 3)],
        {"statistic": 0.0, "pvalue": 1.0, "f_statistic": 0.0, "f_pvalue": 1.0, "mean_ranks": [2.0, 2.0, 2.0]},
        source(ZERO),
        note="R and scipy give nan",
    )
    cases.add(
        "friedman-unanimous",
        "stats.omnibus.friedman",
        [[[0.1, 0.2, 0.3]] * 6],
        {"statistic": 12.0, "f_statistic": INF, "f_pvalue": 0.0},
        source(CERTAIN),
        note="chi2 reaches N(k-1): the F of Iman and Davenport divides by zero",
    )
    agree = [[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0]]
    cases.add(
        "cochran_q-agreement",
        "stats.omnibus.cochran_q",
        [agree],
        {"statistic": 0.0, "pvalue": 1.0},
        source(ZERO),
        note="statsmodels gives nan",
    )
    cases.add("looney-agreement", "stats.omnibus.looney", [agree], {"statistic": 0.0, "pvalue": 1.0}, source(ZERO))
    cases.add(
        "looney-opposite",
        "stats.omnibus.looney",
        [[[1, 0]] * 6],
        {"statistic": INF, "pvalue": 0.0},
        source(CERTAIN),
    )
    cases.add(
        "multinomial_selection-tied",
        "stats.selection.multinomial_selection",
        [nested(0.5, 6, 3)],
        {"wins": [2.0, 2.0, 2.0], "statistic": 0.0, "pvalue": 1.0},
        source("wins, ties shared, χ² of equal chances"),
    )


def vectors(cases):
    """Several measures, ROC, Bayes."""
    first = [[0.8, 0.2], [0.7, 0.25], [0.9, 0.15], [0.85, 0.3], [0.75, 0.1], [0.65, 0.2]]
    moved = [[round(a + 0.1, 2), round(b + 0.1, 2)] for a, b in first]
    # first column one tenth more, second free with mean difference 0
    partly = [[0.9, 0.25], [0.8, 0.2], [1.0, 0.25], [0.95, 0.2], [0.85, 0.12], [0.75, 0.18]]
    cases.add(
        "hotelling-identical",
        "stats.multivariate.hotelling",
        [first, first],
        {"statistic": 0.0, "pvalue": 1.0},
        source(ZERO),
    )
    outside = (
        "if d̄ has a part outside the range of S (constant nonzero difference) the difference is certain: "
        "T² inf, p 0, not the 0 a bare pseudo-inverse gives"
    )
    for name, other, note in (
        ("constant", moved, "pingouin inverts a covariance of rounding errors: T2 1e32"),
        ("partly_constant", partly, "pingouin's pseudo-inverse gives T2 0, p 1"),
    ):
        cases.add(
            f"hotelling-{name}",
            "stats.multivariate.hotelling",
            [other, first],
            {"statistic": INF, "pvalue": 0.0},
            source(outside),
            note=note,
        )
    y, scores = [0, 1, 0, 1, 1, 0], [0.1, 0.8, 0.4, 0.35, 0.9, 0.5]
    cases.add(
        "delong-identical",
        "stats.roc.delong",
        [y, scores, scores],
        {"statistic": 0.0, "pvalue": 1.0},
        source("identical scores: z 0, p 1."),
        note="pROC agrees; MLstatkit gives p 0",
    )
    raised = [0.2, 0.3, 0.45]
    for name, pair, p in (
        ("identical", (SAME, SAME), [0.0, 1.0, 0.0]),
        ("constant", (raised, SAME), [0.0, 0.0, 1.0]),
        ("constant-mirrored", (SAME, raised), [1.0, 0.0, 0.0]),
    ):
        cases.add(
            f"correlated_t-{name}",
            "stats.bayes.correlated_t",
            list(pair),
            {"probabilities": p},
            source(CERTAIN),
            kwargs={"rope": 0.01, "correlation": 0.1},
            note="no spread: the posterior is one point",
        )
    cases.add(
        "measures-undefined",
        "stats.multivariate.measures",
        [[5, 0], [5, 0], [1, 2], [9, 8]],
        {"raises": "InputError"},
        source("an undefined ratio (0/0) among the names asked for is an error that says which fold"),
        kwargs={"names": ["tpr", "fpr"]},
    )
    cases.add(
        "measures-undefined-given",
        "stats.multivariate.measures",
        [[5, 0], [5, 0], [1, 2], [9, 8]],
        {"": [[0.5, 0.1], [0.0, 0.2]]},
        source("unless `undefined=` gives a value"),
        kwargs={"names": ["tpr", "fpr"], "undefined": 0.0},
    )


def refused(cases):
    """Input that must not give a number."""
    nan = float("nan")
    calls = {
        "paired_t-nan": ("stats.pairwise.paired_t", [[0.1, nan, 0.3], [0.2, 0.2, 0.2]], "scipy gives nan"),
        "paired_t-infinite": ("stats.pairwise.paired_t", [[0.1, INF, 0.3], [0.2, 0.2, 0.2]], None),
        "paired_t-unequal": ("stats.pairwise.paired_t", [[0.1, 0.2, 0.3], [0.2, 0.2]], None),
        "paired_t-one": ("stats.pairwise.paired_t", [[0.1], [0.2]], "scipy gives nan"),
        "five_by_two_t-design": (
            "stats.pairwise.five_by_two_t",
            [nested(0.1, 1, 10), nested(0.2, 1, 10)],
            None,
        ),
        "five_by_two_f-design": (
            "stats.pairwise.five_by_two_f",
            [nested(0.1, 5, 3), nested(0.2, 5, 3)],
            None,
        ),
        "mcnemar-negative": ("stats.pairwise.mcnemar", [-1, 4], None),
        "wilcoxon-nan": ("stats.pairwise.wilcoxon", [[0.1, nan, 0.3], [0.2, 0.2, 0.2]], "scipy gives nan"),
        "friedman-nan": (
            "stats.omnibus.friedman",
            [[[0.1, 0.2, nan], [0.1, 0.2, 0.3]]],
            "autorank rejects with p nan",
        ),
        "anova-one": ("stats.omnibus.anova", [[[0.1, 0.2, 0.3]]], None),
        "looney-not_binary": ("stats.omnibus.looney", [[[0, 2], [1, 0], [1, 1]]], None),
        "holm-above_one": ("stats.adjust.holm", [[0.1, 1.2]], None),
        "holm-nan": ("stats.adjust.holm", [[0.1, nan]], None),
        "shaffer-not_pairs": (
            "stats.adjust.shaffer",
            [[0.1, 0.2, 0.3, 0.4]],
            "four p values are not the pairs of any number of learners",
        ),
        "auc-one_class": ("stats.roc.auc", [[1, 1, 1], [0.1, 0.2, 0.3]], None),
        "hotelling-unequal": ("stats.multivariate.hotelling", [[[0.1, 0.2], [0.3, 0.4]], [[0.1, 0.2]]], None),
    }
    for name, (function, args, note) in calls.items():
        cases.add(f"refused-{name}", function, args, {"raises": "InputError"}, source(WRONG), note=note)
    cases.add(
        "refused-five_by_two_f-one_side",
        "stats.pairwise.five_by_two_f",
        [GRID, RAISED],
        {"raises": "InputError"},
        source("two-sided by nature: asking for one side is an error that says to use the t"),
        kwargs={"alternative": "greater"},
    )


def main(folder):
    cases = Cases("rulings", "rulings")
    for write in (t_like, counts, many, vectors, refused):
        write(cases)
    for case in cases.cases:
        case["id"] = f"ruling-{case['id']}"
    cases.save(folder)


if __name__ == "__main__":
    main(sys.argv[1])
