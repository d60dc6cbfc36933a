"""What no other program gives, written out from its definition with scipy's distributions."""

import itertools

import numpy as np
import pytest
from scipy import stats as reference

from bestofk import stats
from bestofk.stats import distributions, studentized_range
from makers import slow

RNG = np.random.default_rng(12)


@pytest.fixture(autouse=True)
def _same_data_whatever_ran_before():
    RNG.bit_generator.state = np.random.default_rng(13).bit_generator.state


DIFFERENCES = RNG.normal(0.02, 0.05, size=(4, 3))
SECOND = RNG.random((4, 3))
FIRST = SECOND + DIFFERENCES

SAMPLES = {
    "all": DIFFERENCES.ravel(),
    "runs": DIFFERENCES.mean(axis=0),
    "folds": DIFFERENCES.mean(axis=1),
    "sorted-runs": np.sort(DIFFERENCES, axis=1).mean(axis=0),
}


@pytest.mark.parametrize("scheme", SAMPLES)
def test_calibrated_t_schemes(scheme):
    sample = SAMPLES[scheme]
    t = sample.mean() / np.sqrt(sample.var(ddof=1) / (7 + 1))
    result = stats.pairwise.calibrated_t(FIRST, SECOND, df=7, scheme=scheme)
    assert result.statistic == pytest.approx(t, rel=1e-9)
    assert result.pvalue == pytest.approx(2 * reference.t.sf(abs(t), 7), rel=1e-9)


@pytest.mark.parametrize(("n01", "n10"), [(12, 5), (5, 12), (1, 0), (0, 9)])
def test_one_sided_corrected_mcnemar_is_the_signed_root(n01, n10):
    root = np.sign(n01 - n10) * (abs(n01 - n10) - 1) / np.sqrt(n01 + n10)
    greater = stats.pairwise.mcnemar(n01, n10, alternative="greater")
    less = stats.pairwise.mcnemar(n01, n10, alternative="less")
    assert greater.pvalue == pytest.approx(reference.norm.sf(root), rel=1e-12)
    assert less.pvalue == pytest.approx(reference.norm.cdf(root), rel=1e-12)


