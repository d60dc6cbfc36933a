"""Several measures at once: overlap of folds, thresholds, data sets, dominance, rulings for degenerate input."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bestofk import stats
from bestofk.core.errors import InputError
from bestofk.stats.multivariate.over_datasets import orthonormal, tyler_standardised
from bestofk.stats.multivariate.thresholds import _by_shrinkage, chosen_measures, spread_order

mv = stats.multivariate
FIRST = np.array([[0.95, 0.08], [0.97, 0.09], [0.96, 0.07], [0.98, 0.10], [0.96, 0.08], [0.94, 0.11]])
SECOND = np.array([[0.90, 0.03], [0.92, 0.05], [0.93, 0.03], [0.91, 0.04], [0.94, 0.05], [0.95, 0.06]])

# R 4.2.2: y <- round(matrix(rnorm(48, rep(c(0, .8, .3), each = 8)), 24, 2), 2) after set.seed(1); rows are folds.
_LEARNERS = (
    "-0.63 0.62 0.18 -0.06 -0.84 -0.16 1.6 -1.47 0.33 -0.48 -0.82 0.42 0.49 1.36 0.74 -0.1 1.38 1.19 "
    "0.49 0.75 2.31 -0.58 1.19 0.39 0.18 0.41 -1.41 0.74 1.92 1.9 0.76 1.56 0.28 0.14 1.24 0.05 1.12 1 "
    "0.89 0.86 1.22 -0.39 1.08 -0.41 0.37 0.66 -1.69 1.07 "
)
LEARNERS = np.array(_LEARNERS.split(), dtype=float).reshape(3, 8, 2)

# R 4.2.2, set.seed(3): round(matrix(rnorm(72), 36, 2), 2); rows are 12 data sets of 3 learners.
_BLOCKS = (
    "-0.96 1.3 -0.29 0.04 0.26 -0.98 -1.15 0.79 0.2 0.79 0.03 -0.31 0.09 1.7 1.12 -0.79 -1.22 0.35 1.27 "
    "-2.27 -0.74 -0.16 -1.13 1.13 -0.72 -0.46 0.25 -0.9 0.15 0.73 -0.31 -0.81 -0.95 0.27 -0.65 -1.74 "
    "1.22 -1.41 0.2 -0.45 -0.58 -1.04 -0.94 1.36 -0.2 0.92 -1.67 -0.79 -0.48 0.57 -0.74 0.92 1.16 0.26 "
    "1.01 0.35 -0.07 1.17 -1.14 -0.48 0.9 -0.42 0.85 0.96 0.73 -1.29 0.74 0.19 -0.35 -0.03 0.71 0.47 "
)
BLOCKS = np.array(_BLOCKS.split(), dtype=float).reshape(12, 3, 2)
NINE = np.array(
    [0.72, 2.28, -0.04, 1.07, 1.39, 0.52, 1.1, 0.88, 2.14, 0.45, 1.19, 0.53, -0.78, 0.67, 0.29, 1.67, 2.4, 0.46]
).reshape(9, 2)


# Overlapping folds.


def test_corrected_hotelling_is_that_of_r():
    """R 4.2.2, written out: m %*% solve((1/k + r) * cov(d), m), r = (1/6)/(5/6); pf; pt."""
    found = mv.hotelling(FIRST, SECOND, test_fraction=1 / 6)
    assert found.test == "hotelling-corrected"
    assert found.statistic == pytest.approx(50.607681089, rel=1e-10)
    assert found.f_statistic == pytest.approx(20.2430724356, rel=1e-10)
    assert found.pvalue == pytest.approx(0.00808482155977, rel=1e-10)
    assert found.posthoc.statistic == pytest.approx([2.05645297764, 7.0856623946], rel=1e-10)
    assert found.posthoc.pvalue == pytest.approx([0.0948604240972, 0.000866796709391], rel=1e-10)
    assert found.posthoc.test == "corrected-t"


def test_corrected_manova_is_that_of_r():
    """R 4.2.2: summary(manova(y ~ g))$SS, H over 1 + 8/7; eigen(solve(E, H)); Rao's F, exact for p = 2; pf."""
    found = mv.manova(LEARNERS, test_fraction=1 / 8)
    assert found.eigenvalues == pytest.approx([0.210155428974, 0.000642918753778], rel=1e-8)
    assert found.statistic == pytest.approx(0.82580920632, rel=1e-10)
    assert found.f_statistic == pytest.approx(1.0042421847, rel=1e-9)
    assert found.pvalue == pytest.approx(0.41672064295, rel=1e-9)
    plain = mv.manova(LEARNERS)
    assert found.posthoc.statistic == pytest.approx(plain.posthoc.statistic / (1 + 8 / 7))
    assert found.posthoc.pvalue == pytest.approx(scipy_stats.f.sf(found.posthoc.statistic, 2, 21))


