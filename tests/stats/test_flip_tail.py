"""Sums with random signs: the tail formula against all patterns, and intervals that agree with p values."""

import numpy as np
import pytest
from scipy import stats

import bestofk as bk
from bestofk.stats.flip_tail import flip_low, flip_tail
from bestofk.stats.pairwise import permutation_t
from makers import slow

DRAWS = {
    "normal": lambda random, n: random.normal(size=n),
    "graded": lambda random, n: random.integers(-4, 5, size=n) / 4,
    "right or wrong": lambda random, n: random.choice([-1.0, 1.0], size=n),
    "one large": lambda random, n: np.append(random.normal(size=n - 1), 8.0),
}


def share_of_all(row, total):
    signs = 1 - 2 * ((np.arange(2 ** len(row))[:, None] >> np.arange(len(row))) & 1)
    return np.mean(signs @ row >= total - 1e-9)


@pytest.mark.parametrize("kind", DRAWS)
def test_the_tail_is_near_the_share_of_all_patterns(kind):
    random = np.random.default_rng(1)
    row = DRAWS[kind](random, 16)
    sums = np.sort((1 - 2 * random.integers(0, 2, size=(4_000, 16))) @ row)
    for place in (-2, -10, -40, -120):
        if sums[place] < np.abs(row).sum():
            exact = share_of_all(row, sums[place])
            assert flip_tail(row[None], sums[[place]])[0] == pytest.approx(exact, rel=0.15)


@pytest.mark.parametrize(("n", "error"), [(40, 0.1), (400, 1e-3), (40_000, 1e-5)])
def test_the_tail_of_equal_sizes_is_that_of_coins(n, error):
    """Far out, where t is large and hyperbolic functions are taken, and near, where power sums are."""
    heads = np.unique((n / 2 + np.sqrt(n) / 2 * np.array([1, 2, 4, 6, 12, 30])).round().clip(max=n)).astype(int)
    found = flip_tail(np.tile(0.7, (len(heads), n)), 0.7 * (2 * heads - n))
    exact = stats.binom.sf(heads - 1, n, 0.5)
    assert np.allclose(found, exact, rtol=error, atol=0)


def test_shifts_have_the_tail_asked_for():
    random = np.random.default_rng(5)
    rows, sizes = random.normal(size=(4, 3_000)), random.uniform(0.5, 4.0, 3_000)
    alpha = np.array([0.1, 1e-3, 1e-8, 1e-40])
    low = flip_low(rows, sizes, alpha, flip_tail(rows, rows.sum(axis=1)) <= alpha)
    left = rows - low[:, None] * sizes
    assert np.allclose(flip_tail(left, left.sum(axis=1)), alpha, rtol=1e-3)
    assert np.allclose(left.sum(axis=1) / np.sqrt((left**2).sum(axis=1)), stats.norm.isf(alpha), rtol=0.02)
    assert np.isinf(flip_low(np.ones((1, 5)), np.ones(5), np.array([0.01]), np.array([False])))


def test_the_end_lies_on_the_side_of_0_that_the_test_decided():
    row = np.random.default_rng(6).normal(size=(1, 300))
    row += 3.3 * row.std() / np.sqrt(300) - row.mean()
    for alpha in np.linspace(2e-4, 2e-3, 7):
        assert flip_low(row, np.ones(300), np.array([alpha]), np.array([True])) > 0
        assert flip_low(row, np.ones(300), np.array([alpha]), np.array([False])) <= 0


def test_p_is_not_limited_by_the_number_of_shuffles():
    better = 0.1 + 0.01 * np.random.default_rng(2).random(40)
    assert permutation_t(better, np.zeros(40), rng=0).pvalue == pytest.approx(2 * 0.5**40)
    nearly = np.where(np.arange(40) < 4, -better, better)
    assert 1e-9 < permutation_t(nearly, np.zeros(40), rng=0).pvalue < 1e-6


def test_drawn_and_tail_agree_where_they_meet():
    random = np.random.default_rng(3)
    values = random.normal(size=(40, 30)) + 0.45
    drawn = permutation_t(values, np.zeros(30), rng=0, shuffles=40_000).pvalue
    tail = 2 * flip_tail(values, np.abs(values.sum(axis=-1)))
    here = (drawn > 0.01) & (drawn < 0.1)
    assert here.sum() > 5
    assert np.allclose(drawn[here], tail[here], rtol=0.1)


