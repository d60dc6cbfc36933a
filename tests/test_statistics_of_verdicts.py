"""Statistics that verdicts rest on: gaps in a table, exact McNemar, curves one-sided, effect sizes, who can be best."""

from itertools import combinations, permutations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bestofk.core.errors import InputError
from bestofk.ordering.graph import from_edges, topological
from bestofk.ordering.possible_best import possible_best, possible_best_adjusted
from bestofk.stats import adjust
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves.randomized_anova import randomized_anova
from bestofk.stats.curves.randomized_t import randomized_t
from bestofk.stats.effects import a12, cohens_d, rank_biserial
from bestofk.stats.omnibus.friedman import friedman
from bestofk.stats.omnibus.skillings_mack import skillings_mack
from bestofk.stats.pairwise import mcnemar, paired_t, wilcoxon
from bestofk.stats.pairwise.mcnemar import mcnemar_exact_losses, mcnemar_losses, mcnemar_mid_p_losses
from bestofk.testing import check_pairwise

NAN = float("nan")
ALTERNATIVES = ("two-sided", "greater", "less")

# ---------------------------------------------------------------------------------------------- Skillings and Mack

# R 4.2.2 running the computation of PMCMRplus' skillingsMackTest (github.com/cran/PMCMRplus at 59992fd, MASS::ginv).
# BRADY: Hollander and Wolfe 1999, example 7.8. ASSEMBLY: Skillings and Mack 1981, Table 1. The tests of tlsfuzzer hold
# their own Skillings-Mack to PMCMRplus as well: 13.28095 (p 0.001306405) for BRADY, 12.53551 (p 0.01378318) for SPARSE.
BRADY = [[3, 5, 15], [1, 3, 18], [5, 4, 21], [2, NAN, 6], [0, 2, 17], [0, 2, 10], [0, 3, 8], [0, 2, 13]]
ASSEMBLY = [
    [3.2, 4.1, 3.8, 4.2],
    [3.1, 3.9, 3.4, 4.0],
    [4.3, 3.5, 4.6, 4.8],
    [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9],
    [4.5, 4.7, 3.7, NAN],
    [NAN, 4.2, 3.4, NAN],
    [4.3, 4.6, 4.4, 4.9],
    [3.5, NAN, 3.7, 3.9],
]
SPARSE = [
    [3, 5, 15, NAN, 4],
    [1, 3, NAN, NAN, NAN],
    [5, 4, 21, 5, NAN],
    [2, NAN, 6, NAN, NAN],
    [0, 2, 17, NAN, NAN],
    [0, 2, 10, NAN, NAN],
    [0, 3, NAN, 5, NAN],
    [0, 2, 13, NAN, NAN],
]


@pytest.mark.parametrize(
    ("table", "statistic", "pvalue"),
    [
        (BRADY, 13.280951844581, 0.0013064053484355),
        (ASSEMBLY, 15.493048797529, 0.0014402963024909),
        (SPARSE, 12.535506474354, 0.01378318319236),
    ],
)
def test_skillings_mack_agrees_with_pmcmrplus(table, statistic, pvalue):
    result = skillings_mack(table)
    assert result.statistic == pytest.approx(statistic, rel=1e-11)
    assert result.pvalue == pytest.approx(pvalue, rel=1e-10)
    assert result.df == (len(table[0]) - 1.0,)


def random_gaps(rng, shape, share=0.3):
    """Losses without ties, with gaps, and two full rows that connect all learners."""
    table = rng.random(shape)
    gaps = rng.random(shape) < share
    gaps[..., :2, :] = False
    return np.where(gaps, NAN, table)


def enumerated_skillings_mack(table):
    """The statistic from its definition: mean and covariance of the sums by dealing every row's ranks in every way."""
    k = len(table[0])
    sums, covariance = np.zeros(k), np.zeros((k, k))
    for row in table:
        there = [j for j in range(k) if not np.isnan(row[j])]
        if len(there) < 2:
            continue
        weight = np.sqrt(12 / (len(there) + 1))
        centred = weight * (scipy.stats.rankdata([row[j] for j in there]) - (len(there) + 1) / 2)
        sums[there] += centred
        dealt = np.array(list(permutations(weight * (np.arange(1, len(there) + 1) - (len(there) + 1) / 2))))
        covariance[np.ix_(there, there)] += dealt.T @ dealt / len(dealt)
    return sums @ np.linalg.pinv(covariance) @ sums


