"""Tables of learners over data sets: Bramer's and Demšar's, held to what the two print."""

from itertools import combinations

import numpy as np
from entries import by, load, paper, record
from scipy import stats

BRAMER = "Bramer, Principles of Data Mining, chapter 15"
PRINTED = {
    "15_2": {"mean": 0.7, "standard_error": 2.19, "t": 0.32, "significant_at": None},
    "15_5": {"mean": 0.7, "standard_error": 0.26, "t": 2.69, "significant_at": 0.05},
    "15_6": {"mean": 3.5, "standard_error": 1.45, "t": 2.41, "significant_at": 0.05},
    "15_7": {"mean": 3.9, "standard_error": 1.18, "t": 3.31, "significant_at": 0.01},
}
LEVEL = {"15_7": 0.99}  # of the interval that the chapter gives; 0.95 otherwise


def bramer(key):
    """Paired t of the challenger minus the established classifier."""
    name = f"bramer_{key}.csv"
    frame = load(name)
    old, new = frame.columns[1:]
    result = stats.ttest_rel(frame[new], frame[old])
    level = LEVEL.get(key, 0.95)
    numbers = {
        "estimate": (frame[new] - frame[old]).mean(),
        "standard_error": stats.sem(frame[new] - frame[old]),
        "statistic": result.statistic,
        "df": result.df,
        "pvalue": result.pvalue,
        "level": level,
        "interval": list(result.confidence_interval(level)),
    }
    conclusions = [by("scipy", f"ttest_rel({new}, {old}).confidence_interval({level})", **numbers)]
    if key in PRINTED:
        compare_with_print(name, numbers, PRINTED[key])
        place = f"Figure {key.replace('_', '.')} and the text below it"
        conclusions.append(paper(BRAMER, place, **PRINTED[key]))
    record(
        name,
        frame,
        reading={"kind": "scores", "learners": [old, new], "datasets": len(frame), "replications": 1, "folds": 1},
        direction="larger, must be asked for: accuracy in percent, which the header does not say",
        conclusions=conclusions,
    )


def compare_with_print(name, numbers, printed):
    """Stop when a printed number or the printed level of significance is not reached."""
    for ours, theirs in (("estimate", "mean"), ("standard_error", "standard_error"), ("statistic", "t")):
        if abs(numbers[ours] - printed[theirs]) > 0.005:
            raise SystemExit(f"{name}: {theirs} is {numbers[ours]}, printed is {printed[theirs]}")
    reached = next((alpha for alpha in (0.01, 0.05, 0.10) if numbers["pvalue"] <= alpha), None)
    if reached != printed["significant_at"]:
        raise SystemExit(f"{name}: significant at {reached}, printed is {printed['significant_at']}")


def signed_rank(first, second):
    """Exact two-sided p of the signed ranks, ties and zeros as in the printed digits."""
    difference = (first - second).round(3)
    difference = difference[difference != 0]
    every_sign = stats.PermutationMethod(n_resamples=np.inf)
    return stats.wilcoxon(difference, method=every_sign).pvalue


def demsar():
    """Friedman on the printed digits beside the paper's, whose ranks come from more digits than it prints."""
    frame = load("demsar.csv")
    names, auc = list(frame.columns[1:]), frame.iloc[:, 1:].to_numpy()
    ranks = stats.rankdata(-auc, axis=1).mean(axis=0)
    friedman = stats.friedmanchisquare(*auc.T)
    n, k = auc.shape
    plain = 12 * n / (k * (k + 1)) * ((ranks**2).sum() - k * (k + 1) ** 2 / 4)
    signed = {f"{a} / {b}": signed_rank(frame[a], frame[b]) for a, b in combinations(names, 2)}
    printed_ranks = dict(zip(names, (3.143, 2.000, 2.893, 1.964), strict=True))
    formula = "12 n / (k (k+1)) (sum of squared mean ranks - k (k+1)^2 / 4); Iman and Davenport's F"
    every = "wilcoxon(d[d != 0], method=PermutationMethod(n_resamples=inf)) of every pair, d rounded to 3 digits"
    record(
        "demsar.csv",
        frame,
        reading={"kind": "scores", "learners": names, "datasets": n, "replications": 1, "folds": 1},
        direction="larger, must be asked for: AUC, which the header does not say",
        conclusions=[
            paper("Demšar 2006, JMLR 7", "Table 6, section 3.2.2", mean_rank=printed_ranks, chi2=9.28, F=3.69, cd=1.25),
            by("scipy", "rankdata(-auc, axis=1).mean(axis=0)", mean_rank=dict(zip(names, ranks, strict=True))),
            by("scipy", "friedmanchisquare, tie-corrected", statistic=friedman.statistic, pvalue=friedman.pvalue),
            by("numpy", formula, chi2=plain, F=(n - 1) * plain / (n * (k - 1) - plain)),
            by("scipy", every, pvalue=signed),
            by("numpy", "mean AUC", mean=dict(zip(names, auc.mean(axis=0), strict=True))),
        ],
        note="voting: the paper ranks the two 0.975 as 2 and 3; the printed AUC give other mean ranks and chi2",
    )
