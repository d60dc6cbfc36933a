"""Times, sizes and prices beside the measure: who is dominated by a test, by the mean, or as it is."""

import numpy as np
import pytest

import bestofk as bk
from bestofk import stats
from bestofk.judging.findings.pareto_front import pareto_front
from bestofk.plots.figures.pareto import ParetoInfo
from bestofk.plots.gallery import figure
from makers import codes, folds, long_file, over_datasets, table, uneven_rows


def priced(times, gap=0.0):
    rng = np.random.default_rng(0)
    values = 0.3 + gap * np.arange(3)[:, None] + 0.02 * rng.normal(size=(3, 20))
    fit = np.asarray(times)[:, None] * np.exp(0.1 * rng.normal(size=(3, 20)))
    return over_datasets(values, others={"fit_time": fit[:, :, None, None]})


def test_who_is_worse_and_slower_is_dominated():
    found = bk.judge(priced([1.0, 5.0, 9.0], gap=0.2)).pareto_front
    assert found.front == ("a",)
    assert dict(found.dominated_by)["c"] == ("a", "b")


def test_who_is_worse_but_faster_is_worth_having():
    found = bk.judge(priced([9.0, 5.0, 1.0], gap=0.2)).pareto_front
    assert found.front == ("a", "b", "c")
    assert found.dominated_by == ()


def test_chance_differences_dominate_nobody_though_the_means_do():
    found = bk.judge(priced([1.0, 1.0, 1.0])).pareto_front
    assert set(found.plain_front) < set(found.front)
    assert found.front == ("a", "b", "c")


def test_who_is_behind_in_every_mean_is_not_called_worth_having(tmp_path):
    """c is worse than a on the mean and dearer on the mean, and neither is shown."""
    rng = np.random.default_rng(3)
    values = 0.3 + 0.05 * rng.normal(size=(3, 12))
    values += np.array([0.0, 0.3, 0.004])[:, None] - values.mean(axis=1, keepdims=True) + 0.3
    times = np.exp(rng.normal(size=(3, 12)))
    times *= np.array([1.0, 0.01, 1.1])[:, None] / times.mean(axis=1, keepdims=True)
    verdict = bk.judge(bk.read(long_file(tmp_path, values, fit_time=times)))
    found = verdict.pareto_front
    assert found.dominated_by == ()
    assert found.plain_front == ("a", "b")
    assert [found.finding(name) == "on the front" for name in "abc"] == [True, True, False]
    assert found.behind == {"c": ("a",)}
    assert "c" not in repr(found).splitlines()[0].split(": ")[1]


def test_a_cheap_learner_that_another_beats_in_both_is_not_advised(tmp_path):
    """b and c cost less than half of a, but c is better and cheaper than b."""
    values = uneven_rows(3, 14)
    values += np.array([0.0, 0.004, 0.002])[:, None] - values.mean(axis=1, keepdims=True) + 0.3
    times = np.array([100.0, 40.0, 10.0])[:, None]
    verdict = bk.judge(bk.read(long_file(tmp_path, values, fit_time=times)), prior=["a", "b", "c"])
    said = next(each.seen for each in verdict.advice if each.code == "K127")
    assert said.split()[0] == "c"


def test_costs_count_on_the_folds_of_one_data_set_too():
    values = 0.3 + 0.05 * np.arange(3)[:, None, None] + 0.01 * np.random.default_rng(0).normal(size=(3, 10, 10))
    times = np.array([5.0, 0.5, 6.0])[:, None, None] * np.exp(0.01 * values)
    found = bk.judge(folds(values, others={"fit_time": times[:, None]})).pareto_front
    assert found.front == ("a", "b")
    assert dict(found.dominated_by) == {"c": ("a", "b")}


def test_a_cost_of_one_number_is_taken_as_it_is():
    evidence = table(2, 15, seed=1, spread=0.02, costs={"price": {"a": 1.0, "b": 2.0}})
    price = bk.judge(evidence).pareto_front.criteria[1]
    assert not price.tested
    assert price.better.tolist() == [[False, True], [False, False]]


