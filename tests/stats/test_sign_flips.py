"""The permutation test on many choices of data sets, against the sums of every pattern written out."""

from __future__ import annotations

import numpy as np
import pytest

from bestofk.stats.across import all_pairs
from bestofk.stats.across.conclusions import SHUFFLES, SignFlips
from bestofk.stats.across.influence import kept_without, subsets
from bestofk.stats.pairwise import permutation_t
from bestofk.stats.pairwise.permutation_t import _random_signs


def table(learners, datasets, digits):
    rng = np.random.default_rng(datasets)
    return (np.linspace(0.0, 0.8, learners)[:, None] + rng.normal(size=(learners, datasets))).round(digits)


def assert_counted(found, count, patterns):
    """P values are counts of patterns; of fewer than 50 they come from a formula, within what so many can tell."""
    drawn = (count + 1.0) / (patterns + 1.0)
    counted = count >= 50
    np.testing.assert_allclose(found[counted], drawn[counted], rtol=1e-12)
    assert (np.abs(found - drawn) <= 5.0 * np.sqrt(drawn / patterns)).all()


@pytest.mark.parametrize(("datasets", "digits", "size"), [(40, 8, 2), (40, 1, 2), (24, 0, 1), (30, 2, 3)])
def test_left_out_choices_count_the_patterns_of_the_data_sets_that_stay(datasets, digits, size):
    losses, asked = table(4, datasets, digits), all_pairs(4, "permutation-t", seed=3)
    removed = subsets(datasets, size)[:: 1 if size == 1 else 37]
    kept = kept_without(removed, datasets)
    pvalue, side = SignFlips(losses, asked).pvalues(kept)
    (signs,) = _random_signs(datasets, SHUFFLES, np.random.default_rng(3))
    for pair, (i, j) in enumerate(zip(asked.first, asked.second, strict=True)):
        d = (losses[i] - losses[j]).round(9)
        sums = np.array([signs[:, row] @ d[row] for row in kept])  # (choices, patterns)
        observed = d[kept].sum(axis=1)
        if (np.abs(observed) < np.sqrt(np.square(d[kept]).sum(axis=1))).all():
            sums = sums[:, : SHUFFLES // 10]
        count = (np.abs(sums) >= np.abs(observed)[:, None] - 1e-8).sum(axis=1)
        assert_counted(pvalue[:, pair], count, sums.shape[1])
        apart = np.abs(observed) > 1e-8
        np.testing.assert_array_equal(side[apart, pair], -np.sign(observed[apart]))


@pytest.mark.parametrize("datasets", [9, 20])
def test_data_sets_drawn_again_are_tested_as_values(datasets):
    losses, asked = table(3, datasets, 1), all_pairs(3, "permutation-t", seed=5)
    kept = np.random.default_rng(0).integers(0, datasets, size=(6, datasets))
    pvalue, side = SignFlips(losses, asked).pvalues(kept)
    chosen = np.moveaxis(losses[:, kept], 0, 1)
    alone = permutation_t(chosen[:, asked.first], chosen[:, asked.second], rng=5)
    counted = alone.pvalue > 51 / (SHUFFLES + 1)
    np.testing.assert_allclose(pvalue[counted], alone.pvalue[counted], rtol=1e-12)
    np.testing.assert_allclose(pvalue, alone.pvalue, rtol=0.3)  # small ones by more patterns, or by a formula
    np.testing.assert_array_equal(side, -np.sign(np.asarray(alone.estimate).round(9)))


@pytest.mark.parametrize("differing", [(), (1.0, -1.0), (1.0, 1.0), (0.5, -1.0, 1.0)])
def test_learners_that_are_mostly_the_same_have_the_p_of_the_test(differing):
    losses = np.zeros((2, 20))
    losses[0, : len(differing)] = differing
    pvalue, _ = SignFlips(losses, all_pairs(2, "permutation-t", seed=1)).pvalues(np.arange(20)[None])
    few = slice(len(differing))
    exact = permutation_t(losses[0, few], losses[1, few]).pvalue if differing else 1.0
    # random patterns, a tenth of them where no level is near: 1,000, four standard errors
    assert abs(float(pvalue[0, 0]) - exact) < 0.065
