"""Learning curves: conventional and exact randomized two-way analysis of variance."""

from itertools import combinations

import numpy as np
import statsmodels.formula.api as smf
from entries import by, load, record
from statsmodels.stats.anova import anova_lm


def conventional(frame):
    """Two-way analysis of variance of learner and step by statsmodels."""
    table = anova_lm(smf.ols("accuracy ~ C(learner) * C(step)", frame).fit())
    rows = {"alg": "C(learner)", "int": "C(learner):C(step)"}
    numbers = {f"f_{name}": table.loc[row, "F"] for name, row in rows.items()}
    return numbers | {f"p_conventional_{name}": table.loc[row, "PR(>F)"] for name, row in rows.items()}


def f_of(first_means, pooled):
    """F of algorithm and of interaction where the first of two groups of equal size has these mean curves (..., k)."""
    runs, k = len(pooled) // 2, pooled.shape[1]
    half = first_means - pooled.mean(axis=0)  # the second group mirrors the first
    algorithm = 2 * runs * k * half.mean(axis=-1) ** 2
    between = 2 * runs * (half**2).sum(axis=-1)
    within = ((pooled - pooled.mean(axis=0)) ** 2).sum() - between
    scale = within / (2 * runs * k - 2 * k)
    return algorithm / scale, (between - algorithm) / (k - 1) / scale


def randomized(frame):
    """Share of all ways to deal the curves of two learners whose F is at least the observed one."""
    wide = frame.pivot(index=["learner", "run"], columns="step", values="accuracy").to_numpy()
    runs = len(wide) // 2
    deals = np.array(list(combinations(range(2 * runs), runs)))
    everything = f_of(wide[deals].mean(axis=1), wide)
    observed = f_of(wide[:runs].mean(axis=0), wide)
    shares = [float((each >= f * (1 - 1e-9)).mean()) for each, f in zip(everything, observed, strict=True)]
    return {"f_alg": observed[0], "f_int": observed[1], "p_alg": shares[0], "p_int": shares[1], "deals": len(deals)}


def curves():
    """All three learners together, and every two of them."""
    frame = load("curves.csv")
    names = list(dict.fromkeys(frame.learner))
    call = "anova_lm(ols('accuracy ~ C(learner) * C(step)', frame).fit())"
    found = [by("statsmodels", call, learners=names, **conventional(frame))]
    for two in combinations(names, 2):
        part = frame[frame.learner.isin(two)]
        found.append(by("statsmodels", call, learners=list(two), **conventional(part)))
        found.append(by("numpy", "all deals of whole curves, counted", learners=list(two), **randomized(part)))
    mean = frame.groupby("learner").accuracy.mean().to_dict()
    record(
        "curves.csv",
        frame,
        reading={"kind": "curves", "learners": names, "runs": 10, "steps": sorted(set(frame.step.tolist()))},
        direction="larger (accuracy, known)",
        conclusions=[by("pandas", "mean accuracy", mean=mean), *found],
        note="p_int of the deals supposes equal curves: where levels differ, as here, it is no test of shape alone",
    )
