"""Power by formula, enumeration and simulation: against other programs, brute force and the tests themselves."""

import math

import numpy as np
import pytest
from scipy import special, stats

from bestofk.core.errors import InputError, UnknownName
from bestofk.stats import multivariate, omnibus, pairwise, power
from bestofk.stats.pairwise.student import untested
from bestofk.stats.power.simulation import Pilot
from makers import slow

# R 4.2.2: power.t.test(n, delta, sig.level, type = "paired", alternative, strict = TRUE)$power; the same numbers in
# statsmodels 0.15.0, TTestPower().power(effect, n, alpha, alternative).
PAIRED = {
    (0.5, 34, 0.05, "two-sided"): 0.807777501279,
    (0.2, 100, 0.05, "greater"): 0.633617755352,
    (1.5, 6, 0.01, "two-sided"): 0.470770662751,
}
# R 4.2.2: power.anova.test(groups, n, between.var = f² K/(K − 1), within.var = 1)$power; statsmodels 0.15.0,
# FTestAnovaPower().power(f, K n, 0.05, k_groups = K): 0.86886054116, 0.6756744946708, 0.392598108042.
ANOVA = {(0.4, 25, 3): 0.868860541272, (0.25, 40, 3): 0.6756744946708, (0.1, 100, 5): 0.392598108396}
# scipy 1.17.1: stats.ncf.sf(stats.f.ppf(0.95, p, n − p), p, n − p, n Δ²).
HOTELLING = {(1.0, 15, 2): 0.8768109479807331, (0.7, 30, 4): 0.8120882680625948}
# scipy 1.17.1: Σ binom.pmf(k, n, norm.cdf(d)) over k with binomtest(k, n).pvalue <= 0.05.
SIGN = {(0.5, 49): 0.7719617734100578, (1.0, 12): 0.7057296425677206}


@pytest.mark.parametrize("case", PAIRED)
def test_paired_t_is_that_of_r_and_statsmodels(case):
    effect, n, alpha, side = case
    assert power.paired_t(effect, n, alpha=alpha, alternative=side).power == pytest.approx(PAIRED[case], abs=1e-10)


@pytest.mark.parametrize("case", ANOVA)
def test_anova_is_that_of_r_and_statsmodels(case):
    effect, n, learners = case
    assert power.anova(effect, n, learners=learners).power == pytest.approx(ANOVA[case], abs=1e-8)


@pytest.mark.parametrize("case", HOTELLING)
def test_hotelling_is_the_noncentral_f(case):
    effect, n, measures = case
    assert power.hotelling(effect, n, measures=measures).power == pytest.approx(HOTELLING[case], abs=1e-10)


@pytest.mark.parametrize("case", SIGN)
def test_sign_is_enumerated(case):
    assert power.sign(*case).power == pytest.approx(SIGN[case], abs=1e-12)


def test_sizes_and_effects_are_those_of_other_programs():
    # R: power.t.test(power = 0.9, delta = 0.3, type = "paired", strict = TRUE)$n is 118.6865.
    assert power.sample_size("paired-t", 0.3, power=0.9).n == 119
    # statsmodels: TTestPower().solve_power(nobs = 10, alpha = 0.05, power = 0.8) is 0.99600191.
    assert power.detectable("paired-t", 10).effect == pytest.approx(0.9960019, abs=1e-6)


