"""Weights of items: from a column or an array, in every mean, and in the losses that are tested."""

from itertools import product

import numpy as np
import pytest

import bestofk as bk
from makers import items
from makers_items import refused

RNG = np.random.default_rng(3)
RIGHT = RNG.integers(0, 2, (3, 12))
WEIGHTS = RNG.integers(1, 6, 12)
WEIGHTED = RIGHT @ WEIGHTS / WEIGHTS.sum()


def lines(weights=WEIGHTS):
    return [(m, i, weights[i], RIGHT[k, i]) for k, m in enumerate("abc") for i in range(12)]


def flips(values):
    """Two-sided p of the mean under all patterns of signs."""
    sums = np.array([abs(np.dot(signs, values)) for signs in product((-1, 1), repeat=len(values))])
    return float((sums >= abs(values.sum()) - 1e-9).mean())


@pytest.mark.parametrize("column", ["weight", "weights", "item_weight", "sample_weight"])
@pytest.mark.parametrize("wide", [False, True])
def test_a_column_of_weights(file, column, wide):
    path = file(f"model,item,{column},correct", lines())
    if wide:
        path = file(f"item,{column},a,b,c", [(i, WEIGHTS[i], *RIGHT[:, i]) for i in range(12)])
    found = bk.read(path, larger_is_better=True)
    assert found.learners == ("a", "b", "c")
    assert found.weights.tolist() == WEIGHTS.tolist()
    assert not found.costs
    assert list(found.means().values()) == pytest.approx(WEIGHTED)


def test_rows_that_are_items_by_request_have_weights(file):
    path = file("a,b,c,weight", [(*RIGHT[:, i], WEIGHTS[i]) for i in range(12)])
    found = bk.read(path, rows="items", larger_is_better=True)
    assert (found.learners, found.weights.tolist()) == (("a", "b", "c"), WEIGHTS.tolist())


def test_predictions_beside_the_truth_have_weights(file):
    said = np.where(RIGHT, np.arange(12) % 2, 1 - np.arange(12) % 2)
    path = file("truth,weight,a,b,c", [(i % 2, WEIGHTS[i], *said[:, i]) for i in range(12)])
    found = bk.read(path)
    assert list(found.means().values()) == pytest.approx(1 - WEIGHTED)


def test_weights_are_of_items_only(file):
    """Of data sets a column of that name is a learner, or a cost, as it always was."""
    wide = bk.read(file("dataset,weight,b", [("x", 0.1, 0.2), ("y", 0.3, 0.1)]), measure="error")
    assert wide.learners == ("weight", "b")
    long = bk.read(file("learner,dataset,error,weight", [("a", "x", 0.1, 9), ("b", "x", 0.2, 3)]), measure="error")
    assert long.costs["weight"] == {"a": 9.0, "b": 3.0}


def test_a_learner_called_weight_is_named(file):
    outcomes = [(i, *RIGHT[:, i]) for i in range(12)]
    path = file("item,weight,b,c", outcomes)
    found = bk.read(path, measure="accuracy", learners=["weight", "b", "c"])
    assert (found.learners, found.weights) == (("weight", "b", "c"), None)
    assert found.values.tolist() == RIGHT.tolist()
    named = bk.read(file("item,weight,b,c", [(i, WEIGHTS[i], *RIGHT[1:, i]) for i in range(12)]), measure="accuracy")
    assert (named.learners, named.weights.tolist()) == (("b", "c"), WEIGHTS.tolist())


def test_the_weighted_mean_is_tested():
    verdict = bk.judge(items(RIGHT.astype(float), weights=WEIGHTS))
    comparison = verdict.comparison
    assert comparison.test == "permutation-t"  # right or wrong, and not counted: some items count more
    assert list(comparison.means.values()) == pytest.approx(WEIGHTED)
    for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
        k, other = "abc".index(first), "abc".index(second)
        pair = comparison.pair(first, second)
        assert pair.difference == pytest.approx(WEIGHTED[k] - WEIGHTED[other])
        assert pair.pvalue == pytest.approx(flips((RIGHT[k] - RIGHT[other]) * WEIGHTS))


def test_groups_of_weighted_items_are_sums():
    groups = np.arange(12) % 7
    comparison = bk.compare(items(RIGHT.astype(float), weights=WEIGHTS, groups=tuple(map(str, groups))))
    sums = np.array([((RIGHT[0] - RIGHT[1]) * WEIGHTS)[groups == g].sum() for g in range(7)])
    assert comparison.pair("a", "b").pvalue == pytest.approx(flips(sums))
    assert comparison.pair("a", "b").difference == pytest.approx(WEIGHTED[0] - WEIGHTED[1])


def test_equal_weights_change_nothing():
    plain, equal = (bk.compare(items(RIGHT.astype(float), weights=w)) for w in (None, np.full(12, 0.3)))
    assert equal.to_dict() == plain.to_dict()
    assert equal.test == "mcnemar-auto"


def test_weights_go_with_their_items():
    whole = items(RIGHT.astype(float), weights=WEIGHTS)
    assert whole.without(items=["1", "3"]).weights.tolist() == np.delete(WEIGHTS, [0, 2]).tolist()


def test_folds_of_weighted_items_have_weighted_means(file):
    rows = [(m, i, r, (i + r) % 3, w, (i * r + ord(m)) % 2) for r in (1, 2) for m, i, w, _ in lines()]
    found = bk.judge(file("model,item,replication,fold,weight,correct", rows)).evidence
    own = [row for row in rows if row[0] == "a" and row[2:4] == (2, 1)]
    expected = np.average([row[5] for row in own], weights=[row[4] for row in own])
    assert found.values[0, 0, found.replications.index("2"), found.folds.index("1")] == pytest.approx(expected)


@pytest.mark.parametrize("value", ["0", "-1", "inf", ""])
def test_an_impossible_weight_is_refused(file, value):
    rows = [list(line) for line in lines()]
    rows[4][2] = value
    refused(file("model,item,weight,correct", rows), wrong="weight", where="line 6, column weight")


def test_a_weight_that_learners_do_not_agree_on_is_refused(file):
    rows = [list(line) for line in lines()]
    rows[16][2] = 77
    refused(file("model,item,weight,correct", rows), wrong="item 4 is 77, but", where="line 18", fix="for all learners")
    with pytest.raises(bk.InputError, match="weight of item 2 is -1"):
        items(RIGHT.astype(float), weights=[1, -1, *[1] * 10])
    with pytest.raises(bk.InputError, match="3 entries"):
        items(RIGHT.astype(float), weights=[1, 1, 1])


def test_several_measures_have_no_weights(file):
    rows = [(m, i, i % 3, w, i % 2, right) for m, i, w, right in lines()]
    path = file("model,item,fold,weight,truth,prediction", rows)
    refused(path, "--on", "tpr,fpr", wrong="the items have weights", fix="leave --on out")