@pytest.mark.parametrize(
    ("n", "graded"),
    [(6, True), (12, False), (25, True), (2_100, False), *slow((6, False), (12, True), (25, False), (2_100, True)),
     *slow((80, False), (80, True))],
)  # fmt: skip
def test_the_interval_excludes_0_where_the_test_rejects(n, graded):
    random = np.random.default_rng(n)
    for _ in range(12):
        values = random.normal(size=n) + 3 * random.random() / np.sqrt(n)
        values = np.round(2 * values) / 2 if graded else values
        found = permutation_t(values, np.zeros(n), rng=1, shuffles=1_999)
        for level in (0.9, 0.95, 0.995, 0.9995):
            interval = found.confidence_interval(level)
            assert (found.pvalue <= (1 - level) * (1 + 1e-9)) == (not interval.low <= 0 <= interval.high)


SIDES = {"two-sided": np.abs, "greater": np.asarray, "less": np.negative}


def share_as_extreme(values, side="two-sided"):
    """P by all patterns, summed one number after the other."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return np.mean(SIDES[side](sums) >= SIDES[side](sum(values)) - 1e-9)


@pytest.mark.parametrize("sized", [False, True])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [5, 6, 9, 11])
def test_the_ends_are_where_all_patterns_begin_to_reject(n, side, sized):
    random = np.random.default_rng(n)
    values, sizes = random.normal(size=n) + 0.4, random.uniform(0.2, 5.0, n) if sized else np.ones(n)
    found = permutation_t(values, np.zeros(n), sizes=sizes if sized else None, alternative=side)
    assert found.estimate == pytest.approx(values.sum() / sizes.sum())
    for level in (0.8, 0.95, 0.99):
        interval = found.confidence_interval(level)
        for end, out in ((interval.low, -1e-6), (interval.high, 1e-6)):
            if np.isinf(end):
                lost = (side == "greater" and out > 0) or (side == "less" and out < 0)
                far = share_as_extreme(values + np.sign(-out) * 1e4 * sizes, side)
                assert lost or far > 1 - level + 1e-9
            else:
                assert share_as_extreme(values - (end - out) * sizes, side) > 1 - level + 1e-9
                assert share_as_extreme(values - (end + out) * sizes, side) <= 1 - level + 1e-9


def test_the_ends_of_drawn_patterns_are_near_those_of_all():
    values = np.random.default_rng(7).normal(size=18) ** 3
    found = permutation_t(values, np.zeros(18), rng=0)
    for alpha in (0.2, 0.05, 0.004, 0.001):  # the last two by 200,000 patterns: at least 200 are counted
        interval = found.confidence_interval(1 - alpha)
        for end in (interval.low, interval.high):
            assert share_as_extreme(values - end) == pytest.approx(alpha, rel=0.25)


@pytest.mark.slow
def test_intervals_of_six_values_hold_the_truth():
    values = np.random.default_rng(8).normal(size=(20_000, 6))
    interval = permutation_t(values, np.zeros(6)).confidence_interval(0.95)
    held = np.mean((interval.low <= 0) & (interval.high >= 0))
    assert held == pytest.approx(1 - 2 / 64, abs=0.005)  # 2 of 64 patterns may be as extreme


def test_few_large_sums_have_the_share_of_drawn_patterns():
    """Eight sums of ±100 and thirty of ±1: all eight must agree, and 30 coins say the rest."""
    sums = np.append(np.full(8, 100.0), np.repeat([1.0, -1.0], [10, 20]))
    assert sums.sum() == 790
    exact = 2 * 0.5**8 * stats.binom.sf(9, 30, 0.5)
    assert permutation_t(sums, np.zeros(38), rng=0).pvalue == pytest.approx(exact, rel=0.3)
    far = np.append(np.full(8, 100.0), np.repeat([1.0, -1.0], [20, 10]))
    exact = 2 * 0.5**8 * stats.binom.sf(19, 30, 0.5)
    assert permutation_t(far, np.zeros(38), rng=0).pvalue == pytest.approx(exact, rel=0.3)
    among_many = np.append(far, np.zeros(5_000))
    assert permutation_t(among_many, np.zeros(5_038), rng=0).pvalue == pytest.approx(exact, rel=0.3)


def test_sizes_are_positive_and_one_per_value():
    for sizes in ([1.0, 2.0], [1.0, 2.0, 0.0]):
        with pytest.raises(bk.InputError, match="size"):
            permutation_t([1.0, 2.0, 3.0], np.zeros(3), sizes=sizes)


def test_an_interval_does_not_count_the_p_value_that_it_can_do_without():
    first, second = np.random.default_rng(0).normal(size=(2, 3, 60))
    result = permutation_t(first, second, rng=0)
    result.confidence_interval(0.9)
    assert "pvalue" not in vars(result)
    assert result.pvalue.shape == (3,)
    assert result.to_dict()["pvalue"] == result.pvalue.tolist()
