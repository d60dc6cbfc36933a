"""McNemar's test, exact, by mid-p and by the rule between them, against statsmodels and SciPy."""

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

from bestofk.core.errors import InputError
from bestofk.stats.pairwise.mcnemar import (
    McNemarResult,
    mcnemar,
    mcnemar_auto_losses,
    mcnemar_exact_losses,
    mcnemar_losses,
    mcnemar_mid_p_losses,
)
from bestofk.testing import check_pairwise

ALTERNATIVES = ("two-sided", "greater", "less")


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


@pytest.mark.parametrize("test", [mcnemar_losses, mcnemar_exact_losses, mcnemar_mid_p_losses, mcnemar_auto_losses])
def test_mcnemar_variants_pass_what_plug_ins_pass(test):
    check_pairwise(test)


def test_mcnemar_variants_speak_in_their_own_name():
    for test, name in ((mcnemar_exact_losses, "mcnemar-exact"), (mcnemar_mid_p_losses, "mcnemar-mid-p")):
        with pytest.raises(InputError, match=f"{name} compares items"):
            test([0, 2], [0, 1])
        assert repr(test([0, 1], [1, 1])).startswith(name)


def test_few_disagreements_are_counted_exactly_and_no_size_is_above_what_the_docs_say():
    """By enumeration of all counts of 1 to 200 disagreements, with SciPy's binomial."""
    conditional = [0.0]
    for n in range(1, 201):
        wrong = np.arange(n + 1)
        lower = scipy.stats.binom.cdf(np.minimum(wrong, n - wrong), n, 0.5)
        point = scipy.stats.binom.pmf(wrong, n, 0.5)
        both = np.minimum(1.0, 2 * lower)
        pvalue = both if n < 25 else np.where(2 * wrong == n, 1 - point / 2, both - point)
        assert mcnemar(wrong, n - wrong, method="auto").pvalue == pytest.approx(pvalue, rel=1e-10)
        conditional.append(point[pvalue <= 0.05].sum())
    assert max(conditional[:25]) <= 0.05
    assert max(conditional) == pytest.approx(0.0660, abs=5e-5)
    assert np.argmax(conditional) == 43
    for share in (0.05, 0.1, 0.3, 0.5):  # of so many items, as chance brings them
        for items in (20, 50, 100, 200):
            chances = scipy.stats.binom.pmf(np.arange(items + 1), items, share)
            assert chances @ conditional[: items + 1] <= 0.05


def score_bound(n01, n10, n, z):
    """The upper end by roots of SciPy: the likeliest rates under a difference, then the moments of one item."""

    def inside(difference):
        lowest, highest = max(0.0, -difference), (1 - difference) / 2

        def slope(rate):  # of the likelihood, times its denominators
            neither = 1 - difference - 2 * rate
            return (
                n01 * rate * neither + n10 * (rate + difference) * neither
                - 2 * (n - n01 - n10) * rate * (rate + difference)
            )  # fmt: skip

        ends = lowest + 1e-13, highest - 1e-13
        rate = lowest if slope(ends[0]) <= 0 else highest
        if slope(ends[0]) > 0 > slope(ends[1]):
            rate = scipy.optimize.brentq(slope, *ends, xtol=1e-15)
        chances = np.array([rate + difference, rate, 1 - difference - 2 * rate])
        second, third = (chances @ (np.array([1.0, -1.0, 0.0]) - difference) ** power for power in (2, 3))
        return n01 - n10 + 0.5 - n * difference + z * np.sqrt(n * second) - (z**2 - 1) / 6 * third / second

    return scipy.optimize.brentq(inside, (n01 - n10 + 0.2) / n, 1 - 1e-9, xtol=1e-13)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize(("n01", "n10", "alike"), [(7, 2, 13), (0, 4, 30), (0, 0, 90), (40, 41, 119), (3, 12, 985)])
def test_the_interval_is_tango_s_with_the_corrections_for_counts(n01, n10, alike, level):
    n, z = n01 + n10 + alike, scipy.stats.norm.ppf([(1 + level) / 2, level])
    ends = [(-score_bound(n10, n01, n, each), score_bound(n01, n10, n, each)) for each in z]
    for test in (mcnemar_losses, mcnemar_exact_losses, mcnemar_mid_p_losses, mcnemar_auto_losses):
        found = test(*outcomes(n01, n10, both=0, none=alike)).confidence_interval(level)
        assert (found.low, found.high) == pytest.approx(ends[0], abs=1e-9)
    above = mcnemar_losses(*outcomes(n01, n10, both=0, none=alike), alternative="greater").confidence_interval(level)
    assert (above.low, above.high) == (pytest.approx(ends[1][0], abs=1e-9), np.inf)


def test_the_interval_reaches_the_end_of_the_scale_where_every_item_says_the_same():
    found = mcnemar([5, 0, 0], [0, 5, 0]).confidence_interval(0.95)
    assert found.high[0] == 1.0 == -found.low[1]
    assert (found.low[2], found.high[2]) == pytest.approx((-1.0, 1.0))  # no items at all


@pytest.mark.parametrize("wins", [0.0, 0.002, 0.05, 0.15])
@pytest.mark.parametrize("margin", [0.01, 0.02, 0.05, 0.1])
@pytest.mark.parametrize("items", [20, 75, 200, 271, 310, 385])
def test_either_end_is_passed_in_at_most_alpha_of_cases(items, margin, wins):
    """By enumeration of all counts that can be, where one learner alone loses items, and where both do."""
    most = [int(scipy.stats.binom.isf(1e-7, items, chance)) + 1 for chance in (wins + margin, wins)]
    n01, n10 = np.meshgrid(np.arange(most[0] + 1), np.arange(most[1] + 1 if wins else 1))
    there = n01 + n10 <= items
    n01, n10 = n01[there], n10[there]
    rest = items - n01 - n10
    chances = scipy.stats.multinomial.pmf(
        np.stack([n01, n10, rest], axis=-1), items, [wins + margin, wins, 1 - margin - 2 * wins]
    )
    exact = {"items": np.full(n01.shape, float(items)), "n01": n01, "n10": n10, "statistic": n01, "pvalue": n01 * 0.0}
    result = McNemarResult(test="mcnemar", df=None, estimate=(n01 - n10) / items, alternative="two-sided", **exact)
    interval = result.confidence_interval(0.9)
    assert chances.sum() > 0.9999
    assert chances @ (interval.high <= margin) <= 0.05
    assert chances @ (interval.low > margin) <= 0.05