@pytest.mark.parametrize("seed", range(6))
def test_skillings_mack_agrees_with_its_definition(seed):
    table = random_gaps(np.random.default_rng(seed), (9, 5), share=0.5)
    assert skillings_mack(table).statistic == pytest.approx(enumerated_skillings_mack(table), rel=1e-10)


def test_skillings_mack_of_a_complete_table_is_friedman():
    table = np.random.default_rng(0).random((12, 5))
    result, plain = skillings_mack(table), friedman(table)
    theirs = scipy.stats.friedmanchisquare(*table.T)
    assert result.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert result.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
    assert result.mean_ranks == pytest.approx(plain.mean_ranks, rel=1e-12)
    assert result.estimate == pytest.approx(plain.estimate)
    tied = np.random.default_rng(1).integers(0, 3, (12, 5))
    assert skillings_mack(tied).statistic == pytest.approx(friedman(tied, ties=False).statistic, rel=1e-12)


def test_skillings_mack_of_two_learners_is_the_sign_test_s_square():
    # Every row adds ±1, so the statistic is (wins − losses)²/n: McNemar without correction.
    rng = np.random.default_rng(3)
    table = rng.random((20, 2))
    wins = int((table[:, 0] > table[:, 1]).sum())
    assert skillings_mack(table).statistic == pytest.approx(mcnemar(wins, 20 - wins, method="chi2").statistic)


def test_skillings_mack_says_what_it_used():
    table = [*ASSEMBLY, [NAN, NAN, 0.1, NAN], [NAN] * 4]
    result = skillings_mack(table)
    assert result.statistic == pytest.approx(skillings_mack(ASSEMBLY).statistic, rel=1e-14)
    assert (result.blocks, result.dropped) == (9, 2)
    assert result.counts.tolist() == [8, 8, 9, 7]
    assert result.estimate == pytest.approx(np.nanmean(ASSEMBLY, axis=0))
    # Weighted centred ranks −14.1256, 4.2812, −4.2812, 14.1256 by R, over the counts, on the scale of four learners.
    sums = np.array([-14.1255975154, 4.2812441461, -4.2812441461, 14.1255975154])
    assert result.mean_ranks == pytest.approx(2.5 + np.sqrt(5 / 12) * sums / [8, 8, 9, 7], rel=1e-9)


def test_skillings_mack_takes_gaps_in_every_form():
    plain = skillings_mack(ASSEMBLY).statistic
    array = np.array(ASSEMBLY)
    with_none = [[None if np.isnan(value) else value for value in row] for row in ASSEMBLY]
    masked = np.ma.masked_invalid(array)
    columns = dict(zip("abcd", array.T, strict=True))
    for form in (with_none, masked, list(masked), columns, {key: list(values) for key, values in columns.items()}):
        assert skillings_mack(form).statistic == pytest.approx(plain, rel=1e-14)
    assert skillings_mack(columns).names == tuple("abcd")
    kept = array.copy()
    skillings_mack(array)
    assert np.array_equal(array, kept, equal_nan=True)


def test_skillings_mack_takes_data_frames():
    pandas = pytest.importorskip("pandas", reason="data frames are pandas'")
    frame = pandas.DataFrame(ASSEMBLY, columns=list("abcd"))
    assert skillings_mack(frame).statistic == skillings_mack(ASSEMBLY).statistic
    assert skillings_mack(frame.astype("Float64")).statistic == skillings_mack(ASSEMBLY).statistic


def test_skillings_mack_in_batches():
    tables = random_gaps(np.random.default_rng(4), (2, 3, 8, 4))
    batch = skillings_mack(tables)
    assert batch.pvalue.shape == (2, 3)
    assert batch.mean_ranks.shape == (2, 3, 4)
    for index in np.ndindex(2, 3):
        single = skillings_mack(tables[index])
        assert batch.statistic[index] == pytest.approx(single.statistic, rel=1e-12)
        assert batch.mean_ranks[index] == pytest.approx(single.mean_ranks, rel=1e-12)
        assert batch.blocks[index] == single.blocks


def test_skillings_mack_looks_at_order_only():
    table = random_gaps(np.random.default_rng(5), (8, 4))
    plain = skillings_mack(table).statistic
    assert skillings_mack(np.exp(3.0 * table)).statistic == pytest.approx(plain, rel=1e-12)
    assert skillings_mack(table + np.arange(8.0)[:, None]).statistic == pytest.approx(plain, rel=1e-12)
    assert skillings_mack(table[::-1]).statistic == pytest.approx(plain, rel=1e-12)
    turned = skillings_mack(table[:, ::-1])
    assert turned.statistic == pytest.approx(plain, rel=1e-10)
    assert turned.mean_ranks[::-1] == pytest.approx(skillings_mack(table).mean_ranks, rel=1e-12)
    assert skillings_mack(-table).mean_ranks == pytest.approx(5.0 - skillings_mack(table).mean_ranks, rel=1e-12)


