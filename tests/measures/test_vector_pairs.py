"""Several measures at once: the test of every pair, the measures one by one after it, and degenerate input."""

import os
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bestofk as bk
from bestofk.core.errors import InputError
from makers_measures import EXAMPLES, MOVED, THREE, by_holm, columns, counts_frame, counts_of, over, over_sets, pairs_of


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
    expected = [by_hand(rates[i], rates[j], share) for i, j in combinations(range(3), 2)]
    assert [pair.statistic for pair in pairs_of(verdict)] == pytest.approx([t2 for t2, _ in expected])
    assert [pair.pvalue for pair in pairs_of(verdict)] == pytest.approx([p for _, p in expected])
    assert [pair.adjusted for pair in pairs_of(verdict)] == pytest.approx(by_holm([p for _, p in expected]))
    assert verdict.comparison.test == ("hotelling" if test == "hotelling" else "hotelling-corrected")


def test_single_measures_are_the_corrected_t_adjusted_for_pairs_and_measures():
    scores = counts_of({"a": (0.9, 0.1), "b": (0.88, 0.07), "c": (0.8, 0.12)})
    verdict = bk.judge(scores, on="tpr,fpr")
    c = scores.counts[:, 0, 0]
    plain = [bk.stats.pairwise.corrected_t(c[i, :, 0] / 100, c[j, :, 0] / 100, test_fraction=0.1).pvalue
             for i, j in combinations(range(3), 2)]  # fmt: skip
    parts = [pair.part("tpr") for pair in pairs_of(verdict)]
    assert [part.pvalue for part in parts] == pytest.approx(plain)
    assert [part.adjusted for part in parts] == pytest.approx([min(1, 2 * p) for p in by_holm(plain)])
    error = bk.compare(scores)  # the same design: corrected-t, Holm
    for each in pairs_of(verdict):
        assert each.vector.error.pvalue == pytest.approx(error.pair(each.first, each.second).pvalue)
        assert each.vector.error.adjusted == pytest.approx(error.pair(each.first, each.second).adjusted)


def test_without_adjustment_nothing_is_adjusted():
    verdict = bk.judge(counts_of({"a": (0.9, 0.1), "b": (0.88, 0.07), "c": (0.8, 0.12)}), on="tpr,fpr", adjust="none")
    for pair in pairs_of(verdict):
        assert pair.adjusted == pair.pvalue
        assert all(test.adjusted == test.pvalue for test in pair.parts)


def test_manova_over_three_learners_is_that_of_the_statistics():
    scores = counts_of({"sharp": (0.97, 0.2), "calm": (0.8, 0.03), "mid": (0.9, 0.1)})
    verdict = bk.judge(scores, on=("tpr", "fpr"))
    c = scores.counts[:, 0, 0]
    plain = bk.stats.multivariate.manova(np.stack([c[..., 0], c[..., 2]], axis=-1) / 100, test_fraction=0.1)
    omnibus = verdict.comparison.omnibus
    found = omnibus.manova
    assert [each.name for each in found.criteria] == ["Wilks", "Pillai", "Hotelling–Lawley", "Roy"]
    assert omnibus.pvalue == pytest.approx(plain.pvalue)
    assert found.criteria[3].pvalue == pytest.approx(plain.roy.pvalue)
    assert found.eigenvalues == pytest.approx(plain.eigenvalues)
    assert found.collinear
    assert bk.judge(counts_of(MOVED), on=("tpr", "fpr")).comparison.omnibus is None


def test_rates_and_their_complements_give_the_same_statistic():
    scores = counts_of(MOVED)
    one, two = (pairs_of(bk.judge(scores, on=on))[0] for on in ("tpr,fpr", "sensitivity,specificity"))
    assert one.statistic == pytest.approx(two.statistic)
    assert pairs_of(bk.judge(scores, on="fnr,tnr"))[0].statistic == pytest.approx(one.statistic)


