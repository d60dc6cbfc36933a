"""Chances are chances: of the next data set, of the mean of two, of the mean difference."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bestofk.stats import bayes
from bestofk.stats.bayes.hierarchical import rhat
from makers import slow

DRAWS = 40_000


def regions(values, rope):
    return np.stack([values < -rope, np.abs(values) <= rope, values > rope], axis=-1)


def test_sign_has_the_mean_of_its_posterior_shares():
    difference, rope = np.array([0.3, 0.2, -0.4, 0.01, 0.5, 0.6, -0.01]), 0.05
    found = bayes.sign(difference, np.zeros(7), rope=rope, samples=10, rng=0)
    weights = np.random.default_rng(1).dirichlet(np.ones(8), DRAWS)
    shares = weights @ regions(np.append(difference, 0.0), rope)
    assert found.about == "the next data set"
    np.testing.assert_allclose(found.chances, shares.mean(axis=0), atol=5 * shares.std() / np.sqrt(DRAWS))


def test_signed_ranks_have_the_mean_of_their_double_sums():
    difference, rope = np.array([-3.0, 0.2, 0.5, 2.0, 0.5, -0.8]), 0.4
    found = bayes.signed_rank(difference, np.zeros(6), rope=rope, samples=DRAWS, rng=5)
    weights = np.random.default_rng(2).dirichlet(np.ones(7), DRAWS)
    values = np.append(difference, 0.0)
    which = regions(0.5 * (values[:, None] + values), rope).astype(float)
    masses = np.einsum("si,ijr,sj->sr", weights, which, weights)
    assert found.about == "the mean of the next two data sets"
    np.testing.assert_allclose(found.chances, masses.mean(axis=0), atol=5 * masses.std() / np.sqrt(DRAWS))
    leads = np.bincount(masses.argmax(axis=1), minlength=3) / DRAWS
    np.testing.assert_allclose(found.probabilities, leads, atol=5 * np.sqrt(0.5 / DRAWS))


def test_a_batch_has_the_chances_of_its_rows():
    losses = np.random.default_rng(3).normal(size=(2, 3, 9))
    for test in (bayes.sign, bayes.signed_rank):
        together = test(*losses, rope=0.2, samples=10, rng=0).chances
        alone = [test(*rows, rope=0.2, samples=10, rng=0).chances for rows in losses.transpose(1, 0, 2)]
        np.testing.assert_allclose(together, alone)


def test_the_correlated_t_has_the_posterior_of_the_mean():
    first, second = np.array([0.3, 0.2, 0.4, 0.3]), np.array([0.2, 0.2, 0.2, 0.1])
    found = bayes.correlated_t(first, second, rope=0.02, correlation=0.2)
    posterior = scipy_stats.t(3, 0.125, np.sqrt(0.25 + 0.25) * np.std(first - second, ddof=1))
    below, above = posterior.cdf(-0.02), posterior.sf(0.02)
    assert found.about == "the mean difference"
    assert found.chances == pytest.approx([below, 1 - below - above, above], abs=1e-12)


@pytest.mark.parametrize(("centre", "studies"), [(0.5, 100), *slow((0.5, 300), (0.0, 300))])
def test_the_next_data_set_does_what_the_hierarchical_model_says(centre, studies):
    """Studies of 12 data sets: chances said and what came, three standard errors of as many outcomes."""
    rng, rope = np.random.default_rng(4), 0.2
    means = centre + rng.normal(size=(studies, 13))
    results = means[:, :12, None] + 0.3 * rng.normal(size=(studies, 12, 4))
    found = bayes.hierarchical(results, np.zeros_like(results), rope=rope, correlation=0.0, samples=800, rng=0)
    came = regions(means[:, 12], rope).mean(axis=0)
    # Besides, half a data set of 13 lies elsewhere than in truth: σ₀ and ν are not known.
    np.testing.assert_allclose(found.chances.mean(axis=0), came, atol=3 * np.sqrt(0.25 / studies))


def by_scipy(draws):
    """R-hat of Vehtari et al. 2021 for (samples, chains), with scipy's ranks."""
    half = len(draws) // 2
    halves = np.concatenate([draws[:half], draws[-half:]], axis=1)
    found = []
    for values in (halves, np.abs(halves - np.median(halves))):
        ranks = scipy_stats.rankdata(values).reshape(values.shape)
        scores = scipy_stats.norm.ppf((ranks - 0.375) / (values.size + 0.25))
        within = scores.var(axis=0, ddof=1).mean()
        found.append(np.sqrt((half - 1) / half + scores.mean(axis=0).var(ddof=1) / within))
    return max(found)


def test_rhat_is_that_of_the_paper():
    draws = np.random.default_rng(5).normal(size=(3, 400, 4))
    draws[1] += [0, 0, 0, 0.5]  # elsewhere
    draws[2] *= [1, 1, 1, 2]  # wider
    found = rhat(draws)
    assert found == pytest.approx([by_scipy(each) for each in draws])
    assert found[0] < 1.01 < min(found[1:])
    assert np.isinf(rhat(draws[:1, :3])).all()
