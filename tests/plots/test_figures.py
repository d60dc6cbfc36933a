"""Figures: their data against the numbers they come from, and their words against their data."""

import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from matplotlib.text import Text

import bestofk as bk
from bestofk.core.errors import InputError, UnknownName
from bestofk.core.phrases import signed
from bestofk.ordering import from_edges
from bestofk.plots.figures.contours import DifferenceContoursInfo, MeasureContoursInfo, contour
from bestofk.plots.figures.critical_difference import CriticalDifferenceInfo
from bestofk.plots.figures.curves import CurveBandsInfo, WhereTheyDifferInfo
from bestofk.plots.figures.datasets import DatasetInfluenceInfo, DatasetScatterInfo
from bestofk.plots.figures.difference_intervals import DifferenceIntervalsInfo
from bestofk.plots.figures.histograms import ErrorHistogramsInfo, NullHistogramInfo
from bestofk.plots.figures.loss_boxes import LossBoxesInfo
from bestofk.plots.figures.order_graph import OrderGraphInfo
from bestofk.plots.figures.order_steps import OrderStepsInfo
from bestofk.plots.figures.pair_map import PairMapInfo, level_of
from bestofk.plots.figures.pareto import ParetoInfo
from bestofk.plots.figures.posterior_simplex import PosteriorSimplexInfo
from bestofk.plots.figures.power import PowerCurvesInfo, SizeAndPowerInfo
from bestofk.plots.figures.roc_hull import RocHullInfo
from bestofk.plots.figures.t_tails import TTailsInfo, density
from bestofk.plots.figures.underlined_order import UnderlinedOrderInfo
from bestofk.plots.gallery import FIGURES, figure, figures_for
from bestofk.reporting.formats.html import inline
from bestofk.stats.curves import randomized_anova
from makers import amounts, folds, items, over_datasets, runs, task_runs
from report_cases import scores

EXAMPLES = Path(__file__).parents[2] / "examples"


def judged(name, larger=None, **settings):
    evidence = bk.read(str(EXAMPLES / name), larger_is_better=larger)
    return bk.judge(evidence, **settings), evidence


@pytest.fixture(scope="module")
def four():
    """The graph of Yıldız and Alpaydın 2006, Fig. 2."""
    return judged("multitest_four.csv", prior=("1", "2", "3", "4"))


@pytest.fixture(scope="module")
def demsar():
    return judged("demsar.csv", larger=True)


@pytest.fixture(scope="module")
def counts():
    return judged("counts.csv")


@pytest.fixture(scope="module")
def curves():
    return judged("curves.csv")


def test_order_graph_is_that_of_the_paper(four):
    info = OrderGraphInfo.of(four[0])
    assert info.listed_as == ("1", "2", "3", "4")
    assert set(info.edges) == {("1", "2"), ("1", "3"), ("1", "4"), ("2", "3")}  # the paper's Fig. 2a
    assert info.order == ("3", "2", "4", "1")
    assert info.best == "3"
    assert "preference in 4 pairs" in info.alt
    assert info.alt.endswith("3, 2, 4 and 1.")


def test_order_graph_without_a_preference_shows_significant_pairs(demsar):
    verdict, _ = demsar
    info = OrderGraphInfo.of(verdict)
    assert not info.preferred
    assert info.listed_as == info.order == verdict.order
    shown = {(b, a) for a in verdict.order for b in verdict.order if a != b and verdict.comparison.shows(a, b)}
    assert set(info.edges) == shown


def test_steps_are_those_of_the_paper(four):
    info = OrderStepsInfo.of(four[0])
    assert [(step.candidates, step.taken) for step in info.steps] == [  # Fig. 2a to 2d
        (("3", "4"), "3"),
        (("2", "4"), "2"),
        (("4",), "4"),
        (("1",), "1"),
    ]
    assert "step 1: 3 (2 candidates)" in info.alt
    assert OrderStepsInfo.of(judged("demsar.csv", larger=True)[0]) is None


