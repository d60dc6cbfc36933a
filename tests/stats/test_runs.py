"""Independent runs of two learners: Welch's t test, its permutation form, and data sets taken as they are."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats as scipy_stats

import bestofk as bk
from bestofk.stats.pairwise.corrected_t import corrected_t
from bestofk.stats.pairwise.stratified_t import stratified_t
from bestofk.stats.pairwise.welch import welch_from, welch_permutation, welch_t

SIDES = ("two-sided", "greater", "less")


def runs(seed, first, second, gap=0.0, spread=1.0):
    random = np.random.default_rng(seed)
    return gap + spread * random.normal(size=first), random.normal(size=second)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("sizes", [(2, 2), (3, 8), (20, 5)])
def test_welch_t_is_that_of_scipy(sizes, side):
    one, two = runs(1, *sizes, gap=0.7, spread=3.0)
    ours, theirs = (
        welch_t(one, two, alternative=side),
        scipy_stats.ttest_ind(one, two, equal_var=False, alternative=side),
    )
    assert (ours.statistic, ours.pvalue) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-12)
    between = theirs.confidence_interval(0.9)
    assert ours.confidence_interval(0.9).low == pytest.approx(between.low)
    assert ours.confidence_interval(0.9).high == pytest.approx(between.high)


@pytest.mark.parametrize("side", SIDES)
def test_welch_from_moments_is_that_of_scipy(side):
    rng = np.random.default_rng(6)
    means, spreads = rng.normal(size=(2, 3, 5)), rng.uniform(0.1, 3.0, (2, 3, 5))
    sizes = rng.integers(2, 30, (2, 3, 5))
    ours = welch_from(means, np.square(spreads), sizes, alternative=side)
    theirs = scipy_stats.ttest_ind_from_stats(
        means[0], spreads[0], sizes[0], means[1], spreads[1], sizes[1], equal_var=False, alternative=side
    )
    np.testing.assert_allclose(ours.statistic, theirs.statistic, rtol=1e-12)
    np.testing.assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-9)
    np.testing.assert_allclose(ours.estimate, means[0] - means[1])
    one, two = runs(7, 4, 9)
    moments = [(moment(one), moment(two)) for moment in (np.mean, lambda x: x.var(ddof=1), len)]
    assert welch_from(*moments).pvalue == pytest.approx(welch_t(one, two).pvalue, rel=1e-12)


@pytest.mark.parametrize("side", SIDES)
def test_every_dealing_is_counted(side):
    one, two = runs(2, 4, 5, gap=1.0, spread=2.0)
    pool, every = np.concatenate([one, two]), []
    for chosen in combinations(range(9), 4):
        first = np.isin(np.arange(9), chosen)
        every.append(scipy_stats.ttest_ind(pool[first], pool[~first], equal_var=False).statistic)
    towards = {"two-sided": np.abs, "greater": np.asarray, "less": np.negative}[side]
    share = np.mean(towards(np.array(every)) >= towards(every[0]) - 1e-9)
    found = welch_permutation(one, two, alternative=side)
    assert found.exact
    assert found.pvalue == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("unit", [1.0, 0.1, 1e-5])
@pytest.mark.parametrize("apart", [0, 3, 10**4, 10**7])
@pytest.mark.parametrize("whole", [([0, 0, 0], [0, 0, 0]), ([0, 1, 2], [0, 1, 3]), ([0, 0, 1, 2], [1, 1, 0, 0])])
def test_runs_far_apart_are_counted_exactly(whole, apart, unit):
    """Of equal numbers of runs the dealings go by the difference of sums, here of whole numbers: ties are exact."""
    one, two = whole[0], [each + apart for each in whole[1]]
    pool = one + two
    gaps = [abs(2 * sum(pool[i] for i in chosen) - sum(pool)) for chosen in combinations(range(len(pool)), len(one))]
    found = welch_permutation(unit * np.array(one), unit * np.array(two))
    assert found.pvalue == pytest.approx(np.mean(np.array(gaps) >= gaps[0]))
    for level in (0.85, 0.95, 0.985):
        interval = found.confidence_interval(level)
        assert (found.pvalue <= (1 - level) * (1 + 1e-9)) == (not interval.low <= 0 <= interval.high)


def test_drawn_dealings_are_near_the_exact_share():
    one, two = runs(3, 7, 8, gap=1.0)
    theirs = scipy_stats.permutation_test(
        (one, two),
        lambda x, y, axis: scipy_stats.ttest_ind(x, y, axis=axis, equal_var=False).statistic,
        vectorized=True,
        n_resamples=np.inf,
        alternative="greater",
    )
    assert welch_permutation(one, two, alternative="greater").pvalue == pytest.approx(theirs.pvalue, abs=1e-12)
    many = runs(3, 12, 12, gap=1.0)
    drawn = [welch_permutation(*many, shuffles=4_999, rng=seed).pvalue for seed in range(3)]
    assert max(drawn) - min(drawn) < 0.02
    assert drawn[0] == welch_permutation(*many, shuffles=4_999, rng=0).pvalue


@pytest.mark.parametrize("test", [welch_t, welch_permutation])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_interval_excludes_0_where_the_test_rejects(test, level):
    for seed in range(60):
        one, two = runs(seed, 3 + seed % 5, 4, gap=seed / 20)
        found = test(one, two)
        interval = found.confidence_interval(level)
        assert (found.pvalue <= (1 - level) * (1 + 1e-9)) == (not interval.low <= 0 <= interval.high)


def share_of_dealings(one, two, side):
    """P by every dealing, with scipy's t."""
    pool, every = np.concatenate([one, two]), list(combinations(range(len(one) + len(two)), len(one)))
    first = np.zeros((len(every), len(pool)), dtype=bool)
    np.put_along_axis(first, np.array(every), True, axis=1)
    dealt = [np.stack([pool[row] for row in rows]) for rows in (first, ~first)]
    towards = {"two-sided": np.abs, "greater": np.asarray, "less": np.negative}[side]
    t = towards(scipy_stats.ttest_ind(*dealt, axis=1, equal_var=False).statistic)
    return np.mean(t >= t[0] * (1 - 1e-9) - 1e-12)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("sizes", [(4, 4), (5, 5), (3, 7)])
