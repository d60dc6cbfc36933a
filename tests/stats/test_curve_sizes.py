"""Measured size of the shuffling tests of curves, where the null hypothesis is true by construction.

A claim fails when the exact binomial 99.9 % interval of the measured size lies outside it. 199 shuffles and alpha 0.05
make an exact test reject with probability 10/200 when its statistic has no ties, and less when it has. Seeds are fixed.
"""

import numpy as np
import pytest
from scipy.stats import binomtest

from bestofk.stats.curves import clusters, feature_test, modify, randomized_anova, randomized_t, split_plot_anova

pytestmark = pytest.mark.slow

POINTS, RUNS, BATCH, SHUFFLES = 20, 10, 50, 199
RISE = 1.0 - np.exp(-np.arange(POINTS) / 5.0)


def noise(rng, *shape, autocorrelation=0.9):
    values = rng.normal(size=(*shape, POINTS))
    for point in range(1, POINTS):
        fresh = (1 - autocorrelation**2) ** 0.5 * values[..., point]
        values[..., point] = autocorrelation * values[..., point - 1] + fresh
    return values


def rates(outcomes, change=lambda first, second, rng: (first, second), runs=4000, seed=0):
    """Share of runs that each outcome rejects; dealings are shared within a batch only."""
    rng = np.random.default_rng([20261116, seed])
    found = dict.fromkeys(outcomes, 0)
    for _ in range(runs // BATCH):
        first, second = RISE + 0.1 * noise(rng, 2, BATCH, RUNS)
        first, second = change(first, second, rng)
        options = {"shuffles": SHUFFLES, "rng": int(rng.integers(2**32))}
        for name, outcome in outcomes.items():
            found[name] += int((outcome(first, second, options) <= 0.05).sum())
    return {name: binomtest(count, runs) for name, count in found.items()}


def assert_exact(rate, size=0.05):
    low, high = rate.proportion_ci(0.999)
    assert low <= size <= high, rate


def assert_at_most(rate, size=0.05):
    assert rate.proportion_ci(0.999)[0] <= size, rate


FREE = {
    "level": lambda a, b, o: split_plot_anova(a, b, **o).p_level,
    "shape": lambda a, b, o: split_plot_anova(a, b, **o).p_shape,
    "final": lambda a, b, o: feature_test(a, b, feature="final", **o).pvalue,
    "area": lambda a, b, o: feature_test(a, b, feature="area", **o).pvalue,
    "slope": lambda a, b, o: feature_test(a, b, feature="slope", **o).pvalue,
}


def test_free_shuffling_is_exact():
    for rate in rates(FREE).values():
        assert_exact(rate)


def test_tests_with_ties_reject_no_more_than_alpha():
    outcomes = {
        "clusters": lambda a, b, o: clusters(a, b, **o).pvalue,
        "clusters, one side": lambda a, b, o: clusters(a, b, alternative="greater", **o).pvalue,
        "steps-to": lambda a, b, o: feature_test(-a, -b, feature="steps-to", threshold=-0.9, **o).pvalue,
    }
    found = rates(outcomes, seed=1)
    for rate in found.values():
        assert_at_most(rate)
    assert found["clusters"].statistic > 0.03  # and it is no empty promise


def test_shape_is_exact_at_every_level_and_level_at_every_shape():
    """The interaction of the paper's test is not: it asks whether the curves are exchangeable."""
    for shift, paper in ((0.1, 0.08), (0.2, 0.25), (0.5, 0.85)):  # 1, 2 and 5 standard deviations of a point
        raised = rates(
            {"shape": FREE["shape"], "paper": lambda a, b, o: randomized_anova(a, b, **o).p_int},
            lambda first, second, _, shift=shift: (first + shift, second),
            seed=2,
        )
        assert_exact(raised["shape"])
        assert raised["paper"].proportion_ci(0.999)[1] > paper
        assert raised["paper"].proportion_ci(0.999)[0] > 0.05
    bend = np.linspace(0.2, -0.2, POINTS)
    bent = rates({"level": FREE["level"]}, lambda first, second, _: (first + bend, second), seed=3)
    assert_exact(bent["level"])


PAIRED = {
    "anova": lambda a, b, o: randomized_anova(a, b, paired=True, **o).p_alg,
    "interaction": lambda a, b, o: randomized_anova(a, b, paired=True, **o).p_int,
    "t": lambda a, b, o: randomized_t(a, b, paired=True, **o).pvalue,
    "shape": lambda a, b, o: split_plot_anova(a, b, paired=True, **o).p_shape,
    "final": lambda a, b, o: feature_test(a, b, paired=True, **o).pvalue,
}


def test_paired_shuffling_is_exact_where_rows_share_a_fold():
    def in_folds(first, second, rng):
        fold = noise(rng, BATCH, RUNS)
        return first + fold, second + fold

    # 2¹⁰ = 1,024 swaps are enumerated: the level attained is 51/1024 with both signs counted together, so 50/1024
    for rate in rates(PAIRED, in_folds, runs=3000, seed=4).values():
        assert_exact(rate, 50 / 1024)
    at_most = {"clusters": lambda a, b, o: clusters(a, b, paired=True, **o).pvalue}
    assert_at_most(rates(at_most, in_folds, runs=2000, seed=5)["clusters"])


def test_blocks_are_exact_where_data_sets_differ_and_are_unequally_shared():
    labels = [["u"] * 8 + ["v"] * 2, ["u"] * 3 + ["v"] * 7]
    hard = [0.2 * np.array([each == "v" for each in row], dtype=float)[:, None] for row in labels]

    def on_two_datasets(first, second, rng):
        return first + hard[0], second + hard[1]

    outcomes = {
        "anova": lambda a, b, o: randomized_anova(a, b, blocks=labels, **o).p_alg,
        "interaction": lambda a, b, o: randomized_anova(a, b, blocks=labels, **o).p_int,
        "t": lambda a, b, o: randomized_t(a, b, blocks=labels, **o).pvalue,
        "shape": lambda a, b, o: split_plot_anova(a, b, blocks=labels, **o).p_shape,
        "without blocks": lambda a, b, o: randomized_t(a, b, **o).pvalue,
    }
    found = rates(outcomes, on_two_datasets, runs=3000, seed=6)
    wrong = found.pop("without blocks")
    for rate in found.values():
        assert_exact(rate)
    assert wrong.proportion_ci(0.999)[0] > 0.05  # forgetting the data sets is found out


@pytest.mark.parametrize("kind", "abcd")
def test_size_under_each_modification_shuffled_away(kind):
    """Section 5.1 of Piater et al.: L and its modified copy are thrown together and divided anew."""

    def shuffled_away(first, second, rng):
        lines = np.concatenate([first, modify(first, kind, 5.0)], axis=1)
        orders = rng.permuted(np.tile(np.arange(2 * RUNS), (BATCH, 1)), axis=1)
        lines = np.take_along_axis(lines, orders[:, :, None], axis=1)
        return lines[:, :RUNS], lines[:, RUNS:]

    outcomes = {
        "algorithm": lambda a, b, o: randomized_anova(a, b, **o).p_alg,
        "interaction": lambda a, b, o: randomized_anova(a, b, **o).p_int,
    }
    for rate in rates(outcomes, shuffled_away, runs=4000, seed=7).values():
        assert_exact(rate)