@pytest.mark.parametrize("effect", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_five_by_two_t_is_what_the_test_does(effect, side):
    runs = 100_000
    draws = np.random.default_rng(1).normal(effect, 1.0, (runs, 5, 2))
    share = np.mean(pairwise.five_by_two_t(draws, np.zeros((5, 2)), alternative=side).pvalue <= 0.05)
    expected = power.five_by_two_t(effect, correlation=0.0, alternative=side).power
    assert abs(share - expected) <= 4 * np.sqrt(max(expected * (1 - expected), 1 / runs) / runs)


def dependent_folds(runs, replications, folds, effect, *, within, between, seed=2):
    """Normal differences with these correlations, whose sample variance is 1 on the average."""
    values = replications * folds
    place = np.arange(values) // folds
    covariance = np.where(place[:, None] == place, within, between)
    np.fill_diagonal(covariance, 1.0)
    covariance /= 1.0 - (covariance.sum() - values) / values / (values - 1)
    draws = np.random.default_rng(seed).standard_normal((runs, values)) @ np.linalg.cholesky(covariance).T
    return (draws + effect).reshape(runs, replications, folds)


@pytest.mark.parametrize("effect", [0.0, 0.8])
def test_corrected_t_is_what_the_test_does_under_its_model(effect):
    """Equally correlated differences, ρ = test share: Nadeau and Bengio's model."""
    runs, replications, folds = 100_000, 3, 10
    draws = dependent_folds(runs, replications, folds, effect, within=0.1, between=0.1)
    share = np.mean(pairwise.corrected_t(draws, np.zeros((replications, folds))).pvalue <= 0.05)
    expected = power.corrected_t(effect, replications, folds=folds, correlation=0.1).power
    assert abs(share - expected) <= 4 * np.sqrt(expected * (1 - expected) / runs)


FOLD_TESTS = {
    "corrected-t": (pairwise.corrected_t, (5, 2), (3, 10)),
    "repeated-cv-t": (pairwise.repeated_cv_t, (3, 5), (10, 10)),
    "calibrated-t": (pairwise.calibrated_t, (10, 10)),
    "5x2cv-t": (pairwise.five_by_two_t, (5, 2)),
    "paired-t": (lambda first, _: pairwise.paired_t(first.reshape(len(first), -1), np.zeros(first[0].size)), (1, 10)),
}


@pytest.mark.parametrize(
    ("test", "shape"), [(name, shape) for name, (_, *shapes) in FOLD_TESTS.items() for shape in shapes]
)
def test_tests_of_folds_have_the_power_that_folds_with_these_correlations_give(test, shape):
    """Normal differences with the correlations of ``fold_spread``; a spread that varies more costs 0.02 at most."""
    replications, folds = shape
    within, between = 0.6 / (folds + 4), 1.5 / (folds + 4)
    for effect in (0.4, 1.0, 1.6):
        draws = dependent_folds(20_000, replications, folds, effect, within=within, between=between)
        share = np.mean(np.asarray(FOLD_TESTS[test][0](draws, np.zeros(shape)).pvalue) <= 0.05)
        options = {} if test == "5x2cv-t" else {"folds": folds}
        expected = power.power(test, effect, replications, **options).power
        assert share == pytest.approx(expected, abs=0.02 + 4 * np.sqrt(0.25 / 20_000))


@pytest.mark.parametrize(
    ("test", "shape"), [("corrected-t", (1, 5)), ("corrected-t", (5, 2)), ("calibrated-t", (10, 10))]
)
def test_folds_of_several_data_sets_have_the_power_of_the_stratified_test(test, shape):
    replications, folds = shape
    spreads = np.array([0.5, 1.0, 1.5])
    draws = np.stack(
        [
            spread
            * dependent_folds(10_000, *shape, 0.0, within=0.6 / (folds + 4), between=1.5 / (folds + 4), seed=seed)
            for seed, spread in enumerate(spreads)
        ],
        axis=1,
    )
    for effect in (0.3, 0.6):
        found = pairwise.stratified_t(FOLD_TESTS[test][0](draws + effect, np.zeros(shape)))
        share = np.mean(np.asarray(found.pvalue) <= 0.05)
        options = {"spreads": spreads, "folds": folds, "within": test}
        expected = power.stratified_t(effect, replications, **options).power
        assert share == pytest.approx(expected, abs=0.02 + 4 * np.sqrt(0.25 / 10_000))
    assert power.sample_size("stratified-t", 0.01, **options).number == "none is enough"
    one = power.power(test, 0.6, replications, folds=folds).power
    assert power.stratified_t(0.6, replications, spreads=[1.0], folds=folds, within=test).power == pytest.approx(one)


@pytest.mark.parametrize("method", ["auto", "mid-p", "exact", "chi2", "chi2-corrected"])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_mcnemar_is_the_sum_over_all_counts(method, side):
    n, effect, apart = 60, 0.15, 0.4
    n01, n10 = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = n01 + n10 <= n
    rest = n - n01 - n10
    logs = np.array([0.0, *np.cumsum(np.log(np.arange(1, n + 1)))])
    p01, p10 = (apart + effect) / 2, (apart - effect) / 2
    with np.errstate(invalid="ignore"):
        chance = np.where(
            inside,
            np.exp(
                logs[n] - logs[n01] - logs[n10] - logs[np.maximum(rest, 0)]
                + n01 * np.log(p01) + n10 * np.log(p10) + rest * np.log(1 - apart)
            ),
            0.0,
        )  # fmt: skip
    rejected = np.asarray(pairwise.mcnemar(n01, n10, method=method, alternative=side).pvalue) <= 0.05
    found = power.mcnemar(effect, n, disagreement=apart, method=method, alternative=side).power
    assert found == pytest.approx(float(chance[rejected].sum()), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "model", "test"),
    [
        ("wilcoxon", "normal", pairwise.wilcoxon),
        ("wilcoxon", "laplace", pairwise.wilcoxon),
        ("permutation_t", "uniform", pairwise.permutation_t),
    ],
)
def test_simulated_power_is_what_the_test_does(name, model, test):
    rng = np.random.default_rng(5)
    drawn = {
        "normal": rng.standard_normal,
        "laplace": lambda shape: rng.laplace(0, np.sqrt(0.5), shape),
        "uniform": lambda shape: rng.uniform(-np.sqrt(3), np.sqrt(3), shape),
    }[model]((4000, 12))
    share = np.mean(test(drawn + 0.7, np.zeros(12)).pvalue <= 0.05)
    found = getattr(power, name)(0.7, 12, model=model, runs=2000, rng=1)
    assert abs(share - found.power) <= 4 * np.hypot(found.error, np.sqrt(share * (1 - share) / 4000))