def test_steps_give_the_order_of_random_graphs():
    rng = np.random.default_rng(0)
    names = tuple("abcdefgh")
    for _ in range(20):
        edges = [(names[i], names[j]) for i in range(8) for j in range(i + 1, 8) if rng.random() < 0.3]
        info = OrderStepsInfo.from_edges(edges, names)
        assert tuple(step.taken for step in info.steps) == from_edges(edges, names).order
        for step in info.steps:
            assert step.taken == next(name for name in step.left if name in step.candidates)


def test_groups_are_the_cliques_of_the_comparison(demsar):
    verdict, evidence = demsar
    comparison = verdict.comparison
    info = UnderlinedOrderInfo.of(verdict)
    cd = CriticalDifferenceInfo.of(verdict, evidence)
    assert {frozenset(group) for group in info.groups} == {frozenset(group) for group in cd.groups}
    for group in info.groups:
        assert all(comparison.adjusted_pvalue(a, b) > comparison.alpha for a in group for b in group if a != b)
        outside = set(verdict.order) - set(group)
        assert all(any(comparison.adjusted_pvalue(a, b) <= comparison.alpha for b in group) for a in outside)
    joined = {frozenset((a, b)) for group in info.groups for a in group for b in group if a != b}
    apart = {frozenset(pair) for pair in comparison.pairs if comparison.adjusted_pvalue(*pair) <= comparison.alpha}
    assert len(joined) + len(apart) == len(comparison.pairs)
    for group in info.groups:
        assert ", ".join(group[:-1]) in info.alt


def test_critical_difference_has_the_mean_ranks(demsar):
    info = CriticalDifferenceInfo.of(*demsar)
    ranks = dict(zip(info.learners, info.places, strict=True))
    assert info.axis == "mean rank"
    # ranks of the printed AUC, examples/README.md
    assert ranks == pytest.approx({"C4.5": 3.143, "C4.5+m": 2.0, "C4.5+cf": 2.929, "C4.5+m+cf": 1.929}, abs=5e-4)
    assert info.critical_difference is None
    nemenyi = CriticalDifferenceInfo.of(judged("demsar.csv", larger=True, test="nemenyi")[0], demsar[1])
    assert nemenyi.critical_difference == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=1e-3)  # Demšar's q
    assert CriticalDifferenceInfo.of(demsar[0].comparison).places == info.places  # a comparison keeps its sample


def test_no_bars_against_a_control():
    verdict, _ = judged("demsar.csv", larger=True, control="C4.5")
    assert CriticalDifferenceInfo.of(verdict) is None
    assert UnderlinedOrderInfo.of(verdict) is None
    pairs = PairMapInfo.of(verdict)
    assert "Map of 3 pairs of 4 learners" in pairs.alt
    assert DifferenceIntervalsInfo.of(verdict).against == "C4.5"


def test_loss_boxes_have_every_fold():
    verdict, evidence = judged("five_by_two.csv")
    info = LossBoxesInfo.of(verdict, evidence)
    assert info.learners == verdict.order
    assert [len(each) for each in info.values] == [10] * 5
    assert info.means == pytest.approx(tuple(verdict.means.values()))
    assert info.unit == "fold"
    assert LossBoxesInfo.of(*judged("predictions.csv")) is None  # right or wrong: no box


def test_values_keep_the_direction_of_the_measure(demsar):
    info = LossBoxesInfo.of(*demsar)
    assert info.means == pytest.approx(tuple(demsar[0].means.values()))
    assert min(float(each.min()) for each in info.values) > 0
    assert info.unit == "data set"


def test_pair_map_has_every_adjusted_p(demsar):
    verdict, _ = demsar
    info = PairMapInfo.of(verdict)
    for i, first in enumerate(info.learners):
        for j, second in enumerate(info.learners):
            if i != j:
                pair = verdict.comparison.pair(first, second)
                assert info.adjusted[i, j] == pair.adjusted
                assert info.a12[i, j] == pytest.approx(pair.a12)
    found = sum(p <= verdict.alpha for p in verdict.comparison.adjusted)
    assert len(info.significant) == found
    assert found == 1
    assert ": 1 differs at 0.05 (p adjusted by holm): C4.5+m – C4.5." in info.alt


