"""Several measures at once: what is compared, what is said, and what the rulings for degenerate input are."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from bestofk.judging.measures_verdict import MeasuresVerdict

import bestofk as bk

EXAMPLES = Path(__file__).parent.parent / "examples"


def counts_of(rates, folds=10, positives=100, negatives=100, seed=0):
    """Scores with counts: rates is {learner: (tpr, fpr)}; the folds share their difficulty."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 0.02, (folds, 2))
    table = []
    for tpr, fpr in rates.values():
        tp = rng.binomial(positives, np.clip(tpr + hard[:, 0], 0, 1))
        fp = rng.binomial(negatives, np.clip(fpr + hard[:, 1], 0, 1))
        table.append(np.stack([tp, positives - tp, fp, negatives - fp], axis=-1))
    counts = np.array(table, dtype=float)[:, None, None]
    error = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    return bk.Scores(learners=tuple(rates), values=error, counts=counts, measure="error", larger_is_better=False)


def columns(first, second, names=("tpr", "fpr"), larger=(True, False)):
    """Two learners with p measures on k folds, given as (k, p) each."""
    both = np.stack([first, second])[:, None, None]
    return bk.Scores(
        learners=("a", "b"),
        values=both[..., 0],
        measure=names[0],
        larger_is_better=larger[0],
        others={name: both[..., i] for i, name in enumerate(names) if i},
    )


MOVED = {"low": (0.95, 0.15), "high": (0.85, 0.05)}  # the same error, other mistakes


def test_the_error_is_silent_and_the_vector_loud():
    verdict = bk.judge(counts_of(MOVED), on=("tpr", "fpr"))
    (pair,) = verdict.comparisons
    assert isinstance(verdict, MeasuresVerdict)
    assert pair.significant
    assert pair.error.pvalue > 0.2
    assert pair.relation == "trade-off"
    assert verdict.status == "tied"
    assert verdict.best is None
    assert set(verdict.front) == {"low", "high"}
    said = repr(verdict)
    assert "low raises more false alarms than high" in said
    assert "high misses more positives than low" in said
    assert "their error is the same as far as the test can tell" in said


def by_hand(first, second, share=None):
    """T² and its p by the formula of the paper, its first df put right, with the corrected variance of the mean."""
    from scipy.stats import f as f_distribution

    d = first - second
    k, p = d.shape
    scale = 1 / k + (share / (1 - share) if share else 0)
    t2 = d.mean(0) @ np.linalg.solve(np.cov(d.T) * scale, d.mean(0))
    return t2, f_distribution.sf((k - p) / ((k - 1) * p) * t2, p, k - p)


@pytest.mark.parametrize(("test", "share"), [("auto", 0.1), ("hotelling", None)])
def test_every_pair_by_hand(test, share):
    scores = counts_of({"a": (0.9, 0.1), "b": (0.88, 0.07), "c": (0.8, 0.12)})
    verdict = bk.judge(scores, on="tpr,fpr", test=test)
    c = scores.counts[:, 0, 0]
    rates = np.stack([c[..., 0] / 100, c[..., 2] / 100], axis=-1)
    for pair, (i, j) in zip(verdict.comparisons, combinations(range(3), 2), strict=True):
        t2, p = by_hand(rates[i], rates[j], share)
        assert pair.statistic == pytest.approx(t2)
        assert pair.pvalue == pytest.approx(p)
        assert pair.adjusted == pytest.approx(min(3 * p, 1))
    assert verdict.comparison.test == ("hotelling" if test == "hotelling" else "hotelling-corrected")


def test_single_measures_are_the_corrected_t_adjusted_for_pairs_and_measures():
    scores = counts_of({"a": (0.9, 0.1), "b": (0.88, 0.07), "c": (0.8, 0.12)})
    verdict = bk.judge(scores, on="tpr,fpr")
    c = scores.counts[:, 0, 0]
    pair = verdict.comparison.pair("a", "c")
    plain = bk.stats.pairwise.corrected_t(c[0, :, 0] / 100, c[2, :, 0] / 100, test_fraction=0.1)
    assert pair.in_measure("tpr").pvalue == pytest.approx(plain.pvalue)
    assert pair.in_measure("tpr").adjusted == pytest.approx(min(plain.pvalue * 3 * 2, 1))
    error = bk.compare(scores)  # the same design: corrected-t, Bonferroni
    for each in verdict.comparisons:
        assert each.error.pvalue == pytest.approx(error.pair(each.first, each.second).pvalue)
        assert each.error.adjusted == pytest.approx(error.pair(each.first, each.second).adjusted)