def test_the_four_counts_have_rank_two_and_give_the_answer_of_the_rates():
    scores = counts_of({**MOVED, "mid": (0.9, 0.1)})
    four, rates = bk.judge(scores, on="confusion"), bk.judge(scores, on="tpr,fpr")
    for one, two in zip(pairs_of(four), pairs_of(rates), strict=True):
        assert (one.vector.rank, one.vector.df) == (2, two.vector.df)
        assert one.statistic == pytest.approx(two.statistic)
        for measure, twin in (("fn", "tpr"), ("fp", "fpr")):  # tp and tn are copies and cost nothing
            assert one.part(measure).adjusted == pytest.approx(two.part(twin).adjusted)


def test_identical_learners_are_not_told_apart():
    rows = np.random.default_rng(0).random((8, 2))
    (pair,) = pairs_of(bk.judge(columns(rows, rows), on="tpr,fpr"))
    assert (pair.statistic, pair.pvalue, pair.relation) == (0.0, 1.0, "not significant")


def test_a_constant_difference_is_no_surer_than_its_signs():
    rows = np.random.default_rng(0).random((8, 2))
    shifted = rows + np.array([0.0, 0.1])
    (pair,) = pairs_of(bk.judge(columns(rows, shifted), on="tpr,fpr"))
    assert (pair.statistic, pair.pvalue, pair.relation) == (np.inf, 0.5**7, "differ")  # equal in tpr: no dominance
    assert pair.part("fpr").pvalue == 0.5**7
    assert pair.part("tpr").better is None


def test_a_measure_that_never_varies_is_left_to_the_others():
    rng = np.random.default_rng(0)
    first, second = rng.random((2, 8, 2))
    first[:, 1] = second[:, 1] = 0.5
    (pair,) = pairs_of(bk.judge(columns(first, second), on="tpr,fpr"))
    assert pair.vector.rank == 1
    alone = bk.stats.pairwise.corrected_t(first[:, 0], second[:, 0], test_fraction=1 / 8)
    assert pair.pvalue == pytest.approx(alone.pvalue)


def test_too_few_folds_for_the_measures():
    rng = np.random.default_rng(0)
    names = ("tpr", "fpr", "auc")
    few = columns(*rng.random((2, 3, 3)), names, (True, False, True))
    with pytest.raises(bk.InputError, match=r"3 folds.*carry 3") as error:
        bk.judge(few, on=names)
    assert "fewer measures" in error.value.fix
    (pair,) = pairs_of(bk.judge(columns(*rng.random((2, 4, 3)), names, (True, False, True)), on=names))
    assert pair.vector.df == (3.0, 1.0)


def test_one_fold_and_splits_of_unknown_share():
    rng = np.random.default_rng(0)
    values = rng.random((2, 1, 6, 1))
    splits = bk.Scores(
        learners=("a", "b"), values=values, measure="tpr", larger_is_better=True, others={"fpr": values / 2}
    )
    with pytest.raises(bk.InputError, match="random splits"):
        bk.judge(splits, on="tpr,fpr")
    known = bk.judge(bk.read(splits, test_fraction=0.3), on="tpr,fpr")
    assert known.comparison.sample.share == 0.3
    with pytest.raises(bk.InputError, match="one result"):
        bk.judge(columns(*rng.random((2, 1, 2))), on="tpr,fpr")


def test_over_data_sets_each_counts_once():
    verdict = bk.judge(over(), on=("fpr", "fnr"))
    comparison = verdict.comparison
    assert (comparison.kind, comparison.sample.units, comparison.test) == ("datasets", 12, "hotelling-over-datasets")
    rows = np.stack([over().values, over().others["fnr"]], axis=-1).mean(axis=(2, 3))
    plain = bk.stats.multivariate.hotelling_over_datasets(rows[0], rows[1])
    assert comparison.pair("a", "b").pvalue == pytest.approx(plain.pvalue)
    assert comparison.pair("a", "b").relation == "trade-off"
    assert comparison.pair("a", "c").relation == "first"
    alone = bk.stats.pairwise.wilcoxon(rows[0, :, 0], rows[1, :, 0])
    assert comparison.pair("a", "b").part("fpr").pvalue == pytest.approx(alone.pvalue)
    assert comparison.omnibus.manova is None
    assert comparison.omnibus.pvalue <= 0.01
    assert bk.judge(over(), on=("fpr", "fnr")).to_dict() == verdict.to_dict()


