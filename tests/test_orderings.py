"""Orders: the graph, MultiTest, cliques, the best of a Newman–Keuls test."""

import itertools

import numpy as np
import pytest

from bestofk import ordering

# Errors whose differences are certain to any test: a constant gap on every fold.
FOLDS = np.array([[0.20, 0.22], [0.21, 0.19], [0.23, 0.20], [0.20, 0.21], [0.22, 0.20]])


def learners(**levels):
    rng = np.random.default_rng(0)
    return {name: FOLDS + level + 1e-3 * rng.normal(size=(5, 2)) for name, level in levels.items()}


def test_data_override_the_prior_and_the_prior_decides_the_rest():
    losses = learners(simple=0.3, middle=0.0, complex=0.0)
    result = ordering.multitest(losses, ["simple", "middle", "complex"])
    assert result.order == ("middle", "complex", "simple")
    assert set(result.edges) == {("simple", "middle"), ("simple", "complex")}
    turned = ordering.multitest(losses, ["simple", "complex", "middle"])
    assert turned.order == ("complex", "middle", "simple")


def test_identical_learners_keep_the_prior():
    for names in itertools.permutations("abcd"):
        result = ordering.multitest(dict.fromkeys("abcd", FOLDS), names)
        assert result.order == names
        assert result.edges == ()


@pytest.mark.parametrize(
    "test", ["5x2cv-t", "paired-t", "corrected-t", "calibrated-t", "wilcoxon", "sign", "permutation-t"]
)
def test_every_one_sided_test_can_order(test):
    options = {"rng": 0} if test == "permutation-t" else {}
    result = ordering.multitest(learners(worse=0.4, better=0.0), test=test, **options)
    assert result.order == ("better", "worse")


def test_mcnemar_orders_items():
    right = np.zeros(60)
    wrong = np.r_[np.ones(20), np.zeros(40)]
    result = ordering.multitest({"cheap": wrong, "dear": right}, test="mcnemar", method="exact")
    assert result.order == ("dear", "cheap")


def test_array_input_speaks_of_positions():
    table = np.stack(list(learners(a=0.3, b=0.0, c=0.1).values()))
    result = ordering.multitest(table, prior=[2, 0, 1])
    assert result.order == (1, 2, 0)
    assert result.pairs == ((2, 0), (2, 1), (0, 1))


def test_many_learners_always_get_an_order():
    rng = np.random.default_rng(1)
    for k in (2, 3, 30, 200):
        result = ordering.multitest(rng.random((k, 5, 2)), adjust="none")
        assert sorted(result.order) == list(range(k))


def brute_force_cliques(accepts):
    k = len(accepts)
    sets = [
        set(group)
        for size in range(1, k + 1)
        for group in itertools.combinations(range(k), size)
        if all(accepts[i][j] for i in group for j in group if i != j)
    ]
    return sorted(tuple(sorted(s)) for s in sets if not any(s < other for other in sets))


def test_cliques_are_all_maximal_sets():
    rng = np.random.default_rng(2)
    for _ in range(50):
        half = np.triu(rng.random((6, 6)) < 0.5, 1)
        accepts = half | half.T
        assert list(ordering.cliques(accepts)) == brute_force_cliques(accepts)
