"""Sums with random signs: the tail formula against all patterns, and intervals that agree with p values."""

import numpy as np
import pytest
from scipy import stats

from bestofk.stats.flip_tail import flip_critical, flip_tail
from bestofk.stats.pairwise import permutation_t

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


def test_critical_sums_have_the_tail_asked_for():
    rows = np.random.default_rng(5).normal(size=(4, 3_000))
    alpha = np.array([0.1, 1e-3, 1e-8, 1e-40])
    critical = flip_critical(rows, alpha)
    assert np.allclose(flip_tail(rows, critical), alpha, rtol=1e-6)
    assert np.allclose(critical / np.sqrt((rows**2).sum(axis=1)), stats.norm.isf(alpha), rtol=0.02)
    assert np.isinf(flip_critical(np.ones((1, 5)), np.array([0.01])))


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


@pytest.mark.parametrize("n", [6, 12, 25, 80, 2_100])
@pytest.mark.parametrize("graded", [False, True])
def test_the_interval_excludes_0_where_the_test_rejects(n, graded):
    random = np.random.default_rng(n)
    for _ in range(12):
        values = random.normal(size=n) + 3 * random.random() / np.sqrt(n)
        values = np.round(2 * values) / 2 if graded else values
        found = permutation_t(values, np.zeros(n), rng=1, shuffles=1_999)
        for level in (0.9, 0.95, 0.995, 0.9995):
            interval = found.confidence_interval(level)
            assert (found.pvalue <= (1 - level) * (1 + 1e-9)) == (not interval.low <= 0 <= interval.high)