@pytest.mark.parametrize("zeros", ["drop", "pratt", "split"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_exact_wilcoxon_by_all_signs(zeros, alternative):
    """With zeros and ties: every sign pattern of the non-zero ranks is equally likely."""
    d = np.array([0.0, 3.0, -1.0, 0.0, 2.0, 2.0, -4.0, 5.0, 0.0, 1.0])
    size = np.abs(d)
    kept = np.ones(len(d), dtype=bool)
    if zeros == "drop":
        kept = d != 0
    elif zeros == "split":
        kept[np.flatnonzero(d == 0)[0]] = False  # three zeros: an odd one goes
    ranks = np.zeros(len(d))
    ranks[kept] = reference.rankdata(size[kept])
    shared = ranks[(d == 0) & kept].sum() / 2 if zeros == "split" else 0.0
    live = ranks[d != 0]
    observed = ranks[d > 0].sum() + shared
    sums = np.array([live[list(signs)].sum() for signs in itertools.product([False, True], repeat=len(live))]) + shared
    upper, lower = np.mean(sums >= observed - 1e-9), np.mean(sums <= observed + 1e-9)
    expected = {"two-sided": min(1.0, 2 * min(upper, lower)), "greater": upper, "less": lower}[alternative]
    result = stats.pairwise.wilcoxon(d, np.zeros(len(d)), zeros=zeros, method="exact", alternative=alternative)
    assert result.statistic == pytest.approx(observed)
    assert result.pvalue == pytest.approx(expected, rel=1e-12)


def test_bonferroni_dunn():
    losses = RNG.random((9, 4)) + np.array([0.0, 0.3, 0.6, 0.9])
    result = stats.omnibus.nemenyi(losses, control=1, alpha=0.1)
    assert ((result.pvalue < 1).sum()) >= 2
    ranks = reference.rankdata(losses, axis=1).mean(axis=0)
    error = np.sqrt(4 * 5 / (6 * 9))
    z = (ranks - ranks[1]) / error
    assert result.pvalue == pytest.approx(np.minimum(1, 3 * 2 * reference.norm.sf(np.abs(z))), rel=1e-9)
    assert result.critical_difference == pytest.approx(reference.norm.isf(0.1 / 6) * error, rel=1e-9)
    named = stats.omnibus.nemenyi(dict(zip("abcd", losses.T, strict=True)), control="b", alpha=0.1)
    assert named.pvalue == pytest.approx(result.pvalue)


def by_definition(losses, level):
    """Ranges of a step-down test, one at a time; ``level`` is the alpha of a range of P means."""
    k, n = losses.shape
    means = losses.mean(axis=1)
    order = np.argsort(means)
    error = np.square(losses - means[:, None]).sum() / (k * (n - 1))
    accepted = []
    for size in range(k, 1, -1):
        for i in range(k - size + 1):
            j = i + size - 1
            if any(a <= i and j <= b for a, b in accepted):
                continue
            q = (means[order[j]] - means[order[i]]) * np.sqrt(n / error)
            if q < reference.studentized_range.isf(level(size), size, k * (n - 1)):
                accepted.append((i, j))
    return tuple(sorted(tuple(order[a : b + 1].tolist()) for a, b in accepted))


@pytest.mark.parametrize("seed", slow(0, 1, 2))
def test_range_tests_step_down(seed):
    losses = np.random.default_rng(seed).normal(size=(5, 6)) + np.array([0, 0.4, 0.9, 1.6, 2.4])[:, None]
    newman = by_definition(losses, lambda size: 0.05)
    duncan = by_definition(losses, lambda size: 1 - 0.95 ** (size - 1))
    assert tuple(sorted(stats.omnibus.newman_keuls(losses).ranges)) == newman
    assert tuple(sorted(stats.omnibus.duncan(losses).ranges)) == duncan


def test_steps_of_newman_keuls():
    losses = np.array([[0.30, 0.31, 0.33], [0.21, 0.22, 0.20], [0.22, 0.21, 0.24]])
    steps = stats.omnibus.newman_keuls(losses).steps
    assert [step.members for step in steps] == [(1, 2, 0), (1, 2), (2, 0)]
    assert [step.rejected for step in steps] == [True, False, True]
    assert steps[1].critical == pytest.approx(reference.studentized_range.isf(0.05, 2, 6), rel=1e-9)
    assert steps[0].critical == pytest.approx(reference.studentized_range.isf(0.05, 3, 6), rel=1e-9)
    alike = stats.omnibus.newman_keuls(losses[1:])
    assert [step.members for step in alike.steps] == [(0, 1)]  # accepted: nothing inside is tested


def test_a_measure_that_always_differs_is_certain():
    """A bare pseudo-inverse would give T² = 0 here."""
    first, second = RNG.random((2, 8, 2))
    first[:, 1] = second[:, 1] + 0.25
    result = stats.multivariate.hotelling(first, second)
    assert result.statistic == np.inf
    assert result.pvalue == 0.0
    assert np.abs(result.direction[0]) < 1e-9 * np.abs(result.direction[1])
    same = second.copy()
    same[:, 0] = first[:, 0]
    alone = stats.multivariate.hotelling(same, second)  # the second measure is equal: only the first counts
    t = reference.ttest_rel(same[:, 0], second[:, 0])
    assert alone.rank == 1
    assert alone.pvalue == pytest.approx(t.pvalue, rel=1e-9)


def test_manova_that_separates_without_error():
    values = np.repeat(np.arange(3.0)[:, None, None], 6, axis=1) * np.ones((1, 1, 2))
    values[..., 1] = RNG.random((3, 6))
    result = stats.multivariate.manova(values)
    assert result.statistic == 0.0
    assert result.pvalue == 0.0
    assert result.collinear
    for criterion in (result.pillai, result.hotelling_lawley, result.roy):
        assert 0.0 <= criterion.pvalue <= 0.05
    nothing = stats.multivariate.manova(np.ones((3, 6, 2)))
    assert nothing.pvalue == 1.0
    assert nothing.statistic == 1.0


def test_probability_of_correct_selection_for_two():
    """Two classifiers: the chance that the better one wins more than half of the items is binomial."""
    posteriors = np.zeros((21, 2))
    posteriors[:14, 0] = posteriors[14:, 1] = 0.9
    result = stats.selection.multinomial_selection(posteriors, samples=400_000)
    exact = reference.binom.sf(10, 21, 14 / 21)
    assert result.probability_correct == pytest.approx(exact, abs=4 * 0.5 / np.sqrt(400_000))
    assert result.best == 0


def test_hull_slopes_say_for_which_costs():
    hull = stats.roc.convex_hull([[0.1, 0.6], [0.4, 0.9], [0.5, 0.5]])
    assert hull.members == (0, 1)
    assert hull.slopes[0] == pytest.approx((1.0, 6.0))
    assert hull.slopes[1] == pytest.approx((0.1 / 0.6, 1.0))
    for slope in (0.5, 2.0):  # least expected cost at slope s: largest tpr − s·fpr
        gains = [tpr - slope * fpr for fpr, tpr in hull.vertices]
        best = tuple(hull.vertices[int(np.argmax(gains))])
        member = next(i for i, (low, high) in enumerate(hull.slopes) if low <= slope <= high)
        assert best == tuple([(0.1, 0.6), (0.4, 0.9)][member])


def test_incremental_hull_is_the_hull():
    points = RNG.random((40, 2))
    hull = stats.roc.ConvexHull()
    for fpr, tpr in points:
        hull.add(fpr, tpr)
    whole = stats.roc.convex_hull(points[::-1])
    assert hull.result().vertices == pytest.approx(whole.vertices)
    for always in ((0.0, 0.0), (1.0, 1.0)):
        assert stats.roc.convex_hull([always]).members == (0,)
    assert stats.roc.convex_hull([[0.0, 1.0]]).vertices.tolist() == [[0, 0], [0, 1], [1, 1]]
    assert stats.roc.convex_hull([[1.0, 0.0]]).vertices.tolist() == [[0, 0], [1, 1]]
    assert stats.roc.convex_hull([[0.0, 0.5], [1.0, 1.0]]).members == (0, 1)


def test_modifications_use_the_original_values():
    curve = np.array([0.1, 0.4, 0.5, 0.9])
    r = 0.8
    assert stats.curves.modify(curve, "a", 2) == pytest.approx(curve + 2 * r / 80)
    assert stats.curves.modify(curve, "b", 2) == pytest.approx(curve + 2 * r / 100 * np.array([2, 1, -1, -2]))
    assert stats.curves.modify(curve, "c", 2) == pytest.approx(curve + 2 / 100 * (curve - 0.1) * np.arange(4))
    assert stats.curves.modify(curve, "d", 2) == pytest.approx(curve + 2 * r / 100 * np.array([0, 1, 1, 0]))
    assert stats.curves.modify(curve, "b", 5).mean() == pytest.approx(curve.mean())  # k is even


@pytest.mark.parametrize("df", [1, 2, 5, 9, 10, 29, 30, 31, 2.5, 99])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_t_tail_is_scipys_from_the_middle_to_the_far_end(df, alternative):
    t = np.concatenate([np.linspace(-40, 40, 2001), [0.0, 1e10, -1e10, np.inf, -np.inf]])
    expected = {
        "two-sided": 2 * reference.t.sf(np.abs(t), df),
        "greater": reference.t.sf(t, df),
        "less": reference.t.cdf(t, df),
    }[alternative]
    assert distributions.t_tail(t, df, alternative) == pytest.approx(expected, rel=1e-11, abs=1e-300)


def test_t_tail_near_zero_keeps_what_scipy_rounds_away():
    """Cauchy's p value is 1 − 2·atan(t)/π; scipy 1.17 gives 1 at t = 1e-9."""
    assert distributions.t_tail(1e-9, 1, "two-sided") == pytest.approx(1 - 2 * np.arctan(1e-9) / np.pi, rel=1e-15)


@pytest.mark.parametrize("n", [10, 1001, 10**6, 10**12])
def test_exact_mcnemar_for_any_count(n):
    low = n // 2 - int(np.sqrt(n))
    result = stats.pairwise.mcnemar(low, n - low, method="exact")
    # Continuity-corrected normal: good to 1/n for large n, and the exact sum for small.
    expected = (
        2 * reference.binom.cdf(low, n, 0.5)
        if n < 10**5
        else 2 * reference.norm.cdf((low + 0.5 - n / 2) / np.sqrt(n / 4))
    )
    assert result.pvalue == pytest.approx(expected, rel=1e-9 if n < 10**5 else 1e-4)


def test_identical_curves_have_no_effect_at_all():
    curves = RNG.random((6, 5))
    result = stats.curves.randomized_anova(curves, curves, rng=0)
    assert result.f_alg == 0.0
    assert result.f_int == 0.0
    assert result.p_alg == 1.0


def test_what_counts_as_rounding():
    """A constant difference of 1e-10 of the data's scale is certain, one of 1e-13 is nothing."""
    base = RNG.random(8)
    shifted, equal = base + 1e-10, base * (1 + 1e-14) + 1e-14
    assert stats.pairwise.paired_t(shifted, base).statistic == np.inf
    assert stats.pairwise.paired_t(equal, base).pvalue == 1.0
    assert stats.pairwise.sign_test(equal, base).n == 0
    assert stats.pairwise.sign_test(shifted, base).n == 8
    assert stats.omnibus.anova([[0.2] * 3, [0.2 + 1e-9] * 3]).statistic == np.inf
    assert stats.omnibus.anova([[0.2] * 3, [0.2 + 1e-14] * 3]).statistic == 0.0
    assert (stats.omnibus.friedman([[0.3, 0.1 + 0.2, 0.5]] * 2).mean_ranks == [1.5, 1.5, 3]).all()


def test_wilcoxon_is_exact_by_default_up_to_500_values():
    first, second = RNG.random((2, 60))
    default, exact = (stats.pairwise.wilcoxon(first, second, method=m).pvalue for m in ("auto", "exact"))
    assert default == exact
    assert default == pytest.approx(reference.wilcoxon(first, second, method="exact").pvalue, rel=1e-9)
    many = RNG.random((2, 501))
    assert stats.pairwise.wilcoxon(*many).pvalue == stats.pairwise.wilcoxon(*many, method="normal").pvalue


def test_a_sampled_permutation_p_is_never_zero():
    first = np.arange(1.0, 31.0)
    result = stats.pairwise.permutation_t(first, np.zeros(30), shuffles=99, rng=0)
    assert not result.exact
    assert result.pvalue == pytest.approx(2 * 0.5**30)
    d = RNG.normal(0.3, 1.0, size=17)  # one more than is enumerated
    sampled = stats.pairwise.permutation_t(d, np.zeros(17), shuffles=50_000, rng=1)
    signs = 1 - 2 * ((np.arange(2**17)[:, None] >> np.arange(17)) & 1)
    exact = np.mean(np.abs(signs @ d) >= abs(d.sum()) - 1e-9)
    assert abs(sampled.pvalue - exact) < 4 * np.sqrt(exact / 50_000)


def test_mcnemar_estimates():
    assert stats.pairwise.mcnemar(9, 3).estimate == pytest.approx(0.5)
    assert stats.pairwise.mcnemar_from([1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 1, 0]).estimate == pytest.approx(0.25)


def test_sides_and_interval_of_delong():
    truth = np.array([0, 1] * 15)
    good, bad = truth + RNG.normal(0, 0.8, 30), RNG.normal(0, 1, 30)
    result = stats.roc.delong(truth, good, bad)
    assert result.auc_first > result.auc_second
    assert stats.roc.delong(truth, good, bad, alternative="greater").pvalue == pytest.approx(result.pvalue / 2)
    assert stats.roc.delong(truth, good, bad, alternative="less").pvalue == pytest.approx(1 - result.pvalue / 2)
    interval = result.confidence_interval(0.9)
    half = reference.norm.isf(0.05) * result.standard_error
    assert (interval.low, interval.high) == pytest.approx((result.estimate - half, result.estimate + half))


def test_delong_has_the_degrees_of_freedom_of_positives_and_negatives():
    truth = np.repeat([1, 0], [5, 40])
    one, two = RNG.normal(size=(2, 45)) + truth
    result, paper = (stats.roc.delong(truth, one, two, tail=tail) for tail in ("t", "normal"))
    above = [each[:5, None] > each[5:] for each in (one, two)]
    parts = [(above[0].mean(axis=axis) - above[1].mean(axis=axis)).var(ddof=1) / n for axis, n in ((1, 5), (0, 40))]
    assert result.df[0] == pytest.approx(sum(parts) ** 2 / (parts[0] ** 2 / 4 + parts[1] ** 2 / 39))
    assert result.pvalue == pytest.approx(2 * reference.t.sf(abs(result.statistic), result.df[0]))
    assert paper.pvalue == pytest.approx(2 * reference.norm.sf(abs(paper.statistic)))
    half = reference.norm.isf(0.025) * paper.standard_error
    assert paper.confidence_interval().high == pytest.approx(paper.estimate + half)
    certain = stats.roc.delong([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])
    assert (certain.statistic, certain.pvalue, certain.careful_pvalue) == (np.inf, 0.0, 0.25)  # of three signs


@pytest.mark.slow
@pytest.mark.parametrize(("positives", "negatives"), [(3, 100), (5, 50), (10, 90), (50, 50)])
def test_size_of_delong_with_few_positives(positives, negatives):
    """With the normal tail 0.11 with 3 positives, 0.07 with 5 and with 10."""
    truth, rng = np.repeat([1, 0], [positives, negatives]), np.random.default_rng(5)
    shared, *own = np.sqrt(0.5) * rng.normal(size=(3, 2_000, len(truth)))
    assert stats.roc.delong(truth, *(truth + shared + each for each in own), tail="t").rejects().mean() < 0.06


def test_a_corner_just_above_a_side_is_a_corner():
    assert stats.roc.convex_hull([[0.5, 0.5 + 1e-9]]).members == (0,)
    assert stats.roc.convex_hull([[0.5, 0.5 + 1e-13]]).members == ()


def test_conventional_p_values_beside_the_randomized_ones():
    sets = RNG.random((2, 7, 5))
    randomized, conventional = stats.curves.randomized_anova(*sets, rng=0), stats.curves.curve_anova(*sets)
    assert randomized.p_conventional_alg == pytest.approx(conventional.p_alg)
    assert randomized.p_conventional_int == pytest.approx(conventional.p_int)


def test_direction_solves_for_singular_covariance():
    first, second = RNG.random((2, 9, 3))
    first[:, 2], second[:, 2] = first[:, 0] - first[:, 1], second[:, 0] - second[:, 1]
    result = stats.multivariate.hotelling(first, second)
    covariance = np.cov((first - second).T)
    assert result.rank == 2
    assert covariance @ result.direction == pytest.approx((first - second).mean(axis=0), abs=1e-9)
    assert result.test == "hotelling"
    assert stats.multivariate.hotelling(first, second, unpaired=True).test == "hotelling-unpaired"


def test_a_tiny_constant_difference_beside_a_large_one_is_certain():
    first, second = RNG.random((2, 9, 2))
    first[:, 0] += 100.0
    first[:, 1] = second[:, 1] + 1e-4
    assert stats.multivariate.hotelling(first, second).pvalue == 0.0


def test_collinear_is_a_share_of_nine_tenths():
    values = RNG.random((60, 4, 8, 3)) + np.linspace(0, 1, 4)[:, None, None] * RNG.random((60, 1, 1, 3))
    result = stats.multivariate.manova(values)
    share = result.eigenvalues[:, 0] / result.eigenvalues.sum(axis=1)
    assert (result.collinear == (share > 0.9)).all()
    assert set(result.collinear) == {True, False}
    assert ((share > 0.8) & (share < 0.9)).any()


def test_hotelling_lawley_with_few_folds():
    """McKeon's F is near the truth from one degree of freedom on; where no F exists Wilks' p stands in."""
    null = stats.multivariate.manova(np.random.default_rng(0).normal(size=(20_000, 3, 3, 3))).hotelling_lawley  # n = 1
    for level in (0.1, 0.4, 0.7):  # McKeon's p against the simulated distribution of the trace
        assert np.mean(null.pvalue <= level) == pytest.approx(level, abs=0.05)
    scarce_values = RNG.random((3, 2, 3))  # ν_E = p = 3
    scarce = stats.multivariate.manova(scarce_values).hotelling_lawley
    whole = stats.multivariate.manova(scarce_values)
    assert scarce.pvalue == whole.pvalue  # no F of its own
    apart = scarce_values + 1e6 * np.arange(3)[:, None, None] * np.array([1.0, -1.0, 0.5])
    assert stats.multivariate.manova(apart).hotelling_lawley.pvalue < 1e-3


def test_huynh_feldt_without_enough_folds_corrects_nothing():
    result = stats.omnibus.repeated_anova(np.random.default_rng(3).random((4, 3)))
    assert 3 * result.epsilon_greenhouse_geisser >= 2 or result.epsilon_huynh_feldt <= 1
    spherical = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.3, 0.4, 0.2]])
    full = stats.omnibus.repeated_anova(spherical)
    assert (4 - 1) * full.epsilon_greenhouse_geisser < 3
    assert full.epsilon_huynh_feldt == 1.0
    assert full.pvalue_huynh_feldt == pytest.approx(full.pvalue)


