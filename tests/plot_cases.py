"""Figures of every kind for K learners, made from drawn numbers."""

from itertools import pairwise

import numpy as np

import bestofk as bk
from bestofk.plots.figures.acceptance import AcceptanceInfo
from bestofk.plots.figures.bounds import BoundsInfo
from bestofk.plots.figures.contours import DifferenceContoursInfo, MeasureContoursInfo
from bestofk.plots.figures.curves import CurveBandsInfo, WhereTheyDifferInfo
from bestofk.plots.figures.datasets import DatasetInfluenceInfo, DatasetScatterInfo
from bestofk.plots.figures.histograms import ErrorHistogramsInfo, NullHistogramInfo, NullHistogramInteractionInfo
from bestofk.plots.figures.order_graph import OrderGraphInfo
from bestofk.plots.figures.order_steps import OrderStepsInfo
from bestofk.plots.figures.pareto import ParetoInfo
from bestofk.plots.figures.performance_profiles import PerformanceProfilesInfo
from bestofk.plots.figures.posterior_simplex import PosteriorSimplexInfo
from bestofk.plots.figures.power import PowerCurvesInfo, SizeAndPowerInfo
from bestofk.plots.figures.roc_hull import RocHullInfo
from bestofk.plots.figures.t_tails import TTailsInfo
from bestofk.plots.gallery import FIGURES

LONG = ("random-forest-of-500-deep-trees", "random-forest-of-500-shallow-trees", "logistic-regression", "knn", "lda")


def names_of(k, kind="plain"):
    """Long names first, two of them alike at both ends; or names of 110 letters, or of wide ones."""
    if kind == "long":
        return tuple(f"{'learner-of-many-letters-' * 5}"[:106] + f"-{i:03d}" for i in range(k))
    if kind == "wide":
        return tuple(f"随机森林分类器的第{i}种设置与很长的名称" for i in range(k))
    return tuple((*LONG, *(f"learner-{i}" for i in range(k)))[:k])


def verdict_of(k, *, names=None, prior=True, datasets=20, seed=0):
    """A verdict on K learners and many data sets."""
    rng = np.random.default_rng(seed)
    learners = names or names_of(k)
    values = 0.2 + rng.normal(0, 0.02, (k, 1, 1, 1)) + rng.normal(0, 0.008, (k, datasets, 1, 1))
    evidence = bk.Scores(
        learners=learners,
        values=values,
        datasets=tuple(f"data set {i}" for i in range(datasets)),
        measure="error",
        larger_is_better=False,
    )
    return bk.judge(evidence, prior=learners if prior else None)


def infos_of(k, names=None):
    """One record per kind of figure, by name; K = 2 learners at least."""
    learners = names or names_of(k)
    with_prior, without = (verdict_of(k, names=learners, prior=prior) for prior in (True, False))
    made = [(kind.of(with_prior) or kind.of(without)) for kind in FIGURES.values()]
    found = {info.name: info for info in made if info is not None}
    arrows = tuple((learners[i], learners[j]) for j in range(k) for i in range(j + 1, k) if (i + j) % 7 == 1)[:40]
    found["order without preference"] = OrderGraphInfo(learners, arrows, learners, learners[0], False)
    found |= {info.name: info for info in _from_arrays(k, learners)}
    found.setdefault("order", OrderGraphInfo(learners[::-1], arrows, learners, learners[0], True))
    assert set(FIGURES) <= set(found)
    return found


def _from_arrays(k, learners):
    rng = np.random.default_rng(k)
    first, second = learners[:2]
    steps = np.arange(1, 11) * 50.0
    curves = {n: 0.9 - rng.uniform(0.1, 0.5) * np.exp(-steps / 200) + rng.normal(0, 0.01, (6, 10)) for n in learners}
    yield CurveBandsInfo.from_curves(curves, steps)
    tasks = np.repeat(np.arange(12), 8)
    yield PerformanceProfilesInfo.from_runs(
        {n: (rng.beta(2 + 4 * rng.random(), 3, len(tasks)), tasks) for n in learners}, "success_rate"
    )
    marks = (("observed 3", 3.0), ("critical 5.99 at 0.05", 5.99))
    yield NullHistogramInfo(rng.chisquare(2, 500), marks, "F")
    pairs = [f"{a} – {b}" for a, b in pairwise(learners)]
    yield WhereTheyDifferInfo.from_intervals({p: [(50, 150, 0.2), (250, 500, 0.004)] for p in pairs}, steps)
    rates = {m: np.linspace(0.05, 0.5 + 0.02 * i, 11) for i, m in enumerate(("conventional", "randomized"))}
    yield SizeAndPowerInfo.from_rates({f"case {case}": rates for case in "abcd"}, range(11))
    power = {n: 1 - np.exp(-np.arange(5, 51, 5) / rng.uniform(5, 60)) for n in learners}
    yield PowerCurvesInfo.from_power(power, range(5, 51, 5))
    edges = [(a, b) for i, a in enumerate(learners) for b in learners[i + 1 :] if rng.random() < 0.3]
    yield OrderStepsInfo.from_edges(edges, learners)
    points = {n: rng.uniform(0.3, 0.9, 2) + rng.normal(0, 0.03, (10, 2)) for n in learners}
    yield MeasureContoursInfo.from_points(points, ("tpr", "fpr"))
    yield DifferenceContoursInfo.from_points(first, second, points[first], points[second], ("tpr", "fpr"))
    one, two = rng.normal(0.2, 0.02, (2, 30))
    yield ErrorHistogramsInfo(first, second, one, two, "error")
    sets = tuple(f"data set {i}" for i in range(30))
    yield DatasetScatterInfo(first, second, sets, one, two, "error", False)
    yield DatasetInfluenceInfo.from_values(first, second, one, two, sets)
    y = (rng.random(80) < 0.4).astype(float)
    yield RocHullInfo.from_scores(y, {n: y * rng.uniform(0.2, 2) + rng.normal(0, 1, 80) for n in learners})
    costs, values = 10 ** rng.uniform(-2, 2, k), rng.uniform(0.1, 0.4, k)
    yield ParetoInfo(learners, tuple(costs), tuple(values), "fit_time", "error", False)
    yield BoundsInfo(learners, tuple(np.sort(rng.uniform(0, 0.2, k)).tolist()), 0.05, "error")
    yield PosteriorSimplexInfo.from_samples(first, second, rng.dirichlet((9, 2, 3), 2000), 0.01)
    yield NullHistogramInteractionInfo(rng.chisquare(2, 500), marks, "F of the interaction")
    yield AcceptanceInfo(learners, (("tpr, fpr", np.eye(k, dtype=bool)), ("error", np.ones((k, k), dtype=bool))))
    yield TTailsInfo(1.83, 9)
