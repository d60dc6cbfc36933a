"""Intervals that go with the signed-rank and the sign test: of untied differences, what the test does not reject."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
import scipy.stats

import bestofk as bk
from bestofk.stats.pairwise import sign_test, wilcoxon
from bestofk.stats.pairwise.walsh import COUNTED_UP_TO, LISTED_UP_TO, median_interval, walsh_at, walsh_interval
from makers import over_datasets

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


@pytest.mark.parametrize("kind", ["smooth", "rounded", "far apart", "tiny beside one", "equal"])
@pytest.mark.parametrize("n", [LISTED_UP_TO + 1, 1200])
def test_of_many_values_few_averages_are_computed_and_all_are_counted(n, kind):
    values = np.random.default_rng(n).normal(0.1, 1.0, n)
    values = {
        "smooth": values,
        "rounded": values.round(1),
        "far apart": values**9,
        "tiny beside one": np.where(values > 0.5, 1.0, 1e-300 * values),
        "equal": np.zeros(n),
    }[kind]
    one, two = np.triu_indices(n)
    ordered = np.sort(0.5 * (values[one] + values[two]))
    places = np.array([0, 1, 1, len(ordered) // 3, len(ordered) // 2, len(ordered) - 1])
    np.testing.assert_array_equal(walsh_at(values, places), ordered[places])


def test_a_hundred_thousand_values_have_an_interval():
    """All their averages would be 40 GB."""
    values = np.random.default_rng(8).normal(0.3, 1.0, 100_000)
    middle, low, high = (float(each) for each in walsh_interval(values, 0.05))
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(np.pi / 3 / 100_000), rel=0.05)
    assert middle == pytest.approx(0.3, abs=0.01)


def test_a_batch_has_the_intervals_of_its_rows():
    values = np.random.default_rng(4).normal(size=(3, 4, 9))
    alpha = np.random.default_rng(5).choice([0.1, 0.05, 0.01], size=(3, 4))
    for interval in (walsh_interval, median_interval):
        whole = np.array(interval(values, alpha))
        for i, j in np.ndindex(3, 4):
            np.testing.assert_array_equal(whole[:, i, j], np.array(interval(values[i, j], alpha[i, j])))


@pytest.mark.parametrize("ties", [0, 1, 20])
@pytest.mark.parametrize(("test", "interval"), [(wilcoxon, walsh_interval), (sign_test, median_interval)])
def test_equal_pairs_are_in_the_interval_though_the_test_leaves_them_out(test, interval, ties):
    """A difference of 0.1 would be seen on them: they speak against it."""
    wins = np.random.default_rng(6).normal(1.0, 0.5, (3, 9))
    first = np.concatenate([np.zeros((3, ties)), wins], axis=1)
    found = test(first, np.zeros_like(first))
    typical, ends = found.typical_interval(0.95)
    np.testing.assert_array_equal([typical, ends.low, ends.high], interval(first, 0.05))
    np.testing.assert_array_equal(found.pvalue, test(wins, np.zeros_like(wins)).pvalue)


def test_the_interval_with_many_equal_pairs_holds_the_median_and_the_mean():
    """23 of 30 data sets are equal, and on 7 the first loses 0.1: the difference is no 0.1."""
    first = np.r_[np.zeros(23), np.full(7, 0.1)]
    typical, ends = wilcoxon(first, 0 * first).typical_interval(0.95)
    assert (typical, ends.low) == (0.0, 0.0)
    assert first.mean() <= ends.high < 0.1
    judged = bk.compare(over_datasets(np.stack([first + 0.3, 0 * first + 0.3])))
    assert judged.significant[0]
    assert 0.0 < judged.low[0] < 1e-300  # 0 is excluded, and nothing above it
    assert judged.difference[0] == pytest.approx(first.mean())
    assert judged.difference[0] <= judged.high[0] < 0.1


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
@pytest.mark.parametrize("larger", [False, True])
def test_what_is_shown_of_mostly_equal_learners_agrees(test, larger):
    rng = np.random.default_rng(0)
    worse = np.zeros((3, 100))
    worse[1, :10], worse[2, 4:12] = 0.02, rng.uniform(0.01, 0.03, 8)
    rows = 0.3 + worse if not larger else 0.7 - worse
    comparison = bk.compare(over_datasets(rows, larger_is_better=larger), test=test)
    assert comparison.significant.tolist() == [True, True, False]
    outside = (comparison.low > 0) | (comparison.high < 0)
    assert outside.tolist() == comparison.significant.tolist()
    assert ((comparison.low <= comparison.difference) & (comparison.difference <= comparison.high)).all()
    np.testing.assert_allclose(comparison.difference[:2], (rows[0] - rows[1:]).mean(axis=1))


def test_zeros_that_the_test_keeps_are_in_its_interval():
    first = np.r_[np.zeros(20), np.arange(1.0, 9.0)]
    assert wilcoxon(first, 0 * first, zeros="pratt").typical_interval(0.95)[0] == 0.0