@pytest.mark.parametrize(("p", "level"), [(0.051, 0), (0.05, 1), (0.011, 1), (0.01, 2), (0.0011, 2), (0.001, 3)])
def test_levels(p, level):
    assert level_of(p, 0.05) == level


def test_differences_are_against_the_first():
    verdict, _ = judged("five_by_two.csv")
    info = DifferenceIntervalsInfo.of(verdict)
    assert info.against == verdict.order[0]
    for name, difference, low, high in zip(info.learners, info.difference, info.low, info.high, strict=True):
        assert difference == pytest.approx(verdict.means[name] - verdict.means[info.against])
        assert low <= difference <= high
        assert f"{name} {difference:+.3g}" in info.alt


def drawn(seed):
    """Evidence of every kind whose test has an interval, of learners that differ in some draws."""
    rng = np.random.default_rng(seed)
    gap = 0.01 * np.arange(4)[:, None]
    flat = 0.2 + gap + 0.015 * rng.normal(size=(4, 12))
    yield folds(flat[:, None, :10])
    yield folds(flat.reshape(4, 4, 3))
    yield over_datasets(flat)
    yield over_datasets(flat.reshape(4, 3, 1, 4))
    yield over_datasets(np.exp(3 * flat) * 10.0 ** np.arange(12), measure="rmse")
    yield items((rng.random((4, 80)) < 0.9 - 3 * gap).astype(float))
    yield items(rng.normal(0.5 - gap, 0.03, (4, 40)))
    yield runs(flat)
    yield runs([row[: 6 + i] for i, row in enumerate(flat)])
    yield task_runs(4, 4, 3, seed=seed, gap=0.008)


@pytest.mark.parametrize("seed", range(4))
def test_intervals_and_p_of_differences_are_of_one_test(seed):
    significant = []
    for evidence in drawn(seed):
        verdict = bk.judge(evidence)
        info = DifferenceIntervalsInfo.of(verdict)
        assert info.test == verdict.test
        for p, low, high in zip(info.adjusted, info.low, info.high, strict=True):
            assert (p <= info.alpha) == (low > 0 or high < 0), (verdict.test, p, low, high)
            significant.append(p <= info.alpha)
        single = DifferenceIntervalsInfo.of(bk.judge(evidence, intervals="single"))
        assert (single.interval_level, "at 95 %" in single.alt) == (0.95, True)
        for name, low, high in zip(single.learners, single.low, single.high, strict=True):
            raw = verdict.comparison.pair(name, info.against).pvalue
            assert (raw <= info.alpha) == (low > 0 or high < 0), (verdict.test, raw, low, high)
    assert 0 < sum(significant) < len(significant)


def test_ratios_are_drawn_as_ratios():
    verdict = bk.judge(amounts())
    info = DifferenceIntervalsInfo.of(verdict)
    assert info.ratio
    assert f"b ×{np.exp(info.difference[0]):.3g} (" in info.alt
    ax = info.draw().child_axes[0]
    ax.figure.canvas.draw()
    assert {text.get_text()[0] for text in ax.get_xticklabels() if text.get_text()} == {"×"}
    scatter = DatasetScatterInfo.of(verdict)
    assert scatter.one == pytest.approx(verdict.evidence.by_dataset()[verdict.evidence.learners.index(scatter.first)])
    boxes = LossBoxesInfo.of(verdict)
    assert boxes.values[0] == pytest.approx(verdict.evidence.by_dataset()[verdict.evidence.learners.index("a")])


def test_an_interval_without_an_end_runs_to_the_edge():
    scores = folds([[[0.1, 0.11, 0.1, 0.12]], [[0.2, 0.21, 0.25, 0.2]], [[0.3, 0.31, 0.32, 0.35]]])
    info = DifferenceIntervalsInfo.of(bk.judge(scores, prior=["c", "b", "a"], sides="one"))
    assert np.isinf([info.low, info.high]).any()
    ax = info.draw().child_axes[0]
    ends = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2]
    assert np.isfinite(np.concatenate(ends)).all()
    assert any(end == pytest.approx(edge) for each in ends for end in each for edge in ax.get_xlim())