def test_skillings_mack_of_identical_learners():
    same = np.where(np.isnan(ASSEMBLY), NAN, 0.25)
    result = skillings_mack(same)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)
    assert (result.mean_ranks == 2.5).all()
    rounding = np.array([[0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]])
    assert skillings_mack(rounding).pvalue == 1.0


def test_skillings_mack_holds_its_level_with_gaps():
    tables = random_gaps(np.random.default_rng(6), (4000, 15, 4))
    rejected = np.mean(skillings_mack(tables).rejects(0.05))
    assert 0.035 < rejected < 0.06  # standard error 0.0034; the χ² form is a little conservative


def test_skillings_mack_finds_a_difference_through_gaps():
    rng = np.random.default_rng(7)
    tables = random_gaps(rng, (500, 15, 4)) + np.array([0.0, 0.0, 0.0, 0.6])
    result = skillings_mack(tables)
    assert np.mean(result.rejects(0.05)) > 0.8
    assert (np.argmax(result.mean_ranks, axis=-1) == 3).mean() > 0.95


def test_learners_without_a_common_data_set_are_refused_by_name():
    apart = {"lda": [0.1, 0.2, NAN, NAN], "knn": [0.2, 0.1, NAN, NAN], "svm": [NAN, NAN, 0.1, 0.2]}
    apart["tree"] = [NAN, NAN, 0.3, 0.1]
    with pytest.raises(InputError, match="no data set connects 'lda', 'knn' with 'svm', 'tree'"):
        skillings_mack(apart)
    chain = np.full((8, 5), NAN)
    for i in range(8):
        chain[i, [i % 4, i % 4 + 1]] = [i, 0.5]
    assert skillings_mack(chain).df == (4.0,)  # connected, through others only
    batch = np.stack([chain, chain])
    batch[1, [0, 4]] = NAN
    with pytest.raises(InputError, match=r"connects 0 with 1, 2, 3, 4") as caught:
        skillings_mack(batch)
    assert "table (1,) of the batch" in caught.value.where


# ----------------------------------------------------------------------------------------------------------- McNemar

# (n01, n10, exact two-sided p). statsmodels 0.15.0: mcnemar([[10, n10], [n01, 3]], exact=True).pvalue
STATSMODELS = [(7, 2, 0.1796875), (5, 5, 1.0), (12, 3, 0.03515625), (0, 4, 0.125)]


def outcomes(n01, n10, both=3, none=10):
    first = [1] * n01 + [0] * n10 + [1] * both + [0] * none
    second = [0] * n01 + [1] * n10 + [1] * both + [0] * none
    return first, second


@pytest.mark.parametrize(("n01", "n10", "pvalue"), STATSMODELS)
def test_mcnemar_exact_agrees_with_statsmodels(n01, n10, pvalue):
    result = mcnemar_exact_losses(*outcomes(n01, n10))
    assert result.pvalue == pytest.approx(pvalue, rel=1e-12)
    assert (result.n01, result.n10, result.test) == (n01, n10, "mcnemar-exact")
    assert result.estimate == pytest.approx((n01 - n10) / (n01 + n10 + 13))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("n01", "n10"), [(7, 2), (12, 3), (0, 4), (30, 41), (3, 3)])
def test_mcnemar_variants_agree_with_scipy_s_binomial(n01, n10, alternative):
    n = n01 + n10
    exact = scipy.stats.binomtest(n01, n, 0.5, alternative=alternative).pvalue
    assert mcnemar_exact_losses(*outcomes(n01, n10), alternative=alternative).pvalue == pytest.approx(exact, rel=1e-12)
    point = scipy.stats.binom.pmf(n01, n, 0.5)
    half = {"greater": scipy.stats.binom.sf(n01, n, 0.5), "less": scipy.stats.binom.cdf(n01 - 1, n, 0.5)}
    tails = {side: beyond + point / 2 for side, beyond in half.items()}
    # Fagerland, Lydersen and Laake: equal counts give 1 − P/2, otherwise twice the smaller mid tail.
    tails["two-sided"] = 1 - point / 2 if n01 == n10 else 2 * min(tails.values())
    mid = mcnemar_mid_p_losses(*outcomes(n01, n10), alternative=alternative)
    assert mid.pvalue == pytest.approx(tails[alternative], rel=1e-10)
    assert mid.test == "mcnemar-mid-p"


