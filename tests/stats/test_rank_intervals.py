"""Intervals that go with the signed-rank and the sign test: of untied differences, what the test does not reject."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
import scipy.stats

from bestofk.stats.pairwise import sign_test, wilcoxon
from bestofk.stats.pairwise.walsh import COUNTED_UP_TO, median_interval, walsh_interval

LEVELS = (0.2, 0.05, 0.01, 0.05 / 3)


def signed_ranks(values):
    return scipy.stats.wilcoxon(values, method="exact" if len(values) <= 50 else "approx", correction=False).pvalue


def signs(values):
    return scipy.stats.binomtest(int((values > 0).sum()), len(values)).pvalue


def walsh(values):
    return np.array([(one + two) / 2 for one, two in combinations_with_replacement(values, 2)])


BOTH = [(walsh_interval, signed_ranks, walsh), (median_interval, signs, np.asarray)]


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize(("interval", "pvalue", "averages"), BOTH)
def test_an_interval_is_what_the_test_does_not_reject(interval, pvalue, averages, alpha):
    rng = np.random.default_rng(0)
    seen = set()
    for n in (4, 6, 9, 14, 25, 40):
        values = rng.normal(0.4, 1.0, n)
        middle, low, high = (float(each) for each in interval(values, alpha))
        assert middle == pytest.approx(np.median(averages(values)))
        step = 1e-6
        for end, outside in ((low, -step), (high, step)):
            if np.isinf(end):
                assert pvalue(values - (values.min() - 1 if outside < 0 else values.max() + 1)) > alpha
            else:
                assert pvalue(values - (end + outside)) <= alpha < pvalue(values - (end - outside))
        assert (low <= 0 <= high) == (pvalue(values) > alpha)
        seen.add(bool(np.isinf(low)))
    assert seen == {True, False} or alpha == 0.2


@pytest.mark.parametrize(("test", "pvalue"), [(wilcoxon, signed_ranks), (sign_test, signs)])
def test_intervals_of_results_exclude_0_where_the_test_rejects(test, pvalue):
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.5, 1.0, (60, 12)), rng.normal(0.0, 1.0, (60, 12))
    levels = rng.choice(1 - np.array(LEVELS), 60)
    found = test(first, second)
    interval = found.confidence_interval(levels)
    outside = ~((interval.low <= 0) & (interval.high >= 0))
    expected = np.array([pvalue(row) for row in first - second]) <= 1 - levels + 1e-12
    assert outside.tolist() == expected.tolist()
    assert 0 < outside.sum() < 60


@pytest.mark.parametrize("side", ["less", "greater"])
@pytest.mark.parametrize("test", [wilcoxon, sign_test])
def test_an_interval_of_one_side_has_an_open_end(test, side):
    rng = np.random.default_rng(2)
    first, second = rng.normal(0.6, 1.0, (40, 11)), rng.normal(0.0, 1.0, (40, 11))
    found = test(first, second, alternative=side)
    interval = found.confidence_interval(0.95)
    end, open_ = (interval.low, interval.high) if side == "greater" else (interval.high, interval.low)
    assert np.isinf(open_).all()
    rejected = end > 0 if side == "greater" else end < 0
    assert rejected.tolist() == (np.asarray(found.pvalue) <= 0.05).tolist()


def test_many_values_have_their_rank_from_the_normal_distribution():
    n = COUNTED_UP_TO + 40
    values = np.random.default_rng(3).normal(0.15, 1.0, n)
    _, low, high = (float(each) for each in walsh_interval(values, 0.05))
    ordered = np.sort(walsh(values))
    half = scipy.stats.norm.ppf(0.975) * np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    rank = n * (n + 1) / 4 - half
    assert ordered[int(rank) - 1] <= low <= ordered[int(rank) + 1]
    assert ordered[-int(rank) - 2] <= high <= ordered[-int(rank)]


def test_a_batch_has_the_intervals_of_its_rows():
    values = np.random.default_rng(4).normal(size=(3, 4, 9))
    alpha = np.random.default_rng(5).choice([0.1, 0.05, 0.01], size=(3, 4))
    for interval in (walsh_interval, median_interval):
        whole = np.array(interval(values, alpha))
        for i, j in np.ndindex(3, 4):
            np.testing.assert_array_equal(whole[:, i, j], np.array(interval(values[i, j], alpha[i, j])))


@pytest.mark.parametrize("ties", [0, 1, 20])
@pytest.mark.parametrize(("test", "interval"), [(wilcoxon, walsh_interval), (sign_test, median_interval)])
def test_equal_pairs_are_left_out_of_the_interval_as_of_the_test(test, interval, ties):
    wins = np.random.default_rng(6).normal(1.0, 0.5, (3, 9))
    first = np.concatenate([np.zeros((3, ties)), wins], axis=1)
    typical, found = test(first, np.zeros_like(first)).typical_interval(0.95)
    expected = interval(wins, 0.05)
    np.testing.assert_array_equal([typical, found.low, found.high], expected)
    assert np.isfinite(found.low).all()


def test_batches_may_leave_out_different_numbers_and_all():
    first = np.array([[0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0] * 4 + [2.0] * 4, [0.0] * 8])
    typical, found = wilcoxon(first, np.zeros_like(first)).typical_interval(0.95)
    alone = [wilcoxon(row[row != 0], 0 * row[row != 0]).typical_interval(0.95) for row in first[:2]]
    assert typical.tolist() == [float(alone[0][0]), float(alone[1][0]), 0.0]
    assert found.low.tolist() == [float(alone[0][1].low), float(alone[1][1].low), 0.0]


def test_zeros_that_the_test_keeps_are_in_its_interval():
    first = np.r_[np.zeros(20), np.arange(1.0, 9.0)]
    assert wilcoxon(first, 0 * first, zeros="pratt").typical_interval(0.95)[0] == 0.0