def test_tests_that_do_not_fit_are_refused():
    with pytest.raises(bk.InputError, match=r"hotelling-corrected .* 12 data sets"):
        bk.judge(over(), on=("fpr", "fnr"), test="hotelling-corrected")
    with pytest.raises(bk.InputError, match=r"hotelling-over-datasets .* 10 folds"):
        bk.judge(counts_of(MOVED), on="tpr,fpr", test="hotelling-over-datasets")
    for test in ("wilcoxon", "corrected-t", "threshold-test"):
        with pytest.raises(bk.InputError, match=test) as error:
            bk.judge(counts_of(MOVED), on="tpr,fpr", test=test)
        assert "hotelling-corrected" in error.value.fix
    with pytest.raises(bk.UnknownName, match="hoteling"):
        bk.judge(counts_of(MOVED), on="tpr,fpr", test="hoteling")


def test_frames_have_a_row_per_learner_and_per_pair():
    verdict = bk.judge(EXAMPLES / "two_class.csv", on=("tpr", "fpr"))
    assert list(verdict.frame()["learner"]) == list(verdict.order)
    assert len(verdict.comparison.frame()) == 10


def test_the_combination_is_the_discriminant_in_units_of_spread():
    """Golden by hand: weights of the first discriminant times the standard deviations within learners."""
    verdict = bk.judge(counts_of(THREE), on="tpr,fpr")
    rows = verdict.evidence.rows()
    centred = rows - rows.mean(axis=1, keepdims=True)
    within = np.einsum("kri,krj->ij", centred, centred)
    between = 10 * np.cov(rows.mean(axis=1).T) * 2
    values, vectors = np.linalg.eig(np.linalg.solve(within, between))
    first = vectors[:, np.argmax(values.real)].real * np.sqrt(np.diag(within))
    found = np.array(list(verdict.comparison.omnibus.manova.weights.values()))
    assert np.abs(found) == pytest.approx(np.abs(first / np.linalg.norm(first)))
    assert np.linalg.norm(found) == pytest.approx(1)


def test_the_weights_of_a_pair_are_in_units_of_its_differences():
    rng = np.random.default_rng(0)
    first, second = rng.normal(0, 1, (2, 10, 2)) * [1.0, 1000.0]
    pair = pairs_of(bk.judge(columns(first, second), on="tpr,fpr"))[0]
    spread = (first - second).std(axis=0, ddof=1)
    raw = np.array(list(pair.vector.direction.values())) * spread
    assert list(pair.vector.weights.values()) == pytest.approx(list(raw / np.linalg.norm(raw)))


def test_the_manova_of_counts_does_not_take_sizes_of_folds_for_noise():
    scores = counts_of(THREE, positives=np.array([20, 100, 180, 60, 140, 100, 40, 160, 30, 170]))
    counts, rates = (bk.judge(scores, on=on).comparison.omnibus for on in ("confusion", "tpr,fpr"))
    assert counts.manova.rank == 2
    assert counts.pvalue == pytest.approx(rates.pvalue)


def test_another_fault_is_not_called_too_few_folds():
    huge = np.random.default_rng(0).random((2, 8, 2)) * 1e300
    with pytest.raises(bk.InputError) as error:
        bk.judge(columns(*huge, names=("x", "y")), on=("x", "y:smaller"))
    assert "cannot carry" not in error.value.wrong


def test_one_more_fold_than_measures_is_enough():
    rng = np.random.default_rng(0)
    names = ("tpr", "fpr", "auc")
    with pytest.raises(bk.InputError, match="cannot carry") as error:
        bk.judge(columns(*rng.random((2, 3, 3)), names, (True, False, True)), on=names)
    assert "at least 4 folds" in error.value.fix
    with pytest.raises(bk.InputError, match="one result") as error:
        bk.judge(columns(*rng.random((2, 1, 3)), names, (True, False, True)), on=names)
    assert "at least 4 folds" in error.value.fix