def test_wilcoxon_loses_little_against_t_for_normal_differences():
    """Its asymptotic efficiency is 3/π: n needed is about 1/0.955 that of t (Hodges and Lehmann 1956)."""
    t, ranks = (power.sample_size(name, 0.4, **more).n for name, more in (("paired-t", {}), ("wilcoxon", {"rng": 1})))
    assert 1.0 <= ranks / t <= 1.12


def test_friedman_of_three_is_what_the_test_does():
    means = np.array([-1.0, 0.0, 1.0]) / np.std([-1.0, 0.0, 1.0])
    draws = np.random.default_rng(3).normal(size=(4000, 15, 3)) + 0.4 * means
    share = np.mean(omnibus.friedman(draws).f_pvalue <= 0.05)
    found = power.friedman(0.4, 15, learners=3, rng=1)
    assert abs(share - found.power) <= 4 * np.hypot(found.error, np.sqrt(share * (1 - share) / 4000))


def test_hotelling_is_what_the_test_does():
    draws = np.random.default_rng(4).normal(size=(20_000, 12, 2)) + np.array([0.8, 0.6])
    share = np.mean(multivariate.hotelling(draws, np.zeros((12, 2))).pvalue <= 0.05)
    assert abs(share - power.hotelling(1.0, 12, measures=2).power) <= 4 * np.sqrt(share * (1 - share) / 20_000)


@pytest.mark.parametrize("name", ["randomized_t", "randomized_anova"])
def test_curves_have_their_level_and_grow(name):
    ask = getattr(power, name)
    found = ask(np.array([0.0, 1.0, 2.0]), 6, runs=400, rng=2).power
    assert found[0] <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 400)
    assert found[0] < found[1] < found[2]


def test_curves_from_a_pilot_need_no_model():
    rng = np.random.default_rng(0)
    pilot = [rng.normal(size=(8, 1)) + 0.1 * rng.normal(size=(8, 5)) + level for level in (0.0, 3.0)]
    modelled = power.randomized_t(1.5, 6, correlation=0.99, points=5, runs=600, rng=1)
    resampled = power.randomized_t(1.5, 6, pilot=pilot, runs=600, rng=1)
    assert abs(modelled.power - resampled.power) < 0.12  # the pilot's eight curves are not the normal distribution


@pytest.mark.parametrize("test", ["paired-t", "corrected-t", "anova", "hotelling"])
def test_arrays_are_as_good_as_single_numbers(test):
    options = {"anova": {"learners": 3}, "hotelling": {"measures": 2}}.get(test, {})
    effects, sizes = np.array([0.1, 0.5, 1.0])[:, None], np.array([5, 10, 40])
    every = power.power(test, effects, sizes, **options).power
    single = [[power.power(test, float(e[0]), int(n), **options).power for n in sizes] for e in effects]
    assert every == pytest.approx(np.array(single), abs=0)
    assert (np.diff(every, axis=0) > 0).all()
    assert (np.diff(every, axis=1) > 0).all()


@pytest.mark.parametrize(
    ("test", "options"),
    [("paired-t", {}), ("sign", {}), ("anova", {"learners": 4}), ("mcnemar-exact", {"disagreement": 0.7})],
)
def test_the_sample_size_is_enough_and_one_less_is_not(test, options):
    found = power.sample_size(test, 0.45, **options)
    assert found.power >= 0.8
    assert power.power(test, 0.45, found.n - 1, **options).power < 0.8
    later = power.power(test, 0.45, found.n + np.arange(40), **options).power
    assert (later >= 0.8).all()


