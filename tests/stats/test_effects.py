"""Effect sizes: Cohen's d, A12, rank-biserial correlation."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bestofk.stats import effects
from bestofk.stats.effects import a12, a12_of_rows, cohens_d, rank_biserial
from bestofk.stats.pairwise import paired_t, wilcoxon

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
    assert "shape (2, 3)" in repr(batch)
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
    assert cohens_d([0.64, 0.85, 0.83, 0.68], [0.65, 0.84, 0.82, 0.69]).value == 0.0  # rounding is no difference
    assert cohens_d(first + 0.1, first).to_dict()["value"] == "Infinity"
    assert rank_biserial([0.3, 0.3], [0.1 + 0.2, 0.3]).value == 0.0
    assert a12([0.3, 0.3], [0.1 + 0.2, 0.3]).value == 0.5
    assert a12([2, 3], [0, 1]).value == 1.0


@pytest.mark.parametrize("at_once", [0, effects._MOST_COUNTS])
@pytest.mark.parametrize("digits", [0, 1, 12])
def test_all_pairs_of_rows_at_once(monkeypatch, at_once, digits):
    monkeypatch.setattr(effects, "_MOST_COUNTS", at_once)
    rows = np.random.default_rng(digits).random((4, 30)).round(digits)
    found = a12_of_rows(rows)
    for i in range(4):
        for j in range(4):
            u = scipy.stats.mannwhitneyu(rows[i], rows[j]).statistic
            assert found[i, j] == pytest.approx(u / 900, rel=1e-12)
