"""Signed ranks: tails by integrals, by counting and by lanes, and the Bayesian test on them."""

import numpy as np
import pytest

from bestofk.stats import bayes, pairwise
from bestofk.stats.across import all_pairs, signed_ranks
from bestofk.stats.across.smallest import evidence_paths
from bestofk.stats.pairwise import signed_rank_null
from bestofk.stats.pairwise.signed_rank_contour import lower_tails
from bestofk.stats.pairwise.signed_rank_null import _counted_in_arrays, _counted_in_lanes
from bestofk.stats.pairwise.wilcoxon import wilcoxon_sides


@pytest.mark.parametrize(
    ("n", "digits", "shift"), [(60, 1, 0.1), (90, 3, 0.0), (120, 0, 0.2), (200, 2, 0.3), (200, 3, 0.9), (320, 3, 0.05)]
)
def test_tails_by_the_integral_are_those_counted_out(n, digits, shift, monkeypatch):
    d = (np.random.default_rng(n).normal(size=(3, n)) + shift).round(digits)
    monkeypatch.setattr(signed_rank_null, "MOST_COUNTED", 0.0)
    monkeypatch.setattr(signed_rank_null, "_FEW_STEPS", 0)
    monkeypatch.setattr(signed_rank_null, "_STEPS_OF_FEW_RANKS", 0)
    by_integral = [each.pvalue for each in wilcoxon_sides(d, np.zeros_like(d))]
    monkeypatch.setattr(signed_rank_null, "MOST_COUNTED", np.inf)
    counted_out = [each.pvalue for each in wilcoxon_sides(d, np.zeros_like(d))]
    np.testing.assert_allclose(by_integral, counted_out, rtol=1e-11)


def test_tails_far_out_are_counted(monkeypatch):
    d = np.random.default_rng(0).normal(size=(2, 250)).round(2) + 2.0
    monkeypatch.setattr(signed_rank_null, "MOST_COUNTED", 0.0)
    far = pairwise.wilcoxon(d, np.zeros_like(d)).pvalue
    monkeypatch.setattr(signed_rank_null, "MOST_COUNTED", np.inf)
    np.testing.assert_allclose(far, pairwise.wilcoxon(d, np.zeros_like(d)).pvalue, rtol=1e-10)
    assert far.max() < 1e-30


def test_the_integral_on_every_sum_of_a_small_sample():
    ranks = np.array([2, 3, 3, 7, 7, 9, 12])
    signs = (np.arange(2**7)[:, None] >> np.arange(7)) & 1
    sums = signs @ ranks
    for w in range(1, int(ranks.sum()) // 2 + 1):
        below, point = lower_tails(ranks[None], np.array([w]))
        assert below[0] == pytest.approx((sums <= w).mean(), abs=1e-9)
        assert point[0] == pytest.approx((sums == w).mean(), abs=1e-9)


def test_sides_of_wilcoxon_are_those_asked_one_by_one():
    one, two = np.random.default_rng(3).normal(size=(2, 4, 15)).round(1)
    for each in wilcoxon_sides(one, two):
        alone = pairwise.wilcoxon(one, two, alternative=each.alternative)
        np.testing.assert_array_equal(each.pvalue, alone.pvalue)
        np.testing.assert_array_equal(each.statistic, alone.statistic)


@pytest.mark.parametrize("n", [1, 7, 30, 31, 62])
def test_lanes_count_as_arrays_do(n):
    ranks = np.random.default_rng(n).integers(1, 2 * n + 1, size=n)
    for upto in (0, int(ranks.sum()) // 3, int(ranks.sum())):
        np.testing.assert_array_equal(_counted_in_lanes(ranks, upto), _counted_in_arrays(ranks, upto))


def test_a_pair_has_the_same_chances_alone_and_among_others():
    losses = np.random.default_rng(2).normal(size=(4, 20))
    together = bayes.signed_rank(losses[:3], losses[3], rope=0.1, samples=2_000, rng=1).probabilities
    alone = [bayes.signed_rank(row, losses[3], rope=0.1, samples=2_000, rng=1).probabilities for row in losses[:3]]
    np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize("digits", [2, 3])
def test_tails_are_the_same_counted_out_or_by_integrals(monkeypatch, digits):
    rng = np.random.default_rng(digits)
    difference = (rng.normal(0.1, 0.5, (40, 180)) * 10**digits).round() / 10**digits
    difference = np.concatenate([difference, difference[:10], -difference[:5]])  # equal patterns, equal sums
    ways = []
    for longest in (0, 1_000):
        monkeypatch.setattr(signed_ranks, "COUNTED_UP_TO", longest)
        monkeypatch.setattr(signed_ranks, "LINES", 0.0)
        ways.append(signed_ranks.signed_rank_sides(difference, np.full((55, 1), 1e-9), lambda p: p <= 1))
    assert not np.array_equal(*ways)  # two ways indeed
    np.testing.assert_allclose(*ways, rtol=1e-11)


def test_no_tail_is_found_exactly_on_a_greedy_path(monkeypatch):
    """Paths rank the data sets by the normal form, however small p is: nothing is decided on them."""
    exactly = []
    known = signed_ranks._find_exactly
    monkeypatch.setattr(signed_ranks, "_find_exactly", lambda *all_of: (exactly.append(len(all_of[4])), known(*all_of)))
    rng = np.random.default_rng(0)
    losses = rng.normal(0, 0.05, (2, 120)).round(3)
    losses[1] += 0.055  # p is about 1e-9
    assert evidence_paths(losses, all_pairs(2, "wilcoxon"), 0, 2).shape == (2, 2)
    assert sum(exactly) == 0


def test_compiled_counts_are_those_of_numpy(monkeypatch):
    pytest.importorskip("numba")
    rng = np.random.default_rng(8)
    difference = np.round(rng.normal(0.3, 1.0, size=(40, 70)), 1)
    monkeypatch.setattr(signed_rank_null, "MOST_COUNTED", 0.0)
    plain = pairwise.wilcoxon(difference, np.zeros_like(difference))
    monkeypatch.setattr(signed_rank_null, "_MANY", 0)
    monkeypatch.delenv("BESTOFK_KERNELS", raising=False)
    compiled = pairwise.wilcoxon(difference, np.zeros_like(difference))
    np.testing.assert_allclose(compiled.pvalue, plain.pvalue, rtol=1e-12)
    assert not np.array_equal(plain.n, np.full(40, 70)), "equal pairs take part"
