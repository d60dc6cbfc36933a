"""All pairs: numbers against the tests called directly, both directions, effects, intervals, gaps."""

import numpy as np
import pytest
import scipy.stats

import bestofk as bk
from bestofk.comparing import compare_pairs, completed, sample_of
from bestofk.stats import omnibus, pairwise

NAMES = ("a", "b", "c", "d")


def folds(rng, shape=(5, 2), larger=False):
    values = 0.3 + np.array([0.0, 0.02, 0.05, 0.3])[:, None, None] + rng.normal(0, 0.01, (4, *shape))
    return bk.Scores(learners=NAMES, values=values, measure="m", larger_is_better=larger)


def table(rng, datasets=12, larger=True):
    values = 0.7 + np.array([0.0, 0.02, 0.03, 0.1])[:, None, None, None] + rng.normal(0, 0.03, (4, datasets, 1, 1))
    names = tuple(f"d{i}" for i in range(datasets))
    return bk.Scores(learners=NAMES, datasets=names, values=values, measure="auc", larger_is_better=larger)


def items(rng, n=200):
    values = (rng.random((4, n)) < np.array([0.5, 0.6, 0.7, 0.72])[:, None]).astype(float)
    return bk.Items(learners=NAMES, values=values, measure="correct", larger_is_better=True)


def curves(rng):
    values = tuple(rng.random((6 + k, 5)) + 0.2 * k for k in range(4))
    return bk.Curves(learners=NAMES, values=values, measure="accuracy", larger_is_better=True)


def test_every_pair_is_the_test_called_directly(rng):
    for evidence, test, call in (
        (folds(rng), "5x2cv-t", pairwise.five_by_two_t),
        (folds(rng, (3, 4), larger=True), "corrected-t", pairwise.corrected_t),
        (table(rng), "wilcoxon", pairwise.wilcoxon),
        (items(rng), "mcnemar-exact", lambda a, b, **o: pairwise.mcnemar_losses(a, b, method="exact", **o)),
    ):
        comparison = bk.compare(evidence, test=test)
        losses = dict(zip(NAMES, sample_of(evidence).losses, strict=True))
        for i, (one, two) in enumerate(comparison.pairs):
            assert comparison.pvalue[i] == call(losses[one], losses[two]).pvalue
            assert comparison.less[i] == call(losses[one], losses[two], alternative="less").pvalue
            assert comparison.greater[i] == call(losses[one], losses[two], alternative="greater").pvalue
            gap = comparison.means[one] - comparison.means[two]
            assert comparison.difference[i] == pytest.approx(gap, abs=1e-12)


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


@pytest.mark.parametrize("adjust", ["shaffer", "bergmann-hommel"])
def test_adjustments_of_all_pairs_refuse_a_control(rng, adjust):
    with pytest.raises(bk.InputError, match="all pairs"):
        bk.compare(table(rng), control="a", adjust=adjust)


def test_means_with_gaps_do_not_favour_who_is_absent_where_it_is_hard():
    b = np.r_[np.linspace(0.1, 0.2, 12), np.linspace(0.7, 0.9, 8)]
    a = b + 0.02 + np.arange(20) * 1e-4
    a[12:] = np.nan
    evidence = bk.Scores(
        learners=("a", "b"),
        datasets=tuple(map(str, range(20))),
        values=np.vstack([a, b])[:, :, None, None],
        measure="error",
        larger_is_better=False,
    )
    verdict = bk.judge(evidence, missing="keep")
    assert verdict.order == ("b", "a")
    gap = verdict.means["a"] - verdict.means["b"]
    assert gap == pytest.approx(np.nanmean(a - b))


def test_replications_of_unequal_size_are_named(rng):
    planned = np.ones((1, 3, 5), dtype=bool)
    planned[0, 2, 4] = False
    values = np.where(planned, rng.random((2, 1, 3, 5)), np.nan)
    evidence = bk.Scores(learners=("a", "b"), values=values, planned=planned, measure="error", larger_is_better=False)
    with pytest.raises(bk.InputError, match="replication 3 has 4 folds, another has 5"):
        bk.judge(evidence)


def test_full_agreement_is_not_certainty():
    """Iman and Davenport's F is infinite when all data sets rank alike; two of them prove nothing."""
    values = np.array([[0.1, 0.2], [0.2, 0.35], [0.3, 0.4]])[:, :, None, None]
    evidence = bk.Scores(
        learners=("a", "b", "c"), datasets=("u", "v"), values=values, measure="error", larger_is_better=False
    )
    found = bk.compare(evidence).omnibus
    assert (found.test, found.statistic) == ("friedman", 4.0)
    assert found.pvalue == pytest.approx(scipy.stats.chi2.sf(4, 2))


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


def test_effects_and_interval_of_scipy(rng):
    evidence = table(rng)
    comparison = bk.compare(evidence, test="paired-t")
    scores = dict(zip(NAMES, evidence.by_dataset(), strict=True))
    for one, two in comparison.pairs:
        pair = comparison.pair(one, two)
        t = scipy.stats.ttest_rel(scores[one], scores[two])
        assert pair.pvalue == pytest.approx(t.pvalue)
        assert (pair.low, pair.high) == pytest.approx(tuple(t.confidence_interval(0.95)))
        gap = scores[one] - scores[two]
        assert pair.cohens_d == pytest.approx(gap.mean() / gap.std(ddof=1))
        u = scipy.stats.mannwhitneyu(scores[one], scores[two]).statistic
        assert pair.a12 == pytest.approx(u / (len(gap) ** 2))
        ranks = scipy.stats.rankdata(np.abs(gap))
        assert pair.rank_biserial == pytest.approx((ranks[gap > 0].sum() - ranks[gap < 0].sum()) / ranks.sum())


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
    assert bk.compare(folds(rng)).omnibus.caution
    assert bk.compare(folds(rng).without(["c", "d"])).omnibus is None


