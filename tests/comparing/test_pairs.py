"""All pairs: numbers against the tests called directly, both directions, effects, intervals, means."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
import scipy.stats

import bestofk as bk
import makers
from bestofk.comparing import sample_of
from bestofk.stats import omnibus, pairwise

NAMES = ("a", "b", "c", "d")


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def folds(rng, shape=(5, 2), larger=False):
    values = 0.3 + np.array([0.0, 0.02, 0.05, 0.3])[:, None, None] + rng.normal(0, 0.01, (4, *shape))
    return makers.folds(values, measure="m", larger_is_better=larger)


def table(rng, datasets=12):
    values = 0.7 + np.array([0.0, 0.02, 0.03, 0.1])[:, None] + rng.normal(0, 0.03, (4, datasets))
    return makers.over_datasets(values, measure="auc", larger_is_better=True)


def items(rng, n=200):
    return makers.items((rng.random((4, n)) < np.array([0.5, 0.6, 0.7, 0.72])[:, None]).astype(float))


def curves(rng):
    values = [rng.random((6 + k, 5)) + 0.2 * k for k in range(4)]
    return makers.curves(values, measure="accuracy", larger_is_better=True)


def walsh(gap):
    """The median of the means of any two differences, of one with itself too."""
    return np.median([(one + two) / 2 for one, two in combinations_with_replacement(gap, 2)])


def test_every_pair_is_the_test_called_directly(rng):
    for evidence, test, call, typical in (
        (folds(rng), "5x2cv-t", pairwise.five_by_two_t, np.mean),
        (folds(rng, (3, 4), larger=True), "corrected-t", pairwise.corrected_t, np.mean),
        (folds(rng, (3, 4), larger=True), "repeated-cv-t", pairwise.repeated_cv_t, np.mean),
        (table(rng), "wilcoxon", pairwise.wilcoxon, walsh),
        (table(rng), "sign", pairwise.sign_test, np.median),
        (items(rng), "mcnemar-exact", lambda a, b, **o: pairwise.mcnemar_losses(a, b, method="exact", **o), np.mean),
    ):
        comparison = bk.compare(evidence, test=test)
        losses = dict(zip(NAMES, sample_of(evidence).losses, strict=True))
        sign = -1 if evidence.larger_is_better else 1
        for i, (one, two) in enumerate(comparison.pairs):
            found = {
                side: call(losses[one], losses[two], alternative=side).pvalue
                for side in ("two-sided", "less", "greater")
            }
            assert comparison.pvalue[i] == found["two-sided"]
            assert comparison.better[i] == np.sign(found["greater"] - found["less"])
            gap = sign * (losses[one] - losses[two])
            assert comparison.difference[i] == pytest.approx(typical(gap.ravel()), abs=1e-12)
            for prior, side in ((NAMES, "greater"), (NAMES[::-1], "less")):  # is the preferred one worse?
                asked = bk.judge(evidence, test=test, prior=prior, sides="one").comparison
                assert asked.pair(one, two).pvalue == found[side]


def test_a_pair_turned_round_says_the_same(rng):
    for evidence in (folds(rng), table(rng), items(rng), curves(rng)):
        comparison = bk.compare(evidence)
        for one, two in comparison.pairs:
            there, back = comparison.pair(one, two), comparison.pair(two, one)
            assert there.difference == -back.difference
            assert there.pvalue == back.pvalue
            assert there.better == back.better
            assert there.a12 == pytest.approx(1.0 - back.a12)
            if there.low is not None:
                assert (there.low, there.high) == (-back.high, -back.low)
                assert there.low <= there.difference <= there.high
            if there.cohens_d is not None:
                assert there.cohens_d == -back.cohens_d


def test_the_statistic_is_that_of_the_scores_both_ways(rng):
    evidence = table(rng)
    comparison = bk.compare(evidence, test="paired-t")
    ranks = bk.compare(evidence, test="wilcoxon")
    scores = dict(zip(NAMES, evidence.by_dataset(), strict=True))
    for one, two in [*comparison.pairs, *(pair[::-1] for pair in comparison.pairs)]:
        t = scipy.stats.ttest_rel(scores[one], scores[two]).statistic
        assert comparison.pair(one, two).statistic == pytest.approx(t)
        positive = scipy.stats.wilcoxon(scores[one], scores[two], alternative="greater").statistic  # W+
        assert ranks.pair(one, two).statistic == pytest.approx(positive)


def shuffled(rng, units, learners=2):
    return makers.over_datasets(rng.random((learners, units)) + 0.3 * np.arange(learners)[:, None])


def test_p_follows_from_the_statistic_and_its_degrees_of_freedom(rng):
    unequal = makers.runs([rng.random(4) + 0.2, rng.random(9), 3.0 * rng.random(6)])
    for evidence, test in (
        (folds(rng), "corrected-t"),
        (folds(rng, (3, 4)), "repeated-cv-t"),
        (table(rng), "paired-t"),
        (unequal, "welch-t"),
    ):
        found = bk.compare(evidence, test=test).to_dict()["pairs"]
        for pair in found:
            (df,) = pair["df"]
            assert pair["pvalue"] == pytest.approx(2 * scipy.stats.t.sf(abs(pair["statistic"]), df))
            assert (pair["shuffles"], pair["exact"]) == (None, None)
        assert (len({pair["df"][0] for pair in found}) > 1) is (test == "welch-t")
    f = bk.compare(folds(rng), test="5x2cv-f").pair("a", "b")
    assert f.pvalue == pytest.approx(scipy.stats.f.sf(f.statistic, *f.df))
    assert f.df == (10.0, 5.0)
    assert bk.compare(table(rng), test="wilcoxon").pair("a", "b").df == ()


def test_p_is_a_share_of_so_many_shuffles(rng):
    few = makers.runs([rng.random(4) + 0.2, rng.random(5)])
    for evidence, test, every in (
        (shuffled(rng, 12), "permutation-t", 2**12),
        (shuffled(rng, 30), "permutation-t", None),
        (few, "welch-permutation", 126),
        (makers.runs([rng.random(12), rng.random(12)]), "welch-permutation", None),
        (makers.curves([rng.random((4, 3)), rng.random((5, 3))]), "randomized-t", 126),
    ):
        comparison = bk.compare(evidence, test=test)
        pair = comparison.to_dict()["pairs"][0]
        assert pair["df"] == []
        assert pair["exact"] is (every is not None)
        assert every in (None, pair["shuffles"])
        extreme = pair["pvalue"] * (pair["shuffles"] + (not pair["exact"]))
        assert extreme == pytest.approx(round(extreme))
        assert round(extreme) >= 1


def test_a_small_p_is_counted_in_more_shuffles_and_a_very_small_one_in_none(rng):
    base = scipy.stats.zscore(rng.normal(size=40))
    rows = np.stack([np.zeros(40), *(1.0 + base * 0.5 + gap for gap in (-1.0, -0.73, 2.0))])
    comparison = bk.compare(makers.over_datasets(rows), test="permutation-t")
    assert [comparison.pair("a", other).shuffles for other in "bcd"] == [10_000, 200_000, 0]
    assert comparison.pair("a", "d").exact is False


def test_a_one_sided_p_has_its_own_shuffles(rng):
    evidence = makers.runs([rng.random(12) + 0.3, rng.random(12)])
    asked = bk.judge(evidence, test="welch-permutation", prior=("a", "b"), sides="one").comparison.pair("a", "b")
    extreme = asked.pvalue * (asked.shuffles + 1)
    assert extreme == pytest.approx(round(extreme))
    assert asked.shuffles == 2 * bk.compare(evidence, test="welch-permutation").pair("a", "b").shuffles


def test_turning_the_measure_turns_directions_only(rng):
    up = table(rng)
    down = bk.Scores(
        learners=NAMES, datasets=up.datasets, values=1.0 - up.values, measure="error", larger_is_better=False
    )
    one, two = bk.compare(up), bk.compare(down)
    np.testing.assert_allclose(one.pvalue, two.pvalue, rtol=1e-9)
    np.testing.assert_allclose(one.cohens_d, two.cohens_d, rtol=1e-9)
    np.testing.assert_allclose(one.a12, two.a12)
    np.testing.assert_allclose(one.difference, -two.difference)
    np.testing.assert_allclose(one.low, -two.high)
    assert one.better.tolist() == two.better.tolist()


def test_a12_over_data_sets_and_groups_is_the_share_on_which_one_is_better():
    values = np.array([[10.0, 200.0, 3.0, 7.0], [11.0, 201.0, 4.0, 7.0]])  # always ahead, but for one tie
    over = makers.over_datasets(values[:, :, None, None])
    assert bk.compare(over, test="sign").pair("a", "b").a12 == pytest.approx(3.5 / 4)
    groups = tuple("g" * n for n in range(1, 8) for _ in range(n))
    outcomes = np.stack([np.ones(len(groups)), np.linspace(0.5, 0.9, len(groups))])
    items = makers.items(outcomes, groups=groups)
    assert bk.compare(items).pair("a", "b").a12 == 1.0
    one = makers.folds(np.random.default_rng(0).normal(0.3, 0.02, (2, 1, 10)))
    u = scipy.stats.mannwhitneyu(*one.values.reshape(2, -1), alternative="less").statistic
    assert bk.compare(one).pair("a", "b").a12 == pytest.approx(1.0 - u / 100)


def test_effects_and_interval_of_scipy(rng):
    evidence = table(rng)
    comparison = bk.compare(evidence, test="paired-t")
    scores = dict(zip(NAMES, evidence.by_dataset(), strict=True))
    for one, two in comparison.pairs:
        pair = comparison.pair(one, two)
        t = scipy.stats.ttest_rel(scores[one], scores[two])
        assert pair.pvalue == pytest.approx(t.pvalue)
        assert (pair.low, pair.high) == pytest.approx(tuple(t.confidence_interval(pair.level)))
        single = bk.compare(evidence, test="paired-t", intervals="single").pair(one, two)
        assert single.level == 0.95
        assert (single.low, single.high) == pytest.approx(tuple(t.confidence_interval(0.95)))
        gap = scores[one] - scores[two]
        assert pair.cohens_d == pytest.approx(gap.mean() / gap.std(ddof=1))
        assert pair.a12 == pytest.approx(np.mean(gap > 0))  # data sets are not set beside each other
        ranks = scipy.stats.rankdata(np.abs(gap))
        assert pair.rank_biserial == pytest.approx((ranks[gap > 0].sum() - ranks[gap < 0].sum()) / ranks.sum())


def holm_levels(pvalues, alpha):
    """Holm's procedure step by step: the level that every hypothesis was decided at."""
    levels, stopped = {}, None
    for step, name in enumerate(sorted(pvalues, key=pvalues.get)):
        level = alpha / (len(pvalues) - step)
        stopped = level if stopped is None and pvalues[name] > level else stopped
        levels[name] = level if stopped is None else stopped
    return levels