def test_a_pair_that_was_not_tested_has_no_interval_and_no_p():
    verdict = bk.judge(folds([[[0.1] * 4], [[0.2] * 4], [[0.3, 0.31, 0.32, 0.35]]]))  # a and b differ by 0.1 always
    info = DifferenceIntervalsInfo.of(verdict)
    assert info.learners == ("b", "c")
    assert np.isnan([info.low[0], info.high[0], info.adjusted[0]]).all()
    assert np.isfinite([info.low[1], info.high[1], info.adjusted[1]]).all()
    assert "b +0.1 (not tested)" in info.alt
    ax = info.draw().child_axes[0]
    assert all(np.isfinite(each) for each in ax.get_xlim())
    assert CriticalDifferenceInfo.of(verdict) is None  # a bar joins two that were tested, and so would no bar say much
    assert UnderlinedOrderInfo.of(verdict) is None


@pytest.mark.parametrize("seed", range(25))
def test_steps_are_those_of_the_verdict(seed):
    """Every significant difference is an arrow, so that the most preferred without one is taken."""
    rng = np.random.default_rng(seed)
    evidence = folds(0.2 + 0.02 * rng.random((6, 1, 1)) + 0.01 * rng.normal(size=(6, 1, 10)))
    verdict = bk.judge(evidence, prior=[str(name) for name in rng.permutation(evidence.learners)])
    info = OrderStepsInfo.of(verdict)
    assert tuple(step.taken for step in info.steps) == verdict.ordering.order
    for step in info.steps:
        assert step.taken == next(name for name in step.left if name in step.candidates)


def test_curves(curves):
    verdict, evidence = curves
    info = CurveBandsInfo.of(verdict, evidence)
    assert info.learners == verdict.order
    assert info.mean.shape == (3, len(evidence.steps))
    for name, mean in zip(info.learners, info.mean, strict=True):
        assert mean == pytest.approx(evidence.values[evidence.learners.index(name)].mean(axis=0))
        assert f"{name} from {mean[0]:.3g} to {mean[-1]:.3g}" in info.alt
    assert (info.low <= info.high).all()
    assert info.banded


def test_of_several_data_sets_curves_have_the_means_of_the_table_and_the_spread_within():
    values = np.random.default_rng(1).normal(0.8, 0.01, (2, 14, 6))
    values[:, 8:] -= 0.3  # the second data set, with fewer runs
    names = ("x",) * 8 + ("y",) * 6
    runs = tuple(map(str, range(14)))
    evidence = bk.Curves(
        learners=("a", "b"), values=tuple(values), datasets=(names,) * 2, runs=(runs,) * 2, measure="accuracy",
        larger_is_better=True,
    )  # fmt: skip
    verdict = bk.judge(evidence)
    bands = CurveBandsInfo.of(verdict)
    np.testing.assert_allclose(bands.mean.mean(axis=1), [verdict.comparison.means[name] for name in bands.learners])
    assert (bands.high - bands.low).max() < 0.06
    assert bands.title.endswith("of runs within data sets")
    for judged in (verdict, bk.judge(evidence, curve="final")):
        boxes = LossBoxesInfo.of(judged)
        np.testing.assert_allclose(boxes.means, [judged.comparison.means[name] for name in boxes.learners])
        assert max(map(np.ptp, boxes.values)) < 0.06
        assert boxes.unit.endswith("s brought to one mean")


def test_null_histogram_is_that_of_the_verdict(curves):
    verdict, evidence = curves
    info = NullHistogramInfo.of(verdict, evidence)
    (_, observed), (_, critical) = info.marks
    assert observed == pytest.approx(verdict.comparison.omnibus.statistic)
    assert critical == np.sort(info.values)[949]  # the paper's 950th of 1,000
    assert info.stretched is bool(observed > 6 * info.values.max())
    result = randomized_anova([[0, 1], [1, 2], [0, 2]], [[0, 1], [1, 3], [0, 2]], rng=0)
    interaction = NullHistogramInfo.from_anova(result, "interaction")
    assert interaction.marks[0][1] == result.f_int
    assert f"{result.critical_int:.3g}" in interaction.alt
    with pytest.raises(InputError, match="effect"):
        NullHistogramInfo.from_anova(result, "nothing")


