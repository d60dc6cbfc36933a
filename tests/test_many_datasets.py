"""Over many data sets: what a verdict says beyond its order, in fields, words, tables and figures that agree."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from bestofk.reporting.dataset_sections import HEADINGS, dataset_sections
from click.testing import CliRunner
from scipy import stats as scipy_stats

import bestofk as bk
from bestofk.cli import main
from bestofk.judging.findings import MOST_ONE
from bestofk.judging.findings.sensitivity import sensitivity_of
from bestofk.ordering import cliques
from bestofk.plots.critical_difference import CriticalDifferenceInfo
from bestofk.plots.dataset_influence import DatasetInfluenceInfo
from bestofk.plots.pair_map import PairMapInfo
from bestofk.plots.pareto import ParetoInfo
from bestofk.plots.posterior_simplex import PosteriorSimplexInfo
from bestofk.reporting.report import report_text
from bestofk.reporting.tables import comparison_table
from bestofk.stats import bayes, pairwise
from bestofk.stats.across.signed_ranks import _counted_in_arrays, _counted_in_lanes
from bestofk.stats.bayes.signed_rank import signed_rank_masses
from bestofk.stats.pairwise import signed_rank_null
from bestofk.stats.pairwise.signed_rank_contour import lower_tails
from bestofk.stats.pairwise.wilcoxon import wilcoxon_sides

EXAMPLES = Path(__file__).parent.parent / "examples"


def command(*words):
    """What a command prints, its line breaks kept."""
    return CliRunner().invoke(main, ["judge", *words]).stdout


def scores(values, **more):
    values = np.asarray(values, dtype=float)
    values = values[:, :, None, None] if values.ndim == 2 else values
    settings = {
        "learners": tuple("abcdefghijkl"[: len(values)]),
        "datasets": tuple(f"d{i}" for i in range(values.shape[1])),
        "measure": "error",
        "larger_is_better": False,
        **more,
    }
    return bk.Scores(values=values, **settings)


def table(learners, datasets, seed=0, gap=0.03, spread=0.05, digits=3, **more):
    rng = np.random.default_rng(seed)
    values = 0.3 + gap * np.arange(learners)[:, None] + spread * rng.normal(size=(learners, datasets))
    return scores(values.round(digits), **more)


# ---- published conclusions, one command each ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "alpha", "headline"),
    [
        ("bramer_15_2.csv", "0.05", "No single best: the data do not separate B from A"),
        ("bramer_15_5.csv", "0.05", "C is best"),
        ("bramer_15_6.csv", "0.05", "B is best"),
        ("bramer_15_7.csv", "0.01", "B is best"),
        ("bramer_exercise.csv", "0.05", "B is best"),
    ],
)
def test_bramer_by_one_command(name, alpha, headline):
    """Bramer, Principles of Data Mining, Figures 15.2, 15.5, 15.6, 15.7 and exercise 15.7."""
    said = command(str(EXAMPLES / name), "--larger-is-better", "--alpha", alpha)
    assert said.startswith(headline)
    assert "wilcoxon p = " in said
    assert "sign p = " in said
    assert "Bayesian signed rank, rope" in said


def test_bramer_s_warning_is_said_by_the_command():
    """Section 15.3: without two of the ten data sets B is better at the 5 % level."""
    said = command(str(EXAMPLES / "bramer_15_2.csv"), "--larger-is-better")
    assert "Leaving out dataset 5 and dataset 6 turns no difference into B better at 5 %." in said
    assert "B minus A: 0.7, 95 % interval -4.257 to 5.657 (paired-t)." in said


def test_demsar_by_one_command():
    """Demšar 2006, section 3.2.2: Nemenyi at 0.1 separates C4.5 from both variants with m."""
    said = command(str(EXAMPLES / "demsar.csv"), "--larger-is-better", "--test", "nemenyi", "--alpha", "0.1")
    groups = "C4.5+m+cf, C4.5+m and C4.5+cf; C4.5+cf and C4.5."
    assert f"Not told apart by nemenyi, best mean rank first: {groups}" in said
    assert "some learner differs" in said


def test_the_seven_steps_are_bramer_s():
    """Section 15.2, steps 1 to 7 of Figure 15.2 as printed."""
    verdict = bk.judge(bk.read(EXAMPLES / "bramer_15_2.csv", larger_is_better=True))
    steps = list(verdict.two_learners.steps.to_dict().values())
    assert [round(value, 2) for value in steps] == [0.7, 4.9, 432.1, 48.01, 6.93, 2.19, 0.32]
    text = report_text(verdict, "txt")
    assert all(word in text for word in ("432.1", "standard error", "What do other tests say?"))


# ---- fields --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("larger", [True, False])
def test_side_by_side_tests_are_scipy_s(larger):
    evidence = table(2, 14, seed=3, gap=0.02, measure="accuracy" if larger else "error", larger_is_better=larger)
    verdict = bk.judge(evidence)
    two = verdict.two_learners
    first, second = (evidence.values[evidence.learners.index(n), :, 0, 0] for n in (two.first, two.second))
    found = {each.test: each.pvalue for each in two.tests}
    assert (two.first, two.second) == verdict.order
    assert found["paired-t"] == pytest.approx(scipy_stats.ttest_rel(first, second).pvalue, rel=1e-9)
    wins = int((first > second).sum()), int((first != second).sum())
    assert found["sign"] == pytest.approx(scipy_stats.binomtest(*wins).pvalue, rel=1e-9)
    interval = scipy_stats.ttest_rel(first, second).confidence_interval(0.95)
    assert (two.low, two.high) == pytest.approx((interval.low, interval.high))


def test_findings_are_found_once_and_only_when_read():
    verdict = bk.judge(table(3, 8))
    assert "sensitivity" not in vars(verdict)
    assert verdict.sensitivity is verdict.sensitivity
    assert "sensitivity" in vars(verdict)


def test_findings_go_to_json_and_evidence_does_not():
    verdict = bk.judge(table(3, 8))
    data = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
    assert data["sensitivity"]["pairs"][0]["flips_one"] == verdict.sensitivity.pairs[0].flips_one
    assert data["mean_ranks"]["learners"] == list(verdict.mean_ranks.learners)
    assert "evidence" not in data
    assert "features" not in data
    assert data["two_learners"] is None


def test_the_quick_sensitivity_says_what_the_thorough_one_says():
    verdict = bk.judge(table(3, 9, seed=5))
    thorough = sensitivity_of(verdict.evidence, verdict.comparison, verdict.ordering)
    for quick, slow in zip(verdict.sensitivity.pairs, thorough.pairs, strict=True):
        assert (quick.flips_one, quick.flips_two, quick.conclusion) == (slow.flips_one, slow.flips_two, slow.conclusion)
        assert (quick.smallest is None) == (slow.smallest is None)
        if quick.smallest is not None and quick.exact:
            assert len(quick.smallest.without) == len(slow.smallest.without)


def test_large_tables_say_that_other_data_sets_are_not_tried():
    verdict = bk.judge(table(12, 160, digits=6))
    assert verdict.sensitivity is None
    assert "66 pairs on 160 data sets, one left out at a time or drawn anew, are 1,689,600 values" in verdict.text()
    assert f"more than the {MOST_ONE:,} that a verdict looks at by itself" in verdict.text()
    assert "Leaving out" not in verdict.text()


def test_where_two_data_sets_are_too_many_one_is_left_out():
    verdict = bk.judge(table(11, 60, digits=6))
    assert verdict.not_looked_at == ""
    assert {each.flips_two for each in verdict.sensitivity.pairs} == {None}
    assert {each.tried_up_to for each in verdict.sensitivity.pairs} == {1}
    assert verdict.sensitivity.pairs[0].flips_one is not None


def test_wins_are_counted_where_other_data_sets_are_not_tried(monkeypatch):
    monkeypatch.setattr("bestofk.judging.findings.MOST_ONE", 10)
    verdict = bk.judge(with_folds())
    assert verdict.not_looked_at
    assert verdict.counted_wins.of(*verdict.order)[2] == 0


def test_other_designs_have_no_findings_over_data_sets():
    rng = np.random.default_rng(0)
    verdict = bk.judge(scores(0.3 + 0.01 * rng.normal(size=(3, 1, 5, 2))))
    names = ("sensitivity", "two_learners", "mean_ranks", "bayes", "counted_wins", "where_it_wins")
    assert [getattr(verdict, name) for name in names] == [None] * len(names)
    assert verdict.not_looked_at == ""
    assert verdict.detectable is not None


def with_folds(learners=2, gap=0.05):
    rng = np.random.default_rng(1)
    values = 0.3 + gap * np.arange(learners)[:, None, None, None] + 0.01 * rng.normal(size=(learners, 8, 5, 2))
    return scores(values + 0.05 * rng.normal(size=(8, 1, 1)))


def test_folds_are_counted_and_modelled():
    verdict = bk.judge(with_folds())
    won, tied, lost = verdict.counted_wins.of(*verdict.order)
    assert won + tied + lost == 8
    assert lost == 0
    assert f"a by the folds of each data set (5x2cv-t at 0.05): {won} won, {tied} tied, {lost} lost" in verdict.text()
    assert verdict.bayes.hierarchical[0] > 0.95
    assert verdict.bayes.correlation == 0.5
    assert "Hierarchical Bayesian model over the folds of all data sets, rope 0.01: a better" in verdict.text()


def test_two_folds_of_one_run_are_not_counted():
    values = with_folds().values[:, :, :1]
    verdict = bk.judge(scores(values))
    assert verdict.counted_wins is None
    assert "by the folds of each data set" not in verdict.text()


def test_a_rope_is_taken():
    evidence = table(2, 12, gap=0.001, spread=0.002, digits=6)
    wide, narrow = (bk.judge(evidence, rope=rope) for rope in (0.05, 0.0))
    assert wide.bayes.signed_rank[1] > 0.95
    assert narrow.bayes.signed_rank[1] < 0.5
    assert "rope 0.05" in wide.text()
    assert wide.order == narrow.order
    with pytest.raises(bk.InputError, match="rope"):
        bk.judge(evidence, rope=-1)


def test_other_goods_stand_beside_the_verdict():
    times = np.full((3, 10, 1, 1), 1.0)
    times[1] = np.linspace(5.0, 6.0, 10)[:, None, None]
    times[2] = np.linspace(0.1, 0.2, 10)[:, None, None]
    evidence = table(3, 10, gap=0.1, others={"fit_time": times})
    evidence = bk.Scores(
        **{name: getattr(evidence, name) for name in ("learners", "values", "datasets", "measure", "larger_is_better")},
        others={"fit_time": times},
        costs={"fit_time": {"a": 1.0, "b": 5.5, "c": 0.15}},
    )
    verdict = bk.judge(evidence)
    assert verdict.other_goods.front == ("a", "c")
    assert "Worth having by error and fit_time: a and c; b is dominated by a." in verdict.text()
    figure = ParetoInfo.of(verdict)
    assert figure.dominated == ("b",)
    assert "Shown to be dominated by a test: b." in figure.alt


def test_features_are_spoken_of_only_where_they_survive(tmp_path):
    rng = np.random.default_rng(0)
    rows = np.arange(24.0)
    values = 0.3 + 0.001 * rng.normal(size=(2, 24))
    values[1] += 0.02 * (rows - 11.5) / 11.5
    evidence = scores(values)
    path = tmp_path / "features.csv"
    path.write_text("dataset,rows\n" + "".join(f"d{i},{i}\n" for i in range(24)))
    verdict = bk.judge(evidence, features=path)
    assert [each.feature for each in verdict.where_it_wins.findings][:1] == ["rows"]
    assert "rows: the " in verdict.text()
    assert verdict.order == bk.judge(evidence).order
    noise = bk.judge(evidence, features={f"d{i}": {"noise": float(x)} for i, x in enumerate(rng.normal(size=24))})
    assert noise.where_it_wins.findings == ()
    assert "No feature of the 24 data sets says where" in noise.text()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("dataset\nd0\n", "no features"),
        ("dataset,rows\nd0,many\n", "'many'"),
        ("dataset,rows\nd0\n", "1 cells for 2 columns"),
        ("", "no features"),
        ("dataset;rows\nd0;1\n", "no features"),
        ("dataset,rows,rows\nd0,1,2\n", "two columns 'rows'"),
        ("dataset,rows\nd0,1\n d0 ,2\n", "two data sets 'd0'"),
        ("dataset,rows\nd0,1\n", "no features of d1, d2, d3"),
        ("dataset,rows\0\nd0,1\n", "bytes of 0|not a table"),
    ],
)
def test_faulty_feature_files_are_refused(tmp_path, text, wrong):
    path = tmp_path / "features.csv"
    path.write_text(text)
    with pytest.raises(bk.InputError, match=wrong):
        bk.judge(table(2, 8), features=path)
    with pytest.raises(bk.InputError, match="there is no file"):
        bk.judge(table(2, 8), features=tmp_path / "none.csv")


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_feature_files_in_another_encoding_get_three_lines(tmp_path, encoding):
    path = tmp_path / "features.csv"
    path.write_bytes("dataset,größe\nd0,1\n".encode(encoding))
    with pytest.raises(bk.InputError, match="not text in UTF-8"):
        bk.judge(table(2, 8), features=path)


def test_blanks_around_names_of_features_mean_nothing(tmp_path):
    path = tmp_path / "features.csv"
    path.write_text("\ndataset , rows\n" + "".join(f" d{i} ,{i}\n\n" for i in range(9)))
    assert bk.judge(table(2, 9), features=path).where_it_wins.features == ("rows",)


def test_the_command_ends_with_2_where_features_are_missing(tmp_path):
    results, features = tmp_path / "results.csv", tmp_path / "features.csv"
    rows = np.random.default_rng(0).normal(size=(9, 2))
    results.write_text("dataset,a,b\n" + "".join(f"d{i},{x},{y}\n" for i, (x, y) in enumerate(rows)))
    features.write_text("dataset,rows\n" + "".join(f"d{i},{i}\n" for i in range(8)))
    found = CliRunner().invoke(main, ["judge", str(results), "--smaller-is-better", "--features", str(features)])
    assert found.exit_code == 2
    assert "there are no features of d8." in found.stderr


def features(number):
    return {f"d{i}": {"rows": float(i)} for i in range(number)}


def test_it_is_said_why_features_are_not_used():
    few = bk.judge(table(2, 7), features=features(7))
    assert few.where_it_wins is None
    assert "features of the data sets are not used: 7 data sets are fewer than the 8 that they need." in few.text()
    gaps = table(2, 10).values.copy()
    gaps[0, 3] = np.nan
    kept = bk.judge(scores(gaps), features=features(10), missing="keep")
    assert kept.where_it_wins is None
    assert "features of the data sets are not used: results are missing." in kept.text()
    folds = bk.judge(scores(0.3 + 0.01 * np.random.default_rng(0).normal(size=(3, 1, 5, 2))), features=features(1))
    assert "are not used: 5 replications of 2 folds of one data set are not several data sets." in folds.text()


def test_features_that_are_no_numbers_are_refused():
    for wrong in ("many", None, float("nan")):
        with pytest.raises(bk.InputError, match="d0"):
            bk.judge(table(2, 8), features=features(8) | {"d0": {"rows": wrong}})
    with pytest.raises(bk.InputError, match="dict of numbers"):
        bk.judge(table(2, 8), features=features(8) | {"d0": 3.0})


def test_the_sign_test_beside_wins_takes_rounding_for_a_tie():
    values = with_folds().values.copy()
    values[1, :4] = values[0, :4] * (1.0 + 1e-15)
    verdict = bk.judge(scores(values))
    wins = verdict.counted_wins
    rows = values.mean(axis=(2, 3))
    assert wins.sign_pvalue[0] == pairwise.sign_test(rows[0], rows[1]).pvalue == 0.125  # 4 of 4, four ties


def test_the_first_place_is_a_conclusion_only_where_it_is_not_tied():
    tied = bk.judge(table(3, 8, seed=1, gap=0.0))
    assert tied.status == "tied"
    section = next(each for each in dataset_sections(tied) if each.anchor == "other-data-sets")
    assert not any(row[0].startswith("first place") for row in section.blocks[1].table.rows)
    assert "First place:" not in tied.text()


@pytest.mark.parametrize("seed", range(8))
def test_the_first_place_s_smallest_set_is_always_named(seed):
    verdict = bk.judge(table(3, 12, seed=seed, gap=0.03), prior=list("cba"))
    best = verdict.sensitivity.best
    said = any(each.startswith("First place:") for each in verdict.text().splitlines())
    assert verdict.status != "tied"
    assert said == (best.smallest is not None)


def test_words_and_advice_count_the_same_pairs():
    counts = []
    for seed in range(25):
        verdict = random_verdict(seed)
        said = re.search(r"one or two decide (\d+) more pair", verdict.text())
        advised = re.search(r"one or two data sets decide (\d+) more pair", verdict.text())
        assert (said and said[1]) == (advised and advised[1])
        counts.append(said is not None)
    assert any(counts)


def test_the_figure_of_costs_crosses_out_whom_the_words_call_dominated():
    found = set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        times = {
            n: np.exp(0.4 * rng.normal(size=(4, 10, 1, 1))) + 0.1 * np.arange(4)[:, None, None, None] for n in GOODS
        }
        costs = {n: dict(zip("abcd", map(float, times[n].mean(axis=(1, 2, 3))), strict=True)) for n in GOODS}
        verdict = bk.judge(table(4, 10, seed, others=times, costs=costs))
        dominated = tuple(name for name, _ in verdict.other_goods.dominated_by)
        assert ParetoInfo.of(verdict).dominated == dominated
        assert verdict.other_goods.goods[0].level == pytest.approx(0.05 / 3)  # the measure and two goods
        found.add(dominated)
    assert len(found) > 1


GOODS = ("fit_time", "predict_time")


def test_a_last_digit_dominates_nobody_and_is_no_better_mean():
    values = np.full((2, 10), 0.3) + 0.01 * np.random.default_rng(0).normal(size=10)
    values[1] *= 1.0 - 1e-15
    verdict = bk.judge(scores(values, costs={"price": {"a": 1.0, "b": 2.0}}))
    assert verdict.other_goods.front == ("a",)
    assert "no worse in the mean" in verdict.text()


def test_identical_learners_have_no_power_to_speak_of():
    values = table(2, 10).values[:1].repeat(2, axis=0)
    said = bk.judge(scores(values)).text()
    assert "The results of a and b are identical, so that their power cannot be estimated." in said
    assert "0 or more" not in said


def test_groups_that_are_not_drawn_are_said_to_be_left_out():
    def info(number):
        groups = tuple((f"m{i}", f"m{i + 1}") for i in range(number))
        names = tuple(f"m{i}" for i in range(number + 1))
        return CriticalDifferenceInfo(names, tuple(range(number + 1)), "mean rank", False, groups, "wilcoxon")

    assert "the first 30 of 31 groups" in info(31).title
    assert "Only the first 30 of these groups are drawn." in info(31).alt
    assert "first 30" not in info(30).title + info(30).alt


def test_data_sets_named_by_numbers_are_said_to_be_data_sets():
    evidence = bk.read(EXAMPLES / "bramer_15_2.csv", larger_is_better=True)
    values = np.asarray(evidence.values)
    named = scores(values, datasets=tuple(str(i + 1) for i in range(10)), measure="accuracy", larger_is_better=True)
    assert "Leaving out data set 5 and data set 6 turns" in bk.judge(named).text()


def test_the_verdict_s_own_test_is_asked_whether_tests_agree():
    two = bk.judge(table(2, 12, seed=3), test="permutation-t").two_learners
    assert [each.test for each in two.tests] == ["permutation-t", "paired-t", "wilcoxon", "sign"]


def test_the_interval_has_the_verdict_s_level():
    """Bramer, Figure 15.7 at 1 %: the interval is that of 99 %, here by SciPy."""
    verdict = bk.judge(bk.read(EXAMPLES / "bramer_15_7.csv", larger_is_better=True), alpha=0.01)
    two, names = verdict.two_learners, verdict.evidence.learners
    first, second = (verdict.evidence.values[names.index(n), :, 0, 0] for n in (two.first, two.second))
    interval = scipy_stats.ttest_rel(first, second).confidence_interval(0.99)
    assert (two.low, two.high, two.level) == pytest.approx((interval.low, interval.high, 0.99))


def test_iman_and_davenport_s_p_is_that_of_their_f():
    ranks = bk.judge(table(4, 11, seed=2)).mean_ranks
    n, k = 11, 4
    f = (n - 1) * ranks.chi_square / (n * (k - 1) - ranks.chi_square)
    assert ranks.f_statistic == pytest.approx(f)
    assert ranks.f_pvalue == pytest.approx(scipy_stats.f.sf(f, k - 1, (k - 1) * (n - 1)))


def test_k119_sets_its_aside_between_commas():
    said = bk.judge(table(2, 5, gap=0.0, spread=0.2), test="wilcoxon").text()
    assert "no difference, however large, could have been seen" in said.split("K119")[1]


def test_one_data_set_in_a_table_is_told_what_it_lacks():
    with pytest.raises(bk.InputError, match="one result per learner") as caught:
        bk.judge(table(3, 1))
    assert "more data sets" in str(caught.value)


def test_a_wrong_rope_is_named_once():
    with pytest.raises(bk.InputError) as caught:
        bk.judge(table(2, 8), rope=-1)
    assert str(caught.value).count("argument rope") == 1


# ---- two flaws that were ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prior", [None, list("cba")])
def test_the_headline_says_at_once_that_nothing_could_be_shown(prior):
    verdict = bk.judge(table(3, 5, gap=0.3), prior=prior)
    assert (verdict.status, verdict.best) == ("undecided", None)
    said = verdict.text().splitlines()[0]
    assert "with 5 data sets no difference could have been shown, however large (K102)" in said
    assert "no difference could" not in bk.judge(table(3, 12, gap=0.3), prior=prior).text()


def test_learners_worse_than_the_control_are_no_rivals():
    rng = np.random.default_rng(2)
    values = np.array([0.295, 0.30, 0.6])[:, None] + 0.02 * rng.normal(size=(3, 14))
    verdict = bk.judge(scores(values), control="b")
    assert verdict.order == ("a", "b", "c")
    assert verdict.rivals == ("b",)
    assert verdict.behind_control == ("c",)
    assert "from b, and no preference" in verdict.text().splitlines()[0]
    assert verdict.rows()[2]["against first"] == "worse than the control"
    assert "Shown to be worse than the control b: c." in report_text(verdict, "txt")


# ---- the diagram, the table and the words never disagree ----------------------------------------------------------


def random_verdict(seed):
    rng = np.random.default_rng(seed)
    learners, datasets = int(rng.integers(3, 7)), int(rng.integers(6, 16))
    evidence = table(learners, datasets, seed, gap=float(rng.choice([0.0, 0.02, 0.06])), digits=int(rng.choice([2, 3])))
    options = {
        "test": str(rng.choice(["auto", "paired-t", "sign", "nemenyi"])),
        "adjust": str(rng.choice(["none", "bonferroni", "holm", "shaffer", "hommel"])),
        "alpha": float(rng.choice([0.05, 0.2])),
        "prior": [str(n) for n in rng.permutation(evidence.learners)] if rng.random() < 0.5 else None,
    }
    return bk.judge(evidence, **options)


@pytest.mark.parametrize("seed", range(40))
def test_diagram_table_and_words_agree(seed):
    verdict = random_verdict(seed)
    comparison, text = verdict.comparison, verdict.text()
    told_apart = {frozenset(row[:2]) for row in comparison_table(comparison).rows if "not separated" not in row[-1]}
    shown = {frozenset(pair) for pair in comparison.pairs if comparison.shows(*pair) or comparison.shows(*pair[::-1])}
    assert told_apart == shown
    names = verdict.mean_ranks.learners
    alike = [[a == b or comparison.adjusted_pvalue(a, b) > verdict.alpha for b in names] for a in names]
    groups = {frozenset(group) for group in cliques(alike, names) if len(group) > 1}
    diagram, heat = CriticalDifferenceInfo.of(verdict), PairMapInfo.of(verdict)
    assert {frozenset(group) for group in diagram.groups} == groups == set(map(frozenset, verdict.mean_ranks.groups))
    assert diagram.learners == names
    assert diagram.places == pytest.approx(verdict.mean_ranks.ranks)
    assert np.nansum(np.tril(heat.adjusted, -1) <= verdict.alpha) >= len(shown)
    line = next((each for each in text.splitlines() if each.startswith("Not told apart by")), None)
    if line is not None and groups:
        said = {frozenset(re.findall(r"\b[a-l]\b", part)) for part in line.split("first: ")[1].split(";")}
        assert said == groups
    for pair in shown:
        assert not any(pair <= group for group in groups)


@pytest.mark.parametrize("seed", range(12))
def test_words_on_other_data_sets_are_those_of_judging_without_them(seed):
    verdict = random_verdict(seed)
    shaky = verdict.sensitivity.shakiest
    line = next(each for each in verdict.text().splitlines() if each.startswith("Leaving out"))
    if shaky is None:
        assert "changes no pair's conclusion" in line
        return
    settings = {name: verdict.provenance.settings[name] for name in ("test", "adjust", "alpha", "prior")}
    without = bk.judge(verdict.evidence.without(datasets=shaky.smallest.without), **settings)
    pair = without.comparison.pair(*shaky.about)
    then = pair.better if pair.significant else None
    assert then == shaky.smallest.then != shaky.conclusion
    assert ("into no difference" in line) == (then is None)
    assert all(name in line for name in shaky.smallest.without)
    figure = DatasetInfluenceInfo.of(verdict)
    assert {figure.first, figure.second} == set(shaky.about)
    if len(shaky.smallest.without) == 1:
        assert shaky.smallest.without[0] in figure.flips
    assert (len(figure.flips) > 0) == (shaky.flips_one > 0)


def test_simplex_and_words_have_the_same_chances():
    verdict = bk.judge(table(2, 10, seed=4, gap=0.01))
    figure = PosteriorSimplexInfo.of(verdict)
    assert figure.probabilities == verdict.bayes.signed_rank
    first, equal, second = figure.probabilities
    assert (
        f"{figure.first} better {first:.3g}, equal {equal:.3g}, {figure.second} better {second:.3g}." in verdict.text()
    )
    near = PosteriorSimplexInfo.from_samples("a", "b", figure.samples, 0.01).probabilities
    assert near == pytest.approx(figure.probabilities, abs=0.035)  # 5,000 samples: five standard errors


def test_every_section_of_the_report_has_its_table():
    verdict = bk.judge(with_folds(3, gap=0.001))
    sections = dataset_sections(verdict)
    assert {section.anchor for section in sections} == {"other-tests", "other-data-sets", "could-be-seen"}
    assert [section.heading for section in sections] == [HEADINGS[section.anchor] for section in sections]
    text = report_text(verdict, "html")
    assert all(section.heading in text for section in sections)
    for row, each in zip(verdict.sensitivity.pairs, sections[1].blocks[1].table.rows, strict=True):
        assert each[1:3] == (str(row.flips_one), str(row.flips_two))


# ---- the statistics behind it --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "digits", "shift"), [(60, 1, 0.1), (90, 3, 0.0), (120, 0, 0.2), (200, 2, 0.3), (200, 3, 0.9), (320, 3, 0.05)]
)
def test_tails_by_the_integral_are_those_counted_out(n, digits, shift, monkeypatch):
    d = (np.random.default_rng(n).normal(size=(3, n)) + shift).round(digits)
    monkeypatch.setattr(signed_rank_null, "MOST_COUNTED", 0.0)
    monkeypatch.setattr(signed_rank_null, "_FEW_STEPS", 0)
    monkeypatch.setattr(signed_rank_null, "_STEPS_OF_FEW_RANKS", 0)
    by_integral = [each.pvalue for each in wilcoxon_sides(d, np.zeros_like(d))]
    monkeypatch.setattr(signed_rank_null, "MOST_COUNTED", np.inf)
    counted_out = [each.pvalue for each in wilcoxon_sides(d, np.zeros_like(d))]
    np.testing.assert_allclose(by_integral, counted_out, rtol=1e-11)


def test_tails_far_out_are_counted(monkeypatch):
    d = np.random.default_rng(0).normal(size=(2, 250)).round(2) + 2.0
    monkeypatch.setattr(signed_rank_null, "MOST_COUNTED", 0.0)
    far = pairwise.wilcoxon(d, np.zeros_like(d)).pvalue
    monkeypatch.setattr(signed_rank_null, "MOST_COUNTED", np.inf)
    np.testing.assert_allclose(far, pairwise.wilcoxon(d, np.zeros_like(d)).pvalue, rtol=1e-10)
    assert far.max() < 1e-30


def test_the_integral_on_every_sum_of_a_small_sample():
    ranks = np.array([2, 3, 3, 7, 7, 9, 12])
    signs = (np.arange(2**7)[:, None] >> np.arange(7)) & 1
    sums = signs @ ranks
    for w in range(1, int(ranks.sum()) // 2 + 1):
        below, point = lower_tails(ranks[None], np.array([w]))
        assert below[0] == pytest.approx((sums <= w).mean(), abs=1e-9)
        assert point[0] == pytest.approx((sums == w).mean(), abs=1e-9)


def test_sides_of_wilcoxon_are_those_asked_one_by_one():
    one, two = np.random.default_rng(3).normal(size=(2, 4, 15)).round(1)
    for each in wilcoxon_sides(one, two):
        alone = pairwise.wilcoxon(one, two, alternative=each.alternative)
        np.testing.assert_array_equal(each.pvalue, alone.pvalue)
        np.testing.assert_array_equal(each.statistic, alone.statistic)


@pytest.mark.parametrize("n", [1, 7, 30, 31, 62])
def test_lanes_count_as_arrays_do(n):
    ranks = np.random.default_rng(n).integers(1, 2 * n + 1, size=n)
    for upto in (0, int(ranks.sum()) // 3, int(ranks.sum())):
        np.testing.assert_array_equal(_counted_in_lanes(ranks, upto), _counted_in_arrays(ranks, upto))


def test_a_pair_has_the_same_chances_alone_and_among_others():
    losses = np.random.default_rng(2).normal(size=(4, 20))
    together = bayes.signed_rank(losses[:3], losses[3], rope=0.1, samples=2_000, rng=1).probabilities
    alone = [bayes.signed_rank(row, losses[3], rope=0.1, samples=2_000, rng=1).probabilities for row in losses[:3]]
    np.testing.assert_array_equal(together, alone)


def test_masses_are_the_double_sum():
    """θ = Σᵢ Σⱼ wᵢwⱼ I[(dᵢ + dⱼ)/2 in the region], with the same weights by hand."""
    d, rope, n = np.array([-3.0, 0.2, 0.5, 2.0]), 0.4, 5
    masses = signed_rank_masses(d, np.zeros(4), rope=rope, samples=6, rng=5)
    weights = np.random.default_rng(5).standard_exponential((n, 6))
    weights /= weights.sum(axis=0)
    values = np.sort(np.append(d, 0.0))
    middle = 0.5 * (values[:, None] + values)
    for region, which in enumerate((middle < -rope, np.abs(middle) <= rope, middle > rope)):
        by_hand = [float(w @ which @ w) for w in weights.T]
        np.testing.assert_allclose(masses[:, region], by_hand, atol=1e-12)