@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_intervals_are_at_the_level_that_decided_the_pair(seed, alpha):
    rng = np.random.default_rng(seed)
    evidence = table(rng, datasets=8 + seed)
    comparison = bk.compare(evidence, test="paired-t", alpha=alpha)
    scores = dict(zip(NAMES, evidence.by_dataset(), strict=True))
    raw = {(one, two): scipy.stats.ttest_rel(scores[one], scores[two]).pvalue for one, two in comparison.pairs}
    levels = holm_levels(raw, alpha)
    assert len(set(levels.values())) > 1
    for names, level in levels.items():
        pair = comparison.pair(*names)
        assert pair.level == pytest.approx(1 - level)
        assert pair.significant == (raw[names] <= level) == (not pair.low <= 0 <= pair.high)


@pytest.mark.parametrize("test", ["5x2cv-t", "5x2cv-f", "nemenyi"])
def test_tests_without_an_interval_have_none(rng, test):
    comparison = bk.compare(table(rng) if test == "nemenyi" else folds(rng), test=test)
    assert not comparison.bounded
    assert comparison.low is None
    assert comparison.high is None
    pair = comparison.pair("a", "b")
    assert (pair.low, pair.high) == (None, None)
    assert pair.difference == pytest.approx(comparison.means["a"] - comparison.means["b"])