@pytest.mark.parametrize("test", [mcnemar_losses, mcnemar_exact_losses, mcnemar_mid_p_losses])
def test_mcnemar_variants_pass_what_plug_ins_pass(test):
    check_pairwise(test)


def test_mcnemar_variants_speak_in_their_own_name():
    for test, name in ((mcnemar_exact_losses, "mcnemar-exact"), (mcnemar_mid_p_losses, "mcnemar-mid-p")):
        with pytest.raises(InputError, match=f"{name} compares items"):
            test([0, 2], [0, 1])
        assert repr(test([0, 1], [1, 1])).startswith(name)


# ------------------------------------------------------------------------------------------------------ randomized t


def curves(seed, sizes=(5, 4), points=6, shift=0.0):
    rng = np.random.default_rng(seed)
    first, second = (rng.normal(size=(size, points)).cumsum(axis=1) for size in sizes)
    return first + shift, second


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(4))
def test_randomized_t_agrees_with_scipy_s_permutation_test(seed, alternative):
    first, second = curves(seed, shift=1.5)

    def statistic(x, y, axis):
        difference = np.mean(x, axis=axis) - np.mean(y, axis=axis)
        return np.abs(difference) if alternative == "two-sided" else difference

    theirs = scipy.stats.permutation_test(
        (first.mean(axis=1), second.mean(axis=1)),
        statistic,
        permutation_type="independent",
        vectorized=True,
        n_resamples=np.inf,
        alternative="greater" if alternative == "two-sided" else alternative,
    )
    ours = randomized_t(first, second, alternative=alternative)
    assert ours.exact
    assert ours.shuffles == 126
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
    assert ours.statistic == pytest.approx(scipy.stats.ttest_ind(first.mean(axis=1), second.mean(axis=1)).statistic)
    assert ours.estimate == pytest.approx(first.mean() - second.mean())


def test_two_sided_randomized_t_agrees_with_the_randomized_anova():
    # The error of the analysis of variance is within cells, that of t between curve means: on flat curves they are one.
    rng = np.random.default_rng(1)
    flat = [np.repeat(rng.random((size, 1)), 5, axis=1) for size in (4, 5)]
    assert randomized_t(*flat).pvalue == pytest.approx(randomized_anova(*flat).p_alg, rel=1e-12)


def test_randomized_t_by_shuffles():
    first, second = curves(2, sizes=(12, 11), shift=1.0)
    result = randomized_t(first, second, rng=5, shuffles=999)
    assert not result.exact
    assert result.shuffles == 999
    assert (result.pvalue * 1000) == pytest.approx(round(result.pvalue * 1000))  # (b + 1)/(z + 1)
    assert result.pvalue == randomized_t(first, second, rng=5, shuffles=999).pvalue
    assert result.pvalue != randomized_t(first, second, rng=6, shuffles=999).pvalue
    apart = randomized_t(first + 100.0, second, rng=1, shuffles=99)
    assert apart.pvalue == 0.01


def test_shuffles_approach_the_exact_p():
    first, second = curves(3, sizes=(6, 5), shift=0.7)
    for alternative in ALTERNATIVES:
        exact = randomized_t(first, second, alternative=alternative).pvalue
        sampled = randomized_t(first, second, alternative=alternative, exact=False, shuffles=20_000, rng=0).pvalue
        assert abs(sampled - exact) < 4 * np.sqrt(exact * (1 - exact) / 20_000)


def test_exact_is_taken_up_to_ten_thousand_ways():
    assert randomized_t(*curves(0, sizes=(8, 7))).shuffles == 6435
    assert not randomized_t(*curves(0, sizes=(8, 8)), rng=0, shuffles=19).exact  # 12,870 ways
    assert randomized_t(*curves(0, sizes=(8, 8)), exact=True).shuffles == 12_870