def test_dominance_has_no_circle_on_random_tables():
    """Each dominates only whom it beats or equals in every mean, so the best of any criterion is never left out."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        fit = np.exp(rng.normal(size=(4, 1, 1, 1)) + 0.3 * rng.normal(size=(4, 12, 1, 1)))
        evidence = over_datasets(0.3 + 0.1 * rng.normal(size=(4, 12)), others={"fit_time": fit})
        found = pareto_front(evidence, bk.compare(evidence, alpha=0.3))
        assert found.front
        assert set(found.plain_front) <= set(found.front)


def test_without_costs_there_is_no_answer():
    assert bk.judge(table(3, 10)).pareto_front is None
    assert bk.judge(priced([1.0, 5.0, 9.0], gap=0.2), control="a").pareto_front is None


def test_times_in_a_file_are_tested_and_not_taken_by_their_means(tmp_path):
    times = np.exp(0.3 * np.random.default_rng(1).normal(size=(2, 12)))
    verdict = bk.judge(bk.read(long_file(tmp_path, uneven_rows(2), fit_time=times)))
    criterion = verdict.pareto_front.criteria[1]
    assert criterion.tested
    expected = stats.pairwise.paired_t(*np.log(times)).pvalue
    assert bool(criterion.better.any()) == (expected <= criterion.level)
    assert verdict.pareto_front.dominated_by == ()


def test_times_of_folds_count_once_per_data_set(tmp_path):
    rng = np.random.default_rng(2)
    values = uneven_rows(2, 8)[..., None] + 0.01 * rng.normal(size=(2, 8, 5))
    times = np.exp(0.3 * rng.normal(size=(2, 8, 5)) + np.array([0.0, 0.5])[:, None, None])
    verdict = bk.judge(bk.read(long_file(tmp_path, values, nfolds=5, fit_time=times)))
    criterion = verdict.pareto_front.criteria[1]
    assert criterion.tested
    assert criterion.better[0, 1] == (stats.pairwise.paired_t(*np.log(times).mean(axis=2)).pvalue <= 0.025)
    assert criterion.better[0, 1]


@pytest.mark.slow
def test_two_equal_learners_with_noisy_times_are_hardly_ever_dominated():
    """At most alpha: 400 tables, where the means alone dominate about half of the time."""
    rng = np.random.default_rng(0)
    shown = seen = 0
    for _ in range(400):
        values = 0.3 + 0.01 * rng.normal(size=(2, 10))
        times = np.exp(0.3 * rng.normal(size=(2, 10, 1, 1)))
        evidence = over_datasets(values, measured_costs={"fit_time": times})
        found = pareto_front(evidence, bk.compare(evidence))
        shown += bool(found.dominated_by)
        seen += len(found.plain_front) == 1
    assert shown <= 0.05 * 400
    assert seen > 100


def test_a_mean_without_values_is_never_called_shown():
    values = uneven_rows(2, 12)
    better = int(values[1].mean() < values[0].mean())
    verdict = bk.judge(over_datasets(values, costs={"fit_time": {"ab"[better]: 1.0, "ab"[1 - better]: 1.01}}))
    assert verdict.pareto_front.by_mean == ("ab"[1 - better],)
    assert figure("pareto", verdict).info.dominated == ()


def test_a_price_that_never_varies_is_taken_as_it_is(tmp_path):
    values = uneven_rows(2, 12)
    better = int(values[1].mean() < values[0].mean())
    price = np.where(np.arange(2) == better, 1.0, 2.0)[:, None]
    found = bk.judge(bk.read(long_file(tmp_path, values, price=price))).pareto_front
    assert (found.criteria[1].tested, found.criteria[1].fixed) == (False, True)
    assert dict(found.dominated_by) == {"ab"[1 - better]: ("ab"[better],)}


def test_the_figure_crosses_out_whom_the_verdict_calls_dominated():
    found, names = set(), ("fit_time", "predict_time")
    for seed in range(12):
        rng = np.random.default_rng(seed)
        times = {
            n: np.exp(0.4 * rng.normal(size=(4, 10, 1, 1))) + 0.1 * np.arange(4)[:, None, None, None] for n in names
        }
        costs = {n: dict(zip("abcd", map(float, times[n].mean(axis=(1, 2, 3))), strict=True)) for n in names}
        verdict = bk.judge(table(4, 10, seed=seed, gap=0.03, digits=3, others=times, costs=costs))
        dominated = tuple(name for name, _ in verdict.pareto_front.dominated_by)
        assert figure("pareto", verdict).info.dominated == dominated
        assert verdict.pareto_front.criteria[0].level == pytest.approx(0.05 / 3)  # the measure and two costs
        found.add(dominated)
    assert len(found) > 1


def test_a_last_digit_dominates_nobody():
    values = np.full((2, 10), 0.3) + 0.01 * np.random.default_rng(0).normal(size=10)
    values[1] *= 1.0 - 1e-15
    verdict = bk.judge(over_datasets(values, costs={"price": {"a": 1.0, "b": 2.0}}))
    assert verdict.pareto_front.front == ("a",)


def test_worth_having_is_not_said_where_nothing_could_be_shown(tmp_path):
    times = np.array([100.0, 1.0, 1.0, 1.0])[:, None]
    few = codes(bk.judge(bk.read(long_file(tmp_path, uneven_rows(4, 3, gap=0.1), fit_time=times))))
    assert "K102" in few
    assert "K127" not in few
    more = bk.judge(bk.read(long_file(tmp_path, uneven_rows(4, 14), fit_time=times)), prior=list("abcd"))
    assert "K127" in codes(more)


def test_costs_of_every_fold_come_out_of_a_store(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('learners = ["nmc", "max"]\ndatasets = ["iris", "wine"]\nfolds = "1x3"\nseed = 1\n')
    evidence = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    assert evidence.measured_costs["fit_time"].shape == evidence.values.shape
    front = bk.judge(evidence).pareto_front
    assert [criterion.name for criterion in front.criteria if criterion.firm][:2] == ["error", "fit_time"]
    assert front.by_mean == ()


@pytest.mark.parametrize("gap", [False, True])
def test_costs_of_few_data_sets_are_tested_by_their_folds_as_the_measure_is(gap):
    """Times of two data sets, five folds each: by Student's t of the logarithms within each, combined."""
    rng = np.random.default_rng(0)
    values = 0.3 + 0.01 * rng.normal(size=(2, 2, 1, 5))
    times = np.array([1.0, 30.0])[:, None, None, None] * np.exp(0.1 * rng.normal(size=values.shape))
    if gap:
        times[0, 0, 0, 0] = np.nan
    verdict = bk.judge(over_datasets(values, measured_costs={"fit_time": times}))
    assert verdict.test == "stratified-t"
    fit_time = verdict.pareto_front.criteria[1]
    assert fit_time.tested
    assert fit_time.better[0, 1] == (not gap)  # of the means of two data sets no test can say it