def test_the_test_over_all_learners(rng):
    evidence = table(rng)
    found = bk.compare(evidence).omnibus
    scores = evidence.by_dataset()
    chi2 = scipy.stats.friedmanchisquare(*scores).statistic
    n, k = scores.shape[1], len(scores)
    assert found.statistic == pytest.approx((n - 1) * chi2 / (n * (k - 1) - chi2))
    assert found.pvalue == pytest.approx(scipy.stats.f.sf(found.statistic, k - 1, (k - 1) * (n - 1)))
    outcomes = items(rng)
    assert bk.compare(outcomes).omnibus.statistic == omnibus.cochran_q(outcomes.values.T).statistic
    assert bk.compare(folds(rng)).omnibus.assumes_independence
    assert bk.compare(folds(rng).without(["c", "d"])).omnibus is None


def test_full_agreement_is_not_certainty():
    """Iman and Davenport's F is infinite when all data sets rank alike; two of them prove nothing."""
    values = np.array([[0.1, 0.2], [0.2, 0.35], [0.3, 0.4]])[:, :, None, None]
    evidence = bk.Scores(
        learners=("a", "b", "c"), datasets=("u", "v"), values=values, measure="error", larger_is_better=False
    )
    found = bk.compare(evidence).omnibus
    assert (found.test, found.statistic) == ("friedman", 4.0)
    assert found.pvalue == pytest.approx(scipy.stats.chi2.sf(4, 2))