def test_unknown_measures_of_a_verdict():
    verdict = bk.judge(counts_of(THREE), on="tpr,fpr")
    with pytest.raises(bk.UnknownName, match="nope"):
        verdict.comparison.means_of("nope")
    with pytest.raises(bk.UnknownName, match="fbr") as error:
        pairs_of(verdict)[0].part("fbr")
    assert "did you mean 'fpr'" in error.value.fix


def test_replications_share_the_fraction_of_their_folds():
    rng = np.random.default_rng(0)
    values = rng.random((2, 1, 3, 5))
    scores = bk.Scores(learners=("a", "b"), values=values, measure="tpr", larger_is_better=True,
                       others={"fpr": rng.random((2, 1, 3, 5))})  # fmt: skip
    comparison = bk.judge(scores, on="tpr,fpr").comparison
    assert (comparison.sample.units, comparison.sample.share) == (15, 0.2)


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_units_and_order_of_measures_change_nothing(seed):
    rng = np.random.default_rng(seed)
    values = rng.random((3, 1, 1, 8, 2))

    def judged(columns, names):
        others = {names[1]: columns[..., 1]}
        scores = bk.Scores(
            learners=("a", "b", "c"), values=columns[..., 0], measure=names[0], larger_is_better=True, others=others
        )
        return bk.judge(scores, on=names)

    plain = judged(values, ("accuracy", "auc"))
    scaled = judged(values * 37.0, ("accuracy", "auc"))
    turned = judged(values[..., ::-1], ("auc", "accuracy"))
    for one, two, three in zip(pairs_of(plain), pairs_of(scaled), pairs_of(turned), strict=True):
        assert one.statistic == pytest.approx(two.statistic)
        assert one.statistic == pytest.approx(three.statistic)
        assert one.relation == two.relation == three.relation


def test_a_wrong_seed_is_called_seed():
    for options in ({"on": "tpr,fpr"}, {}):
        with pytest.raises(InputError, match="seed is -1") as error:
            bk.judge(counts_frame(), seed=-1, **options)
        assert error.value.where == "judge, argument seed"


def test_wilcoxon_shows_single_measures_on_many_data_sets():
    """Its exact p of 20 data sets is far below what 10,000 drawn signs give."""
    many = over_sets(24, 20, lambda k, d: (0.2 + 0.02 * k + 0.0001 * d, 0.4 - 0.01 * k + 0.002 * d))
    verdict = bk.judge(many, on="tpr,fpr")
    assert all(test.significant for pair in pairs_of(verdict) for test in pair.parts)
    assert "K135" not in {each.code for each in verdict.advice}


FOLDER = Path(os.environ.get("BESTOFK_DATA", Path(__file__).parents[3] / "shared" / "data"))


def counts_on_breast(learners):
    """Counts of ten stratified folds; malignant (class 4) is positive."""
    from sklearn.metrics import confusion_matrix
    from sklearn.model_selection import StratifiedKFold

    table = pd.read_csv(FOLDER / "breast.csv.gz").dropna()
    x, y = table.iloc[:, :-1].to_numpy(float), table.iloc[:, -1].to_numpy()
    rare = min(set(y), key=list(y).count)
    rows = []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=1).split(x, y):
        for learner in learners.values():
            said = learner.fit(x[train], y[train]).predict(x[test])
            (tn, fp), (fn, tp) = confusion_matrix(y[test] == rare, said == rare)
            rows.append((tp, fn, fp, tn))
    counts = np.array(rows, dtype=float).reshape(10, len(learners), 4).swapaxes(0, 1)[:, None, None]
    error = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    return bk.Scores(learners=tuple(learners), values=error, counts=counts, measure="error", larger_is_better=False)


@pytest.mark.skipif(not (FOLDER / "breast.csv.gz").exists(), reason=f"there is no breast.csv.gz in {FOLDER}")
def test_lda_and_qda_on_breast():
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

    scores = counts_on_breast({"lda": LinearDiscriminantAnalysis(), "qda": QuadraticDiscriminantAnalysis()})
    plain = pairs_of(bk.judge(scores, on="tpr,fpr", test="hotelling"))[0]  # as in the paper
    assert plain.significant
    assert not plain.vector.error.significant
    assert plain.relation == "trade-off"