def test_one_corrected_measure_is_the_corrected_t():
    first, second = FIRST[:, :1], SECOND[:, :1]
    for sizes in ({"test_fraction": 0.2}, {"n_train": 80, "n_test": 20}):
        found = mv.hotelling(first, second, **sizes)
        t = stats.pairwise.corrected_t(first[:, 0], second[:, 0], **sizes)
        assert found.statistic == pytest.approx(t.statistic**2)
        assert found.pvalue == pytest.approx(t.pvalue)


def test_two_corrected_learners_agree_in_manova_and_the_inflation_of_hotelling():
    """L = 2 MANOVA is two-sample Hotelling; both are divided by the same inflation."""
    plain = mv.hotelling(FIRST, SECOND, unpaired=True)
    found = mv.manova([FIRST, SECOND], test_fraction=1 / 6)
    trace = plain.statistic / 10 / (1 + 6 / 5)
    assert found.hotelling_lawley.statistic == pytest.approx(trace)


@pytest.mark.parametrize("sizes", [{"test_fraction": 1.0}, {"n_train": 9}, {"test_fraction": 0.1, "n_test": 3}])
def test_sizes_that_do_not_fit_are_refused(sizes):
    for call in (lambda: mv.hotelling(FIRST, SECOND, **sizes), lambda: mv.manova(LEARNERS, **sizes)):
        with pytest.raises(InputError):
            call()


def test_unpaired_folds_have_no_correction():
    with pytest.raises(InputError, match="paired folds only"):
        mv.hotelling(FIRST, SECOND, unpaired=True, test_fraction=0.1)


# Rulings for degenerate input.


def test_counts_on_common_folds_have_rank_two_corrected_too():
    rng = np.random.default_rng(0)
    tp, fp = rng.integers(20, 40, (2, 10)), rng.integers(0, 30, (2, 10))
    counts = mv.measures(tp, 40 - tp, fp, 60 - fp, names=("tp", "fp", "fn", "tn"))
    rates = mv.measures(tp, 40 - tp, fp, 60 - fp)
    four, two = (mv.hotelling(*each, test_fraction=0.1) for each in (counts, rates))
    assert (four.rank, four.df) == (2, two.df)
    assert four.statistic == pytest.approx(two.statistic)


def test_a_fold_without_predicted_positives_is_named():
    with pytest.raises(InputError) as caught:
        mv.measures([5, 0], [1, 6], [2, 0], [8, 10], names=("precision", "recall"))
    assert "1" in caught.value.where + caught.value.wrong
    assert mv.measures([5, 0], [1, 6], [2, 0], [8, 10], names=("precision",), undefined=0.0)[1, 0] == 0.0


def test_as_many_measures_as_folds_are_refused():
    rng = np.random.default_rng(0)
    for k in (2, 3, 4):
        with pytest.raises(InputError, match="cannot carry"):
            mv.hotelling(rng.normal(size=(k, 4)), rng.normal(size=(k, 4)))
    assert 0 < mv.hotelling(rng.normal(size=(5, 4)), rng.normal(size=(5, 4))).pvalue < 1


def test_constant_measures():
    equal = np.column_stack([FIRST[:, 0], np.full(6, 0.3)])
    other = np.column_stack([SECOND[:, 0], np.full(6, 0.3)])
    assert mv.hotelling(equal, other, test_fraction=0.1).rank == 1
    apart = mv.hotelling(equal, other - [0, 0.1], test_fraction=0.1)
    assert (apart.statistic, apart.pvalue) == (np.inf, 0.0)
    same = mv.hotelling(FIRST, FIRST, test_fraction=0.1)
    assert (same.statistic, same.pvalue) == (0.0, 1.0)