def test_pairs_are_tested_when_the_omnibus_accepts():
    comparison = bk.compare(makers.table(4, 10, seed=3))
    assert comparison.omnibus.accepts
    assert len(comparison.pairs) == 6


def test_nemenyi_is_adjusted_already(rng):
    evidence = table(rng)
    comparison = bk.compare(evidence, test="nemenyi")
    own = omnibus.nemenyi(-evidence.by_dataset().T)
    first, second = np.triu_indices(4, 1)
    np.testing.assert_allclose(comparison.adjusted, own.pvalue[first, second])
    assert comparison.adjust == "nemenyi"
    for adjust in ("holm", "none"):
        with pytest.raises(bk.InputError, match="nemenyi adjusts"):
            bk.compare(evidence, test="nemenyi", adjust=adjust)


def test_many_learners_are_done_in_batches(rng, monkeypatch):
    evidence = items(rng)
    whole = bk.compare(evidence)
    monkeypatch.setattr("bestofk.comparing.pair_tests.MOST_VALUES", 250)
    parts = bk.compare(evidence)
    np.testing.assert_array_equal(whole.pvalue, parts.pvalue)
    np.testing.assert_array_equal(whole.a12, parts.a12)


def test_zero_differences_and_single_values():
    same = bk.Scores(learners=("a", "b"), values=np.full((2, 5, 2), 0.25), measure="error", larger_is_better=False)
    pair = bk.compare(same).pair("a", "b")
    assert (pair.pvalue, pair.cohens_d, pair.a12, pair.better) == (1.0, 0.0, 0.5, None)
    assert not np.isnan([pair.low, pair.high]).any()


def test_rows_and_frame_agree(rng):
    comparison = bk.compare(table(rng))
    frame = comparison.frame()
    assert frame["adjusted"].tolist() == comparison.adjusted.tolist()
    assert len(frame) == 6
    verdict = bk.judge(table(rng))
    assert verdict.frame()["learner"].tolist() == list(verdict.order)


def test_the_p_values_of_a_verdict_are_those_of_the_comparison():
    rng = np.random.default_rng(1)
    values = 0.3 + 0.02 * np.arange(4)[:, None, None, None] + rng.normal(0, 0.03, (4, 12, 5, 2))
    evidence = makers.over_datasets(values)
    for options in ({}, {"prior": list("dcba")}, {"prior": list("dcba"), "method": "multi2test", "test": "nemenyi"}):
        verdict = bk.judge(evidence, **options)
        first, *others = verdict.order
        for name, row in zip(others, verdict.rows()[1:], strict=True):
            assert row["p against first"] == verdict.comparison.adjusted_pvalue(first, name)


