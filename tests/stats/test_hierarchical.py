"""The hierarchical posterior against another sampler (tests/golden has its values), and where the answer is known."""

import json
from pathlib import Path

import numpy as np
import pytest

from bestofk import InputError
from bestofk.stats import bayes
from makers import slow

CASES = json.loads((Path(__file__).parents[1] / "golden" / "posteriors" / "hierarchical.json").read_text())


@pytest.mark.parametrize("case", slow(*CASES), ids=[case["id"] for case in CASES])
def test_the_posterior_is_that_of_another_sampler(case):
    """Within four standard errors of two Monte Carlo answers, each worth at least its effective sample."""
    difference = np.array(case["difference"])
    ours = bayes.hierarchical(
        difference, np.zeros_like(difference), rope=case["rope"], correlation=case["correlation"], samples=64_000, rng=1
    )
    worth = min(case["effective"], 4000.0)  # ours have more: see the test of the chains below
    error = 4 * np.sqrt(2 / worth)
    shares = np.array(case["probabilities"])
    np.testing.assert_allclose(ours.probabilities, shares, atol=error * np.sqrt(shares * (1 - shares)).max())
    assert ours.estimate == pytest.approx(case["estimate"], abs=error * case["estimate_sd"])
    assert ours.scale == pytest.approx(case["scale"], abs=error * case["scale_sd"])
    assert (np.abs(ours.datasets - case["datasets"]) <= error * np.array(case["datasets_sd"])).all()
    assert ours.rhat < 1.02


@pytest.mark.slow
def test_runs_with_other_seeds_scatter_no_more_than_claimed():
    difference = np.array(CASES[0]["difference"])
    runs = [
        bayes.hierarchical(difference, 0 * difference, rope=0.01, correlation=0.1, samples=8000, rng=seed)
        for seed in range(12)
    ]
    shares = np.array([run.probabilities for run in runs])
    assert shares.std(axis=0, ddof=1).max() < 2 * np.sqrt(0.25 / 1000)  # 8,000 draws are worth 1,000 at the very least


def test_the_same_seed_gives_the_same_answer_and_swapping_turns_it():
    rng = np.random.default_rng(0)
    first, second = rng.normal(0.3, 0.02, (8, 10)), rng.normal(0.29, 0.02, (8, 10))
    one, again = (bayes.hierarchical(first, second, rope=0.01, rng=5, samples=3200) for _ in range(2))
    assert one.probabilities.tolist() == again.probabilities.tolist()
    turned = bayes.hierarchical(second, first, rope=0.01, rng=5, samples=16_000)
    whole = bayes.hierarchical(first, second, rope=0.01, rng=6, samples=16_000)
    np.testing.assert_allclose(turned.probabilities[::-1], whole.probabilities, atol=0.03)


def test_a_batch_is_its_pairs():
    rng = np.random.default_rng(1)
    losses = rng.normal(0.3, 0.02, (3, 6, 10)) + np.array([0.0, 0.05, 0.0])[:, None, None]
    batch = bayes.hierarchical(losses, np.full((6, 10), 0.3), rope=0.01, correlation=0.1, samples=6400, rng=0)
    assert batch.probabilities.shape == (3, 3)
    assert batch.probabilities[1, 2] > 0.99
    assert batch.datasets.shape == (3, 6)


def test_data_sets_are_drawn_towards_one_another():
    rng = np.random.default_rng(2)
    difference = rng.normal(0.0, 0.001, (12, 1)) + rng.normal(0, 0.05, (12, 10))
    found = bayes.hierarchical(difference, 0 * difference, rope=0.01, correlation=0.1, rng=0)
    assert np.std(found.datasets) < 0.7 * np.std(difference.mean(axis=1))


def test_without_any_spread():
    zeros = np.zeros((5, 4))
    equal = bayes.hierarchical(zeros + 0.3, zeros + 0.3, rope=0.01, rng=0, samples=3200)
    assert equal.probabilities.tolist() == [0.0, 1.0, 0.0]
    assert (equal.estimate, equal.rhat) == (0.0, 1.0)
    constant = bayes.hierarchical(zeros + 0.3, zeros + 0.2, rope=0.01, rng=0, samples=3200)
    assert constant.probabilities[2] > 0.99
    one_flat = np.random.default_rng(0).normal(0, 0.01, (6, 5))
    one_flat[0] = 0.02
    assert np.isfinite(bayes.hierarchical(one_flat, 0 * one_flat, rope=0.01, rng=0, samples=3200).datasets).all()


@pytest.mark.parametrize(
    ("shape", "options", "wrong"),
    [
        ((1, 10), {}, "1 data set"),
        ((5, 1), {}, "1 fold"),
        ((5, 10), {"correlation": 1.0}, "correlation is 1.0"),
        ((5, 10), {"rope": -1}, "rope is -1"),
    ],
)
def test_wrong_input_is_named(shape, options, wrong):
    losses = np.random.default_rng(0).random(shape)
    with pytest.raises(InputError, match=wrong):
        bayes.hierarchical(losses, losses[::-1], **{"rope": 0.01, **options})