def criteria_beside(evidence, *names):
    return pareto_front(evidence, bk.compare(evidence), criteria=names)


def test_goods_without_a_test_are_not_called_tested():
    rng = np.random.default_rng(0)
    values = 0.3 + 0.02 * rng.normal(size=(2, 12)) + np.array([[0.0], [0.03]])
    error, time = bk.judge(over_datasets(values, costs={"fit_time": {"a": 1.0, "b": 1.01}})).pareto_front.criteria
    assert (error.tested, error.level, time.tested) == (True, 0.025, False)
    measured = np.exp(rng.normal(size=(2, 12, 1, 1)))
    criteria = bk.judge(over_datasets(values, measured_costs={"fit_time": measured})).pareto_front.criteria
    assert [(criterion.tested, criterion.level) for criterion in criteria] == [(True, 0.025)] * 2


def fixed_size(apart):
    values = 0.3 + 0.05 * np.random.default_rng(5).normal(size=(2, 12))
    values[0] += apart + max(0.0, values[1].mean() - values[0].mean())
    size = np.array([20.0, 10.0])[:, None, None, None] * np.ones((2, 12, 1, 1))
    return bk.judge(over_datasets(values, measured_costs={"size": size}, costs={"size": {"a": 20.0, "b": 10.0}}))


