"""The preference: learners by name, or by a cost; and what equal means say without one."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
import makers
from makers import folds, over_datasets, separated

COSTS = {"fit_time": {"a": 3.0, "b": 1.0, "c": 2.0}, "price": {"a": 1.0, "b": 1.0, "c": 0.5}}


@pytest.mark.parametrize("prior", ["fit-time", "fit_time", "Fit Time", ["fit-time"]])
def test_a_cost_orders_the_learners(prior):
    ordering = bk.order(folds(separated(seed=2), costs=COSTS), prior=prior)
    assert (ordering.prior, ordering.prior_from) == (("b", "c", "a"), "fit_time")


def test_equal_costs_and_means_are_broken_by_name_and_said():
    verdict = bk.judge(folds(np.full((3, 5, 2), 0.1), costs=COSTS), prior="price")
    assert verdict.prior == ("c", "a", "b")
    assert verdict.ordering.prior_ties == (("a", "b"),)
    assert "K109" in makers.codes(verdict)


@pytest.mark.parametrize(("sides", "first"), [("two", ("c", "b")), ("one", ("c", "a"))])
def test_of_equal_costs_the_better_mean_is_preferred(sides, first):
    """One-sided tests ask about the preference, which is fixed before the results."""
    spread = np.random.default_rng(4).normal(0.0, 0.05, size=(3, 12))
    evidence = over_datasets(spread - spread.mean(axis=1, keepdims=True) + [[0.22], [0.21], [0.20]])
    price = {"a": 2.0, "b": 2.0, "c": 1.0}
    assert bk.order(evidence, prior=price, sides=sides, test="paired-t").prior[:2] == first


def test_two_groups_of_equal_costs_are_ordered_each_by_itself():
    evidence = over_datasets(np.tile([[0.4], [0.3], [0.2], [0.1]], 12) + np.arange(12) * 1e-3)
    ordering = bk.order(evidence, prior={"a": 1.0, "b": 1.0, "c": 2.0, "d": 2.0}, test="paired-t")
    assert (ordering.prior, ordering.prior_ties) == (("b", "a", "d", "c"), (("b", "a"), ("d", "c")))


def test_nothing_costs_less_than_nothing():
    with pytest.raises(bk.InputError, match="price of b is -1") as error:
        bk.judge(folds(separated(), costs={"price": {"a": 1.0, "b": -1.0, "c": 2.0}}), prior="price")
    assert "argument prior" in error.value.where


@pytest.mark.parametrize(
    ("prior", "said"),
    [
        (["a", "b"], "does not name c"),
        (["a", "b", "c", "x"], "unknown learner 'x'"),
        (["a", "a", "b", "c"], "named twice"),
        ("fit-tim", "did you mean 'fit_time'"),
        (3, "prior is 3"),
    ],
)
def test_a_wrong_preference_gets_three_lines(prior, said):
    with pytest.raises(bk.InputError, match=said):
        bk.judge(folds(separated(), costs=COSTS), prior=prior)


def test_a_cost_that_is_not_known_for_all():
    with pytest.raises(bk.InputError, match="size is not known"):
        bk.judge(folds(separated(), costs={"size": {"a": 1.0, "b": float("nan"), "c": 2.0}}), prior="size")


def same_means(first):
    """Two learners, b and a, with the same mean but for the last digit, which the one at ``first`` has too much."""
    values = np.full((2, 12), 0.3)
    values[0, :6], values[0, 6:] = 0.2, 0.4
    values[first] = values[first] + (0.3 * (1.0 + 4e-16) - 0.3)
    return over_datasets(values, learners=("b", "a"))


@pytest.mark.parametrize("larger", [False, True])
@pytest.mark.parametrize("first", [0, 1])
def test_a_last_digit_orders_nobody(larger, first):
    evidence = replace(same_means(first), larger_is_better=larger, measure="score")
    verdict = bk.judge(evidence)
    assert verdict.means["a"] != verdict.means["b"]  # the last digit is there
    assert verdict.order == bk.order(evidence).order == ("a", "b")


@pytest.mark.parametrize("first", [0, 1])
def test_a_last_digit_puts_nobody_first_on_other_data_sets(first):
    """Equal means go by name, and nobody is best."""
    verdict = bk.judge(same_means(first), test="sign")
    assert verdict.order[0] == "a"
    assert verdict.sensitivity.best.conclusion is None


def test_more_than_rounding_orders():
    evidence = same_means(1)
    values = evidence.values.copy()
    values[1] += 3e-12
    assert bk.judge(replace(evidence, values=values)).order == ("b", "a")


def test_a_last_digit_is_no_better_mean_beside_a_preference():
    evidence = same_means(0)
    assert evidence.means()["b"] > evidence.means()["a"]
    assert "K120" not in makers.codes(bk.judge(evidence, prior=["b", "a"]))


def test_means_that_cancel_to_nothing_make_nobody_better():
    scores = {"zed": [0.1, 0.2, -0.3] * 2, "abe": [0.0] * 6}
    evidence = bk.read(pd.DataFrame({"dataset": list("pqrstu"), **scores}), measure="mcc")
    verdict = bk.judge(evidence, prior=["abe", "zed"], test="paired-t")
    assert np.mean(scores["zed"]) != 0.0  # what rounding leaves of it
    assert verdict.comparison.means == {"zed": 0.0, "abe": 0.0}
    assert "K120" not in makers.codes(verdict)
    assert bk.judge(evidence, test="paired-t").order == ("abe", "zed")
    assert bk.judge(evidence, test="wilcoxon").order == ("zed", "abe")  # ahead on four of six: the better mean rank


def test_one_learner_of_a_table_with_learners_in_columns_is_no_cost(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text("dataset,a,b,c\n" + "".join(f"d{i},0.{10 + i},0.{20 + i},0.{30 + i}\n" for i in range(8)))
    with pytest.raises(bk.InputError, match="does not name b, c"):
        bk.judge(path, measure="error", prior=["a"])


def test_who_is_better_than_the_choice_by_preference_is_so_in_what_learners_are_listed_by():
    rows = 0.3 + np.array([[0.00, 0.01, 0.02, 0.03, 0.04, 0.05], [0.01, 0.02, 0.03, 0.04, 0.05, 0.0]])
    rows[0, 5] += 0.3  # the better mean rank, and the worse mean
    for test, other, by in (("wilcoxon", "a", "mean rank"), ("paired-t", "b", "mean")):
        verdict = bk.judge(makers.over_datasets(rows), test=test, prior=["b", "a"] if other == "a" else ["a", "b"])
        (told,) = (each for each in verdict.advice if each.code == "K120")
        assert told.seen.endswith(f"another would choose {other}, with a better {by}")