def test_contours_are_of_true_and_false_positive_rate(counts):
    verdict, evidence = counts
    info = MeasureContoursInfo.of(verdict, evidence)
    assert info.measures == ("tpr", "fpr")
    tp, fn, fp, tn = np.moveaxis(evidence.counts[:, 0, 0], -1, 0)
    place = evidence.learners.index(info.learners[0])
    assert info.points[0][:, 0] == pytest.approx((tp / (tp + fn))[place])
    assert info.points[0][:, 1] == pytest.approx((fp / (fp + tn))[place])
    assert MeasureContoursInfo.of(*judged("five_by_two.csv")) is None


def test_contour_holds_its_share():
    points = np.random.default_rng(1).multivariate_normal([1, 2], [[2, 0.7], [0.7, 1]], 4000)
    edge = contour(points, 0.9)
    inverse = np.linalg.inv(np.cov(points.T))
    reach = np.einsum("ni,ij,nj->n", edge - points.mean(axis=0), inverse, edge - points.mean(axis=0))
    assert reach == pytest.approx(np.full(len(edge), -2 * np.log(0.1)))
    inside = np.einsum("ni,ij,nj->n", points - points.mean(0), inverse, points - points.mean(0)) <= reach[0]
    assert inside.mean() == pytest.approx(0.9, abs=0.02)


def test_difference_contours_repeat_the_finding_of_the_paper(counts):
    _, evidence = counts
    info = MeasureContoursInfo.of(*counts)
    points = dict(zip(info.learners, info.points, strict=True))
    between = DifferenceContoursInfo.from_points(
        "lda", "lda-careful", points["lda"], points["lda-careful"], ("tpr", "fpr")
    )
    assert between.pvalue == pytest.approx(0.0002, abs=5e-5)  # examples/expected.json
    assert f"{signed(between.differences[:, 0].mean())} in tpr" in between.alt
    errors = dict(zip(evidence.learners, evidence.values[:, 0, 0], strict=True))
    beside = ErrorHistogramsInfo("lda", "lda-careful", errors["lda"], errors["lda-careful"], "error")
    assert beside.difference == pytest.approx(errors["lda"] - errors["lda-careful"])
    assert f"{int((beside.difference > 0).sum())} above 0" in beside.alt


def test_scatter_counts_who_does_better():
    verdict, evidence = judged("bramer_15_2.csv", larger=True)
    info = DatasetScatterInfo.of(verdict, evidence)
    assert (info.first, info.second) == ("B", "A")
    # Bramer, section 15.2: A better on three data sets, B on five, two equal
    assert "B does better on 5, A on 3, equal on 2" in info.alt


def test_influence_of_one_data_set():
    verdict, evidence = judged("bramer_15_2.csv", larger=True, test="paired-t")
    info = DatasetInfluenceInfo.of(verdict, evidence)
    a, b = (np.asarray(evidence.by_dataset()[i]) for i in (0, 1))
    from bestofk.stats.pairwise import paired_t

    for i, p in enumerate(info.without):
        assert p == pytest.approx(paired_t(np.delete(a, i), np.delete(b, i)).pvalue)
    assert info.together == pytest.approx(0.757, abs=5e-4)  # examples/README.md
    changed = DatasetInfluenceInfo.of(*judged("bramer_15_6.csv", larger=True, test="paired-t"))
    assert all((dict(zip(changed.datasets, changed.without, strict=True))[name] > 0.05) for name in changed.flips)
    assert changed.flips
    assert "changes without" in changed.alt
    many = DatasetInfluenceInfo.of(*judged("demsar.csv", larger=True))  # the pair that fewest data sets decide
    assert (many.first, many.second, many.adjusted) == ("C4.5", "C4.5+m", True)
    assert "adult (sample)" in many.flips