def test_without_adjustment_nothing_is_adjusted():
    verdict = bk.judge(counts_of({"a": (0.9, 0.1), "b": (0.88, 0.07), "c": (0.8, 0.12)}), on="tpr,fpr", adjust="none")
    for pair in verdict.comparisons:
        assert pair.adjusted == pair.pvalue
        assert all(test.adjusted == test.pvalue for test in pair.tests)


def test_one_learner_dominates_all_others():
    verdict = bk.judge(counts_of({"bad": (0.7, 0.3), "good": (0.95, 0.03), "worse": (0.5, 0.5)}), on=("tpr", "fpr"))
    assert (verdict.status, verdict.best, verdict.front, verdict.rivals) == ("decided", "good", ("good",), ())
    assert verdict.order == ("good", "bad", "worse")
    assert dict(verdict.ordering.dominated_by)["worse"] == ("bad", "good")
    assert "good is best: it is shown to dominate every other learner, better in each of tpr and fpr." in repr(verdict)


def test_costs_of_mistakes():
    """By hand: a false alarm that costs c misses makes the cost fn·P + c·fp·N, with as many positives as negatives."""
    verdict = bk.judge(counts_of({"sharp": (0.97, 0.2), "calm": (0.8, 0.03), "poor": (0.7, 0.3)}), on="tpr,fpr")
    rates = verdict.costs.rates
    assert verdict.costs.never == ("poor",)
    for each in verdict.costs.best:
        price = each.low * 1.01 if each.high == np.inf else (each.low + each.high) / 2
        costs = {name: (1 - tpr) + price * fpr for name, (fpr, tpr) in rates.items()}
        assert min(costs, key=costs.get) == each.learner
    assert [each.learner for each in verdict.costs.best] == ["sharp", "calm"]
    assert "Best by the price of a false alarm in misses" in repr(verdict)
    assert bk.judge(over(), on=("fpr", "fnr")).costs is None


def test_dominance_alone_overrides_the_prior():
    rates = {"cheap": (0.7, 0.3), "sharp": (0.97, 0.15), "calm": (0.85, 0.03)}
    verdict = bk.judge(counts_of(rates), on=("tpr", "fpr"), prior=["cheap", "calm", "sharp"])
    assert verdict.ordering.edges == (("cheap", "calm"), ("cheap", "sharp"))
    assert verdict.order == ("calm", "sharp", "cheap")
    assert (verdict.status, verdict.best, verdict.rivals) == ("preferred", "calm", ("sharp",))
    other = bk.judge(counts_of(rates), on=("tpr", "fpr"), prior=["sharp", "cheap", "calm"])
    assert other.best == "sharp"


def test_orders_per_measure_follow_its_direction():
    verdict = bk.judge(counts_of({"sharp": (0.97, 0.2), "calm": (0.8, 0.03), "mid": (0.9, 0.1)}), on=("tpr", "fpr"))
    assert verdict.by_measure("tpr").order == ("sharp", "mid", "calm")
    assert verdict.by_measure("fpr").order == ("calm", "mid", "sharp")
    assert verdict.by_measure("error").order[0] == min(
        verdict.comparison.error_means, key=verdict.comparison.error_means.get
    )
    for each in verdict.ordering.by_measure:
        for group in each.groups:  # contiguous, and the ends are not told apart
            start = each.order.index(group[0])
            assert each.order[start : start + len(group)] == group


def test_manova_over_three_learners_is_that_of_the_statistics():
    scores = counts_of({"sharp": (0.97, 0.2), "calm": (0.8, 0.03), "mid": (0.9, 0.1)})
    verdict = bk.judge(scores, on=("tpr", "fpr"))
    c = scores.counts[:, 0, 0]
    plain = bk.stats.multivariate.manova(np.stack([c[..., 0], c[..., 2]], axis=-1) / 100, test_fraction=0.1)
    found = verdict.comparison.manova
    assert [each.name for each in found.criteria] == ["Wilks", "Pillai", "Hotelling–Lawley", "Roy"]
    assert found.pvalue == pytest.approx(plain.pvalue)
    assert found.criteria[3].pvalue == pytest.approx(plain.roy.pvalue)
    assert found.eigenvalues == pytest.approx(plain.eigenvalues)
    assert found.collinear
    assert "The learners are told apart by one combination, z = " in repr(verdict)
    assert bk.judge(counts_of(MOVED), on=("tpr", "fpr")).comparison.manova is None