def test_iman_davenport_close_to_agreement():
    losses = np.tile([0.1, 0.2, 0.3], (30, 1))
    losses[0] = [0.2, 0.1, 0.3]
    result = stats.omnibus.friedman(losses)
    assert result.f_statistic == pytest.approx(29 * result.statistic / (60 - result.statistic), rel=1e-9)
    assert np.isfinite(result.f_statistic)
    assert stats.omnibus.friedman(losses[1:]).f_statistic == np.inf


def test_studentized_range_far_out_with_few_degrees_of_freedom():
    """With 2 degrees of freedom the tail falls like q⁻²: no clipping may show."""
    for q in (150.0, 1000.0):
        assert studentized_range.sf(q, 3, 2) == pytest.approx(reference.studentized_range.sf(q, 3, 2), rel=1e-6)
    many = studentized_range.sf(np.full(100, 1000.0), 3, 2)
    assert many == pytest.approx(studentized_range.sf(1000.0, 3, 2), rel=1e-12)


def test_curves_without_any_variation():
    flat = np.full((3, 4), 0.5)
    assert stats.curves.curve_anova(flat, flat).f_train == 0.0
    rising = np.tile(np.arange(4.0), (3, 1))  # training explains everything, the algorithms nothing
    result = stats.curves.curve_anova(rising, rising)
    assert result.f_train == np.inf
    assert result.f_alg == 0.0
    assert result.p_alg == 1.0