# Over many data sets.


def test_blocks_of_two_and_three_learners_have_the_statistic_of_coin():
    """R 4.2.2, coin 1.4.2: independence_test(a + c ~ g | b, teststat = "quadratic"), ranks by ave(x, b, FUN = rank)."""
    values = np.moveaxis(BLOCKS, 1, 0)
    means = mv.manova_over_datasets(values, scores="means", shuffles=99, rng=0)
    assert (means.statistic, means.asymptotic_pvalue) == pytest.approx((3.91837774637, 0.417164908332), rel=1e-9)
    ranks = mv.manova_over_datasets(values, scores="ranks", shuffles=99, rng=0)
    assert (ranks.statistic, ranks.asymptotic_pvalue) == pytest.approx((5.58712121212, 0.23217693338), rel=1e-9)
    two = mv.hotelling_over_datasets(NINE, np.zeros((9, 2)), scores="means")
    assert (two.statistic, two.asymptotic_pvalue) == pytest.approx((7.61518664418, 0.0222015466838), rel=1e-9)


def test_the_statistic_of_means_belongs_to_hotellings():
    found = mv.hotelling_over_datasets(NINE, np.zeros((9, 2)), scores="means")
    t2 = mv.hotelling(NINE, np.zeros((9, 2))).statistic
    assert found.statistic == pytest.approx(9 * t2 / (t2 + 8))


def test_all_signs_are_counted():
    """Every one of the 2^9 sign patterns by itself, through Hotelling's T², which orders them as Q does."""
    found = mv.hotelling_over_datasets(NINE, np.zeros((9, 2)), scores="means")
    signs = np.array(list(product((1, -1), repeat=9)))[:, :, None]
    every = mv.hotelling(signs * NINE, np.zeros((512, 9, 2))).statistic
    seen = mv.hotelling(NINE, np.zeros((9, 2))).statistic
    assert (found.exact, found.patterns) == (True, 256)
    assert found.pvalue == pytest.approx((every >= seen * (1 - 1e-9)).mean())


@pytest.mark.parametrize("scores", ["signed-ranks", "signs"])
def test_spatial_scores_of_every_pattern_by_plain_loops(scores):
    """Signs and signed ranks made anew for each pattern of flipped differences, one vector at a time."""
    difference = NINE[:7]

    def unit(v):
        return v / np.linalg.norm(v) if np.linalg.norm(v) > 0 else v

    def quadratic(d):
        z = tyler_standardised(orthonormal(d)[0])
        if scores == "signs":
            v = np.array([unit(each) for each in z])
        else:
            v = np.array([np.mean([(unit(a - b) + unit(a + b)) / 2 for b in z], axis=0) for a in z])
        s = v.sum(axis=0)
        return s @ np.linalg.solve(v.T @ v, s)

    found = mv.hotelling_over_datasets(difference, np.zeros((7, 2)), scores=scores)
    every = [quadratic(np.array(flips)[:, None] * difference) for flips in product((1, -1), repeat=7)]
    assert found.statistic == pytest.approx(quadratic(difference), rel=1e-9)
    assert found.pvalue == pytest.approx(np.mean(np.array(every) >= found.statistic * (1 - 1e-7)))


@pytest.mark.parametrize("scores", ["signed-ranks", "signs", "means"])
def test_units_and_combinations_of_measures_do_not_matter(scores):
    turn = np.array([[3.0, -200.0], [0.5, 70.0]])
    one = mv.hotelling_over_datasets(NINE, np.zeros((9, 2)), scores=scores)
    two = mv.hotelling_over_datasets(NINE @ turn, np.zeros((9, 2)), scores=scores)
    assert two.statistic == pytest.approx(one.statistic, rel=1e-6)
    assert two.pvalue == one.pvalue


