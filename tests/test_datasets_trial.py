"""Over many data sets, as a user who checks the numbers sees it: goods, wins, controls, planning and groups."""

from __future__ import annotations

import math

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import special

import bestofk as bk
from bestofk import stats
from bestofk.cli import main
from bestofk.judging.findings.counted_wins import counted_wins
from bestofk.judging.findings.other_goods import other_goods
from bestofk.judging.findings.sensitivity import sensitivity_of
from bestofk.judging.judge import comparison_of, ordering_from
from bestofk.judging.power import plans_from
from bestofk.ordering import ranges
from bestofk.plots.pareto import ParetoInfo
from bestofk.stats import power


def table(k=3, d=12, seed=0, gap=0.0, spread=0.02):
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.1, 0.4, d)
    return base + gap * np.arange(k)[:, None] + spread * rng.normal(size=(k, d))


def long_file(tmp_path, values, folds=1, **columns):
    """A table in long form: ``values`` (K, D) or (K, D, folds), costs in the same shape."""
    every = [np.broadcast_to(cost, np.shape(values)) for cost in columns.values()]
    values = np.asarray(values).reshape(*np.shape(values)[:2], folds)
    names = "abcdefghij"
    lines = [",".join(["dataset", "learner", *(["fold"] if folds > 1 else []), "error", *columns])]
    for k, d, f in np.ndindex(values.shape):
        costs = [f"{cost.reshape(values.shape)[k, d, f]:.10g}" for cost in every]
        fold = [str(f + 1)] if folds > 1 else []
        lines.append(",".join([f"d{d + 1}", names[k], *fold, f"{values[k, d, f]:.10g}", *costs]))
    path = tmp_path / "long.csv"
    path.write_text("\n".join(lines))
    return path


def wide_file(tmp_path, values, name="wide.csv"):
    names = "abcdefghij"[: len(values)]
    lines = [",".join(["dataset", *names])]
    lines += [",".join([f"d{d + 1}", *(f"{v:.10g}" for v in values[:, d])]) for d in range(values.shape[1])]
    path = tmp_path / name
    path.write_text("\n".join(lines))
    return path


