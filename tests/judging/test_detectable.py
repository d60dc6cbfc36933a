"""What could have been seen: the smallest difference of every pair that is not shown to differ."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.advice.detectable_difference import _items_seen, seeing
from bestofk.stats import power
from makers import bramer, codes, curves, folds, items, over_datasets, table


def test_detectable_differences_have_their_power():
    evidence = bramer()
    found = bk.judge(evidence).detectable
    spread = np.std(np.subtract(*evidence.values[:, :, 0, 0]), ddof=1)
    assert power.paired_t(found.pairs[0].seen / spread, 10).power == pytest.approx(0.8, abs=1e-6)
    assert found.pairs[0].difference == pytest.approx(-0.7)
    assert found.pairs[0].seen == pytest.approx(0.996 * 6.929, rel=1e-3)


@pytest.mark.parametrize(
    ("evidence", "options", "name"),
    [
        (table(3, 12, seed=7, gap=0.03, spread=0.06), {}, "wilcoxon"),
        (table(3, 12, seed=7, gap=0.03, spread=0.06), {"test": "nemenyi"}, "nemenyi"),
        (folds(0.3 + 0.05 * np.random.default_rng(1).random((3, 3, 10))), {}, "corrected-t"),
        (folds(0.3 + 0.05 * np.random.default_rng(1).random((3, 5, 2))), {}, "5x2cv-t"),
        (items(np.random.default_rng(2).integers(0, 2, (2, 80)).astype(float)), {}, "mcnemar-mid-p"),
        (curves(np.random.default_rng(3).random((2, 6, 4))), {}, "randomized-t"),
    ],
)
def test_every_sample_says_what_it_could_see(evidence, options, name):
    verdict = bk.judge(evidence, **options)
    found = verdict.detectable
    assert found.test == name
    assert all(0 < pair.seen < np.inf for pair in found.pairs)
    shared = len(verdict.comparison.pairs) if name != "nemenyi" else 1
    assert found.level == pytest.approx(0.05 / shared)


@pytest.mark.parametrize("disagreement", [0.16, 0.3, 0.6])
def test_many_items_are_planned_by_the_normal_form(disagreement):
    """Within four percent of the enumeration, which takes much longer."""
    n, level = 400, 0.05 / 6
    seen = _items_seen("mcnemar-mid-p", n, disagreement, 0.8, level)
    exact = power.detectable("mcnemar-mid-p", n, disagreement=disagreement, alpha=level).effect
    assert seen == pytest.approx(exact, rel=0.04)


def test_nothing_is_said_where_all_are_told_apart():
    assert bk.judge(table(2, 9, gap=0.4, spread=0.01)).detectable is None


def test_one_replication_is_not_several():
    """The corrected t test on one run of ten folds is planned in replications: of those there is one."""
    found = bk.judge(folds(0.3 + 0.05 * np.random.default_rng(0).normal(size=(2, 1, 10)))).detectable
    assert (found.n, found.unit) == (1, "replication of 10 folds")


def test_identical_learners_have_no_power_to_speak_of():
    verdict = bk.judge(over_datasets(np.repeat(np.random.default_rng(0).random((1, 10)), 2, axis=0)))
    assert [pair.varies for pair in verdict.detectable.pairs] == [False]
    assert "K119" not in codes(verdict)


@pytest.mark.parametrize("learners", [3, 8])
def test_large_differences_of_many_curves_can_be_seen(learners):
    """P values must be able to be as small as the level."""
    rng = np.random.default_rng(0)
    comparison = bk.compare(curves([rng.normal(0.3, 0.02, (10, 4)) for _ in range(learners)]))
    found = seeing(comparison.sample, comparison)
    assert found.level == pytest.approx(0.05 / len(comparison.pairs))
    smallest = found.smallest(0.8) / found.spread
    assert (smallest > 1.0).all()
    assert (smallest < 3.0).all()  # so many standard deviations; with 28 pairs it was infinite