def test_cliques_are_of_the_vectors_and_of_the_error():
    verdict = bk.judge(counts_of({**MOVED, "low too": (0.95, 0.15)}), on=("tpr", "fpr"))
    assert {frozenset(group) for group in verdict.cliques} == {frozenset({"low", "low too"}), frozenset({"high"})}
    assert [set(group) for group in verdict.ordering.error_cliques] == [{"low", "low too", "high"}]


def test_rates_and_their_complements_give_the_same_statistic():
    scores = counts_of(MOVED)
    one, two = (bk.judge(scores, on=on).comparisons[0] for on in ("tpr,fpr", "sensitivity,specificity"))
    assert one.statistic == pytest.approx(two.statistic)
    assert bk.judge(scores, on="fnr,tnr").comparisons[0].statistic == pytest.approx(one.statistic)


# Rulings of degenerate input


def test_the_four_counts_have_rank_two_and_give_the_answer_of_the_rates():
    scores = counts_of({**MOVED, "mid": (0.9, 0.1)})
    four, rates = bk.judge(scores, on="confusion"), bk.judge(scores, on="tpr,fpr")
    for one, two in zip(four.comparisons, rates.comparisons, strict=True):
        assert (one.rank, one.df) == (2, two.df)
        assert one.statistic == pytest.approx(two.statistic)
        for measure, twin in (("fn", "tpr"), ("fp", "fpr")):  # tp and tn are copies and cost nothing
            assert one.in_measure(measure).adjusted == pytest.approx(two.in_measure(twin).adjusted)
    assert "misses more positives" in repr(four)
    assert repr(four).split("\n\n")[1].count("high misses more positives than low") == 1


def test_identical_learners_are_not_told_apart():
    rows = np.random.default_rng(0).random((8, 2))
    (pair,) = bk.judge(columns(rows, rows), on="tpr,fpr").comparisons
    assert (pair.statistic, pair.pvalue, pair.relation) == (0.0, 1.0, "alike")


def test_a_constant_difference_is_certain():
    rows = np.random.default_rng(0).random((8, 2))
    shifted = rows + np.array([0.0, 0.1])
    (pair,) = bk.judge(columns(rows, shifted), on="tpr,fpr").comparisons
    assert (pair.statistic, pair.pvalue, pair.relation) == (np.inf, 0.0, "differ")  # equal in tpr: no dominance
    assert pair.in_measure("fpr").pvalue == 0.0
    assert pair.in_measure("tpr").better is None


def test_a_measure_that_never_varies_is_left_to_the_others():
    rng = np.random.default_rng(0)
    first, second = rng.random((2, 8, 2))
    first[:, 1] = second[:, 1] = 0.5
    (pair,) = bk.judge(columns(first, second), on="tpr,fpr").comparisons
    assert pair.rank == 1
    alone = bk.stats.pairwise.corrected_t(first[:, 0], second[:, 0], test_fraction=1 / 8)
    assert pair.pvalue == pytest.approx(alone.pvalue)


def test_too_few_folds_for_the_measures():
    rng = np.random.default_rng(0)
    names = ("tpr", "fpr", "auc")
    few = columns(*rng.random((2, 3, 3)), names, (True, False, True))
    with pytest.raises(bk.InputError, match="3 folds cannot carry 3 measures") as error:
        bk.judge(few, on=names)
    assert "fewer measures" in error.value.fix
    assert bk.judge(columns(*rng.random((2, 4, 3)), names, (True, False, True)), on=names).comparisons[0].df == (
        3.0,
        1.0,
    )


def test_precision_of_a_learner_that_never_says_positive():
    scores = counts_of(MOVED)
    counts = scores.counts.copy()
    counts[1, 0, 0, 3] = (0, 100, 0, 100)
    values = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    silent = bk.Scores(learners=scores.learners, values=values, counts=counts, measure="error", larger_is_better=False)
    with pytest.raises(bk.InputError, match="precision is 0/0 in 1 fold: it never says positive there") as error:
        bk.judge(silent, on=("precision", "recall"))
    assert "learner high, fold 4" in error.value.where
    verdict = bk.judge(silent, on=("precision", "recall"), undefined=0)
    assert verdict.evidence.column("precision")[1, 0, 0, 3] == 0.0
    assert bk.judge(silent, on=("tpr", "fpr")).comparisons  # rates of rows need no prediction


def test_one_fold_and_splits_of_unknown_share():
    rng = np.random.default_rng(0)
    values = rng.random((2, 1, 6, 1))
    splits = bk.Scores(
        learners=("a", "b"), values=values, measure="tpr", larger_is_better=True, others={"fpr": values / 2}
    )
    with pytest.raises(bk.InputError, match="random splits"):
        bk.judge(splits, on="tpr,fpr")
    known = bk.judge(bk.read(splits, test_fraction=0.3), on="tpr,fpr")
    assert known.comparison.test_fraction == 0.3
    with pytest.raises(bk.InputError, match="one fold"):
        bk.judge(columns(*rng.random((2, 1, 2))), on="tpr,fpr")