def test_the_sign_test_s_size_is_that_of_a_full_search():
    everything = power.sign(0.6, np.arange(1, 400)).power
    last_below = np.flatnonzero(everything < 0.8)[-1] + 1
    assert power.sample_size("sign", 0.6).n == last_below + 1


@pytest.mark.parametrize(
    ("test", "n", "options"),
    [
        ("paired-t", 12, {}),
        ("corrected-t", 3, {"folds": 10}),
        ("5x2cv-t", 5, {}),
        ("sign", 20, {}),
        ("mcnemar-mid-p", 200, {"disagreement": 0.3}),
        ("hotelling", 10, {"measures": 3}),
        ("wilcoxon", 15, {"rng": 1}),
    ],
)
def test_the_detectable_effect_has_the_power(test, n, options):
    found = power.detectable(test, n, **options)
    assert power.power(test, found.effect, n, **options).power == pytest.approx(0.8, abs=2e-3)


def test_more_replications_of_the_same_data_are_never_enough_for_a_small_effect():
    found = power.sample_size("corrected-t", 0.5, folds=10)
    assert np.isinf(found.n)
    assert found.power == pytest.approx(power.corrected_t(0.5, 10**6, folds=10).power, abs=1e-3)
    assert "no number of replications" in repr(found)


def test_what_no_outcome_can_show_is_never_seen():
    """Five values have no two-sided Wilcoxon p below 1/16."""
    assert np.isinf(power.detectable("wilcoxon", 5).effect)
    assert np.isinf(power.detectable("sign", 5).effect)


def test_less_looks_the_other_way():
    assert power.paired_t(-0.5, 30, alternative="less").power == power.paired_t(0.5, 30, alternative="greater").power
    assert power.detectable("paired-t", 30, alternative="less").effect < 0


def test_the_same_seed_gives_the_same_power():
    assert power.wilcoxon(0.5, 20, rng=7, runs=500).power == power.wilcoxon(0.5, 20, rng=7, runs=500).power


def test_a_pilot_of_bramers_first_table_needs_hundreds_of_data_sets():
    """Fig. 15.2. R 4.2.2: power.t.test(power = 0.8, delta = 0.7, sd = 6.929005, type = "paired", strict = TRUE)$n is
    770.9689."""
    a = np.array([80, 73, 85, 68, 82, 75, 73, 64, 75, 69])
    b = np.array([85, 70, 85, 74, 71, 65, 77, 73, 75, 76])
    found = power.from_pilot(a, b)
    assert (found.effect, found.difference) == (pytest.approx(0.7 / 6.929005, rel=1e-6), pytest.approx(-0.7))
    assert found.turned
    assert found.needed.n == 771
    assert found.cautious == 0.0
    assert found.needed_cautious is None


def test_the_cautious_effect_is_smaller_and_needs_more():
    first = np.array([3.1, 2.9, 3.4, 3.3, 2.8, 3.6])
    found = power.from_pilot(first, np.array([2.1, 2.4, 2.2, 2.9, 2.6, 2.3]), test="wilcoxon", runs=2000)
    assert 0 < found.cautious < found.effect
    assert found.needed_cautious.n > found.needed.n


def test_pilots_of_folds_and_items_show_what_the_tests_find():
    """The plan's effect gives back the pilot's own t, and items their difference of error rates."""
    rng = np.random.default_rng(6)
    first, second = 0.3 + 0.02 * rng.normal(size=(3, 10)), 0.27 + 0.02 * rng.normal(size=(3, 10))
    found = power.from_folds(first, second)
    t = pairwise.corrected_t(first, second).statistic
    assert found.effect / np.sqrt(1 / 30 + 1 / 9) == pytest.approx(t)
    assert found.needed.n == power.sample_size("corrected-t", found.effect, folds=10).n
    wrong = (rng.random((2, 60)) < np.array([[0.6], [0.35]])).astype(float)
    items = power.from_items(*wrong)
    assert items.effect == pytest.approx(pairwise.mcnemar_losses(*wrong).estimate)
    apart = float((wrong[0] != wrong[1]).mean())
    assert items.needed.n == power.sample_size("mcnemar-auto", items.effect, disagreement=apart).n


def test_pilots_of_curves_are_drawn_again():
    rng = np.random.default_rng(7)
    low, high = (rng.normal(size=(8, 1)) + 0.1 * rng.normal(size=(8, 4)) + level for level in (0.0, 2.0))
    found = power.from_curves(low, high, runs=300, rng=0)
    again = power.randomized_t(found.effect, found.needed.n, pilot=(low, high), runs=300, rng=0)
    assert again.power >= 0.8
    assert found.needed.n < found.needed_cautious.n