def test_pairs_are_shown_when_the_omnibus_accepts():
    rng = np.random.default_rng(3)
    values = 0.3 + rng.normal(0, 0.05, (4, 10, 1, 1))
    evidence = bk.Scores(
        learners=NAMES,
        datasets=tuple(map(str, range(10))),
        values=values,
        measure="error",
        larger_is_better=False,
    )
    comparison = bk.compare(evidence)
    assert comparison.omnibus.accepts
    assert "Pairs are shown all the same" in comparison.text()
    assert len(comparison.pairs) == 6


def test_against_a_control_the_family_is_smaller(rng):
    evidence = table(rng)
    comparison = bk.compare(evidence, control="d")
    assert comparison.pairs == (("d", "a"), ("d", "b"), ("d", "c"))
    whole = bk.compare(evidence)
    for one, two in comparison.pairs:
        assert comparison.pair(one, two).pvalue == whole.pair(one, two).pvalue
        assert comparison.pair(one, two).adjusted == pytest.approx(min(1, 3 * whole.pair(one, two).pvalue))
    with pytest.raises(bk.UnknownName, match="did you mean"):
        bk.compare(
            bk.Scores(learners=("lda", "knn"), values=np.ones((2, 5, 2)), measure="m", larger_is_better=True),
            control="ldaa",
        )
    with pytest.raises(bk.InputError, match="were not compared"):
        comparison.pair("a", "b")


def test_nemenyi_is_adjusted_already(rng):
    evidence = table(rng)
    comparison = bk.compare(evidence, test="nemenyi", adjust="holm")
    own = omnibus.nemenyi(-evidence.by_dataset().T)
    first, second = np.triu_indices(4, 1)
    np.testing.assert_allclose(comparison.adjusted, own.pvalue[first, second])
    assert comparison.adjust == "nemenyi"


def test_many_learners_are_done_in_batches(rng, monkeypatch):
    evidence = items(rng)
    whole = bk.compare(evidence)
    monkeypatch.setattr("bestofk.comparing.batches.MOST_VALUES", 250)
    parts = bk.compare(evidence)
    np.testing.assert_array_equal(whole.pvalue, parts.pvalue)
    np.testing.assert_array_equal(whole.a12, parts.a12)


def with_gaps(rng):
    evidence = table(rng)
    values = evidence.values.copy()
    values[1, 3] = values[2, 5] = np.nan
    return bk.Scores(learners=NAMES, datasets=evidence.datasets, values=values, measure="auc", larger_is_better=True)


def test_missing_results_are_named_and_offers_made(rng):
    evidence = with_gaps(rng)
    with pytest.raises(bk.InputError) as refused:
        bk.judge(evidence)
    said = str(refused.value)
    for part in ("2 results are missing", "learner b, data set d3", "drop-datasets", "drop-learners", "Skillings"):
        assert part in said


def test_each_offer_does_what_it_says(rng):
    evidence = with_gaps(rng)
    dropped = bk.judge(evidence, missing="drop-datasets")
    assert "10 data sets" in dropped.comparison.evidence
    assert dropped.means == bk.judge(evidence.without(datasets=["d3", "d5"])).means
    assert "K110: results are missing: left out for all learners: d3, d5" in dropped.text()
    assert bk.judge(evidence, missing="drop-learners").order == bk.judge(evidence.without(["b", "c"])).order
    kept = bk.compare(evidence, missing="keep")
    assert kept.omnibus.test == "skillings-mack"
    losses = sample_of(evidence).rows
    both = ~np.isnan(losses[0]) & ~np.isnan(losses[1])
    assert kept.pair("a", "b").pvalue == pairwise.wilcoxon(losses[0][both], losses[1][both]).pvalue
    shared = np.nanmean(evidence.by_dataset()[0] - evidence.by_dataset()[1])
    two = bk.compare(evidence.without(["c", "d"]), missing="keep")
    assert two.means["a"] - two.means["b"] == pytest.approx(shared)
    assert two.difference[0] == pytest.approx(shared)
    text = bk.judge(evidence, missing="keep", prior=list(NAMES)).text()
    assert "K110: results are missing: 2 of 12 data sets lack a result" in text


def test_offers_that_do_not_fit_are_refused(rng):
    outcomes = items(rng)
    values = outcomes.values.copy()
    values[0, 7] = np.nan
    gappy = bk.Items(learners=NAMES, values=values, measure="correct", larger_is_better=True)
    with pytest.raises(bk.InputError, match="item 8"):
        bk.judge(gappy)
    with pytest.raises(bk.InputError, match="drop-items"):
        bk.judge(gappy, missing="drop-datasets")
    used, said = completed(gappy, "drop-items")
    assert len(used.items) == 199
    assert "1 of 200" in said
    with pytest.raises(bk.UnknownName):
        bk.judge(gappy, missing="drop")
    few = gappy.without(["c", "d"])
    with pytest.raises(bk.InputError, match="fewer than two"):
        bk.judge(few, missing="drop-learners")


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


def test_compare_pairs_without_a_door(rng):
    assert compare_pairs(table(rng), test="sign").why_test == "it was asked for"


@pytest.fixture
def rng():
    return np.random.default_rng(11)