def test_the_ends_are_where_dealings_of_moved_runs_begin_to_reject(sizes, side):
    one, two = runs(9, *sizes, gap=1.0, spread=4.0)
    found = welch_permutation(one, two, alternative=side)
    for level in (0.8, 0.9, 0.95, 0.995):
        interval, alpha = found.confidence_interval(level), 1 - level + 1e-9
        assert interval.low <= found.estimate <= interval.high
        for end, out in ((interval.low, -1e-6), (interval.high, 1e-6)):
            if np.isinf(end):
                lost = (side == "greater" and out > 0) or (side == "less" and out < 0)
                assert lost or share_of_dealings(one + np.sign(-out) * 1e5, two, side) > alpha
            else:
                assert share_of_dealings(one - (end - out), two, side) > alpha
                assert share_of_dealings(one - (end + out), two, side) <= alpha


def test_batches_of_drawn_dealings_have_an_interval_each():
    random = np.random.default_rng(10)
    one, two = 3.0 + random.normal(size=(3, 9)), random.normal(size=(3, 9))
    levels = np.array([0.9, 0.95, 0.99])
    together = welch_permutation(one, two, rng=1).confidence_interval(levels)
    for i, level in enumerate(levels):
        alone = welch_permutation(one[i], two[i], rng=1).confidence_interval(level)
        assert (together.low[i], together.high[i]) == pytest.approx((alone.low, alone.high))
        turned = welch_permutation(two[i], one[i], rng=1).confidence_interval(level)
        assert (-turned.high, -turned.low) == pytest.approx((alone.low, alone.high), rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("spread", [1.0, 3.0])
def test_intervals_of_dealings_hold_the_truth_as_often_as_the_test_does_not_reject(spread):
    random = np.random.default_rng(11)
    one, two = spread * random.normal(size=(1_500, 5)), random.normal(size=(1_500, 5))
    interval = welch_permutation(one, two).confidence_interval(0.95)
    moved = welch_permutation(one + 7.0, two).confidence_interval(0.95)
    held = [np.mean((each.low <= at) & (each.high >= at)) for each, at in ((interval, 0.0), (moved, 7.0))]
    assert held[0] == held[1]
    assert held[0] > (0.94 if spread == 1.0 else 0.91)  # with unequal spread the test rejects 7 % of equal learners


def test_constant_runs_have_an_interval_of_one_number():
    for apart in (0.0, 1.0):
        interval = welch_permutation(np.full(5, 2.0 + apart), np.full(5, 2.0)).confidence_interval(0.95)
        assert (interval.low, interval.high) == pytest.approx((apart, apart), abs=1e-6)


def test_levels_may_differ_within_a_batch():
    batch = np.random.default_rng(0).normal(size=(2, 3, 6))
    found = welch_t(*batch)
    levels = np.array([0.9, 0.95, 0.99])
    assert found.confidence_interval(levels).low.tolist() == [
        welch_t(*batch[:, i]).confidence_interval(level).low for i, level in enumerate(levels)
    ]


def test_runs_that_do_not_vary():
    assert welch_t([1, 1, 1], [1, 1]).pvalue == 1.0
    assert welch_t([2, 2, 2], [1, 1]).statistic == np.inf
    assert welch_permutation([2, 2, 2], [1, 1, 1]).pvalue == pytest.approx(0.1)  # 2 of 20 dealings


def test_one_run_is_refused():
    with pytest.raises(bk.InputError, match="1 run"):
        welch_t([0.3], [0.2, 0.1])


def test_strata_are_one_t_test_when_there_is_one_spread():
    one, two = np.random.default_rng(4).normal(size=(2, 5, 8))
    strata = welch_t(one, two)
    found = stratified_t(strata)
    assert found.estimate == pytest.approx(one.mean() - two.mean())
    assert found.standard_error == pytest.approx(np.sqrt(np.square(strata.standard_error).sum()) / 5)
    with pytest.raises(bk.InputError):
        stratified_t(welch_t(one[0], two[0]))


def test_rounding_on_every_data_set_is_no_effect():
    one = np.repeat([[0.1 + 0.2], [0.7 + 0.1], [0.3 + 0.6]], 5, axis=1)
    two = np.repeat([[0.3], [0.8], [0.9]], 5, axis=1)
    assert (one != two).all()
    found = stratified_t(corrected_t(one[:, None], two[:, None]))
    assert (found.pvalue, found.estimate, found.statistic) == (1.0, 0.0, 0.0)
    assert stratified_t(welch_t(one, two)).pvalue == 1.0
    apart = stratified_t(welch_t(one + np.array([[0.1], [-0.3], [0.2]]), two))  # three effects that cancel
    assert (apart.pvalue, apart.estimate) == (1.0, 0.0)
    assert stratified_t(welch_t(one + 1e-6, two)).pvalue == 0.0


def test_a_unit_that_is_estimated_adds_to_the_error():
    one, two = np.random.default_rng(6).normal(size=(2, 3, 5)) + np.array([[[3.0], [-2.0], [0.0]], [[0.0]] * 3])
    strata, units = welch_t(one, two), np.array([8.0, 12.0, np.inf])
    found = stratified_t(strata, divisor_df=units)
    parts = np.square(strata.standard_error), np.square(strata.estimate) / (2 * units)
    total = parts[0].sum() + parts[1].sum()
    assert found.standard_error == pytest.approx(np.sqrt(total) / 3)
    spread = (parts[0] ** 2 / strata.df[0]).sum() + (parts[1][:2] ** 2 / units[:2]).sum()
    assert found.df[0] == pytest.approx(total**2 / spread)
    assert stratified_t(strata, divisor_df=np.full(3, np.inf)).pvalue == stratified_t(strata).pvalue


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [3, 5, 10])
def test_size_of_the_stratified_test(seeds):
    random = np.random.default_rng(5)
    rate = stratified_t(welch_t(*random.normal(size=(2, 20_000, 5, seeds)))).rejects().mean()
    assert 0.03 < rate < 0.055


@pytest.mark.slow
@pytest.mark.parametrize(("tasks", "seeds", "apart"), [(5, 3, 1.0), (5, 5, 3.0), (8, 10, 5.0), (5, 30, 5.0)])
def test_size_of_the_stratified_test_in_units_of_the_spread(tasks, seeds, apart):
    """Learners differ on every task, and their mean over tasks is equal; without the unit's error 0.17 to 0.44."""
    random = np.random.default_rng(7)
    own = random.normal(size=(2, 5_000, tasks, 1))
    runs = apart * (own - own.mean(axis=2, keepdims=True)) + random.normal(size=(2, 5_000, tasks, seeds))
    strata, df = welch_t(*(runs / np.sqrt(runs.var(axis=-1, ddof=1).mean(axis=0))[..., None])), 2 * (seeds - 1)
    assert stratified_t(strata, divisor_df=np.full(tasks, df)).rejects().mean() < 0.06