@pytest.mark.parametrize(
    "call",
    [
        lambda: power.paired_t(0.5, 1),
        lambda: power.paired_t(0.5, 10.5),
        lambda: power.paired_t(float("nan"), 10),
        lambda: power.paired_t([0.1, 0.2], [10, 20, 30]),
        lambda: power.paired_t(0.5, 10, alpha=0),
        lambda: power.paired_t(0.5, 10, alternative="up"),
        lambda: power.anova(-0.5, 10, learners=3),
        lambda: power.anova(0.5, 10, learners=1),
        lambda: power.anova(0.5, 10, learners=3, alternative="greater"),
        lambda: power.mcnemar(0.5, 10, disagreement=0.2),
        lambda: power.hotelling(0.5, 3, measures=3),
        lambda: power.five_by_two_t(0.5, 10),
        lambda: power.sample_size("5x2cv-t", 0.5),
        lambda: power.sample_size("paired-t", 0.5, power=1.2),
        lambda: power.sample_size("paired-t", 0.5, colour="red"),
        lambda: power.power("paired-t", 0.5),
        lambda: power.wilcoxon(0.5, 10, model=[1.0, 1.0, 1.0]),
        lambda: power.wilcoxon(0.5, 10, model="cauchy"),
        lambda: power.wilcoxon(0.5, 10, runs=3),
        lambda: power.from_pilot([1, 2], [2, 1]),
        lambda: power.from_pilot([1, 2, 3], [2, 3, 4]),
        lambda: power.from_pilot([1, 2, 3], [2, 3, 5], test="anova"),
        lambda: power.randomized_t(1.0, 5, pilot=[[[1.0, 2.0]]]),
        lambda: power.from_folds([1, 2, 3], [1, 2, 4]),
        lambda: power.from_folds([[1], [2], [3]], [[1], [2], [4]]),  # splits whose share of test data is not known
        lambda: power.from_items([1, 0, 1], [1, 0, 1]),
        lambda: power.from_curves([[1, 2]], [[2, 3]]),
    ],
)
def test_bad_input_gets_three_lines(call):
    with pytest.raises((InputError, UnknownName)) as caught:
        call()
    assert all(caught.value.to_dict()[part] for part in ("wrong", "where", "fix"))


def test_options_are_compared_with_what_the_test_takes():
    """By its signature, whatever the interpreter says of a call that does not fit."""
    with pytest.raises(InputError, match=r"--disagreement 0\.2"):
        power.power("mcnemar", 0.5, 10)
    with pytest.raises(InputError, match="takes no given colour"):
        power.power("paired-t", 0.5, 10, given_colour="red")


def test_an_unknown_test_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="wilcoxon"):
        power.power("wilcoxn", 0.5, 10)


def test_mcnemar_leaves_out_only_disagreements_without_a_chance():
    """All numbers of disagreements, with scipy's binomials, for many items."""
    n, apart, effect = 20_000, 0.2, 0.01
    m = np.arange(1, n + 1)
    bound = stats.binom.ppf(0.025, m, 0.5)
    for _ in range(3):  # the largest count that mid-p rejects
        mid = stats.binom.cdf(bound, m, 0.5) - 0.5 * stats.binom.pmf(bound, m, 0.5)
        bound = np.where(mid > 0.025, bound - 1, bound)
    chance = 0.5 * (1 + effect / apart)
    rejected = stats.binom.cdf(bound, m, chance) + stats.binom.cdf(bound, m, 1 - chance)
    expected = float(stats.binom.pmf(m, n, apart) @ rejected)
    assert power.mcnemar(effect, n, disagreement=apart).power == pytest.approx(expected, rel=1e-9)


def test_no_number_of_items_shows_a_difference_that_is_none():
    """As of data sets: one pair of several with the same number of errors does not spoil the plan of the others."""
    found = power.from_items([1, 0, 1], [0, 1, 1])
    assert found.effect == found.cautious == 0
    assert found.needed.number == "none is enough"
    assert found.needed_cautious is None