def test_t_tails_are_bramers():
    info = TTailsInfo(1.83, 9)
    assert info.pvalue == pytest.approx(0.1005, abs=5e-5)  # Bramer, Fig. 15.3
    assert info.critical == pytest.approx(2.262, abs=5e-4)  # Fig. 15.4
    assert "0.1" in info.alt
    x = np.linspace(-60, 60, 200_001)
    assert np.trapezoid(density(x, 9), x) == pytest.approx(1.0, abs=1e-7)
    verdict, evidence = judged("bramer_15_6.csv", larger=True, test="paired-t")
    found = TTailsInfo.of(verdict, evidence)
    assert (found.t, found.df) == (pytest.approx(2.41, abs=5e-3), 7.0)
    assert found.pvalue == pytest.approx(float(verdict.comparison.pvalue[0]))
    assert TTailsInfo.of(*judged("demsar.csv", larger=True)) is None
    five = TTailsInfo.of(*judged("five_by_two.csv"))
    assert five.pvalue == pytest.approx(five_pair_p(judged("five_by_two.csv")[0]))


def five_pair_p(verdict):
    return verdict.comparison.pair(*verdict.order[:2]).pvalue


def test_pareto_front():
    verdict, evidence = judged("language_models.csv", prior="price")
    info = ParetoInfo.of(verdict, evidence)
    assert info.cost == "price"
    for name in info.learners:
        cost, value = evidence.costs["price"][name], verdict.means[name]
        beaten = any(
            evidence.costs["price"][other] <= cost and verdict.means[other] >= value
            for other in info.learners
            if other != name
        )
        assert (name in info.front) is not beaten
    assert ParetoInfo.of(*judged("counts.csv")) is None  # confusion counts are no costs
    for cost in (1e300, 1e-300):  # no axis has both of them
        free = replace(evidence, costs={"price": {**evidence.costs["price"], evidence.learners[0]: cost}})
        assert ParetoInfo.of(bk.judge(free, prior="price"), free) is None
    with pytest.raises(InputError, match="finite"):
        ParetoInfo(("a", "b"), (1.0, np.nan), (0.1, 0.2), "price", "error", False)


def test_simplex():
    samples = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7], [0.5, 0.1, 0.4]])
    info = PosteriorSimplexInfo.from_samples("A", "B", samples, 0.01)
    assert info.chances == pytest.approx((0.35, 0.325, 0.325))
    assert "A better 0.35" in info.alt
    with pytest.raises(InputError, match="shape"):
        PosteriorSimplexInfo.from_samples("A", "B", [[0.5, 0.5]], 0.01)


def test_roc_hull():
    rng = np.random.default_rng(0)
    y = (rng.random(300) < 0.5).astype(float)
    info = RocHullInfo.from_scores(y, {"criterion": y + rng.normal(0, 0.3, 300), "noise": rng.normal(0, 1, 300)})
    assert info.on_hull == ("criterion",)
    assert info.areas[0] > 0.9 > info.areas[1]
    assert f"criterion {info.areas[0]:.3g}" in info.alt
    below = [np.interp(curve[:, 0], *info.hull.T) - curve[:, 1] for curve in info.curves]
    assert min(float(each.min()) for each in below) >= -1e-12
    points = RocHullInfo.from_points({"a": (0.1, 0.6), "b": (0.3, 0.65), "c": (0.4, 0.9)})
    assert points.on_hull == ("a", "c")


def test_roc_of_a_verdict_on_probabilities():
    rng = np.random.default_rng(3)
    truth = ["yes" if each else "no" for each in rng.random(60) < 0.5]
    right = np.array([label == "yes" for label in truth])
    chance = {
        name: np.clip(0.5 + size * (right - 0.5) + rng.normal(0, 0.2, 60), 0, 1)
        for name, size in (("a", 0.6), ("b", 0.1))
    }
    items = bk.Items(
        learners=("a", "b"),
        values=np.array([(each > 0.5) == right for each in chance.values()], dtype=float),
        measure="correct",
        larger_is_better=True,
        truth=tuple(truth),
        probabilities={name: np.stack([1 - each, each], axis=-1) for name, each in chance.items()},
        classes=("no", "yes"),
    )
    info = RocHullInfo.of(bk.judge(items), items)
    assert set(info.learners) == {"a", "b"}
    assert dict(zip(info.learners, info.areas, strict=True))["a"] > 0.8