def test_a_narrow_win_is_a_win():
    assert stats.selection.multinomial_selection([[0.5, 0.5005], [0.9, 0.1]]).wins.tolist() == [1.0, 1.0]


def test_li_keeps_a_tiny_p_beside_one():
    assert stats.adjust.li([1e-17, 0.3, 1.0]).tolist() == [1.0, 1.0, 1.0]


def test_kruskal_wallis_in_batches_of_equal_groups():
    first, second = RNG.random((2, 3, 5))
    batch = stats.omnibus.kruskal_wallis(first, second)
    for i in range(3):
        assert batch.statistic[i] == pytest.approx(reference.kruskal(first[i], second[i]).statistic)


def test_the_observed_split_counts_however_far_apart_the_curves_are():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        sets = rng.normal(size=(4, 4)), rng.normal(size=(5, 4)) + 1e4
        result = stats.curves.randomized_anova(*sets, exact=True)
        assert result.p_alg == pytest.approx(1 / 126)
        assert result.p_int >= 1 / 126


def test_curve_anova_of_a_spread_that_is_small_but_no_rounding():
    first, second = 0.5 + 1e-8 * RNG.normal(size=(5, 4)), 0.9 + 1e-8 * RNG.normal(size=(6, 4))
    near = stats.curves.curve_anova(first, second - 0.4)  # the same interaction without the gap
    far = stats.curves.curve_anova(first, second)
    assert np.isfinite(far.f_alg)
    assert far.f_int == pytest.approx(near.f_int, rel=1e-6)