def test_the_frame_of_a_verdict_tells_who_passes_the_winner_test():
    """Among them are verdicts that are decided though some pair, adjusted for all six, is not significant."""
    decided = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        values = 0.3 + 0.02 * (np.arange(4) > 0)[:, None] + rng.normal(0, 0.017, (4, 12))
        verdict = bk.judge(makers.over_datasets(values))
        first, *others = verdict.order
        frame, pairs = verdict.frame().iloc[1:], verdict.comparison.frame()
        raw = {frozenset(pair): p for *pair, p in pairs[["first", "second", "pvalue"]].itertuples(index=False)}
        assert frame["winner test p"].tolist() == [raw[frozenset((first, name))] for name in others]
        of_json = verdict.to_dict()["comparison"]["pairs"]
        assert {frozenset((each["first"], each["second"])): each["pvalue"] for each in of_json} == raw
        assert frame["winner test"].all() == (verdict.status == "decided")
        assert frame["winner test"].tolist() == [verdict.comparison.wins(first, name) for name in others]
        decided += verdict.status == "decided" and (frame["against first"] == "not significant").any()
    assert decided


def test_where_the_family_decides_who_wins_there_is_no_p_of_a_winner_test():
    rng = np.random.default_rng(0)
    evidence = makers.over_datasets(0.3 + 0.1 * np.arange(3)[:, None] + rng.normal(0, 0.01, (3, 12)))
    for options in ({"sides": "one", "prior": list("cba")}, {"control": "b"}):
        rows = bk.judge(evidence, **options).rows()[1:]
        assert None in [row["winner test p"] for row in rows]


def test_a_diverged_learner_rounds_nobody_else_to_0():
    rng = np.random.default_rng(0)
    rows = [1e-3 + 1e-4 * rng.random(10), 9e-3 + 1e-4 * rng.random(10), 1e10 * (1 + rng.random(10))]
    verdict = bk.judge(makers.over_datasets(rows, learners=("zeta", "alpha", "diverged")))
    assert verdict.order == ("zeta", "alpha", "diverged")
    for name, row in zip(("zeta", "alpha", "diverged"), rows, strict=True):
        assert verdict.means[name] == pytest.approx(row.mean(), rel=1e-12)


def test_what_is_left_of_a_sum_is_0_still():
    values = np.tile([0.1, 0.2, -0.3], 4)
    verdict = bk.judge(makers.over_datasets([values, values + 1e-3]))
    assert values.mean() != 0.0
    assert verdict.means["a"] == 0.0


def test_the_typical_difference_is_kept_where_the_mean_difference_is_0():
    gap = np.r_[np.arange(1.0, 20.0), -190.0] / 1024
    found = bk.compare(makers.over_datasets([0.5 + gap, np.full(20, 0.5)])).pair("a", "b")
    assert gap.mean() == 0.0
    assert found.difference == walsh(gap)
    assert found.low <= found.difference <= found.high


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_data_sets_on_which_a_pair_is_equal_count_for_the_interval_and_not_for_p(test):
    gap = np.r_[np.zeros(20), np.arange(1.0, 9.0) / 1024]
    whole, few = (
        bk.judge(makers.over_datasets([0.5 + each, np.full(len(each), 0.5)]), test=test) for each in (gap, gap[20:])
    )
    one, other = (each.comparison.pair("a", "b") for each in (whole, few))
    assert one.pvalue == other.pvalue
    assert (one.difference, other.difference) == pytest.approx((gap.mean(), np.median(gap[20:])))  # the median is 0
    assert 0.0 < one.low <= one.high <= max(other.low, gap.mean() + 1e-12)  # 0 itself is rejected, little more is not
    assert (whole.status, whole.best) == ("decided", "b")


@pytest.mark.parametrize(
    ("first", "second", "pvalue"),
    [(5, 0, 0.0625), (18, 6, scipy.stats.binomtest(6, 24).pvalue), (18, 7, 0.0290), (0, 6, 0.03125)],
)
def test_few_items_in_disagreement_are_tested_exactly_and_the_interval_agrees(first, second, pvalue):
    """18 : 7 is 0.0433 exactly and 0.0290 by mid-p (SciPy's binomial); 5 : 0 is no finding, though mid-p says 0.031."""
    right = np.repeat([[1, 0], [0, 1], [1, 1]], [first, second, 40], axis=0).T
    found = bk.compare(makers.items(right.astype(float)))
    assert found.pvalue[0] == pytest.approx(pvalue, abs=5e-5)
    assert (found.low[0] <= 0 <= found.high[0]) == (pvalue > 0.05)