def command(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def test_times_in_a_file_are_tested_and_not_taken_by_their_means(tmp_path):
    rng = np.random.default_rng(1)
    times = np.exp(0.3 * rng.normal(size=(2, 12)))
    verdict = bk.judge(bk.read(long_file(tmp_path, table(2), fit_time=times)))
    good = verdict.other_goods.goods[1]
    assert good.tested
    expected = stats.pairwise.paired_t(*np.log(times)).pvalue
    assert bool(good.better.any()) == (expected <= good.level)
    assert verdict.other_goods.dominated_by == ()


def test_times_of_folds_count_once_per_data_set(tmp_path):
    rng = np.random.default_rng(2)
    values = table(2, 8)[..., None] + 0.01 * rng.normal(size=(2, 8, 5))
    times = np.exp(0.3 * rng.normal(size=(2, 8, 5)) + np.array([0.0, 0.5])[:, None, None])
    verdict = bk.judge(bk.read(long_file(tmp_path, values, folds=5, fit_time=times)))
    good = verdict.other_goods.goods[1]
    assert good.tested
    assert good.better[0, 1] == (stats.pairwise.paired_t(*np.log(times).mean(axis=2)).pvalue <= 0.025)
    assert good.better[0, 1]


def test_two_equal_learners_with_noisy_times_are_hardly_ever_dominated():
    """At most alpha: 400 tables, where the means alone dominate about half of the time."""
    rng = np.random.default_rng(0)
    shown = seen = 0
    for _ in range(400):
        evidence = bk.Scores(
            learners=("a", "b"),
            values=(0.3 + 0.01 * rng.normal(size=(2, 10)))[:, :, None, None],
            datasets=tuple(f"d{i}" for i in range(10)),
            measure="error",
            larger_is_better=False,
            measured_costs={"fit_time": np.exp(0.3 * rng.normal(size=(2, 10, 1, 1)))},
        )
        found = other_goods(*comparison_of(evidence))
        shown += bool(found.dominated_by)
        seen += len(found.plain_front) == 1
    assert shown <= 0.05 * 400
    assert seen > 100


def test_a_mean_without_values_is_never_called_shown():
    values = table(2, 12)
    better = int(values[1].mean() < values[0].mean())
    costs = {"fit_time": {"ab"[better]: 1.0, "ab"[1 - better]: 1.01}}
    evidence = bk.Scores(
        learners=("a", "b"), values=values[:, :, None, None], datasets=tuple(map(str, range(12))), measure="error",
        larger_is_better=False, costs=costs,
    )  # fmt: skip
    verdict = bk.judge(evidence)
    assert verdict.other_goods.by_mean == ("ab"[1 - better],)
    assert f"is dominated by {'ab'[better]} by the mean of fit_time, without a test" in verdict.text()
    assert ParetoInfo.of(verdict).dominated == ()


def test_a_price_that_never_varies_is_taken_as_it_is(tmp_path):
    values = table(2, 12)
    better = int(values[1].mean() < values[0].mean())
    price = np.where(np.arange(2) == better, 1.0, 2.0)[:, None]
    verdict = bk.judge(bk.read(long_file(tmp_path, values, price=price)))
    good = verdict.other_goods.goods[1]
    assert (good.tested, good.fixed) == (False, True)
    assert f"is dominated by {'ab'[better]} by price as it is" in verdict.text()


def test_wins_by_folds_are_each_at_the_level_that_is_said(tmp_path):
    rng = np.random.default_rng(3)
    values = table(4, 12, gap=0.01)[..., None] + 0.012 * rng.normal(size=(4, 12, 5))
    verdict = bk.judge(bk.read(long_file(tmp_path, values, folds=5)))
    pvalue = np.asarray(stats.pairwise.corrected_t(values[0][:, None], values[3][:, None]).pvalue)
    won = int(((pvalue <= 0.05) & (values[0].mean(axis=1) < values[3].mean(axis=1))).sum())
    assert verdict.counted_wins.of("a", "d")[0] == won
    assert won > int((pvalue <= 0.05 / 6).sum())  # what Bonferroni over six pairs would have counted
    assert "each at 0.05, not adjusted" in verdict.text()
    assert "adjusted by holm" in repr(counted_wins(verdict.evidence, adjust="holm"))


def test_nemenyi_with_a_control_is_the_test_of_bonferroni_and_dunn(tmp_path):
    values = table(5, 12, gap=0.008)
    evidence = bk.read(wide_file(tmp_path, values), measure="error")
    used, comparison, ordering = ordering_from(evidence, test="nemenyi", control="b")
    expected = stats.omnibus.nemenyi(values.T, control=1)
    assert comparison.pvalue == pytest.approx(np.delete(np.asarray(expected.pvalue), 1), abs=1e-12)
    all_pairs = np.delete(np.asarray(stats.omnibus.nemenyi(values.T).pvalue)[1], 1)
    assert not np.allclose(comparison.pvalue, all_pairs)
    judged = sensitivity_of(used, comparison, ordering)
    assert [each.adjusted for each in judged.pairs] == pytest.approx(comparison.adjusted.tolist())
    page = bk.report(bk.judge(evidence, test="nemenyi", control="b"), tmp_path / "report.md")
    assert "Bonferroni–Dunn" in page.read_text()


def test_pilots_of_three_learners_are_planned_for_the_test_that_judges(tmp_path):
    path = wide_file(tmp_path, table(3, 12, gap=0.01))
    evidence = bk.read(path, measure="error")
    plans = plans_from(evidence)
    assert {each.plan.test for each in plans} == {bk.judge(evidence).test} == {"wilcoxon"}
    assert plans_from(evidence, learners=["a", "b"])[0].plan.test == "paired-t"  # alone, two are judged by it
    assert "wilcoxon" in command("power", path, "--measure", "error").output


def test_numbers_that_are_large_and_finite_are_said():
    assert float(power.sample_size("paired-t", 0.02).n) == pytest.approx((1.959964 + 0.841621) ** 2 / 0.02**2, rel=1e-3)
    # Noether 1987: n = (z_alpha/2 + z_beta)^2 / (3 (p - 1/2)^2), p = P[X + Y > 0] = Phi(d sqrt 2) of normal differences
    ahead = 0.5 * math.erf(0.02)
    expected = (1.959964 + 0.841621) ** 2 / (3.0 * ahead**2)
    assert float(power.sample_size("wilcoxon", 0.02).n) == pytest.approx(expected, rel=2e-3)
    near = power.from_pilot([0.1, 0.5, 0.2, 0.9, 0.35], [0.12, 0.415, 0.29, 0.815, 0.4], test="paired-t")
    assert 5_000 < float(near.needed.n) < 10_000_000


def test_beyond_what_was_tried_is_not_called_never():
    assert "more than 10,000,000 data sets" in repr(power.sample_size("paired-t", 1e-5))
    assert "no number of" in repr(power.sample_size("corrected-t", 0.5, folds=10))


@pytest.mark.parametrize(("effect", "n"), [(0.15, 300), (0.3, 110)])
@pytest.mark.parametrize("model", ["normal", "laplace", "uniform", "skewed"])
def test_the_normal_form_of_wilcoxons_power_is_what_simulation_finds(model, effect, n):
    differences = np.random.default_rng(5).exponential(size=60) if model == "skewed" else model
    drawn = power.wilcoxon(effect, n, model=differences, runs=4_000, simulate_up_to=500)
    form = power.wilcoxon(effect, n, model=differences, simulate_up_to=100)
    assert (drawn.way, form.way) == ("simulation", "normal approximation")
    assert form.power == pytest.approx(drawn.power, abs=4 * drawn.error)


def test_a_pilot_of_the_sign_test_says_what_its_number_rests_on():
    difference = np.array([-3.0, -3, -3, -3, -3, -3, -3, -3, -3, -3, 2, 2, 2, 2, 2, 2.5])
    plan = power.from_pilot(0.5 + 0.01 * difference, np.full(16, 0.5), test="sign")
    assert plan.share == 10 / 16
    assert "62.5 % of the pilot's differences have the sign of their mean" in repr(plan)
    chance = float(special.ndtri(10 / 16))  # normal differences with this share of wins
    assert plan.needed.n == power.sample_size("sign", -chance).n


def test_worth_having_is_not_said_where_nothing_could_be_shown(tmp_path):
    values = table(4, 4, gap=0.1)
    times = np.array([100.0, 1.0, 1.0, 1.0])[:, None]
    few = bk.judge(bk.read(long_file(tmp_path, values, fit_time=times)))
    codes = {each.code for each in few.advice}
    assert "K102" in codes
    assert "K127" not in codes
    more = bk.judge(bk.read(long_file(tmp_path, table(4, 14), fit_time=times)), prior=list("abcd"))
    assert "K127" in {each.code for each in more.advice}


def test_ranges_say_which_test_they_use_and_that_nothing_is_adjusted(tmp_path):
    values = table(5, 14, gap=0.008)
    evidence = bk.read(wide_file(tmp_path, values), measure="error")
    for test in ("wilcoxon", "sign", "paired-t"):
        found = bk.order(evidence, method="ranges", test=test)
        expected = ranges(dict(zip("abcde", values, strict=True)), test)
        assert found.groups == expected.ranges
        assert f"Not told apart ({test} at 0.05 between the ends of a group, not adjusted)" in found.text()
    assert "adjust holm" in bk.order(evidence, method="cliques", adjust="holm").text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--test", "friedman", "--effect", "0.5"), "--learners 4"),
        (("--test", "hotelling", "--effect", "0.5"), "--measures 2"),
        (("--test", "mcnemar", "--effect", "0.05"), "--disagreement 0.2"),
    ],
)
def test_what_a_test_needs_to_know_is_asked_for_in_words_of_the_shell(words, said):
    output = command("power", *words).output
    assert said in output
    assert "keyword" not in output


