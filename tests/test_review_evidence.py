"""What is read, planned and put beside the measure must be so: repeated items, restarted folds, 0/0, goods, power."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.judging.findings.other_goods import other_goods
from bestofk.judging.power import plans_from
from bestofk.plots.figures.pareto import ParetoInfo
from bestofk.stats import pairwise, power


def saved(tmp_path, head, lines):
    path = tmp_path / "results.csv"
    path.write_text("\n".join([head, *(",".join(map(str, line)) for line in lines)]) + "\n")
    return str(path)


def scores(rows, **facts):
    values = np.asarray(rows, dtype=float)
    return bk.Scores(
        learners=tuple("abc"[: len(values)]),
        values=values[:, :, None, None],
        datasets=tuple(f"d{i}" for i in range(values.shape[1])),
        measure="error",
        larger_is_better=False,
        **facts,
    )


def goods_beside(evidence, *names):
    return other_goods(evidence, bk.compare(evidence), goods=names)


# Plans from repeated items


def answers(seed=0):
    rng = np.random.default_rng(seed)
    return {name: (rng.random(100) < share).astype(int).tolist() for name, share in (("a", 0.95), ("b", 0.6))}


def test_copies_of_the_same_answers_do_not_make_a_larger_pilot(tmp_path):
    right = answers()
    once = [(n, i, right[n][i]) for n in "ab" for i in range(100)]
    copied = [(n, i, seed, right[n][i]) for n in "ab" for seed in range(10) for i in range(100)]
    first = plans_from(bk.read(saved(tmp_path, "learner,item,correct", once)))[0].plan
    again = plans_from(bk.read(saved(tmp_path, "learner,item,seed,correct", copied)))[0].plan
    assert again.pilot_size == first.pilot_size == 100
    assert again.cautious == first.cautious
    assert again.needed_cautious.n == first.needed_cautious.n


def test_folds_of_repeated_items_are_planned_by_the_test_that_judges_them(tmp_path):
    right = answers()
    lines = [(n, i, seed, (i * 7 + seed) % 5, right[n][i]) for n in "ab" for seed in range(10) for i in range(100)]
    evidence = bk.read(saved(tmp_path, "learner,item,replication,fold,correct", lines))
    plan = plans_from(evidence)[0].plan
    assert plan.test == bk.judge(evidence).comparison.test == "corrected-t"
    assert plan.needed.unit.startswith("replications")


def test_means_of_answers_are_said_to_be_no_right_or_wrong(tmp_path):
    rng = np.random.default_rng(1)
    lines = [(n, i, s, int(rng.random() < 0.7)) for n in "ab" for s in range(4) for i in range(30)]
    with pytest.raises(bk.InputError, match="means over replications, neither right nor wrong"):
        plans_from(bk.read(saved(tmp_path, "learner,item,seed,correct", lines)))


# Folds whose item numbers start again


def restarted(sizes=(20,) * 5, seed=0):
    rng = np.random.default_rng(seed)
    return [
        (n, i, f, int(rng.random() < (0.8 if n == "a" else 0.7)))
        for n in "ab"
        for f, size in enumerate(sizes)
        for i in range(size)
    ]


@pytest.mark.parametrize("sizes", [(20,) * 5, (21, 20, 20, 20, 19), (34, 33)])
def test_items_that_start_again_in_every_fold_are_asked_about(tmp_path, sizes):
    path = saved(tmp_path, "learner,item,fold,correct", restarted(sizes))
    with pytest.raises(bk.InputError, match="item 0 is in every fold") as caught:
        bk.read(path)
    assert "column replication" in caught.value.fix
    assert "names of their own" in caught.value.fix
    assert f"line {sizes[0] + 2}" in caught.value.where


def test_both_ways_out_of_items_that_start_again_are_read(tmp_path):
    lines = restarted()
    rounds = bk.read(saved(tmp_path, "learner,item,replication,correct", lines))
    assert bk.judge(rounds).comparison.test == "permutation-t"
    named = bk.read(saved(tmp_path, "learner,item,fold,correct", [(n, f"{f}.{i}", f, c) for n, i, f, c in lines]))
    assert len(named.items) == 100
    assert bk.judge(named).comparison.test == "mcnemar-mid-p"


def test_rounds_that_are_said_to_be_some_are_read(tmp_path):
    path = saved(tmp_path, "learner,item,fold,correct", restarted())
    assert len(set(bk.read(path, replications=5).units)) == 20


# The smallest p of a number of shuffles


@pytest.mark.parametrize("n", [400, 600])
def test_no_power_below_the_smallest_p_of_so_many_shuffles(n):
    assert power.permutation_t(1.0, n, shuffles=999, alpha=5e-4).power == 0.0
    smallest = pairwise.permutation_t(np.linspace(1, 2, n), np.zeros(n), shuffles=999, rng=0).pvalue
    assert smallest == 1 / 1000 > 5e-4


def test_small_levels_are_planned_with_the_shuffles_of_the_test_itself():
    near, far = (power.power("permutation-t", 1.0, n, alpha=5e-4, runs=200).power for n in (100, 600))
    assert near == far == pytest.approx(1.0)
    assert power.power("permutation-t", 1.0, [400, 600], alpha=5e-5, runs=100).power.tolist() == [0.0, 0.0]


def test_a_level_that_shuffles_cannot_reach_needs_no_number():
    found = power.sample_size("permutation-t", 0.3, alpha=5e-5, runs=100)
    assert found.number == "none is enough"


# Measures of all classes


def classes_file(tmp_path, classes, *, constant=True):
    rng = np.random.default_rng(0)
    lines = []
    for name in "ab":
        for item in range(60):
            truth = classes[item % len(classes)]
            said = truth if rng.random() < 0.7 else classes[rng.integers(len(classes))]
            said = classes[0] if constant and name == "a" and item // 12 == 2 else said
            lines.append((name, item, item // 12, truth, said))
    return saved(tmp_path, "learner,item,fold,truth,prediction", lines)


@pytest.mark.parametrize("classes", ["xy", "xyz"])
def test_mcc_that_is_nothing_over_nothing_names_its_fold(tmp_path, classes):
    path = classes_file(tmp_path, classes)
    with pytest.raises(bk.InputError, match="mcc is 0/0 in 1 fold") as caught:
        bk.judge(path, on="accuracy,mcc")
    assert caught.value.where.endswith("learner a, fold 2")
    verdict = bk.judge(path, on="accuracy,mcc", undefined=0.5)
    assert verdict.evidence.column("mcc")[0, 0, 0, 2] == 0.5
    assert "mcc is 0/0 in 1 result and counts as 0.5 there" in "\n".join(verdict.evidence.origin.notes)


@pytest.mark.parametrize("classes", ["xy", "xyz"])
def test_the_precision_of_a_class_that_is_never_predicted_is_asked_about(tmp_path, classes):
    from sklearn.metrics import precision_score

    path = classes_file(tmp_path, classes)
    with pytest.raises(bk.InputError, match="precision of a class in precision_macro is 0/0 in 1 fold"):
        bk.judge(path, on="accuracy,precision_macro")
    truth = [classes[item % len(classes)] for item in range(24, 36)]
    for undefined in (0.0, 1.0):
        vectors = bk.judge(path, on="accuracy,precision_macro", undefined=undefined).evidence
        known = precision_score(truth, [classes[0]] * 12, average="macro", zero_division=undefined)
        assert vectors.column("precision_macro")[0, 0, 0, 2] == pytest.approx(known)


@pytest.mark.parametrize("classes", ["xy", "xyz"])
@pytest.mark.parametrize("on", ["f1_macro,kappa", "recall_macro,precision_macro"])
def test_means_over_classes_are_known_of_two_and_of_three(tmp_path, classes, on):
    assert bk.judge(classes_file(tmp_path, classes, constant=False), on=on).names == tuple(on.split(","))


def test_macro_means_of_two_classes_are_those_of_scikit_learn(tmp_path):
    from sklearn.metrics import f1_score

    path = classes_file(tmp_path, "xy", constant=False)
    rows = [line.split(",") for line in Path(path).read_text().split()[1:]]
    found = bk.judge(path, on="f1_macro,kappa").evidence.column("f1_macro")[1, 0, 0]
    for fold in range(5):
        here = [row for row in rows if row[0] == "b" and row[2] == str(fold)]
        assert found[fold] == pytest.approx(f1_score([r[3] for r in here], [r[4] for r in here], average="macro"))


def test_what_mcc_counts_as_may_be_below_nothing(tmp_path):
    path = classes_file(tmp_path, "xyz")
    assert bk.judge(path, on="accuracy,mcc", undefined=-1).evidence.column("mcc")[0, 0, 0, 2] == -1.0
    with pytest.raises(bk.InputError, match="undefined is -1") as caught:
        bk.judge(path, on="accuracy,precision_macro", undefined=-1)
    assert "from 0 to 1" in caught.value.fix
    with pytest.raises(bk.InputError, match="undefined is -1, and the precision of a class") as caught:
        bk.judge(path, on="kappa,precision_macro", undefined=-1)


def test_a_store_of_three_classes_names_the_fold_too(tmp_path):
    rng = np.random.default_rng(0)
    lines = [(*(i % 3 + rng.normal(0, 0.7, 2)).round(3), "xyz"[i % 3]) for i in range(90)]
    data = {"three": saved(tmp_path, "x1,x2,class", lines)}
    store = tmp_path / "store.sqlite"
    bk.collect(bk.Plan(["nmc", "max"], data, folds="5-fold", seed=1), into=store, engine="serial", progress=False)
    with pytest.raises(bk.InputError, match="mcc is 0/0 in 5 folds") as caught:
        bk.judge(store, on="accuracy,mcc")
    assert "learner max, fold 1" in caught.value.where
    found = bk.judge(store, on="accuracy,mcc", undefined=0.25).evidence
    row = found.learners.index("max")
    assert (found.column("mcc")[row] == 0.25).all()
    assert (found.column("mcc")[1 - row] != 0.25).all()


# Goods


def test_goods_without_a_test_are_not_called_tested():
    rng = np.random.default_rng(0)
    values = 0.3 + 0.02 * rng.normal(size=(2, 12)) + np.array([[0.0], [0.03]])
    error, time = bk.judge(scores(values, costs={"fit_time": {"a": 1.0, "b": 1.01}})).other_goods.goods
    assert (error.tested, error.level, time.tested) == (True, 0.025, False)
    measured = np.exp(rng.normal(size=(2, 12, 1, 1)))
    goods = bk.judge(scores(values, measured_costs={"fit_time": measured})).other_goods.goods
    assert [(good.tested, good.level) for good in goods] == [(True, 0.025)] * 2


def fixed_size(apart):
    values = 0.3 + 0.05 * np.random.default_rng(5).normal(size=(2, 12))
    values[0] += apart + max(0.0, values[1].mean() - values[0].mean())
    size = np.array([20.0, 10.0])[:, None, None, None] * np.ones((2, 12, 1, 1))
    return bk.judge(scores(values, measured_costs={"size": size}, costs={"size": {"a": 20.0, "b": 10.0}}))


def test_the_figure_says_no_test_of_a_size_that_was_taken_as_it_is():
    verdict = fixed_size(0.001)
    assert verdict.other_goods.dominated_by == (("a", ("b",)),)
    assert verdict.other_goods.goods[1].fixed
    alt = ParetoInfo.of(verdict).alt
    assert "by a test" not in alt
    assert "taken as it is: a" in alt
    assert "by a test: a" in ParetoInfo.of(fixed_size(0.2)).alt


def test_a_further_measure_as_a_good_has_its_own_direction():
    rng = np.random.default_rng(0)
    values = 0.3 + 0.03 * rng.normal(size=(2, 12)) - np.array([[0.0], [0.05]])
    auc = np.stack([0.9 + 0.01 * rng.normal(size=(12, 1, 1)), 0.6 + 0.01 * rng.normal(size=(12, 1, 1))])
    found = goods_beside(scores(values, others={"auc": auc}), "auc")
    assert found.front == ("a", "b")
    assert found.goods[1].larger_is_better
    assert found.goods[1].better.tolist() == [[False, True], [False, False]]


def test_a_good_that_never_varies_or_is_a_mean_has_its_direction_too():
    values = 0.3 + 0.03 * np.random.default_rng(0).normal(size=(2, 12))
    auc = np.array([0.9, 0.6])[:, None, None, None] * np.ones((2, 12, 1, 1))
    for facts in ({"others": {"auc": auc}}, {"costs": {"auc": {"a": 0.9, "b": 0.6}}}):
        good = goods_beside(scores(values, **facts), "auc").goods[1]
        assert good.larger_is_better
        assert good.better[0, 1]
        assert not good.better[1, 0]


def test_a_good_of_unknown_direction_is_asked_about():
    values = 0.3 + 0.03 * np.random.default_rng(0).normal(size=(2, 12))
    taste = np.random.default_rng(1).random((2, 12, 1, 1))
    with pytest.raises(bk.InputError, match="the direction of the good 'taste' is not known"):
        goods_beside(scores(values, others={"taste": taste}), "taste")
    watts = goods_beside(scores(values, measured_costs={"watts": taste}), "watts")
    assert not watts.goods[1].larger_is_better


# Numbers that are enough


def test_a_number_beyond_what_was_looked_at_is_not_said_to_be_none():
    assert power.sample_size("corrected-t", 1.1, folds=10).n == 4
    found = power.sample_size("corrected-t", 1.1, folds=10, most=3)
    assert found.number == "more than 3"
    assert "more than 3 replications of 10 folds for power 0.8" in repr(found)
    never = power.sample_size("corrected-t", 0.5, folds=10, most=3)
    assert never.number == "none is enough"
    most = power.power("corrected-t", 0.5, 10_000_000, folds=10).power
    assert never.power == most > power.power("corrected-t", 0.5, 3, folds=10).power


@pytest.mark.parametrize("test", ["paired-t", "sign", "wilcoxon", "permutation-t"])
def test_no_number_shows_an_effect_on_the_other_side(test):
    found = power.sample_size(test, [-0.5, 0.5], alternative="greater")
    assert found.text_of(found.n[0], found.effect[0]) == "none is enough"
    assert np.isfinite(found.n[1])
    alone = repr(power.sample_size(test, -0.5, alternative="greater"))
    assert "no number of data sets has power 0.8: the effect is on the other side" in alone
    assert power.sample_size("paired-t", 0.5, alternative="less").number == "none is enough"


def test_no_number_shows_a_mean_that_most_differences_contradict():
    apart = np.array([-1, -1.2, -0.9, -1.1, -0.8, -1, -1.3, 12.0])
    plan = power.from_pilot(0.5 + 0.01 * apart, np.full(8, 0.5), test="sign", alternative="greater")
    assert plan.effect > 0
    assert plan.needed.number == "none is enough"


def test_a_small_effect_needs_more_than_was_looked_at():
    assert power.sample_size("paired-t", 1e-5, alternative="greater").number == "more than 10,000,000"
    assert power.sample_size("paired-t", 0.0).number == "none is enough"


# Missing predictions, and columns of one's own


def test_a_missing_prediction_is_named_by_its_item(tmp_path):
    path = classes_file(tmp_path, "xyz", constant=False)
    text = Path(path).read_text().split("\n")
    text[6] = text[6].rpartition(",")[0] + ","
    Path(path).write_text("\n".join(text))
    with pytest.raises(bk.InputError, match="1 result is missing: learner a, item 5") as caught:
        bk.judge(path, on="mcc,kappa")
    assert "--missing drop-items" in caught.value.fix
    assert "bestofk collect" not in caught.value.fix
    assert bk.judge(path, on="mcc,kappa", missing="drop-items").comparison.left_out.items
    with pytest.raises(bk.InputError, match="1 result is missing: learner a, item 5"):
        bk.judge(path, on="tpr,fpr", positive="each")


@pytest.mark.parametrize("names", ["accuracy,error", "recall,sensitivity"])
def test_columns_that_say_different_things_are_no_copies(tmp_path, names):
    rng = np.random.default_rng(0)
    apart = [(n, f, *np.round(rng.random(2), 3)) for n in "ab" for f in range(8)]
    path = saved(tmp_path, f"learner,fold,{names}", apart)
    assert bk.judge(path, on=names).names == tuple(names.split(","))
    turned = names == "accuracy,error"
    same = [(n, f, one, round(1 - one, 3) if turned else one) for n, f, one, _ in apart]
    with pytest.raises(bk.InputError, match="are one measure"):
        bk.judge(saved(tmp_path, f"learner,fold,{names}", same), on=names)