def test_numbers_that_are_large_and_finite_are_said():
    assert float(power.sample_size("paired-t", 0.02).n) == pytest.approx((1.959964 + 0.841621) ** 2 / 0.02**2, rel=1e-3)
    # Noether 1987: n = (z_alpha/2 + z_beta)^2 / (3 (p - 1/2)^2), p = P[X + Y > 0] = Phi(d sqrt 2) of normal differences
    ahead = 0.5 * math.erf(0.02)
    expected = (1.959964 + 0.841621) ** 2 / (3.0 * ahead**2)
    assert float(power.sample_size("wilcoxon", 0.02).n) == pytest.approx(expected, rel=2e-3)
    near = power.from_pilot([0.1, 0.5, 0.2, 0.9, 0.35], [0.12, 0.415, 0.29, 0.815, 0.4], test="paired-t")
    assert 5_000 < float(near.needed.n) < 10_000_000


def test_beyond_what_was_tried_is_not_called_never():
    assert "10,000,000 data sets" in repr(power.sample_size("paired-t", 1e-5))
    assert "no number of" in repr(power.sample_size("corrected-t", 0.5, folds=10))


@pytest.mark.parametrize(("effect", "n"), [(0.15, 300), (0.3, 110)])
@pytest.mark.parametrize("model", ["normal", "laplace", "uniform", "skewed"])
def test_the_normal_form_of_wilcoxons_power_is_what_simulation_finds(model, effect, n):
    differences = np.random.default_rng(5).exponential(size=60) if model == "skewed" else model
    drawn = power.wilcoxon(effect, n, model=differences, runs=4_000, simulate_up_to=500)
    form = power.wilcoxon(effect, n, model=differences, simulate_up_to=100)
    assert (drawn.way, form.way) == ("simulation", "normal approximation")
    assert form.power == pytest.approx(drawn.power, abs=4 * drawn.error)


def test_a_pilot_of_the_sign_test_says_what_its_number_rests_on():
    difference = np.array([-3.0, -3, -3, -3, -3, -3, -3, -3, -3, -3, 2, 2, 2, 2, 2, 2.5])
    plan = power.from_pilot(0.5 + 0.01 * difference, np.full(16, 0.5), test="sign")
    assert plan.share == 10 / 16
    assert "62.5 % of the pilot's differences" in repr(plan)
    chance = float(special.ndtri(10 / 16))  # normal differences with this share of wins
    assert plan.needed.n == power.sample_size("sign", -chance).n


def test_many_data_sets_are_planned_by_the_t_test_s_formula():
    """Wilcoxon's power by simulation and by the t test on a spread √(π/3) as large agree for normal differences."""
    by_formula = power.detectable("paired-t", 120).effect * np.sqrt(np.pi / 3)
    assert power.detectable("wilcoxon", 120, rng=1).effect == pytest.approx(by_formula, rel=0.04)


@pytest.mark.parametrize(("n", "alpha"), [(10, 0.05), (14, 0.01), (40, 0.001)])
def test_sign_flips_have_the_power_of_the_test_at_every_size(n, alpha):
    """All patterns counted, or by the formula of the tail: no number of shuffles bounds what can be shown."""
    effect = power.detectable("paired-t", n, alpha=alpha).effect
    draws = np.random.default_rng(8).normal(effect, 1.0, (600, n))
    share = np.mean(pairwise.permutation_t(draws, np.zeros(n), rng=0).pvalue <= alpha)
    found = power.permutation_t(effect, n, alpha=alpha, runs=2_000)
    assert abs(share - found.power) <= 4 * np.hypot(found.error, np.sqrt(share * (1 - share) / 600))
    assert np.isfinite(power.sample_size("permutation-t", 0.3, alpha=5e-5, runs=100).n)


def test_a_number_beyond_what_was_looked_at_is_not_said_to_be_none():
    needed = int(power.sample_size("corrected-t", 1.1, folds=10).n)
    assert needed > 1
    found = power.sample_size("corrected-t", 1.1, folds=10, most=needed - 1)
    assert found.number == f"more than {needed - 1}"
    never = power.sample_size("corrected-t", 0.5, folds=10, most=3)
    assert never.number == "none is enough"
    most = power.power("corrected-t", 0.5, 10_000_000, folds=10).power
    assert never.power == most > power.power("corrected-t", 0.5, 3, folds=10).power


