"""Exact tails of Wilcoxon's test with ties, by the integral, against sums of signs that are counted out."""

from __future__ import annotations

import numpy as np
import pytest

from bestofk.stats.pairwise import signed_rank_contour, wilcoxon
from bestofk.stats.pairwise.signed_rank_contour import lower_tails
from bestofk.stats.pairwise.signed_rank_null import lower_chances, signed_rank_tails
from bestofk.stats.ranks import average_ranks


def samples(n, digits, shift, rows, seed=0):
    """Doubled ranks of rounded differences, and the smaller of the sums of the two signs."""
    d = (np.random.default_rng(seed).normal(size=(rows, n)) + shift).round(digits)
    zeros = d == 0
    ranks = np.where(zeros, 0.0, average_ranks(np.abs(d)) - zeros.sum(axis=-1, keepdims=True))
    doubled = np.rint(2.0 * ranks).astype(np.int64)
    above = np.where(d > 0, doubled, 0).sum(axis=-1)
    return doubled, np.minimum(above, doubled.sum(axis=-1) - above)


def counted(doubled, smaller):
    chances = [lower_chances(row[row > 0], int(w)) for row, w in zip(doubled, smaller, strict=True)]
    return np.array([chance.sum() for chance in chances]), np.array([chance[-1] for chance in chances])


# Small and large samples, from hardly any ties to a handful of ranks, in the middle and far out (p down to 1e-33).
CASES = [
    (35, 1, 0.2, 8),
    (60, 0, 0.1, 20),
    (60, 1, 0.1, 8),
    (90, 3, 0.0, 4),
    (120, 0, 0.2, 8),
    (200, 2, 0.3, 8),
    (200, 3, 0.9, 2),
    (300, 0, 0.5, 4),
    (320, 3, 0.05, 4),
    (500, 1, 0.1, 2),
    (500, 2, 0.2, 3),
    (500, 4, 0.0, 3),
    (500, 4, 0.2, 3),
]


@pytest.mark.parametrize(("n", "digits", "shift", "rows"), CASES)
def test_the_integral_has_the_digits_of_counting_out(n, digits, shift, rows):
    doubled, smaller = samples(n, digits, shift, rows, seed=n + digits)
    below, point = lower_tails(doubled, smaller)
    exact_below, exact_point = counted(doubled, smaller)
    np.testing.assert_allclose(below, exact_below, rtol=1e-12)
    np.testing.assert_allclose(point, exact_point, rtol=1e-12, atol=1e-14 * exact_below.min())


def test_few_ranks_that_share_a_divisor_leave_sums_out():
    doubled = np.array([[6] * 40 + [9] * 30 + [0] * 10, [4] * 40 + [10] * 40])
    smaller = np.array([150, 200])
    np.testing.assert_allclose(lower_tails(doubled, smaller), counted(doubled, smaller), rtol=1e-12)


def test_rows_together_are_rows_alone():
    doubled, smaller = samples(220, 2, 0.1, 12)
    together = lower_tails(doubled, smaller)
    alone = [lower_tails(doubled[i : i + 1], smaller[i : i + 1]) for i in range(len(doubled))]
    np.testing.assert_allclose(together, np.array(alone)[:, :, 0].T, rtol=1e-12)


def test_rows_alone_and_together_take_both_ways_far_from_zero(monkeypatch):
    doubled, smaller = samples(240, 1, 0.1, 6)
    exact = counted(doubled, smaller)
    for call in (0.0, np.inf):  # a call costs nothing: each row by itself; it costs all: together
        monkeypatch.setattr(signed_rank_contour, "_CALL", call)
        np.testing.assert_allclose(lower_tails(doubled, smaller), exact, rtol=1e-12)


def test_nothing_takes_part_and_the_smallest_sum():
    doubled = np.array([[0, 0, 0, 0, 0, 0], [2, 4, 6, 9, 9, 12]])
    below, point = lower_tails(doubled, np.array([0, 0]))
    assert below.tolist() == pytest.approx([1.0, 2.0**-6], rel=1e-12)
    assert point.tolist() == pytest.approx([1.0, 2.0**-6], rel=1e-12)


def test_every_sum_of_a_small_sample():
    ranks = np.array([2, 3, 3, 7, 7, 9, 12])
    sums = ((np.arange(2**7)[:, None] >> np.arange(7)) & 1) @ ranks
    w = np.arange(int(ranks.sum()) // 2 + 1)
    below, point = lower_tails(np.tile(ranks, (len(w), 1)), w)
    np.testing.assert_allclose(below, [(sums <= each).mean() for each in w], rtol=1e-11)
    np.testing.assert_allclose(point, [(sums == each).mean() for each in w], atol=1e-13)


def test_many_samples_are_exact_to_the_last_pair(monkeypatch):
    """All pairs of a table with ties: a batch that is integrated, of which some pairs are counted out."""
    losses = np.random.default_rng(4).normal(size=(8, 260)).round(2)
    first, second = np.triu_indices(8, 1)
    asked = []
    integral = signed_rank_contour.lower_tails
    monkeypatch.setattr(
        "bestofk.stats.pairwise.signed_rank_null.lower_tails", lambda *a: asked.append(len(a[0])) or integral(*a)
    )
    pvalue = wilcoxon(losses[first], losses[second]).pvalue
    assert asked == [28]
    for i in range(0, 28, 9):
        d = (losses[first[i]] - losses[second[i]]).round(12)
        kept = d[d != 0]
        ranks = average_ranks(np.abs(kept))
        tails = signed_rank_tails(ranks, np.array(ranks[kept > 0].sum()))  # one sample is counted out
        assert pvalue[i] == pytest.approx(min(1.0, 2.0 * min(map(float, tails))), rel=1e-12)