def test_rates_and_power():
    rates = {"a": {"old": [0.05, 0.2], "new": [0.05, 0.4]}, "b": {"old": [0.1, 0.1], "new": [0.0, 0.9]}}
    info = SizeAndPowerInfo.from_rates(rates, [0, 10])
    assert info.rates.shape == (2, 2, 2)
    assert "old 0.05 to 0.2; new 0 to 0.9" in info.alt
    with pytest.raises(InputError, match="rates"):
        SizeAndPowerInfo.from_rates({"a": {"old": [0.05, 1.2]}}, [0, 10])
    power = PowerCurvesInfo.from_power({"t": [0.3, 0.7, 0.85], "sign": [0.1, 0.2, 0.3]}, [5, 10, 20])
    assert power.needed == (20.0, None)
    assert "t 20; sign more than 20" in power.alt


def test_where_they_differ():
    info = WhereTheyDifferInfo.from_intervals({"a – b": [(1, 3, 0.2), (4, 9, 0.001)]}, range(1, 11))
    assert "a – b from 4 to 9 (p = 0.001)." in info.alt
    assert "from 1 to 3" not in info.alt
    with pytest.raises(InputError, match="does not fit"):
        WhereTheyDifferInfo.from_intervals({"a – b": [(0, 3, 0.2)]}, range(1, 11))


def test_figures_for_a_verdict(four, demsar, curves):
    firsts = [figures_for(verdict)[0].name for verdict, _ in (four, demsar, curves)]
    assert firsts == ["differences", "critical-difference", "curves"]
    for verdict, _ in (four, demsar, curves):
        for each in figures_for(verdict):
            assert each.title == each.info.title
            assert each.alt == each.info.alt
            assert each.name in FIGURES


def test_a_verdict_keeps_its_evidence_for_the_figures_of_values(four):
    names = {each.name for each in figures_for(four[0])}
    assert {"order", "order-steps", "losses", "error-histograms", "t-tails"} <= names


def test_figure_by_name(four, demsar):
    assert figure("order", four[0]).info.order == ("3", "2", "4", "1")
    with pytest.raises(UnknownName, match="did you mean 'order-steps'"):
        figure("order-step", four[0])
    with pytest.raises(InputError, match=r"Verdict has no figure 'order-steps'[\s\S]*underlined-order"):
        figure("order-steps", demsar[0])
    with pytest.raises(InputError, match="int has no figure"):
        figure("order", 3)
    assert figure("pairs", demsar[0].comparison).info.learners == demsar[0].order
    assert figure("order", four[0].ordering).info.edges == four[0].ordering.edges


def test_plot_without_a_name_is_the_first_figure_of_the_page(four, demsar, curves):
    for verdict, _ in (four, demsar, curves):
        first = figures_for(verdict)[0]
        drawn, named = verdict.plot(), verdict.plot(first.name)
        said = [sorted(text.get_text() for text in ax.figure.findobj(Text)) for ax in (drawn, named)]
        assert said[0] == said[1]
        assert figure(None, verdict).title == first.title
    assert figure(None, demsar[0].comparison).name == "critical-difference"
    with pytest.raises(InputError, match="no figure would show anything of this int"):
        figure(None, 3)


def test_without_matplotlib_the_data_stay(four):
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import bestofk as bk\n"
        "from bestofk.plots import figures_for\n"
        f"verdict = bk.judge(bk.read({str(EXAMPLES / 'multitest_four.csv')!r}), prior=('1', '2', '3', '4'))\n"
        "figures = figures_for(verdict)\n"
        "print(figures[0].alt)\n"
        "try:\n    figures[0].svg()\n"
        "except bk.core.errors.MissingExtra as error:\n    print(error.fix)\n"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert DifferenceIntervalsInfo.of(four[0]).alt in answer.stdout
    assert "bestofk[plots]" in answer.stdout


