"""Runs of several tasks together: against scipy, plain loops, an enumeration, and a simulation of coverage."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from bestofk.core.errors import InputError
from bestofk.stats.aggregates import interquartile_mean, performance_profile, probability_of_improvement

FEW = {"resamples": 20, "rng": 0}


def drawn(sizes, seed, *batch, digits=None):
    """Values on tasks with these numbers of runs, shuffled; rounded there are ties."""
    rng = np.random.default_rng(seed)
    tasks = np.repeat([f"t{i}" for i in range(len(sizes))], sizes)
    tasks = tasks[rng.permutation(len(tasks))]
    values = rng.normal(size=(*batch, len(tasks)))
    return (values if digits is None else values.round(digits)), tasks


@pytest.mark.parametrize("sizes", [(3, 3), (5,) * 7, (4,) * 2, (2,) * 9])
def test_the_interquartile_mean_is_scipys_trimmed_mean(sizes):
    values, tasks = drawn(sizes, 1, 2, 3)
    found = interquartile_mean(values, tasks, **FEW)
    np.testing.assert_allclose(found.estimate, stats.trim_mean(values, 0.25, axis=-1), atol=1e-12)


def test_tasks_with_more_runs_weigh_no_more_in_the_interquartile_mean():
    values, tasks = drawn((2, 6), 2)
    repeated = np.concatenate([np.repeat(values[tasks == "t0"], 3), values[tasks == "t1"]])
    assert interquartile_mean(values, tasks, **FEW).estimate == pytest.approx(stats.trim_mean(repeated, 0.25))


@pytest.mark.parametrize("digits", [None, 1])
def test_probability_of_improvement_is_the_mean_of_mann_and_whitneys_u(digits):
    first, tasks = drawn((4, 3, 6), 3, 5, digits=digits)
    second, others = drawn((2, 7, 5), 4, 5, digits=digits)
    found = probability_of_improvement(first, second, tasks, others, **FEW)
    for i in range(5):
        each = []
        for task in ("t0", "t1", "t2"):
            one, two = first[i, tasks == task], second[i, others == task]
            each.append(stats.mannwhitneyu(two, one).statistic / (len(one) * len(two)))
        assert found.estimate[i] == pytest.approx(np.mean(each))


def test_values_equal_up_to_rounding_tie():
    tasks = ["a", "a"]
    assert probability_of_improvement([0.1 + 0.2, 0.1 + 0.2], [0.3, 0.3], tasks, **FEW).estimate == 0.5


def test_a_profile_counts_runs_strictly_below_task_by_task():
    losses, tasks = drawn((2, 5, 3), 5, 2, digits=1)
    at = np.append(np.linspace(-2, 2, 9), losses[0, :3])
    found = performance_profile(losses, tasks, at, **FEW)
    for i, place in product(range(2), range(len(at))):
        shares = [np.mean(losses[i, tasks == task] < at[place]) for task in ("t0", "t1", "t2")]
        assert found.estimate[i, place] == pytest.approx(np.mean(shares))


def test_intervals_are_quantiles_of_all_resamples_where_these_can_be_enumerated():
    """Of two runs one is drawn: 2⁶ samples, of which the second and the last but one end 2.5 % at either side."""
    values, tasks = drawn((2,) * 6, 6)
    others, _ = drawn((2,) * 6, 7)
    each = np.array([np.flatnonzero(tasks == f"t{i}") for i in range(6)])
    choices = np.array(list(product((0, 1), repeat=6)))
    samples = np.repeat(values[each[np.arange(6), choices]], 2, axis=-1)  # 12 runs, as the estimate has
    every = np.sort(stats.trim_mean(samples, 0.25, axis=-1))
    found = interquartile_mean(values, tasks, resamples=20_000, rng=1)
    assert (found.low, found.high) == pytest.approx((every[1], every[-2]))
    profile = performance_profile(values, tasks, [0.1], resamples=20_000, rng=1)
    shares = np.sort((samples < 0.1).mean(axis=-1))
    assert (profile.low[0], profile.high[0]) == pytest.approx((shares[1], shares[-2]))
    mine, theirs = values[each[np.arange(6), choices]], others[each[np.arange(6), choices]]
    better = np.sort((mine[:, None] < theirs[None]).mean(axis=-1), axis=None)
    chance = probability_of_improvement(values, others, tasks, resamples=20_000, rng=1)
    assert (chance.low, chance.high) == pytest.approx(tuple(np.quantile(better, [0.025, 0.975])))


def test_intervals_are_those_of_a_plain_loop():
    values, tasks = drawn((4, 6, 5), 8)
    rng, loop = np.random.default_rng(2), []
    for _ in range(4000):
        weights = np.zeros(len(values))
        for task in ("t0", "t1", "t2"):
            places = np.flatnonzero(tasks == task)
            chosen = rng.choice(places, len(places) - 1)
            np.add.at(weights, chosen, 1 / len(chosen))
        loop.append(weights @ (values < 0.2) / 3)
    found = performance_profile(values, tasks, [0.2], level=0.9, resamples=4000, rng=1)
    assert found.low[0] == pytest.approx(np.quantile(loop, 0.05), abs=0.03)
    assert found.high[0] == pytest.approx(np.quantile(loop, 0.95), abs=0.03)


def test_a_seed_gives_the_same_interval_and_a_batch_what_its_parts_give():
    values, tasks = drawn((9, 14, 12), 9, 3)
    together = interquartile_mean(values, tasks, rng=5)
    for i in range(3):
        alone = interquartile_mean(values[i], tasks, rng=5)
        assert (alone.low, alone.high) == pytest.approx((together.low[i], together.high[i]))
    assert interquartile_mean(values[0], tasks, rng=6).low != together.low[0]


@pytest.mark.slow
def test_intervals_hold_the_truth_about_as_often_as_they_say():
    """20 tasks of 5 runs, 1,000 experiments: normal runs around means of their own."""
    rng = np.random.default_rng(0)
    mean, spread = rng.normal(size=(20, 1)), rng.uniform(0.3, 1.0, (20, 1))
    first, second = (mean + shift + spread * rng.normal(size=(1000, 20, 5)) for shift in (0.0, 0.3))
    many = mean + spread * rng.normal(size=(20, 20_000))
    tasks = np.repeat(np.arange(20), 5)
    truths = {
        "middle": stats.trim_mean(many, 0.25, axis=None),
        "below": stats.norm.cdf((0.5 - mean) / spread).mean(),
        "better": stats.norm.cdf(0.3 / spread / np.sqrt(2)).mean(),
    }
    one, two = first.reshape(1000, -1), second.reshape(1000, -1)
    found = {
        "middle": interquartile_mean(one, tasks, resamples=400, rng=1),
        "below": performance_profile(one, tasks, [0.5], resamples=400, rng=1),
        "better": probability_of_improvement(one, two, tasks, resamples=400, rng=1),
    }
    held = {name: np.mean((np.ravel(f.low) <= truths[name]) & (truths[name] <= np.ravel(f.high)))
            for name, f in found.items()}  # fmt: skip
    assert all(0.91 < share < 0.99 for share in held.values()), held


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: interquartile_mean([1.0, 2.0, 3.0], ["a", "a", "b"]), "task b"),
        (lambda: interquartile_mean([1.0, 2.0], ["a"]), "2 runs"),
        (lambda: interquartile_mean([], []), "shape"),
        (lambda: performance_profile([1.0, float("nan")], ["a", "a"], [1.0]), "NaN"),
        (lambda: performance_profile([1.0, 2.0], ["a", "a"], [[1.0]]), "shape"),
        (lambda: probability_of_improvement([1.0, 2.0], [1.0, 2.0], ["a", "a"], ["b", "b"]), "task a"),
        (lambda: interquartile_mean([1.0, 2.0], ["a", "a"], level=1.5), "1.5"),
    ],
)
def test_what_cannot_be_aggregated_is_refused(call, word):
    with pytest.raises(InputError, match=word):
        call()
