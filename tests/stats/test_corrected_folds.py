"""t tests of folds that overlap, by their formulas."""

import numpy as np
import pytest
import scipy.stats

from bestofk.stats.pairwise import corrected_t, repeated_cv_t

SIDES = {"two-sided": lambda t, df: 2 * scipy.stats.t.sf(abs(t), df), "greater": scipy.stats.t.sf,
         "less": scipy.stats.t.cdf}  # fmt: skip


def folds(seed, *shape):
    rng = np.random.default_rng(seed)
    return 0.3 + 0.05 * rng.normal(size=shape), 0.27 + 0.05 * rng.normal(size=shape)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("shape", [(1, 10), (10, 10), (3, 4), (5, 2), (2, 2)])
def test_repeated_folds(shape, side):
    """The mean over √((1/F + 1/(F − 1))·S²), S² of all R·F differences, with R(F − 1) degrees of freedom."""
    first, second = folds(1, *shape)
    replications, nfolds = shape
    gap = first - second
    error = np.sqrt((1 / nfolds + 1 / (nfolds - 1)) * gap.var(ddof=1))
    t, df = gap.mean() / error, replications * (nfolds - 1)
    found = repeated_cv_t(first, second, alternative=side)
    assert (found.statistic, found.df[0], found.pvalue) == pytest.approx((t, df, SIDES[side](t, df)))
    if side == "two-sided":
        ends = scipy.stats.t.interval(0.9, df, gap.mean(), error)
        interval = found.confidence_interval(0.9)
        assert (interval.low, interval.high) == pytest.approx(ends)


@pytest.mark.parametrize(("splits", "share"), [(30, 0.1), (100, 0.3), (10, 0.1), (4, 0.1), (6, 0.5)])
def test_random_splits_are_a_replication_where_they_test_all_rows_once(splits, share):
    first, second = folds(2, splits)
    gap, once = first - second, min(splits, 1 / share)
    t = gap.mean() / np.sqrt((1 / once + share / (1 - share)) * gap.var(ddof=1))
    df = splits - splits / once
    found = repeated_cv_t(first, second, test_fraction=share)
    assert (found.statistic, found.df[0], found.pvalue) == pytest.approx((t, df, 2 * scipy.stats.t.sf(abs(t), df)))
    by_sizes = repeated_cv_t(first, second, n_train=1000 * (1 - share), n_test=1000 * share)
    assert by_sizes.pvalue == pytest.approx(found.pvalue)


@pytest.mark.parametrize("shape", [(1, 10), (10, 10), (5, 2)])
def test_one_replication_is_the_corrected_t_test_and_more_are_more_cautious(shape):
    first, second = folds(3, *shape)
    gap, values = first - second, shape[0] * shape[1]
    t = gap.mean() / np.sqrt((1 / values + 1 / (shape[1] - 1)) * gap.var(ddof=1))
    corrected, repeated = corrected_t(first, second), repeated_cv_t(first, second)
    assert corrected.pvalue == pytest.approx(2 * scipy.stats.t.sf(abs(t), values - 1))
    if shape[0] == 1:
        assert (repeated.statistic, *repeated.df) == pytest.approx((corrected.statistic, *corrected.df))
    else:
        assert repeated.pvalue > corrected.pvalue
