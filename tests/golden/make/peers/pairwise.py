"""Two learners: scipy, mlxtend, statsmodels, baycomp."""

import baycomp
import numpy as np
from cases import INPUTS, Cases, ref
from mlxtend import evaluate
from peers.source import SIDES, data, source
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar


class Playback:
    """Stands for a learner in mlxtend, which wants to fit: it ignores the data and hands out stored losses."""

    _estimator_type = "classifier"

    def __init__(self, losses):
        self.losses = iter(np.ravel(losses))

    def fit(self, X, y):
        return self


def play(learner, X, y):
    """The scorer that goes with `Playback`."""
    return float(next(learner.losses))


def through_mlxtend(test, first, second):
    """Run one of mlxtend's resampled tests on losses that exist already."""
    X = np.arange(40.0).reshape(20, 2)
    y = np.arange(20) % 2
    return test(Playback(data(first)), Playback(data(second)), X, y, scoring=play, random_seed=1)


def write(folder):
    cases = Cases("python", "pairwise")
    for side in SIDES:
        r = stats.ttest_rel(data("folds_first"), data("folds_second"), alternative=side)
        cases.add(
            f"paired_t-folds-{side}-scipy",
            "stats.pairwise.paired_t",
            [ref("folds_first"), ref("folds_second")],
            {"statistic": r.statistic, "pvalue": r.pvalue, "df": [r.df]},
            source("scipy", f"stats.ttest_rel(first, second, alternative={side!r})"),
            kwargs={"alternative": side},
        )
    args = [ref("five_by_two_first"), ref("five_by_two_second")]
    for name, test in (
        ("five_by_two_t", evaluate.paired_ttest_5x2cv),
        ("five_by_two_f", evaluate.combined_ftest_5x2cv),
    ):
        statistic, p = through_mlxtend(test, "five_by_two_first", "five_by_two_second")
        cases.add(
            f"{name}-mlxtend",
            f"stats.pairwise.{name}",
            args,
            {"statistic": statistic, "pvalue": p},
            source("mlxtend", f"evaluate.{test.__name__} with learners that hand out the stored losses"),
        )
        rows = [
            test(
                Playback(a),
                Playback(b),
                np.arange(40.0).reshape(20, 2),
                np.arange(20) % 2,
                scoring=play,
                random_seed=1,
            )
            for a, b in zip(data("five_by_two_batch_first"), data("five_by_two_batch_second"), strict=True)
        ]
        cases.add(
            f"{name}-batch-mlxtend",
            f"stats.pairwise.{name}",
            [ref("five_by_two_batch_first"), ref("five_by_two_batch_second")],
            {"statistic": [r[0] for r in rows], "pvalue": [r[1] for r in rows]},
            source("mlxtend", f"evaluate.{test.__name__} for each of the two"),
        )
    for name, runs in (("repeated", 10), ("few", 3)):
        # the posterior of the correlated t is the corrected t turned round: the chance that the first is not worse
        first, second = data(f"{name}_first"), data(f"{name}_second")
        better, _ = baycomp.CorrelatedTTest.probs(second.ravel(), first.ravel(), rope=0, runs=runs)
        cases.add(
            f"corrected_t-{name}-baycomp",
            "stats.pairwise.corrected_t",
            [ref(f"{name}_first"), ref(f"{name}_second")],
            {"pvalue": better},
            source("baycomp", f"CorrelatedTTest.probs(second, first, rope=0, runs={runs})[0]"),
            kwargs={"alternative": "greater"},
        )
    mcnemar(cases)
    wilcoxon(cases)
    cases.save(folder)


def mcnemar(cases):
    table = evaluate.mcnemar_table(
        np.array(INPUTS["truth"]), np.array(INPUTS["answers_first"]), np.array(INPUTS["answers_second"])
    )
    n10, n01 = int(table[0, 1]), int(table[1, 0])  # mlxtend: row = first right, column = second right
    args = [ref("truth"), ref("answers_first"), ref("answers_second")]
    for method, options in (
        ("chi2-corrected", {"exact": False, "correction": True}),
        ("chi2", {"exact": False, "correction": False}),
        ("exact", {"exact": True}),
    ):
        r = statsmodels_mcnemar(table, **options)
        expect = {"pvalue": r.pvalue}
        if method != "exact":
            expect["statistic"] = r.statistic
        call = f"mcnemar(table, {', '.join(f'{k}={v}' for k, v in options.items())})"
        cases.add(
            f"mcnemar-{n01}_{n10}-{method}-statsmodels",
            "stats.pairwise.mcnemar",
            [n01, n10],
            expect,
            source("statsmodels", call),
            kwargs={"method": method},
        )
        cases.add(
            f"mcnemar_from-{method}-statsmodels",
            "stats.pairwise.mcnemar_from",
            args,
            expect,
            source("statsmodels", call + " of mlxtend.evaluate.mcnemar_table(y, first, second)"),
            kwargs={"method": method},
        )


def wilcoxon(cases):
    every_flip = stats.PermutationMethod(n_resamples=np.inf)
    for pair in ("tied", "zeros"):
        first, second = data(f"ranks_{pair}_first"), data(f"ranks_{pair}_second")
        args = [ref(f"ranks_{pair}_first"), ref(f"ranks_{pair}_second")]
        for zeros, theirs in (("drop", "wilcox"), ("pratt", "pratt")):
            for side in SIDES:
                plus = stats.wilcoxon(
                    first, second, zero_method=theirs, alternative="greater", method="asymptotic"
                ).statistic
                r = stats.wilcoxon(
                    first, second, zero_method=theirs, correction=False, alternative=side, method="asymptotic"
                )
                cases.add(
                    f"wilcoxon-{pair}-{zeros}-normal-{side}-scipy",
                    "stats.pairwise.wilcoxon",
                    args,
                    {"statistic": plus, "pvalue": r.pvalue},
                    source(
                        "scipy",
                        f"stats.wilcoxon(first, second, zero_method={theirs!r}, alternative={side!r}, "
                        "method='asymptotic')",
                    ),
                    kwargs={"zeros": zeros, "method": "normal", "alternative": side},
                )
                if zeros == "drop":
                    r = stats.wilcoxon(
                        first[first != second], second[first != second], alternative=side, method=every_flip
                    )
                    cases.add(
                        f"wilcoxon-{pair}-{zeros}-exact-{side}-scipy",
                        "stats.pairwise.wilcoxon",
                        args,
                        {"pvalue": r.pvalue},
                        source(
                            "scipy",
                            f"stats.wilcoxon(first, second, alternative={side!r}, "
                            "method=PermutationMethod(n_resamples=inf))",
                        ),
                        kwargs={"zeros": zeros, "method": "exact", "alternative": side},
                    )
