"""McNemar's test, exact and by mid-p, against statsmodels and SciPy."""

import numpy as np
import pytest
import scipy.stats

from bestofk.core.errors import InputError
from bestofk.stats.pairwise.mcnemar import mcnemar_exact_losses, mcnemar_losses, mcnemar_mid_p_losses
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


@pytest.mark.parametrize("test", [mcnemar_losses, mcnemar_exact_losses, mcnemar_mid_p_losses])
def test_mcnemar_variants_pass_what_plug_ins_pass(test):
    check_pairwise(test)


def test_mcnemar_variants_speak_in_their_own_name():
    for test, name in ((mcnemar_exact_losses, "mcnemar-exact"), (mcnemar_mid_p_losses, "mcnemar-mid-p")):
        with pytest.raises(InputError, match=f"{name} compares items"):
            test([0, 2], [0, 1])
        assert repr(test([0, 1], [1, 1])).startswith(name)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize(("n01", "n10", "alike"), [(7, 2, 13), (0, 4, 30), (0, 0, 9), (40, 41, 119), (5, 0, 0)])
def test_the_interval_is_that_of_the_mean_of_two_items_more(n01, n10, alike, level):
    """Bonett and Price 2012: add an item for either learner, then Wald's interval of the mean difference."""
    more = np.repeat([1.0, -1.0, 0.0], [n01 + 1, n10 + 1, alike])
    half = scipy.stats.norm.ppf((1 + level) / 2) * more.std() / np.sqrt(len(more))
    for test in (mcnemar_losses, mcnemar_exact_losses, mcnemar_mid_p_losses):
        found = test(*outcomes(n01, n10, both=0, none=alike)).confidence_interval(level)
        assert (found.low, found.high) == pytest.approx((max(-1, more.mean() - half), min(1, more.mean() + half)))
    above = mcnemar_losses(*outcomes(n01, n10, both=0, none=alike), alternative="greater").confidence_interval(level)
    one_sided = scipy.stats.norm.ppf(level) * more.std() / np.sqrt(len(more))
    assert (above.low, above.high) == (pytest.approx(max(-1, more.mean() - one_sided)), np.inf)


@pytest.mark.parametrize("chances", [(0.1, 0.1), (0.3, 0.1), (0.05, 0.2)])
def test_the_interval_covers_the_difference_as_often_as_it_says(chances):
    """By enumeration of all counts of 40 items."""
    n, covered = 40, 0.0
    counts = [(i, j) for i in range(n + 1) for j in range(n + 1 - i)]
    first, second = zip(*(outcomes(i, j, both=0, none=n - i - j) for i, j in counts), strict=True)
    interval = mcnemar_losses(np.array(first), np.array(second)).confidence_interval(0.95)
    inside = (interval.low <= chances[0] - chances[1]) & (interval.high >= chances[0] - chances[1])
    rest = 1 - sum(chances)
    for (i, j), there in zip(counts, inside.tolist(), strict=True):
        covered += there * scipy.stats.multinomial.pmf([i, j, n - i - j], n, [*chances, rest])
    assert 0.94 < covered < 0.985