def test_one_measure_is_the_permutation_t_and_the_sign_test():
    a, b = NINE[:, :1], np.zeros((9, 1))
    found = mv.hotelling_over_datasets(a, b, scores="means").pvalue
    assert found == pytest.approx(stats.pairwise.permutation_t(a[:, 0], b[:, 0]).pvalue)
    found = mv.hotelling_over_datasets(a, b, scores="signs").pvalue
    assert found == pytest.approx(scipy_stats.binomtest(int((a > 0).sum()), 9).pvalue)


def test_ranks_of_one_measure_are_friedmans():
    values = np.moveaxis(BLOCKS, 1, 0)[..., :1]
    found = mv.manova_over_datasets(values, shuffles=99, rng=0)
    friedman = scipy_stats.friedmanchisquare(*values[..., 0])
    assert found.statistic == pytest.approx(friedman.statistic)
    assert found.asymptotic_pvalue == pytest.approx(friedman.pvalue)


def test_all_deals_are_counted():
    """Every deal of three learners in four data sets, all blocks dealt, by coin's statistic written out."""
    blocks = BLOCKS[:4] - BLOCKS[:4].mean(axis=1, keepdims=True)
    inverse = np.linalg.inv(np.einsum("ijp,ijq->pq", blocks, blocks))
    every = [
        2 * np.einsum("jp,pq,jq->", s, inverse, s)
        for deal in product(permutations(range(3)), repeat=4)
        for s in [sum(block[list(order)] for block, order in zip(blocks, deal, strict=True))]
    ]
    found = mv.manova_over_datasets(np.moveaxis(BLOCKS[:4], 1, 0), scores="means")
    assert (found.exact, found.patterns) == (True, 216)
    assert found.pvalue == pytest.approx(np.mean(np.array(every) >= found.statistic * (1 - 1e-9)))


def test_random_patterns_come_near_all_of_them_and_obey_the_seed():
    rng = np.random.default_rng(5)
    difference = rng.normal(0.35, 1.0, (20, 2))
    zeros = np.zeros_like(difference)
    one, again = (mv.hotelling_over_datasets(difference, zeros, rng=7) for _ in range(2))
    other = mv.hotelling_over_datasets(difference, zeros, rng=8, shuffles=40_000)
    assert (one.exact, one.pvalue) == (False, again.pvalue)
    assert abs(one.pvalue - other.pvalue) < 5 * np.sqrt(other.pvalue / 10_000)


def test_data_sets_without_difference_and_batches():
    zeros = np.zeros((9, 2))
    nothing = mv.hotelling_over_datasets(zeros, zeros)
    assert (nothing.statistic, nothing.pvalue, nothing.rank) == (0.0, 1.0, 0)
    batch = np.stack([NINE, NINE[:, ::-1], NINE * [1, 0]])
    found = mv.hotelling_over_datasets(batch, np.zeros_like(batch))
    for i, each in enumerate(batch):
        alone = mv.hotelling_over_datasets(each, zeros)
        assert (found.statistic[i], found.pvalue[i]) == pytest.approx((alone.statistic, alone.pvalue))
    assert found.rank.tolist() == [2, 2, 1]


def test_too_few_data_sets_are_refused():
    with pytest.raises(InputError, match="cannot carry 3 measures"):
        mv.hotelling_over_datasets(np.eye(3), np.zeros((3, 3)))
    with pytest.raises(InputError):
        mv.manova_over_datasets(np.random.default_rng(0).normal(size=(2, 3, 4)))


# Thresholds.


