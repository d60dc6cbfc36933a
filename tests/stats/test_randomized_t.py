"""The randomized t test of whole curves."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats

from bestofk.stats.curves.randomized_anova import randomized_anova
from bestofk.stats.curves.randomized_t import randomized_t

ALTERNATIVES = ("two-sided", "greater", "less")


def curves(seed, sizes=(5, 4), points=6, shift=0.0):
    rng = np.random.default_rng(seed)
    first, second = (rng.normal(size=(size, points)).cumsum(axis=1) for size in sizes)
    return first + shift, second


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(4))
def test_randomized_t_agrees_with_scipy_s_permutation_test(seed, alternative):
    first, second = curves(seed, shift=1.5)

    def statistic(x, y, axis):
        difference = np.mean(x, axis=axis) - np.mean(y, axis=axis)
        return np.abs(difference) if alternative == "two-sided" else difference

    theirs = scipy.stats.permutation_test(
        (first.mean(axis=1), second.mean(axis=1)),
        statistic,
        permutation_type="independent",
        vectorized=True,
        n_resamples=np.inf,
        alternative="greater" if alternative == "two-sided" else alternative,
    )
    ours = randomized_t(first, second, alternative=alternative)
    assert ours.exact
    assert ours.shuffles == 126
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
    assert ours.statistic == pytest.approx(scipy.stats.ttest_ind(first.mean(axis=1), second.mean(axis=1)).statistic)
    assert ours.estimate == pytest.approx(first.mean() - second.mean())


def test_two_sided_randomized_t_agrees_with_the_randomized_anova():
    # The error of the analysis of variance is within cells, that of t between curve means: on flat curves they are one.
    rng = np.random.default_rng(1)
    flat = [np.repeat(rng.random((size, 1)), 5, axis=1) for size in (4, 5)]
    assert randomized_t(*flat).pvalue == pytest.approx(randomized_anova(*flat).p_alg, rel=1e-12)


def test_randomized_t_by_shuffles():
    first, second = curves(2, sizes=(12, 11), shift=1.0)
    result = randomized_t(first, second, rng=5, shuffles=999)
    assert not result.exact
    assert result.shuffles == 999
    assert (result.pvalue * 1000) == pytest.approx(round(result.pvalue * 1000))  # (b + 1)/(z + 1)
    assert result.pvalue == randomized_t(first, second, rng=5, shuffles=999).pvalue
    assert result.pvalue != randomized_t(first, second, rng=6, shuffles=999).pvalue
    apart = randomized_t(first + 100.0, second, rng=1, shuffles=99)
    assert apart.pvalue == 0.01


def test_shuffles_approach_the_exact_p():
    first, second = curves(3, sizes=(6, 5), shift=0.7)
    for alternative in ALTERNATIVES:
        exact = randomized_t(first, second, alternative=alternative).pvalue
        sampled = randomized_t(first, second, alternative=alternative, exact=False, shuffles=20_000, rng=0).pvalue
        assert abs(sampled - exact) < 4 * np.sqrt(exact * (1 - exact) / 20_000)


def test_exact_is_taken_up_to_ten_thousand_ways():
    assert randomized_t(*curves(0, sizes=(8, 7))).shuffles == 6435
    assert not randomized_t(*curves(0, sizes=(8, 8)), rng=0, shuffles=19).exact  # 12,870 ways
    assert randomized_t(*curves(0, sizes=(8, 8)), exact=True).shuffles == 12_870


def test_randomized_t_is_turned_by_a_swap_and_kept_by_scale_and_shift():
    first, second = curves(4, shift=0.5)
    trend = np.linspace(3.0, 0.0, first.shape[1])
    for alternative, mirrored in (("two-sided", "two-sided"), ("greater", "less"), ("less", "greater")):
        forth = randomized_t(first, second, alternative=alternative)
        back = randomized_t(second, first, alternative=mirrored)
        assert forth.pvalue == pytest.approx(back.pvalue, rel=1e-12)
        assert forth.statistic == pytest.approx(-back.statistic, rel=1e-12)
        moved = randomized_t(7.3 * first + trend, 7.3 * second + trend, alternative=alternative)
        assert moved.pvalue == forth.pvalue
        assert moved.statistic == pytest.approx(forth.statistic, rel=1e-9)
    greater, less = (randomized_t(first, second, alternative=side).pvalue for side in ("greater", "less"))
    assert greater + less >= 1.0


def test_randomized_t_in_batches():
    rng = np.random.default_rng(8)
    first, second = rng.normal(size=(2, 3, 5, 4)), rng.normal(size=(3, 6, 4))  # batches broadcast
    for options in ({}, {"exact": False, "rng": 3, "shuffles": 200}):
        batch = randomized_t(first, second, **options)
        assert batch.pvalue.shape == (2, 3)
        for index in np.ndindex(2, 3):
            single = randomized_t(first[index], second[index[1]], **options)
            assert batch.pvalue[index] == single.pvalue
            assert batch.statistic[index] == pytest.approx(single.statistic, rel=1e-12)


def test_randomized_t_without_spread():
    same = np.tile([0.9, 0.5, 0.1 + 0.2], (4, 1))
    bent = np.tile([0.9, 0.3, 0.5], (3, 1))  # another shape, the same mean up to rounding
    for alternative in ALTERNATIVES:
        result = randomized_t(same, bent, alternative=alternative)
        assert (result.statistic, result.pvalue) == (0.0, 1.0)
    certain = randomized_t(same + 0.1, bent)
    assert certain.statistic == np.inf
    assert certain.pvalue == 1 / 35  # sizes differ, so no other way is as far apart
    assert randomized_t(same - 0.1, bent).statistic == -np.inf
    assert randomized_t(same - 0.1, bent, alternative="greater").pvalue == 1.0


def test_ties_of_randomized_t_survive_rounding():
    # In thirds and tenths: many dealings have the very same difference, apart from the order of adding.
    rng = np.random.default_rng(9)
    for _ in range(20):
        whole = rng.integers(0, 4, size=(9, 3))
        exact = randomized_t(whole[:5], whole[5:], alternative="greater").pvalue
        tenths = randomized_t(whole[:5] / 10, whole[5:] / 10, alternative="greater").pvalue
        total = [sum(whole[list(hand)].sum(axis=1)) for hand in combinations(range(9), 5)]
        assert exact == tenths == pytest.approx(np.mean(np.array(total) >= whole[:5].sum()), rel=1e-12)


def test_randomized_t_holds_its_level():
    rng = np.random.default_rng(10)
    first, second = (rng.normal(size=(2000, size, 5)).cumsum(axis=-1) for size in (5, 5))
    for alternative in ALTERNATIVES:
        rejected = np.mean(randomized_t(first, second, alternative=alternative).rejects(0.05))
        assert 0.03 < rejected < 0.065  # 12 of 252 ways at most: 0.0476; standard error 0.005