def test_randomized_t_is_turned_by_a_swap_and_kept_by_scale_and_shift():
    first, second = curves(4, shift=0.5)
    trend = np.linspace(3.0, 0.0, first.shape[1])
    for alternative, mirrored in (("two-sided", "two-sided"), ("greater", "less"), ("less", "greater")):
        forth = randomized_t(first, second, alternative=alternative)
        back = randomized_t(second, first, alternative=mirrored)
        assert forth.pvalue == pytest.approx(back.pvalue, rel=1e-12)
        assert forth.statistic == pytest.approx(-back.statistic, rel=1e-12)
        moved = randomized_t(7.3 * first + trend, 7.3 * second + trend, alternative=alternative)
        assert moved.pvalue == forth.pvalue
        assert moved.statistic == pytest.approx(forth.statistic, rel=1e-9)
    greater, less = (randomized_t(first, second, alternative=side).pvalue for side in ("greater", "less"))
    assert greater + less >= 1.0


def test_randomized_t_in_batches():
    rng = np.random.default_rng(8)
    first, second = rng.normal(size=(2, 3, 5, 4)), rng.normal(size=(3, 6, 4))  # batches broadcast
    for options in ({}, {"exact": False, "rng": 3, "shuffles": 200}):
        batch = randomized_t(first, second, **options)
        assert batch.pvalue.shape == (2, 3)
        for index in np.ndindex(2, 3):
            single = randomized_t(first[index], second[index[1]], **options)
            assert batch.pvalue[index] == single.pvalue
            assert batch.statistic[index] == pytest.approx(single.statistic, rel=1e-12)


def test_randomized_t_without_spread():
    same = np.tile([0.9, 0.5, 0.1 + 0.2], (4, 1))
    bent = np.tile([0.9, 0.3, 0.5], (3, 1))  # another shape, the same mean up to rounding
    for alternative in ALTERNATIVES:
        result = randomized_t(same, bent, alternative=alternative)
        assert (result.statistic, result.pvalue) == (0.0, 1.0)
    certain = randomized_t(same + 0.1, bent)
    assert certain.statistic == np.inf
    assert certain.pvalue == 1 / 35  # sizes differ, so no other way is as far apart
    assert randomized_t(same - 0.1, bent).statistic == -np.inf
    assert randomized_t(same - 0.1, bent, alternative="greater").pvalue == 1.0


def test_ties_of_randomized_t_survive_rounding():
    # In thirds and tenths: many dealings have the very same difference, apart from the order of adding.
    rng = np.random.default_rng(9)
    for _ in range(20):
        whole = rng.integers(0, 4, size=(9, 3))
        exact = randomized_t(whole[:5], whole[5:], alternative="greater").pvalue
        tenths = randomized_t(whole[:5] / 10, whole[5:] / 10, alternative="greater").pvalue
        total = [sum(whole[list(hand)].sum(axis=1)) for hand in combinations(range(9), 5)]
        assert exact == tenths == pytest.approx(np.mean(np.array(total) >= whole[:5].sum()), rel=1e-12)


def test_randomized_t_holds_its_level():
    rng = np.random.default_rng(10)
    first, second = (rng.normal(size=(2000, size, 5)).cumsum(axis=-1) for size in (5, 5))
    for alternative in ALTERNATIVES:
        rejected = np.mean(randomized_t(first, second, alternative=alternative).rejects(0.05))
        assert 0.03 < rejected < 0.065  # 12 of 252 ways at most: 0.0476; standard error 0.005


# ------------------------------------------------------------------------------------------------------ effect sizes

FIRST = [0.30, 0.32, 0.31, 0.35, 0.40, 0.28, 0.33]
SECOND = [0.28, 0.29, 0.31, 0.30, 0.41, 0.25, 0.27]


