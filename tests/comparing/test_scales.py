"""Amounts in other units on every data set: one scale for tables, folds, runs, curves and their features."""

import numpy as np
import pytest
from scipy import stats

import bestofk as bk
import makers
from bestofk.comparing import sample_of

RMSE = {"measure": "rmse", "larger_is_better": False}
TASKS = ("t",) * 6 + ("u",) * 6 + ("w",) * 6


def rmse_curves(units=(1.0, 1.0, 1000.0), measure="rmse", shift=0.0):
    """The first is better by 20 % on two tasks, and worse by 2 % on the third, at every step."""
    rng, shape = np.random.default_rng(0), 1 + 2 * np.exp(-np.arange(8) / 2)
    values = []
    for factors in ((0.8, 0.8, 1.02), (1.0, 1.0, 1.0)):
        level = np.repeat(np.array(factors), 6)[:, None] * np.exp(0.005 * rng.normal(size=(18, 1)))
        noise = np.exp(0.002 * rng.normal(size=(18, 8)))
        values.append((level * shape * noise + shift) * np.repeat(units, 6)[:, None])
    return makers.curves(values, datasets=(TASKS, TASKS), measure=measure, larger_is_better=False)


def satterthwaite(one, two):
    """The p of the mean difference over three tasks of six runs each, from Welch's variances."""
    one, two = one.reshape(3, 6), two.reshape(3, 6)
    parts = np.concatenate([one.var(axis=1, ddof=1) / 6, two.var(axis=1, ddof=1) / 6])
    t = (one.mean() - two.mean()) / (np.sqrt(parts.sum()) / 3)
    return 2 * stats.t.sf(abs(t), parts.sum() ** 2 / (parts**2 / 5).sum())


def test_features_of_curves_are_tested_on_the_scale_of_their_level():
    evidence = rmse_curves()
    verdict = bk.judge(evidence)
    final = next(each for each in verdict.comparison.curves.pairs[0].traits if each.feature == "final")
    means = [np.repeat(each[:, -1].reshape(3, 6).mean(axis=1), 6) for each in evidence.values]
    ends = [np.log(mean) + each[:, -1] / mean - 1.0 for each, mean in zip(evidence.values, means, strict=True)]
    assert final.pvalue == pytest.approx(satterthwaite(*ends))
    assert final.difference == pytest.approx(ends[0].mean() - ends[1].mean())
    assert (verdict.status, verdict.best, verdict.comparison.curves.ahead_at_end) == ("decided", "a", "a")


@pytest.mark.parametrize(("measure", "shift", "scale"), [("rmse", 0.0, "log-ratio"), ("loss", -1.0, "rank")])
def test_units_of_tasks_change_nothing_that_curves_say(measure, shift, scale):
    found = [
        bk.compare(rmse_curves(units, measure, shift)) for units in ((1.0, 1.0, 1000.0), (1.0, 8.0, 1.0), (1.0,) * 3)
    ]
    assert {each.sample.scale for each in found} == {scale}
    for each in found[1:]:
        assert each.pvalue == pytest.approx(found[0].pvalue)
        assert each.curves.ahead_at_end == found[0].curves.ahead_at_end
        assert each.curves.parts.p_shape == found[0].curves.parts.p_shape
        for one, other in zip(each.curves.pairs[0].traits, found[0].curves.pairs[0].traits, strict=True):
            assert (one.pvalue, one.difference) == pytest.approx((other.pvalue, other.difference))