TIED = {
    "half are ties, two digits": [0.0] * 50 + [0.01] * 20 + [0.02] * 9 + [0.03] * 4 + [-0.01] * 10 + [-0.02] * 7,
    "right or wrong": [0.0] * 60 + [1.0] * 27 + [-1.0] * 13,
    "ties, no zeros": [0.01] * 35 + [0.02] * 30 + [-0.01] * 20 + [-0.02] * 15,
}


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "permutation-t", "paired-t"])
@pytest.mark.parametrize("name", TIED)
def test_a_pilot_with_ties_claims_what_is_so(test, name):
    """The pilot is its population; 300 experiments of the planned size, and the error of a simulated plan."""
    pilot = np.array(TIED[name])
    simulated = {} if test in ("sign", "paired-t") else {"runs": 1_000}
    plan = power.from_pilot(pilot, np.zeros(100), test=test, **simulated)
    draws = np.random.default_rng(9).choice(pilot, size=(300, int(plan.needed.n)))
    seeded = {"rng": 0} if test == "permutation-t" else {}
    share = np.mean(np.asarray(pairwise.PAIRWISE[test](draws, np.zeros(draws.shape[1]), **seeded).pvalue) <= 0.05)
    assert share == pytest.approx(plan.needed.power, abs=3 * np.sqrt(0.2 * 0.8 * (1 / 300 + 1 / 1_000)))
    if plan.needed_cautious is not None:
        assert plan.needed_cautious.n > plan.needed.n


@pytest.mark.parametrize("effect", [-1.5, -0.3, 0.0, 0.2, 0.6, 3.0])
def test_a_pilot_at_another_effect_keeps_its_sizes(effect):
    pilot = Pilot(TIED["half are ties, two digits"], where="here")
    values, chances, zero = pilot.population(effect)
    mean = values @ chances
    spread = np.sqrt(np.square(values) @ chances - mean**2)
    assert mean / spread == pytest.approx(
        effect, rel=0.02, abs=0.01
    )  # the variance of a hundred values has the divisor 99
    if abs(effect) < 0.7:  # beyond, all signs agree and sizes must grow
        assert zero == pytest.approx(0.5)
        assert set(np.abs(values).round(9)) == set(np.abs(pilot.values[pilot.values != 0]).round(9))
    draws = pilot.draw(200, 100, np.random.default_rng(0))(effect)
    assert draws.mean() == pytest.approx(mean, abs=5 * spread / np.sqrt(20_000))


@pytest.mark.parametrize(
    ("sizes", "spreads", "effect"), [((5, 20), (1.5, 0.5), 2.0), ((10, 10), (1.0, 1.0), 1.2), ((5, 5), (1.0, 3.0), 3.0)]
)
def test_welch_is_what_the_test_does(sizes, spreads, effect):
    """Its t is near a noncentral t: within 0.02, and four standard errors of 10,000 experiments."""
    rng = np.random.default_rng(10)
    first, second = (rng.normal(at, s, (10_000, n)) for at, s, n in zip((effect, 0.0), spreads, sizes, strict=True))
    share = np.mean(pairwise.welch_t(first, second).pvalue <= 0.05)
    found = power.welch_t(effect, sizes[0], other=sizes[1], spreads=spreads).power
    assert found == pytest.approx(share, abs=0.02 + 4 * np.sqrt(0.25 / 10_000))


@pytest.mark.parametrize(("sizes", "effect"), [((3, 3), 3.0), ((3, 10), 3.0), ((4, 4), 2.0)])
def test_welch_sees_nothing_where_judge_shows_nothing(sizes, effect):
    """Three runs may leave fewer than 3 degrees of freedom: those experiments show nothing, however far apart."""
    rng = np.random.default_rng(12)
    first, second = (rng.normal(at, 1.0, (20_000, n)) for at, n in zip((effect, 0.0), sizes, strict=True))
    result = pairwise.welch_t(first, second)
    share = np.mean((np.asarray(result.pvalue) <= 0.05) & ~untested(result, min(sizes)))
    assert power.welch_t(effect, sizes[0], other=sizes[1]).power == pytest.approx(share, abs=4 * np.sqrt(0.25 / 20_000))


@pytest.mark.parametrize(
    ("test", "n", "needed", "options"),
    [
        ("welch-t", 2, 4, {}),  # of three runs many show nothing
        ("welch-permutation", 3, 4, {}),
        ("paired-t", 3, 4, {}),
        ("corrected-t", 1, 2, {"folds": 3}),
        ("repeated-cv-t", 1, 2, {"folds": 3}),
    ],
)
def test_no_effect_is_seen_with_too_few_results(test, n, needed, options):
    assert power.power(test, 50.0, n, **options).power == 0.0
    assert np.isinf(power.detectable(test, n, **options).effect)
    assert power.sample_size(test, 50.0, **options).n == needed