def test_importing_the_figures_loads_no_matplotlib():
    code = "import sys; from bestofk.plots import figures_for; print('matplotlib' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        == "False"
    )


SHAPES = [
    ((5, 2), "5x2cv-t", None),
    ((1, 10), "corrected-t", None),
    ((3, 4), "corrected-t", None),
    ((12, 1), "corrected-t", 0.3),
]


@pytest.mark.parametrize(("shape", "test", "test_fraction"), SHAPES)
def test_t_tails_have_the_p_of_the_test(shape, test, test_fraction):
    values = np.random.default_rng(0).normal(0.3, 0.02, (3, *shape))
    evidence = bk.Scores(
        learners=("a", "b", "c"), values=values, measure="error", larger_is_better=False, test_fraction=test_fraction
    )
    verdict = bk.judge(evidence, test=test)
    assert TTailsInfo.of(verdict, evidence).pvalue == pytest.approx(five_pair_p(verdict))


def evidence_of(kind):
    rng = np.random.default_rng(7)
    facts = {"learners": ("a", "b", "c"), "measure": "score", "larger_is_better": True}
    if kind == "curves":
        return bk.Curves(values=tuple(rng.normal(i, 1, (3 + i, 4)) for i in range(3)), **facts)
    if kind in ("items", "right or wrong"):
        values = rng.normal(0, 1, (3, 40))
        return bk.Items(values=values if kind == "items" else (values > 0).astype(float), **facts)
    values = rng.normal(0.5, 0.1, (3, 12, 1, 1)) if kind != "no common scale" else rng.normal(0, 1, (3, 12, 1, 1))
    values[0, -2:] = np.nan if kind == "gaps" else 0.0
    if kind == "constant":
        values[:] = 0.25
    return bk.Scores(values=values, datasets=tuple(f"d{i}" for i in range(12)), **facts)


@pytest.mark.parametrize(
    "kind", ["curves", "items", "right or wrong", "data sets", "no common scale", "gaps", "constant"]
)
@pytest.mark.parametrize("prior", [None, ("c", "a", "b")])
def test_figures_of_every_kind_of_evidence(kind, prior):
    evidence = evidence_of(kind)
    verdict = bk.judge(evidence, prior=prior, missing="keep" if kind == "gaps" else "refuse")
    found = {each.name: each for each in figures_for(verdict)}
    shown = bool(verdict.comparison.significant.any())
    assert "critical-difference" in found
    assert ("pairs" in found) is shown
    found |= {name: figure(name, verdict) for name in ("order", "underlined-order", "pairs")}
    assert ("differences" in found) is (kind != "no common scale")
    assert ("losses" in found) is (kind != "right or wrong")
    assert ("curves" in found) is (kind == "curves")
    assert ("order-steps" in found) is (prior is not None and shown)
    for each in found.values():
        assert "nan" not in each.alt.replace("nothing", "")
        if prior is None or each.name.startswith("order"):  # of the others a preference changes nothing
            assert each.svg().startswith("<svg")


def test_words_of_others_are_drawn_as_they_are():
    """What looks like markup in a name is neither an id nor a namespace."""
    name = 'lr url(#a) id="b" xmlns="c"'
    verdict = bk.judge(scores((name, "other"), spread=0.01))
    svg = figures_for(verdict)[0].svg(theme="page")
    drawn = inline(svg, "x-", "title", "caption")
    assert all(name in unescape(each) for each in (svg, drawn))


def test_the_front_of_the_figure_is_that_of_the_table():
    """Prices are means of votes, equal but for a last digit."""
    verdict = bk.judge(Path(__file__).parents[2] / "examples" / "battles.csv", prior="price")
    prices = verdict.evidence.costs["price"]
    assert prices["delta"] != prices["cedar"]
    assert prices["delta"] == pytest.approx(prices["cedar"])
    assert set(ParetoInfo.of(verdict).front) == set(verdict.pareto_front.plain_front)
    assert "delta" not in ParetoInfo.of(verdict).front