def test_effects_agree_with_other_programs():
    # R 4.2.2: d <- a - b; mean(d)/sd(d)
    assert cohens_d(FIRST, SECOND).value == pytest.approx(1.025645188136742, rel=1e-12)
    # pingouin 0.7.0: wilcoxon(a, b)["RBC"]; R, written out: (sum(r[d > 0]) - sum(r[d < 0]))/sum(r)
    assert rank_biserial(FIRST, SECOND).value == pytest.approx(0.9047619047619047, rel=1e-12)
    # pingouin 0.7.0: mwu(a, b)["CLES"]
    assert a12(FIRST, SECOND).value == pytest.approx(0.744897959183673, rel=1e-12)
    # pingouin 0.7.0, with ties and a zero: wilcoxon(x, y)["RBC"]
    x, y = [3, 5, 8, 4, 9, 2, 2], [1, 4, 3, 4.5, 2, 2, 3]
    assert rank_biserial(x, y).value == pytest.approx(2 / 3, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_effects_agree_with_scipy_and_with_the_tests_beside_them(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 6, 9) / 10, rng.integers(0, 6, 9) / 10
    assert cohens_d(first, second).value == pytest.approx(paired_t(first, second).statistic / 3.0, rel=1e-12)
    other = rng.integers(0, 6, 14) / 10
    u = scipy.stats.mannwhitneyu(first, other).statistic
    assert a12(first, other).value == pytest.approx(u / (9 * 14), rel=1e-12)
    counted = [(x > y) + 0.5 * (x == y) for x in first for y in other]
    assert a12(first, other).value == pytest.approx(np.mean(counted), rel=1e-12)
    signed = wilcoxon(first, second)
    n = signed.n
    assert rank_biserial(first, second).value == pytest.approx(4 * signed.statistic / (n * (n + 1)) - 1, rel=1e-12)


EFFECTS = (cohens_d, a12, rank_biserial)
NEUTRAL = {cohens_d: 0.0, rank_biserial: 0.0, a12: 0.5}


@pytest.mark.parametrize("effect", EFFECTS)
def test_effects_in_batches(effect):
    rng = np.random.default_rng(11)
    first, second = rng.random((2, 3, 7)), rng.random((3, 7))
    batch = effect(first, second)
    assert batch.value.shape == (2, 3)
    for index in np.ndindex(2, 3):
        single = effect(first[index], second[index[1]])
        assert isinstance(single.value, float)
        assert batch.value[index] == pytest.approx(single.value, rel=1e-12)
    assert "batch of shape (2, 3)" in repr(batch)
    with pytest.raises(AttributeError):
        batch.value = 0.0


def losses(low):
    return hnp.arrays(np.int64, 8, elements=st.integers(low, low + 7))


@pytest.mark.parametrize("effect", EFFECTS)
@given(first=losses(0), second=losses(2))
def test_effects_are_turned_by_a_swap_and_kept_by_scale(effect, first, second):
    forth, back = effect(first, second), effect(second, first)
    assert forth.neutral == NEUTRAL[effect]
    assert forth.value - forth.neutral == pytest.approx(back.neutral - back.value, rel=1e-12)
    assert effect(0.037 * first, 0.037 * second).value == pytest.approx(forth.value, rel=1e-9)
    assert effect(first + 5, second + 5).value == pytest.approx(forth.value, rel=1e-9)


@pytest.mark.parametrize("effect", EFFECTS)
def test_positive_means_that_the_first_loses_more(effect):
    low, high = [0.1, 0.2, 0.15], [0.3, 0.25, 0.4]
    assert effect(high, low).value > NEUTRAL[effect] > effect(low, high).value
    assert "the first loses more" in repr(effect(high, low))
    assert "the second loses more" in repr(effect(low, high))
    assert effect(low, low).value == NEUTRAL[effect]
    assert "neither loses more" in repr(effect(low, low))


def test_effects_without_spread():
    first = np.array([0.3, 0.1, 0.4])
    assert cohens_d(first + 0.1, first).value == np.inf
    assert cohens_d(first - 0.1, first).value == -np.inf
    assert cohens_d(first + 0.1, first).to_dict()["value"] == "Infinity"
    assert rank_biserial([0.3, 0.3], [0.1 + 0.2, 0.3]).value == 0.0
    assert a12([0.3, 0.3], [0.1 + 0.2, 0.3]).value == 0.5
    assert a12([2, 3], [0, 1]).value == 1.0


# ------------------------------------------------------------------------------------------------------ who can be best


def best_under(prior, worse):
    edges = [(i, j) for a, i in enumerate(prior) for j in prior[a + 1 :] if worse[i, j]]
    return from_edges(edges, prior=prior).best


def test_possible_best_is_what_trying_every_prior_finds():
    rng = np.random.default_rng(12)
    sizes = set()
    for k in (2, 3, 4, 5, 6):
        priors = np.array(list(permutations(range(k))))
        for density in (0.1, 0.25, 0.4, 0.6, 0.9):
            for _ in range(4 if k == 6 else 30):
                worse = (rng.random((k, k)) < density) & ~np.eye(k, dtype=bool)  # cycles and all
                in_order = np.triu(worse[priors[:, :, None], priors[:, None, :]], 1)
                tried = set(priors[np.arange(len(priors)), topological(in_order)[:, 0]].tolist())
                assert possible_best(worse) == tuple(sorted(tried))
                sizes.add((k, len(tried)))
    assert len(sizes) > 12  # one only, some, all: the relations were not all of a kind


def test_possible_best_by_the_graph_of_edges():
    rng = np.random.default_rng(13)
    for _ in range(30):
        worse = (rng.random((4, 4)) < 0.4) & ~np.eye(4, dtype=bool)
        assert set(possible_best(worse)) == {best_under(prior, worse) for prior in permutations(range(4))}


def test_possible_best_of_known_relations():
    nobody = np.zeros((3, 3), dtype=bool)
    assert possible_best(nobody) == (0, 1, 2)
    ladder = np.tril(np.ones((5, 5), dtype=bool), -1)  # each is worse than all before it
    assert possible_best(ladder) == (0,)
    ring = np.roll(np.eye(4, dtype=bool), 1, axis=1)  # each is worse than the next: whoever is last cuts the ring
    assert possible_best(ring) == (0, 1, 2, 3)
    large = np.zeros((200, 200), dtype=bool)
    large[1:, 0] = True  # everyone is worse than the first, and nothing else is known
    assert possible_best(large) == (0,)


def tables_of_p(rng, k):
    """One-sided p values: the two sides of a pair add up to 1."""
    means = rng.normal(size=k) * 3
    z = (means[:, None] - means[None, :] + np.triu(rng.normal(size=(k, k)), 1)) / np.sqrt(2)
    z = np.triu(z, 1) - np.triu(z, 1).T
    return scipy.stats.norm.sf(z)


@pytest.mark.parametrize("name", ADJUST.names())
def test_possible_best_adjusted_is_what_trying_every_prior_finds(name):
    rng = np.random.default_rng(14)
    rule = ADJUST[name]
    for k in (2, 3, 4):
        for _ in range(6):
            table = tables_of_p(rng, k)
            tried = set()
            for prior in permutations(range(k)):
                pairs = list(combinations(prior, 2))
                decided = rule([table[pair] for pair in pairs]) <= 0.05
                edges = [pair for pair, edge in zip(pairs, decided, strict=True) if edge]
                tried.add(from_edges(edges, prior=prior).best)
            found = tuple(sorted(tried))
            assert possible_best_adjusted(table, name) == found
            assert possible_best_adjusted(table, rule, 0.05) == found
            np.fill_diagonal(table, NAN)
            assert possible_best_adjusted(table, name, alpha=0.05) == found


def test_possible_best_adjusted_knows_its_level_and_its_limit():
    rng = np.random.default_rng(15)
    table = tables_of_p(rng, 9)
    worse = 36 * table <= 0.05
    np.fill_diagonal(worse, False)
    assert possible_best_adjusted(table, "bonferroni") == possible_best(worse)
    assert possible_best_adjusted(table, adjust.bonferroni) == possible_best(worse)
    assert len(possible_best_adjusted(table, "bonferroni", 1e-12)) > len(possible_best_adjusted(table, "none", 0.5))
    for adjustment, name in (("holm", "holm"), (adjust.holm, "holm")):
        with pytest.raises(InputError, match=f"9 learners .* {name}") as caught:
            possible_best_adjusted(table, adjustment)
        assert "use bonferroni or none" in caught.value.fix
    assert 0 < len(possible_best_adjusted(table[:8, :8], "holm")) <= 8


# ------------------------------------------------------------------------------------------------------- wrong input

GOOD = np.random.default_rng(16).random((2, 6))
CURVES = curves(0)
ZERO_ONE = np.random.default_rng(17).integers(0, 2, (2, 9))
RIGHT = {
    "skillings_mack": (skillings_mack, [np.random.default_rng(18).random((6, 3))]),
    "mcnemar_exact_losses": (mcnemar_exact_losses, [*ZERO_ONE]),
    "mcnemar_mid_p_losses": (mcnemar_mid_p_losses, [*ZERO_ONE]),
    "randomized_t": (randomized_t, [*CURVES]),
    "cohens_d": (cohens_d, [*GOOD]),
    "a12": (a12, [*GOOD]),
    "rank_biserial": (rank_biserial, [*GOOD]),
    "possible_best": (possible_best, [np.zeros((3, 3))]),
    "possible_best_adjusted": (lambda p: possible_best_adjusted(p, "holm"), [np.full((3, 3), 0.5)]),
}


def put(value):
    def change(array):
        array[..., 0, -1] = value
        return array

    return change


FAULTS = {
    "NaN": put(NAN),
    "infinity": put(np.inf),
    "minus infinity": put(-np.inf),
    "empty": lambda array: [],
    "empty in its last axis": lambda array: array[..., :0],
    "text": lambda array: "many",
    "text in an array": lambda array: np.full(array.shape, "0.5"),
    "text in a list of lists": lambda array: [["0.1", 0.2], [0.1, None]],
    "None": lambda array: None,
    "None inside": lambda array: [None, *array[1:].tolist()],
    "a bare number": lambda array: 0.5,
    "complex": lambda array: array + 1j,
    "a date": lambda array: np.full(array.shape, np.datetime64("2026-01-01")),
    "masked": lambda array: np.ma.masked_array(array, mask=np.ones(array.shape, dtype=bool)),
    "ragged": lambda array: [[1.0, 2.0], [[3.0], 4.0]],
    "one value": lambda array: array.reshape(-1)[:1],
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", RIGHT)
def test_fault_is_refused(name, fault):
    function, args = RIGHT[name]
    assert function(*args) is not None
    first = np.array(args[0], dtype=float)
    broken = FAULTS[fault](first[None])
    broken = broken[0] if isinstance(broken, np.ndarray) and broken.ndim > 1 else broken
    if (name, fault) == ("skillings_mack", "NaN"):
        assert function(broken).counts.tolist() == [6, 6, 5]  # the one function that takes gaps
        return
    with pytest.raises(InputError) as caught:
        function(broken, *args[1:])
    assert caught.value.wrong
    assert caught.value.where
    assert caught.value.fix
    assert str(caught.value).count("\n") == 2


WRONG_CALLS = {
    "unequal lengths, cohens_d": lambda: cohens_d(GOOD[0][:-1], GOOD[1]),
    "unequal lengths, rank_biserial": lambda: rank_biserial(GOOD[0][:-1], GOOD[1]),
    "unequal lengths, mcnemar": lambda: mcnemar_exact_losses(ZERO_ONE[0][:-1], ZERO_ONE[1]),
    "batches, a12": lambda: a12(np.ones((2, 3)), np.ones((3, 3))),
    "one value, a12": lambda: a12([0.1], [0.1, 0.2]),
    "too large, a12": lambda: a12([1e200, 1], [1, 2]),
    "points differ": lambda: randomized_t(CURVES[0], CURVES[1][:, :-1]),
    "one curve each": lambda: randomized_t(CURVES[0][:1], CURVES[1][:1]),
    "one point": lambda: randomized_t(CURVES[0][:, :1], CURVES[1][:, :1]),
    "alternative": lambda: randomized_t(*CURVES, alternative="more"),
    "shuffles": lambda: randomized_t(*CURVES, shuffles=0),
    "rng": lambda: randomized_t(*CURVES, rng="seed"),
    "exact": lambda: randomized_t(*CURVES, exact="yes"),
    "exact as an array": lambda: randomized_t(*CURVES, exact=np.ones(2)),
    "exact of too many": lambda: randomized_t(np.ones((30, 2)), np.ones((30, 2)), exact=True),
    "one learner": lambda: skillings_mack([[0.1], [0.2]]),
    "one data set": lambda: skillings_mack([[0.1, 0.2]]),
    "one data set of use": lambda: skillings_mack([[0.1, 0.2], [0.1, NAN]]),
    "nothing there": lambda: skillings_mack([[NAN, NAN], [NAN, NAN]]),
    "unequal columns": lambda: skillings_mack({"a": [0.1, NAN], "b": [0.1]}),
    "text in a column": lambda: skillings_mack({"a": [0.1, 0.2], "b": ["x", 0.1]}),
    "empty dict": lambda: skillings_mack({}),
    "worse than itself": lambda: possible_best(np.eye(3)),
    "not square": lambda: possible_best(np.zeros((2, 3))),
    "one learner, possible_best": lambda: possible_best([[0]]),
    "neither true nor false": lambda: possible_best([[0, 2], [0, 0]]),
    "p above 1": lambda: possible_best_adjusted([[1, 1.5], [0.2, 1]], "holm"),
    "p not square": lambda: possible_best_adjusted(np.full((2, 3), 0.5), "holm"),
    "alpha": lambda: possible_best_adjusted(np.full((2, 2), 0.5), "holm", alpha=1),
    "unknown adjustment": lambda: possible_best_adjusted(np.full((2, 2), 0.5), "holms"),
}


@pytest.mark.parametrize("fault", WRONG_CALLS)
def test_wrong_call_is_refused(fault):
    with pytest.raises(InputError) as caught:
        WRONG_CALLS[fault]()
    assert str(caught.value).count("\n") == 2