def test_a_spread_that_runs_are_divided_by_is_an_estimate():
    """Three learners on three tasks, one of which has runs that do not vary: its unit is no estimate."""
    rng, apart = np.random.default_rng(8), np.repeat([[3.0, -2.0, 0.5], [0.0] * 3, [0.0] * 3], 6, axis=1)
    runs = apart + rng.normal(size=(3, 18)) * np.repeat([10.0, 1.0, 0.0], 6)
    found = bk.compare(makers.runs(runs, datasets=(TASKS,) * 3, measure="return", larger_is_better=True))
    means, variances, _ = found.sample.runs_by_block()
    units = np.array([15.0, 15.0, np.inf])
    assert (found.sample.scale, found.sample.divisor_df.tolist()) == ("rank", units.tolist())
    parts = (variances[0] + variances[1]) / 6, np.square(means[0] - means[1]) / (2 * units)
    t = (means[0] - means[1]).sum() / np.sqrt(sum(map(np.sum, parts)))
    assert abs(found.statistic[0]) == pytest.approx(abs(t))
    assert (found.low[0] <= 0 <= found.high[0]) == (found.pvalue[0] > found.levels[0])


def test_the_end_is_that_of_data_sets_and_not_of_runs():
    values = [np.array([[0.5, 0.1]] * 9 + [[0.5, 0.8]] * 2), np.array([[0.5, 0.2]] * 2 + [[0.5, 0.6]] * 9)]
    values = [each + 0.001 * np.random.default_rng(1).normal(size=each.shape) for each in values]
    tasks = (("t",) * 9 + ("u",) * 2, ("t",) * 2 + ("u",) * 9)
    curves = bk.compare(makers.curves(values, datasets=tasks)).curves
    assert curves.ahead_at_end == "b"  # 0.4 against 0.45; over all runs 0.53 against 0.23


def test_tables_and_tests_of_folds_speak_of_the_same_ratio():
    rng = np.random.default_rng(2)
    values = np.array([[1.0, 9.0] * 5, [4.9] * 10])[:, None, None, :] * np.exp(0.01 * rng.normal(size=(2, 2, 1, 10)))
    comparison = bk.compare(makers.over_datasets(values, **RMSE))
    means = values.mean(axis=(2, 3))
    assert comparison.test == "stratified-t"
    assert comparison.difference[0] == pytest.approx(np.log(means[0] / means[1]).mean())
    assert comparison.means["a"] / comparison.means["b"] == pytest.approx(np.exp(comparison.difference[0]))


def test_the_error_of_a_ratio_of_means_is_that_of_many_experiments():
    rng = np.random.default_rng(3)
    runs = rng.gamma(4.0, 0.25, size=(4000, 2, 2, 1, 30))
    ratios = np.log(runs.mean(axis=(3, 4))).mean(axis=2)
    sample = sample_of(makers.over_datasets(runs[0], **RMSE))
    spread = np.sqrt((sample.replicates.var(axis=(2, 3), ddof=1) / 30).sum(axis=1)) / 2
    assert spread == pytest.approx(ratios.std(axis=0), rel=0.25)
    assert sample.replicates.mean(axis=(2, 3)) == pytest.approx(sample.losses)


@pytest.mark.parametrize("measure", ["latency", "seconds", "runtime", "tastiness"])
def test_units_change_no_p(measure):
    rng = np.random.default_rng(0)
    unit = 10 ** rng.uniform(-2, 1.9, size=12)
    values = unit * np.array([[0.9], [1.0]]) * np.exp(0.02 * rng.normal(size=(2, 12)))
    values[0, np.argmax(unit)] = values[1].max() * 1.05
    few, many = (
        bk.compare(makers.over_datasets(values * times, measure=measure, larger_is_better=False)) for times in (1, 10)
    )
    assert values.max() < 100
    assert few.sample.scale == many.sample.scale == "log-ratio"
    assert few.pvalue == many.pvalue


@pytest.mark.parametrize("measure", ["taste score", "pct_won", "points"])
def test_names_that_say_so_may_go_up_to_100(measure):
    values = np.random.default_rng(1).uniform(10, 90, (2, 12))
    found = bk.compare(makers.over_datasets(values, measure=measure, larger_is_better=True))
    assert found.sample.scale == "difference"


