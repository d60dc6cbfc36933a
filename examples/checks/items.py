"""Outcomes on the same items: predictions of classifiers, answers of language models."""

from itertools import combinations

import numpy as np
from entries import by, load, record
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar

CALL = (
    "mcnemar(table, exact=True); (table, exact=False, correction=True); scipy.stats.binomtest(…, alternative='greater')"
)


def mcnemar_of(first, second):
    """Exact and corrected two-sided p, and the exact one-sided p that the second is better."""
    table = [[int(((first == i) & (second == j)).sum()) for j in (1, 0)] for i in (1, 0)]
    only_first, only_second = table[0][1], table[1][0]
    corrected = mcnemar(table, exact=False, correction=True)
    return {
        "wrong_by_first_only": only_second,
        "wrong_by_second_only": only_first,
        "exact_pvalue": mcnemar(table, exact=True).pvalue,
        "chi2_corrected": corrected.statistic,
        "chi2_corrected_pvalue": corrected.pvalue,
        "second_better_pvalue": stats.binomtest(only_second, only_first + only_second, alternative="greater").pvalue,
    }


def tests_of(right):
    """McNemar of every pair and Cochran's Q."""
    pairs = {f"{a} / {b}": mcnemar_of(right[a], right[b]) for a, b in combinations(right, 2)}
    q = cochrans_q(np.column_stack(list(right.values())))
    return [
        by("statsmodels", CALL, pairs=pairs),
        by("statsmodels", "cochrans_q(outcomes)", statistic=q.statistic, pvalue=q.pvalue),
    ]


def predictions():
    """Right or wrong against truth."""
    frame = load("predictions.csv")
    right = {name: (frame[name] == frame.truth).to_numpy().astype(int) for name in frame.columns[1:]}
    record(
        "predictions.csv",
        frame,
        reading={"kind": "items", "truth": "truth", "learners": list(right), "items": len(frame)},
        direction="none needed: right or wrong against truth",
        conclusions=[by("numpy", "mean", accuracy={n: r.mean() for n, r in right.items()}), *tests_of(right)],
        note="labels are digits: they are to be compared as labels, not subtracted",
    )


def language_models():
    """The cheapest model that no dearer one beats at 0.05 / 6, on these tasks."""
    frame = load("language_models.csv")
    price = frame.groupby("learner").price.first().sort_values()
    wide = frame.pivot(index="item", columns="learner", values="correct")[list(price.index)]
    right = {name: wide[name].to_numpy() for name in price.index}
    accuracy = {name: each.mean() for name, each in right.items()}
    tests = tests_of(right)
    found = tests[0]["pairs"].items()
    shown = [(pair, p) for pair, p in found if p["exact_pvalue"] <= 0.05 / 6]
    beaten = {pair.split(" / ")[0] for pair, p in shown if p["wrong_by_first_only"] > p["wrong_by_second_only"]}
    choice = next(name for name in price.index if name not in beaten)
    if choice in (price.index[0], max(accuracy, key=accuracy.get)):
        raise SystemExit(f"{choice} is the choice: it must be neither the cheapest nor the most accurate.")
    by_task = frame.pivot_table(index="task", columns="learner", values="correct").to_dict()
    reading = {"kind": "items", "learners": list(price.index), "items": len(wide), "groups": sorted(set(frame.task))}
    rule = "the cheapest model without a better, dearer one whose exact_pvalue is at most 0.05 / 6"
    record(
        "language_models.csv",
        frame,
        reading={**reading, "costs": {"price": price.to_dict()}},
        direction="larger (correct, 0 or 1)",
        conclusions=[
            by("numpy", "mean of correct", accuracy=accuracy, by_task=by_task),
            *tests,
            by("statsmodels", rule, choice=choice, beaten=sorted(beaten)),
        ],
        note="models, items, outcomes and prices are invented",
    )