def test_the_figure_says_no_test_of_a_size_that_was_taken_as_it_is():
    verdict = fixed_size(0.001)
    assert verdict.pareto_front.dominated_by == (("a", ("b",)),)
    assert verdict.pareto_front.criteria[1].fixed
    alt = ParetoInfo.of(verdict).alt
    assert "by a test" not in alt
    assert "taken as it is" in alt
    for apart, shown in ((0.001, "shown in size only"), (0.2, "shown in error and size")):
        front = fixed_size(apart).pareto_front
        assert front.finding("a").endswith(shown)


def test_a_further_measure_as_a_criterion_has_its_own_direction():
    rng = np.random.default_rng(0)
    values = 0.3 + 0.03 * rng.normal(size=(2, 12)) - np.array([[0.0], [0.05]])
    auc = np.stack([0.9 + 0.01 * rng.normal(size=(12, 1, 1)), 0.6 + 0.01 * rng.normal(size=(12, 1, 1))])
    found = criteria_beside(over_datasets(values, others={"auc": auc}), "auc")
    assert found.front == ("a", "b")
    assert found.criteria[1].larger_is_better
    assert found.criteria[1].better.tolist() == [[False, True], [False, False]]


def test_a_criterion_that_never_varies_or_is_a_mean_has_its_direction_too():
    values = 0.3 + 0.03 * np.random.default_rng(0).normal(size=(2, 12))
    auc = np.array([0.9, 0.6])[:, None, None, None] * np.ones((2, 12, 1, 1))
    for facts in ({"others": {"auc": auc}}, {"costs": {"auc": {"a": 0.9, "b": 0.6}}}):
        criterion = criteria_beside(over_datasets(values, **facts), "auc").criteria[1]
        assert criterion.larger_is_better
        assert criterion.better[0, 1]
        assert not criterion.better[1, 0]


def test_a_criterion_of_unknown_direction_is_asked_about():
    values = 0.3 + 0.03 * np.random.default_rng(0).normal(size=(2, 12))
    taste = np.random.default_rng(1).random((2, 12, 1, 1))
    with pytest.raises(bk.InputError, match="'taste' is not known"):
        criteria_beside(over_datasets(values, others={"taste": taste}), "taste")
    watts = criteria_beside(over_datasets(values, measured_costs={"watts": taste}), "watts")
    assert not watts.criteria[1].larger_is_better


def prices(tmp_path, *written):
    """A file of models with a price each."""
    rows = ["model,dataset,accuracy,price"]
    rows += [
        f'm{k},d{i},{0.8 + 0.001 * ((3 * i + k) % 7)},"{cell}"' for k, cell in enumerate(written) for i in range(8)
    ]
    (tmp_path / "prices.csv").write_text("\n".join(rows), "utf-8")
    return bk.read(tmp_path / "prices.csv")


@pytest.mark.parametrize("odd", ["€2.50", "free", "$0.07/M", "0.07 USD"])
def test_a_price_that_is_no_amount_is_named_with_its_line(tmp_path, odd):
    with pytest.raises(bk.InputError) as error:
        bk.judge(prices(tmp_path, "$15.00", odd, "$1.00"), prior="price")
    assert odd in error.value.wrong
    assert "line 10" in error.value.where


def test_amounts_of_money_have_commas_of_thousands(tmp_path):
    found = prices(tmp_path, "$1,500.00", "$2", "$1,234,567")
    assert found.costs["price"] == {"m0": 1500.0, "m1": 2.0, "m2": 1234567.0}
    assert "price" not in prices(tmp_path, "$1,50", "$2").costs


def test_amounts_of_any_unit_are_read_where_all_have_the_same(tmp_path):
    found = prices(tmp_path, "1.8 GFLOPs", "4.1 GFLOPs", "16.9GFLOPs")
    assert found.costs["price"] == {"m0": 1.8, "m1": 4.1, "m2": 16.9}
    assert any("'1.8 GFLOPs' was read as 1.8 GFLOPs" in note for note in found.origin.notes)
    with pytest.raises(bk.InputError, match="980 MFLOPs"):
        bk.judge(prices(tmp_path, "1.8 GFLOPs", "980 MFLOPs"), prior="price")


def test_a_cost_that_is_not_known_of_all_is_none_to_judge_by(tmp_path):
    summary = prices(tmp_path, "$1", "", "$2").summary()
    assert summary.costs == ()
    assert any("price" in note and "m1" in note for note in summary.notes)
