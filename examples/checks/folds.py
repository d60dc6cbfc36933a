"""Folds of one data set: the four learners of MultiTest's figure, and confusion counts."""

from itertools import combinations

import numpy as np
from entries import by, load, paper, record
from scipy import stats


def multitest_four():
    """One-sided 5x2 cv t, written out, of every learner against those less preferred."""
    frame = load("multitest_four.csv")
    errors = {str(i): part.error.to_numpy().reshape(5, 2) for i, part in frame.groupby("learner")}
    pairs = {}
    for i, j in combinations(errors, 2):
        d = errors[i] - errors[j]
        t = d[0, 0] / np.sqrt(d.var(axis=1, ddof=1).mean())
        p = stats.t.sf(t, 5)
        pairs[f"{i} / {j}"] = {"statistic": t, "pvalue": p, "edge": bool(p <= 0.05 / 6)}
    graph = {"edges": [["1", "2"], ["1", "3"], ["1", "4"], ["2", "3"]], "order": ["3", "2", "4", "1"]}
    record(
        "multitest_four.csv",
        frame,
        reading={"kind": "scores", "learners": list(errors), "datasets": 1, "replications": 5, "folds": 2},
        direction="smaller (error, known)",
        conclusions=[
            paper("Yıldız and Alpaydın 2006", "Fig. 2", prior=list(errors), **graph),
            by("scipy", "t.sf(d11 / sqrt(mean(var(d, ddof=1))), 5): first loses more; edge at 0.05 / 6", pairs=pairs),
            by("numpy", "mean error", mean={i: each.mean() for i, each in errors.items()}),
        ],
        note="errors invented; learners are named by numbers; the edges are the same with Holm and without adjustment",
    )


def hotelling(first, second):
    """Hotelling's paired T² of (tpr, fpr), written out."""
    d = first - second
    k, p = d.shape
    t2 = k * d.mean(axis=0) @ np.linalg.solve(np.cov(d.T), d.mean(axis=0))
    f = (k - p) / ((k - 1) * p) * t2
    return {"statistic": t2, "f_statistic": f, "df": [p, k - p], "pvalue": stats.f.sf(f, p, k - p)}


def counts():
    """Error alone, and (tpr, fpr) together."""
    frame = load("counts.csv")
    parts = {name: frame[frame.learner == name] for name in dict.fromkeys(frame.learner)}
    rates = {n: np.column_stack([f.tp / (f.tp + f.fn), f.fp / (f.fp + f.tn)]) for n, f in parts.items()}
    error = {n: ((f.fn + f.fp) / (f.tp + f.fn + f.fp + f.tn)).to_numpy() for n, f in parts.items()}
    pairs = {f"{a} / {b}": (a, b) for a, b in combinations(parts, 2)}
    univariate = {pair: stats.ttest_rel(error[a], error[b]).pvalue for pair, (a, b) in pairs.items()}
    both = {pair: hotelling(rates[a], rates[b]) for pair, (a, b) in pairs.items()}
    record(
        "counts.csv",
        frame,
        reading={"kind": "scores", "learners": list(parts), "datasets": 1, "replications": 1, "folds": 10},
        direction="none needed: error (smaller), tpr (larger) and fpr (smaller) are made of the counts",
        conclusions=[
            by("numpy", "mean error", mean={n: each.mean() for n, each in error.items()}),
            by("numpy", "mean (tpr, fpr)", mean={n: each.mean(axis=0).tolist() for n, each in rates.items()}),
            by("scipy", "ttest_rel of error, two-sided", pvalue=univariate),
            by("scipy", "T2 = k d' S^-1 d on (tpr, fpr); f.sf((k - p) / ((k - 1) p) T2, p, k - p)", pairs=both),
        ],
    )
