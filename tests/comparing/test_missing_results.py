"""Missing results: named, refused, or left out the way the user chose."""

import numpy as np
import pytest

import bestofk as bk
import makers
from bestofk.comparing import sample_of
from bestofk.reporting.methods_paragraph import methods_of
from bestofk.stats import pairwise


@pytest.fixture
def gappy():
    """Four learners over twelve data sets, of which b lacks d3 and c lacks d5."""
    rng = np.random.default_rng(11)
    values = 0.7 + np.array([0.0, 0.02, 0.03, 0.1])[:, None] + rng.normal(0, 0.03, (4, 12))
    full = makers.over_datasets(values, measure="auc", larger_is_better=True)
    return makers.with_gap(full, (1, 3), (2, 5))


def test_missing_results_are_named_and_offers_made(gappy):
    with pytest.raises(bk.InputError) as refused:
        bk.judge(gappy)
    assert "b, data set d3" in refused.value.wrong
    for part in ("drop-datasets", "drop-learners", "keep"):
        assert part in refused.value.fix


def test_several_measures_are_refused_alike_and_cannot_keep_gaps(gappy):
    beside = {"others": {"error": 1 - gappy.values}}
    facts = {name: getattr(gappy, name) for name in ("learners", "datasets", "values", "measure", "larger_is_better")}
    evidence = bk.Scores(**facts, **beside)
    with pytest.raises(bk.InputError) as one:
        bk.judge(evidence)
    with pytest.raises(bk.InputError) as several:
        bk.judge(evidence, on=("auc", "error"))
    assert several.value.wrong == one.value.wrong
    assert ("keep" in one.value.fix, "keep" in several.value.fix) == (True, False)
    with pytest.raises(bk.InputError, match="every result"):
        bk.judge(evidence, on=("auc", "error"), missing="keep")


def test_data_sets_are_left_out_for_all_learners(gappy):
    verdict = bk.judge(gappy, missing="drop-datasets")
    assert verdict.comparison.sample.units == 10
    assert verdict.means == bk.judge(gappy.without(datasets=["d3", "d5"])).means
    assert verdict.comparison.left_out.datasets == ("d3", "d5")
    assert "K110" in makers.codes(verdict)


def test_learners_are_left_out(gappy):
    verdict = bk.judge(gappy, missing="drop-learners")
    assert verdict.order == bk.judge(gappy.without(["b", "c"])).order
    assert verdict.comparison.left_out.learners == ("b", "c")


def test_kept_gaps_test_each_pair_on_the_data_sets_it_has(gappy):
    kept = bk.compare(gappy, missing="keep")
    assert kept.omnibus.test == "skillings-mack"
    assert "the Skillings–Mack test (Skillings and Mack 1981)" in methods_of(bk.judge(gappy, missing="keep")).further
    assert kept.left_out.gaps == 2
    losses = sample_of(gappy).rows
    both = ~np.isnan(losses[0]) & ~np.isnan(losses[1])
    assert kept.pair("a", "b").pvalue == pairwise.wilcoxon(losses[0][both], losses[1][both]).pvalue
    shared = np.nanmean(gappy.by_dataset()[0] - gappy.by_dataset()[1])
    two = bk.compare(gappy.without(["c", "d"]), missing="keep")
    assert two.means["a"] - two.means["b"] == pytest.approx(shared)
    gap = (gappy.by_dataset()[0] - gappy.by_dataset()[1])[both]
    middle = np.median(((gap[:, None] + gap) / 2)[np.triu_indices(len(gap))])  # of Walsh averages: Wilcoxon's
    assert two.difference[0] == pytest.approx(middle)
    assert bk.compare(gappy.without(["c", "d"]), missing="keep", test="paired-t").difference[0] == pytest.approx(shared)
    assert "K110" in makers.codes(bk.judge(gappy, missing="keep", prior=list("abcd")))


def test_means_with_gaps_do_not_favour_who_is_absent_where_it_is_hard():
    b = np.r_[np.linspace(0.1, 0.2, 12), np.linspace(0.7, 0.9, 8)]
    a = b + 0.02 + np.arange(20) * 1e-4
    a[12:] = np.nan
    verdict = bk.judge(makers.over_datasets([a, b]), missing="keep")
    assert verdict.order == ("b", "a")
    gap = verdict.means["a"] - verdict.means["b"]
    assert gap == pytest.approx(np.nanmean(a - b))


def test_offers_that_do_not_fit_are_refused():
    values = np.random.default_rng(11).integers(0, 2, (4, 200)).astype(float)
    values[0, 7] = np.nan
    gappy = makers.items(values)
    with pytest.raises(bk.InputError, match="item 8"):
        bk.judge(gappy)
    with pytest.raises(bk.InputError, match="drop-items"):
        bk.judge(gappy, missing="drop-datasets")
    dropped = bk.compare(gappy, missing="drop-items")
    assert (dropped.sample.units, dropped.left_out.items) == (199, ("8",))
    with pytest.raises(bk.UnknownName):
        bk.judge(gappy, missing="drop")
    with pytest.raises(bk.InputError, match="fewer than two"):
        bk.judge(gappy.without(["c", "d"]), missing="drop-learners")


def test_replications_of_unequal_size_are_named():
    rng = np.random.default_rng(11)
    planned = np.ones((1, 3, 5), dtype=bool)
    planned[0, 2, 4] = False
    values = np.where(planned, rng.random((2, 1, 3, 5)), np.nan)
    evidence = makers.folds(values, planned=planned)
    with pytest.raises(bk.InputError, match=r"replication 3.*4 folds.*5"):
        bk.judge(evidence)