def test_sphericity_does_not_depend_on_units_or_few_folds():
    losses = RNG.random((4, 6))
    plain = stats.omnibus.repeated_anova(losses).pvalue_greenhouse_geisser
    for unit in (1e-100, 1e100):
        assert stats.omnibus.repeated_anova(unit * losses).pvalue_greenhouse_geisser == pytest.approx(plain)
    few = stats.omnibus.repeated_anova(RNG.random((50, 2)))
    assert 0 < few.epsilon_huynh_feldt <= 1


@pytest.mark.parametrize("unit", [1.0, 1e-6, 1e-12])
def test_a_constant_difference_is_certain_in_any_unit(unit):
    first, second = RNG.random((2, 10, 2))
    second[:, 1] = first[:, 1] + 0.25
    assert stats.multivariate.hotelling(first * [1, unit], second * [1, unit]).statistic == np.inf


def test_hull_of_tiny_rates_and_of_equal_classifiers():
    assert stats.roc.convex_hull([[1e-7, 5e-7], [2e-7, 6e-7]]).members == (0, 1)
    assert stats.roc.convex_hull([[0.1, 0.6], [0.1, 0.6]]).members == (0, 1)


def test_studentized_range_keeps_relative_precision():
    # For two means P[Q > q] = P[|t| > q/√2].
    for q, df in ((1e8, 2), (1e4, 10), (1000, 10), (30, 200), (3.5, 1e8), (3.5, 1e5)):
        expected = 2 * reference.t.sf(q / np.sqrt(2), df)
        assert studentized_range.sf(q, 2, df) == pytest.approx(expected, rel=1e-8)


def test_results_do_not_follow_the_callers_array():
    counts, p = np.array([3.0, 4.0]), np.array([0.1, 0.2])
    result, same = stats.pairwise.mcnemar(counts, [1, 2], method="exact"), stats.adjust.none(p)
    counts[:], p[:] = 99, 0.9
    assert result.n01.tolist() == [3, 4]
    assert same.tolist() == [0.1, 0.2]