def test_results_are_no_features_of_data_sets(tmp_path):
    path = wide_file(tmp_path, table(2, 12))
    with pytest.raises(bk.InputError, match="a and b are learners"):
        bk.judge(bk.read(path, measure="error"), features=path)


def test_a_feature_that_never_varies_is_named(tmp_path):
    evidence = bk.read(wide_file(tmp_path, table(2, 12)), measure="error")
    features = {name: {"rows": float(i), "classes": 2.0} for i, name in enumerate(evidence.datasets)}
    text = bk.judge(evidence, features=features).text()
    assert "classes is the same on every data set" in text
    assert "over 1 feature)" in text


def test_many_groups_are_counted_where_they_are_not_listed():
    for seed in range(40):
        verdict = bk.judge(scores(table(10, 9, seed, gap=0.012, spread=0.03)), adjust="none")
        many = len(verdict.mean_ranks.groups)
        said = f"{many} groups that overlap are not told apart by wilcoxon"
        assert (said in verdict.text()) == (many > 6)
        if many > 6:
            return
    raise AssertionError("no table with many groups")


def scores(values):
    names = tuple("abcdefghij"[: len(values)])
    datasets = tuple(f"d{i}" for i in range(values.shape[1]))
    shaped = values[:, :, None, None]
    return bk.Scores(learners=names, values=shaped, datasets=datasets, measure="error", larger_is_better=False)


def test_costs_of_every_fold_come_out_of_a_store(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('learners = ["nmc", "max"]\ndatasets = ["iris", "wine"]\nfolds = "1x3"\nseed = 1\n')
    evidence = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    assert evidence.measured_costs["fit_time"].shape == evidence.values.shape
    verdict = bk.judge(evidence)
    assert [good.name for good in verdict.other_goods.goods if good.firm][:2] == ["error", "fit_time"]
    assert "without a test" not in verdict.text()
