"""What could have been seen: the smallest difference of every pair that is not shown to differ."""

import numpy as np
import pytest
from benchmarks.calibration.designs import folds as resampled_folds
from benchmarks.calibration.populations import MODEL
from benchmarks.calibration.resampling import answers, contenders, error, margins_of
from scipy import stats

import bestofk as bk
from bestofk.advice.detectable_difference import _items_seen, seeing
from bestofk.judging.findings.detectable import detectable_of
from bestofk.stats import power
from bestofk.stats.pairwise import PAIRWISE
from makers import bramer, codes, curves, folds, items, over_datasets, runs, slow, table


def with_folds_of_few():
    """Three data sets with 5 × 2 folds each: too few for a test of data sets."""
    values = 0.3 + 0.02 * np.random.default_rng(5).normal(size=(2, 3, 5, 2))
    facts = {"learners": ("a", "b"), "datasets": ("d", "e", "f"), "measure": "error", "larger_is_better": False}
    return bk.Scores(values=values, **facts)


def test_detectable_differences_have_their_power():
    evidence = bramer()
    found = bk.judge(evidence, test="paired-t").detectable
    spread = np.std(np.subtract(*evidence.values[:, :, 0, 0]), ddof=1) * np.sqrt(9 / stats.chi2.median(9))
    assert power.paired_t(found.pairs[0].seen / spread, 10).power == pytest.approx(0.8, abs=1e-6)
    assert found.pairs[0].difference == pytest.approx(-0.7)


@pytest.mark.parametrize(
    ("evidence", "options", "name"),
    [
        (table(3, 12, seed=7, gap=0.03, spread=0.06), {}, "wilcoxon"),
        (table(3, 12, seed=7, gap=0.03, spread=0.06), {"test": "nemenyi"}, "nemenyi"),
        (folds(0.3 + 0.05 * np.random.default_rng(1).random((3, 3, 10))), {}, "repeated-cv-t"),
        (folds(0.3 + 0.05 * np.random.default_rng(1).random((3, 5, 2))), {}, "corrected-t"),
        (folds(0.3 + 0.05 * np.random.default_rng(1).random((3, 5, 2))), {"test": "5x2cv-t"}, "5x2cv-t"),
        (folds(0.3 + 0.05 * np.random.default_rng(1).random((3, 3, 10))), {"test": "calibrated-t"}, "calibrated-t"),
        (items(np.random.default_rng(2).integers(0, 2, (2, 80)).astype(float)), {}, "mcnemar-auto"),
        (items(np.random.default_rng(2).random((2, 80))), {}, "permutation-t"),
        (curves(np.random.default_rng(3).random((2, 6, 4))), {}, "welch-t"),
        (curves(np.random.default_rng(3).random((2, 6, 4))), {"test": "randomized-t"}, "randomized-t"),
        (with_folds_of_few(), {}, "stratified-t"),
    ],
)
def test_every_sample_says_what_it_could_see(evidence, options, name):
    verdict = bk.judge(evidence, **options)
    found = verdict.detectable
    assert found.test == name
    assert all(0 < pair.seen < np.inf for pair in found.pairs)
    shared = len(verdict.comparison.pairs) if name != "nemenyi" else 1
    shared *= 2 if verdict.comparison.curves else 1  # features and steps have half of alpha
    assert found.level == pytest.approx(0.05 / shared)


FOLDS = {"5 × 2": ((5, 2), "corrected-t"), "10": ((1, 10), "corrected-t"), "10 × 10": ((10, 10), "repeated-cv-t")}


@pytest.mark.parametrize(
    ("design", "learner"),
    [
        ("10", "nearest mean"),
        *slow(
            ("5 × 2", "1-NN"),
            ("5 × 2", "nearest mean"),
            ("10", "1-NN"),
            ("10 × 10", "1-NN"),
            ("10 × 10", "nearest mean"),
        ),
    ],
)
def test_the_power_of_folds_is_what_real_learners_have(design, learner):
    """Two learners on columns of their own, 200 rows; the power said of a difference, averaged over 200 pilots.

    Real power has the standard error 0.035 of 200 draws. The dependence of folds differs from learner to learner, and
    the measured middle of it is within 0.08 for these.
    """
    (replications, count), test = FOLDS[design]
    rng, draws = np.random.default_rng(4), 200
    sample = MODEL.draw(rng, draws, 200, 2, 0.0)
    tested = resampled_folds(rng, draws, 200, replications, count)
    wrong = error(margins_of(contenders(sample, learner), tested), answers(sample.truth, tested))
    difference = (wrong[:, 0] - wrong[:, 1]).reshape(draws, replications, count)
    worth = 2.2 * difference.mean(axis=(1, 2)).std()  # the learners are equal: a difference is put in
    moved = difference - difference.mean() + worth
    real = np.mean(PAIRWISE[test](moved, np.zeros_like(moved)).pvalue <= 0.05)
    said = []
    for one in difference:
        comparison = bk.compare(folds(np.stack([0.4 + one, np.full(one.shape, 0.4)])))
        assert comparison.test == test
        found = seeing(comparison.sample, comparison)
        said.append(found.power(worth, 0))
    assert np.mean(said) == pytest.approx(real, abs=0.08 + 2 * 0.035)


def test_the_own_model_of_a_test_promises_more_than_five_by_two_folds_keep():
    """What the verdict says is below what Nadeau and Bengio's model would say of small differences."""
    values = 0.3 + 0.02 * np.random.default_rng(1).random((2, 5, 2))
    comparison = bk.compare(folds(values))
    found = seeing(comparison.sample, comparison)
    worth = float(found.spread[0])
    assert found.power(worth, 0) < power.corrected_t(1.0, 5, folds=2, correlation=0.5).power