def test_losses_that_scikit_learn_negates_are_compared_as_the_losses():
    rng = np.random.default_rng(4)
    values = 10 ** rng.uniform(-2, 3, 12) * np.exp(0.1 * rng.normal(size=(3, 12)) + [[0.0], [0.3], [0.5]])
    plain = bk.judge(makers.over_datasets(values, **RMSE))
    turned = bk.judge(makers.over_datasets(-values, measure="neg_root_mean_squared_error", larger_is_better=True))
    assert (plain.test, plain.best) == (turned.test, turned.best) == ("wilcoxon", "a")
    for one, other in zip(plain.comparison.rows(), turned.comparison.rows(), strict=True):
        assert one == other
    assert turned.measure == "root_mean_squared_error"
    assert turned.means == plain.means


def test_what_has_no_name_without_the_minus_is_named_with_one():
    rng = np.random.default_rng(5)
    values = -(10 ** rng.uniform(0, 3, 12)) * np.exp(0.1 * rng.normal(size=(2, 12)) + [[0.0], [0.3]])
    verdict = bk.judge(makers.over_datasets(values, measure="return", larger_is_better=True))
    assert (verdict.measure, verdict.best, verdict.comparison.sample.scale) == ("neg_return", "a", "log-ratio")


def equal_on_average(seed, other=None):
    """Two learners with the same mean return on five tasks, three times as spread the one as the other."""
    rng, tasks, runs = np.random.default_rng(seed), 5, 10
    levels = [rng.normal(size=(tasks, runs)) * spread for spread in (3.0, 1.0)]
    levels += [] if other is None else [rng.normal(size=(tasks, runs)) + other]
    names = (tuple(np.repeat([f"t{i}" for i in range(tasks)], runs).tolist()),) * len(levels)
    return bk.Runs(
        learners=("a", "b", "c")[: len(levels)], values=tuple(each.ravel() for each in levels), datasets=names,
        measure="return", larger_is_better=True,
    )  # fmt: skip


def test_a_pair_is_compared_the_same_whoever_else_is_there():
    alone, beside = (bk.compare(equal_on_average(seed=1, other=other)) for other in (None, 1.5))
    assert alone.sample.scale == "rank"
    assert [getattr(alone.pair("a", "b"), name) for name in ("difference", "low", "high", "cohens_d")] == [None] * 4
    unequal = [bk.compare(equal_on_average(seed, other=1.5)).pair("a", "b").pvalue <= 0.05 for seed in range(100)]
    assert sum(unequal) <= 12  # by places among all runs it was 16 of 100
    assert np.sign(alone.pair("a", "b").statistic) == np.sign(beside.pair("a", "b").statistic)


def test_amounts_of_runs_are_compared_by_the_ratio_of_their_means():
    """Equal mean rmse on every task, one learner four times as spread: logarithms of single runs have other means."""
    found = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        values = [np.concatenate([10.0**t * rng.gamma(1 / cv**2, cv**2, 10) for t in range(5)]) for cv in (0.4, 0.1)]
        names = (tuple(np.repeat([f"t{i}" for i in range(5)], 10).tolist()),) * 2
        runs = bk.Runs(learners=("a", "b"), values=tuple(values), datasets=names, **RMSE)
        found += bk.compare(runs).pvalue[0] <= 0.05
    assert found <= 12  # by means of logarithms it was 22 of 100


def test_a_task_without_any_spread_decides_nothing_by_rounding():
    """0.1 and 0.3 have no exact binary form: their spread over equal runs is 1e-17."""
    rng, tasks = np.random.default_rng(0), 6
    ahead = rng.normal(size=(2, tasks, 3)) + np.array([5.0, 0.0]).reshape(2, 1, 1)
    names = (tuple(np.repeat([f"t{i}" for i in range(tasks)], 3).tolist()),) * 2
    for constants in ((0.1, 0.3), (0.5, 0.75)):
        ahead[:, 0] = np.reshape(constants, (2, 1))
        runs = bk.Runs(
            learners=("a", "b"), values=tuple(ahead.reshape(2, -1)), datasets=names, measure="reward",
            larger_is_better=True,
        )  # fmt: skip
        assert bk.judge(runs).best == "a"