def folds_of_scores(shift=0.0, folds=8, items=40, seed=0):
    rng = np.random.default_rng(seed)
    y = [rng.permutation(np.repeat([0, 1], items // 2)) for _ in range(folds)]
    base = [fold + rng.normal(size=items) for fold in y]
    return (
        y,
        [each + 0.5 * rng.normal(size=items) for each in base],
        [each + 0.5 * rng.normal(size=items) + shift for each in base],
    )


def test_thresholds_more_than_folds_can_carry():
    cuts = np.linspace(-0.5, 1.5, 12)  # 24 measures on 8 folds
    for choice in ("shrinkage", "rank"):
        assert mv.threshold_test(*folds_of_scores(), cuts, choice=choice).pvalue > 0.05
        assert mv.threshold_test(*folds_of_scores(1.0), cuts, choice=choice).pvalue < 0.05


def test_one_threshold_by_rank_is_hotelling_on_tpr_and_fpr():
    y, one, two = folds_of_scores(0.3)
    vectors = [
        [[np.mean(s[t == 1] >= 0.5), np.mean(s[t == 0] >= 0.5)] for t, s in zip(y, scores, strict=True)]
        for scores in (one, two)
    ]
    found = mv.threshold_test(y, one, two, [0.5], choice="rank", test_fraction=1 / 8)
    assert found.pvalue == pytest.approx(mv.hotelling(*vectors, test_fraction=1 / 8).pvalue)
    assert found.estimate == pytest.approx((np.array(vectors[0]) - vectors[1]).mean(axis=0)[None])


def test_shrinkage_by_plain_loops():
    y, one, two = folds_of_scores(0.2)
    cuts = [0.2, 0.8]
    rates = [np.stack([stats.roc.rates(t, s, cuts) for t, s in zip(y, each, strict=True)]) for each in (one, two)]
    d = (rates[0] - rates[1]).reshape(8, 4)
    z = d / np.sqrt((d**2).mean(axis=0))
    pairs = [(i, j) for i in range(4) for j in range(4) if i != j]
    share = sum(np.var(z[:, i] * z[:, j], ddof=1) / 8 for i, j in pairs) / sum(
        (z[:, i] @ z[:, j] / 8) ** 2 for i, j in pairs
    )
    share = min(1.0, max(0.05, share))
    g = (1 - share) * z.T @ z / 8 + share * np.eye(4)
    q = [8 * m @ np.linalg.solve(g, m) for f in product((1, -1), repeat=8) for m in [np.array(f) @ z / 8]]
    found = mv.threshold_test(y, one, two, cuts)
    assert found.shrinkage == pytest.approx(share)
    assert found.statistic == pytest.approx(q[0])
    assert found.pvalue == pytest.approx(np.mean(np.array(q) >= q[0] * (1 - 1e-9)))


def test_corrected_shrinkage_by_plain_loops():
    """T² with the shrunk covariance about each pattern's own mean, the observed one over 1 + k·n_test/n_train."""
    y, one, two = folds_of_scores(0.2)
    cuts = [0.2, 0.8]
    rates = [np.stack([stats.roc.rates(t, s, cuts) for t, s in zip(y, each, strict=True)]) for each in (one, two)]
    d = (rates[0] - rates[1]).reshape(8, 4)
    found = mv.threshold_test(y, one, two, cuts, test_fraction=1 / 8)

    def t2(flips):
        x = np.array(flips)[:, None] * d
        s = np.cov(x.T, bias=True)
        s = (1 - found.shrinkage) * s + found.shrinkage * np.diag(np.diag(s))
        return 8 * x.mean(axis=0) @ np.linalg.solve(s, x.mean(axis=0))

    every = np.array([t2(flips) for flips in product((1, -1), repeat=8)])
    assert found.statistic == pytest.approx(every[0] / (1 + 8 / 7), rel=1e-6)
    assert found.pvalue == pytest.approx(np.mean(every >= found.statistic * (1 - 1e-9)))
    assert found.pvalue > mv.threshold_test(y, one, two, cuts).pvalue


@pytest.mark.slow
def test_corrected_shrinkage_keeps_its_size_where_folds_are_correlated():
    """Measured 0.040 in 1,500; dividing Q itself, which is bounded, rejected in none of 3,000."""
    rng, k, s, runs = np.random.default_rng(1), 10, 3, 600
    mixing = np.eye(2 * s) + 0.8 * np.tri(2 * s, k=-1)
    rejected = np.zeros(2)
    for _ in range(runs):
        own, shared = rng.normal(size=(k, 2 * s)), rng.normal(size=2 * s)
        d = ((np.sqrt(0.9) * own + np.sqrt(0.1) * shared) @ mixing.T).reshape(k, s, 2)
        for i, ratio in enumerate((0.0, 1 / 9)):
            rejected[i] += _by_shrinkage(d, np.zeros_like(d), np.arange(3.0), ratio, 99, rng).pvalue <= 0.05
    low, high = scipy_stats.binomtest(int(rejected[1]), runs).proportion_ci(0.999)
    assert low <= 0.05 <= high
    assert rejected[0] / runs > 0.15


def test_thresholds_are_taken_from_the_middle_outwards():
    assert spread_order(7) == [3, 0, 6, 1, 2, 4, 5]
    rng = np.random.default_rng(0)
    d = rng.normal(size=(12, 6))
    d[:, 0] = d[:, 2]  # the tpr of the first threshold repeats that of the middle one
    assert chosen_measures(d, spread_order(3)) == [2, 3, 1, 4, 5]
    assert len(chosen_measures(rng.normal(size=(6, 20)), spread_order(10))) == 2


def test_thresholds_without_difference_and_with_a_certain_one():
    y, one, _ = folds_of_scores()
    for choice in ("shrinkage", "rank"):
        assert mv.threshold_test(y, one, one, [0.2, 0.8], choice=choice).pvalue == 1.0
    perfect = [fold.astype(float) for fold in y]
    inverted = [1.0 - fold for fold in y]
    assert mv.threshold_test(y, perfect, inverted, [0.5], choice="rank").pvalue == 0.0
    assert mv.threshold_test(y, perfect, inverted, [0.5]).pvalue == 2.0**-7


def test_a_fold_with_one_class_is_named():
    y, one, two = folds_of_scores()
    y[3] = np.zeros(40, dtype=int)
    with pytest.raises(InputError) as caught:
        mv.threshold_test(y, one, two, [0.5])
    assert "fold 3" in caught.value.where


# Dominance.


def test_dominance_is_made_of_scipys_one_sided_t():
    d = FIRST * [-1, 1] - SECOND * [-1, 1]  # tpr as a loss
    p = [scipy_stats.ttest_1samp(d[:, i], 0, alternative="less").pvalue for i in (0, 1)]
    found = mv.dominance(FIRST, SECOND, larger_is_better=(True, False))
    assert found.pvalue == pytest.approx(max(p))
    assert found.better == pytest.approx(p)
    near = [scipy_stats.ttest_1samp(d[:, i], 0.1, alternative="less").pvalue for i in (0, 1)]
    within = mv.dominance(FIRST, SECOND, larger_is_better=(True, False), margins=0.1)
    assert within.pvalue == pytest.approx(max(*near, 2 * min(p)))
    assert (within.rejects(), found.rejects()) == (
        True,
        False,
    )  # more false alarms, though fewer than the margin allows


def test_both_cannot_dominate_and_no_spread_follows_the_ruling():
    assert not mv.dominance(SECOND, FIRST, larger_is_better=(True, False)).rejects()
    same = mv.dominance(FIRST, FIRST)
    assert (same.statistic, same.pvalue) == (0.0, 0.5)
    assert mv.dominance(FIRST - 0.1, FIRST).pvalue == 0.0
    assert mv.dominance(FIRST + 0.1, FIRST).pvalue == 1.0


def test_corrected_dominance_of_one_measure_is_the_corrected_t():
    t = stats.pairwise.corrected_t(SECOND[:, 1], FIRST[:, 1], test_fraction=0.1, alternative="less")
    found = mv.dominance(SECOND[:, 1:], FIRST[:, 1:], test_fraction=0.1)
    assert (found.statistic, found.pvalue) == pytest.approx((t.statistic, t.pvalue))


@pytest.mark.parametrize("margins", [-0.1, [0.1, 0.1, 0.1], float("nan")])
def test_wrong_margins_are_refused(margins):
    with pytest.raises(InputError):
        mv.dominance(FIRST, SECOND, margins=margins)


def test_random_patterns_count_the_observed_one_too():
    """(b + 1)/(n + 1): nothing is as extreme as a sum that no pattern reaches, and everything as one below all."""
    from bestofk.stats.multivariate.flips import flip_patterns, share_as_extreme

    rows = np.ones((1, 20, 1))
    for observed, expected in ((1e6, 1 / 100), (-1.0, 1.0)):
        exact, patterns = flip_patterns(20, 99, np.random.default_rng(0))
        found, counted = share_as_extreme(rows, np.array([observed]), patterns, exact)
        assert (exact, counted) == (False, 99)
        assert found[0] == pytest.approx(expected)