@pytest.mark.parametrize("disagreement", [0.16, 0.3, 0.6])
def test_many_items_are_planned_by_the_normal_form(disagreement):
    """Within four percent of the enumeration, which takes much longer."""
    n, level = 400, 0.05 / 6
    seen = _items_seen("mcnemar-auto", n, disagreement, 0.8, level)
    exact = power.detectable("mcnemar-auto", n, disagreement=disagreement, alpha=level).effect
    assert seen == pytest.approx(exact, rel=0.04)


def test_nothing_is_said_where_all_are_told_apart():
    assert bk.judge(table(2, 9, gap=0.4, spread=0.01)).detectable is None


def test_one_replication_is_not_several():
    """The corrected t test on one run of ten folds is planned in replications: of those there is one."""
    found = bk.judge(folds(0.3 + 0.05 * np.random.default_rng(0).normal(size=(2, 1, 10)))).detectable
    assert (found.n, found.unit) == (1, "replication of 10 folds")


def test_identical_learners_have_no_power_to_speak_of():
    verdict = bk.judge(over_datasets(np.repeat(np.random.default_rng(0).random((1, 10)), 2, axis=0)))
    assert [pair.seen for pair in verdict.detectable.pairs] == [0]
    assert "K119" not in codes(verdict)


@pytest.mark.parametrize("learners", [3, 8])
def test_large_differences_of_many_curves_can_be_seen(learners):
    """P values must be able to be as small as the level."""
    rng = np.random.default_rng(0)
    comparison = bk.compare(curves([rng.normal(0.3, 0.02, (10, 4)) for _ in range(learners)]))
    found = seeing(comparison.sample, comparison)
    assert found.level == pytest.approx(0.025 / len(comparison.pairs))
    smallest = found.smallest(0.8) / found.spread
    assert (smallest > 1.0).all()
    assert (smallest < 3.0).all()  # so many standard deviations; with 28 pairs it was infinite


@pytest.mark.parametrize(("spreads", "most"), [((1.0, 1.0), 0.95), *slow(((5.0, 1.0, 1.0), 0.88), ((1.0,) * 5, 0.88))])
def test_differences_over_tasks_are_seen_as_often_as_is_said(spreads, most):
    """Real power of what pilots say is seen with 0.8, in the middle of 60: from variances and means drawn anew.

    Of two tasks the pilots find too few degrees of freedom, and more is seen than is said.
    """
    spread, each = np.array(spreads), 3
    rng, tasks, real = np.random.default_rng(6), len(spreads), []
    names = tuple(f"t{i}" for i in range(tasks) for _ in range(each))
    drawn = np.square(spread)[:, None] * rng.chisquare(each - 1, size=(20_000, tasks, 2)) / (each - 1) / each
    error = np.sqrt(drawn.sum(axis=(1, 2))) / tasks
    df = drawn.sum(axis=(1, 2)) ** 2 / (drawn**2 / (each - 1)).sum(axis=(1, 2))
    noise = rng.normal(size=20_000) * np.sqrt(2 * np.square(spread).sum() / each) / tasks
    for _ in range(60):
        values = [rng.normal(size=len(names)) * np.repeat(spread, each) for _ in "ab"]
        comparison = bk.compare(runs(values, (names, names), measure="r2", larger_is_better=True))
        assert comparison.test == "stratified-t"
        seen = seeing(comparison.sample, comparison).smallest(0.8)[0]
        real.append(np.mean((2 * stats.t.sf(np.abs(seen + noise) / error, df) <= 0.05) & (df >= 3)))
    assert 0.68 < np.median(real) < most


def test_one_side_sees_smaller_differences():
    evidence = bramer()
    two, one = (
        bk.judge(evidence, test="paired-t", prior=evidence.learners, sides=sides).detectable.pairs[0].seen
        for sides in ("two", "one")
    )
    spread = np.std(np.subtract(*evidence.values[:, :, 0, 0]), ddof=1) * np.sqrt(9 / stats.chi2.median(9))
    centre = one / spread * np.sqrt(10)
    assert stats.nct.sf(stats.t.isf(0.05, 9), 9, centre) == pytest.approx(0.8, abs=1e-6)
    assert one < two


def test_one_side_of_items_sees_smaller_differences():
    evidence = items(np.random.default_rng(2).integers(0, 2, (2, 400)).astype(float))
    found = [bk.compare(evidence), bk.judge(evidence, prior=evidence.learners, sides="one").comparison]
    two, one = (seeing(each.sample, each) for each in found)
    assert one.smallest(0.8)[0] < two.smallest(0.8)[0]
    assert one.power(one.smallest(0.8)[0], 0) == pytest.approx(0.8, abs=0.03)


def test_no_difference_is_spoken_of_that_cannot_be():
    """Accuracies of which one run failed vary so much that their mean is far from 0 and 1."""
    values = [[0.92, 0.924, 0.1, 0.914, 0.925], [0.932, 0.927, 0.933, 0.932, 0.9315]]
    rates, amounts = (
        detectable_of(bk.compare(runs(np.array(values), measure=name, larger_is_better=True), alpha=0.01))
        for name in ("accuracy", "return")
    )
    roots = np.roots([1.0, -1.0, np.var(values[0])])  # m(1 - m) = s²: how far the mean of the first can go
    assert amounts.pairs[0].seen > np.mean(values[1]) - roots.min()
    assert rates.pairs[0].seen == np.inf