def test_missing_results_are_named():
    scores = counts_of({**MOVED, "mid": (0.9, 0.1)})
    counts = scores.counts.copy()
    counts[2, 0, 0, 4] = np.nan
    gap = bk.Scores(
        learners=scores.learners, values=scores.values, counts=counts, measure="error", larger_is_better=False
    )
    with pytest.raises(bk.InputError, match="learner mid, fold 5"):
        bk.judge(gap, on="tpr,fpr")
    verdict = bk.judge(gap, on="tpr,fpr", missing="drop-learners")
    assert set(verdict.order) == {"low", "high"}
    assert "mid" in verdict.comparison.left_out


# Over data sets


def over(datasets=12, gap=0.1, seed=0):
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.1, 0.4, (1, datasets, 1, 1, 2))
    values = (
        base
        + rng.normal(0, 0.01, (3, datasets, 1, 4, 2))
        + gap * np.array([[0, 0], [1, -1], [1, 1]])[:, None, None, None]
    )
    return bk.Scores(
        learners=("a", "b", "c"),
        datasets=tuple(f"d{i}" for i in range(datasets)),
        values=values[..., 0],
        measure="fpr",
        larger_is_better=False,
        others={"fnr": values[..., 1]},
    )


def test_over_data_sets_each_counts_once():
    verdict = bk.judge(over(), on=("fpr", "fnr"))
    comparison = verdict.comparison
    assert (comparison.kind, comparison.rows, comparison.test) == ("datasets", 12, "hotelling-over-datasets")
    rows = np.stack([over().values, over().others["fnr"]], axis=-1).mean(axis=(2, 3))
    plain = bk.stats.multivariate.hotelling_over_datasets(rows[0], rows[1])
    assert comparison.pair("a", "b").pvalue == pytest.approx(plain.pvalue)
    assert comparison.pair("a", "b").relation == "trade-off"
    assert comparison.pair("a", "c").relation == "first"
    alone = bk.stats.pairwise.wilcoxon(rows[0, :, 0], rows[1, :, 0])
    assert comparison.pair("a", "b").in_measure("fpr").pvalue == pytest.approx(alone.pvalue)
    assert comparison.manova is None
    assert comparison.over_pvalue <= 0.01
    assert bk.judge(over(), on=("fpr", "fnr")).to_dict() == verdict.to_dict()


def test_tests_that_do_not_fit_are_refused():
    with pytest.raises(bk.InputError, match="hotelling-corrected is not valid for 12 data sets"):
        bk.judge(over(), on=("fpr", "fnr"), test="hotelling-corrected")
    with pytest.raises(bk.InputError, match="not valid for 10 folds"):
        bk.judge(counts_of(MOVED), on="tpr,fpr", test="hotelling-over-datasets")
    with pytest.raises(bk.UnknownName, match="wilcoxon"):
        bk.judge(counts_of(MOVED), on="tpr,fpr", test="wilcoxon")


@pytest.mark.parametrize(
    "more", [{"control": "low"}, {"method": "anova-best"}, {"paired": True}, {"missing": "keep"}, {"rope": 0.1}]
)
def test_settings_of_one_measure_are_refused(more):
    with pytest.raises(bk.InputError):
        bk.judge(counts_of(MOVED), on="tpr,fpr", **more)


@pytest.mark.parametrize("more", [{"positive": "x"}, {"undefined": 0.0}, {"task": "retrieval"}])
def test_settings_of_several_measures_are_refused_for_one(more):
    with pytest.raises(bk.InputError, match="on is not given"):
        bk.judge(counts_of(MOVED), **more)


def test_one_verb_for_one_measure_refuses_vectors():
    with pytest.raises(bk.InputError, match="takes one measure"):
        bk.compare(bk.read(counts_of(MOVED), on="tpr,fpr"))


def test_frames_have_a_row_per_learner_and_per_pair():
    verdict = bk.judge(EXAMPLES / "two_class.csv", on=("tpr", "fpr"))
    assert list(verdict.frame()["learner"]) == list(verdict.order)
    assert len(verdict.comparison.frame()) == 10


def test_the_telling_pair_is_hidden_from_the_error():
    verdict = bk.judge(EXAMPLES / "two_class.csv", on=("tpr", "fpr"))
    pair = verdict.telling_pair
    assert pair.significant
    assert not pair.error.significant