@pytest.mark.parametrize(
    ("sizes", "effect", "alpha"), [((4, 4), 2.5, 0.05), ((4, 4), 2.0, 0.05), ((5, 5), 2.0, 0.02), ((8, 8), 1.5, 0.05)]
)
def test_runs_dealt_anew_have_the_power_of_the_test(sizes, effect, alpha):
    rng = np.random.default_rng(13)
    first, second = (rng.normal(at, 1.0, (1_500, n)) for at, n in zip((effect, 0.0), sizes, strict=True))
    share = np.mean(np.asarray(pairwise.welch_permutation(first, second, shuffles=999, rng=0).pvalue) <= alpha)
    found = power.welch_permutation(effect, sizes[0], alpha=alpha).power
    assert found == pytest.approx(share, abs=4 * np.sqrt(0.25 / 1_500 + 0.25 / 1_000))


@pytest.mark.parametrize(("datasets", "n", "effect"), [(4, 3, 1.5), (2, 4, 1.5)])
def test_runs_on_several_data_sets_have_the_power_of_the_stratified_test(datasets, n, effect):
    rng = np.random.default_rng(14)
    spreads = rng.uniform(0.5, 1.5, (2, datasets))
    runs = spreads[:, None, :, None] * rng.normal(size=(2, 10_000, datasets, n))
    result = pairwise.stratified_t(pairwise.welch_t(runs[0] + effect, runs[1]))
    share = np.mean((np.asarray(result.pvalue) <= 0.05) & ~untested(result))
    assert power.stratified_t(effect, n, spreads=spreads).power == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize(("n", "learners", "apart"), [(10, 3, (3, -3, 2, 2, 0)), (10, 2, (4, -2, 2, -1, 2))])
def test_runs_in_units_of_their_spread_have_the_power_of_the_stratified_test(n, learners, apart):
    rng = np.random.default_rng(15)
    runs = rng.normal(size=(learners, 5_000, len(apart), n))
    runs[0] += np.array(apart)[:, None]
    runs /= np.sqrt(runs.var(axis=-1, ddof=1).mean(axis=0))[..., None]
    strata, df = pairwise.welch_t(runs[0], runs[1]), np.full(len(apart), learners * (n - 1.0))
    share = pairwise.stratified_t(strata, divisor_df=df).rejects().mean()
    options = {"spreads": np.ones((2, len(apart))), "differences": apart, "learners": learners}
    assert power.stratified_t(np.mean(apart), n, **options).power == pytest.approx(share, abs=0.03)


def test_runs_are_planned_with_spreads_like_theirs():
    rng = np.random.default_rng(11)
    first, second = rng.normal(1.0, 0.5, 8), rng.normal(0.0, 1.5, 5)
    plan = power.from_runs(first, second)
    spreads = (first.std(ddof=1), second.std(ddof=1))
    assert plan.difference == pytest.approx(first.mean() - second.mean())
    assert plan.needed.n == power.sample_size("welch-t", plan.difference, spreads=spreads).n
    with pytest.raises(InputError, match="do not vary"):  # whose mean, and so whose variance, is rounded
        power.from_runs([0.8029] * 3, [0.8029] * 3)
    tasks = power.from_runs(np.stack([first] * 4), np.stack([np.resize(second, 8)] * 4))
    assert tasks.needed.n < power.from_runs(first, np.resize(second, 8)).needed.n
    assert tasks.needed.unit == "runs per learner and data set"
    few = power.sample_size("welch-permutation", 9.0)
    assert few.n == 4  # three and three have 20 ways to be dealt, four and four 70


@pytest.mark.parametrize("test", ["paired-t", "sign", "wilcoxon", *slow("permutation-t")])
def test_no_number_shows_an_effect_on_the_other_side(test):
    found = power.sample_size(test, [-0.5, 0.5], alternative="greater")
    assert found.text_of(found.n[0], found.effect[0]) == "none is enough"
    assert np.isfinite(found.n[1])
    alone = repr(power.sample_size(test, -0.5, alternative="greater"))
    assert "no number of data sets has power 0.8: the effect is on the other side" in alone
    assert power.sample_size("paired-t", 0.5, alternative="less").number == "none is enough"


def test_no_number_shows_a_mean_that_most_differences_contradict():
    apart = np.array([-1, -1.2, -0.9, -1.1, -0.8, -1, -1.3, 12.0])
    plan = power.from_pilot(0.5 + 0.01 * apart, np.full(8, 0.5), test="sign", alternative="greater")
    assert plan.effect > 0
    assert plan.needed.number == "none is enough"


def test_a_small_effect_needs_more_than_was_looked_at():
    assert power.sample_size("paired-t", 1e-5, alternative="greater").number == "more than 10,000,000"
    assert power.sample_size("paired-t", 0.0).number == "none is enough"
