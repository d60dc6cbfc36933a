"""The gate: bounds beside a margin, by measure and by group; what is refused; what equal models would get."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import bestofk as bk
from bestofk.advice import OF_RESULTS
from bestofk.comparing.pair_tests import Intervals
from bestofk.evidence import Origin
from bestofk.reporting.words import needed_words
from makers import codes, folds, over_datasets, slow

RNG = np.random.default_rng(5)
OLD, NEW = RNG.normal(0.80, 0.01, size=12), RNG.normal(0.79, 0.02, size=9)
ACCURACY = {"measure": "accuracy", "rows": "runs"}


def welch(level):
    """Ends of the interval by which the old runs are better, by scipy."""
    return scipy.stats.ttest_ind(OLD, NEW, equal_var=False).confidence_interval(level)


def items(right, **more):
    """Answers of the new and the old model as a gate takes them: a file each."""
    names = [f"q{i}" for i in range(len(right))]
    return {"item": names, "correct": list(right), **more}


def frames(tmp_path, new, old):
    """Two files."""
    import pandas as pd

    for name, columns in (("new", new), ("old", old)):
        pd.DataFrame(columns).to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path / "new.csv", tmp_path / "old.csv"


def test_bounds_are_those_of_the_test_at_one_side():
    check = bk.gate(NEW, OLD, margin=0.02, test="welch-t", **ACCURACY).checks[0]
    low, high = welch(0.90)
    assert (check.low, check.high) == pytest.approx((low, high))
    assert check.worse_by == pytest.approx(OLD.mean() - NEW.mean())
    assert (check.new, check.old) == pytest.approx((NEW.mean(), OLD.mean()))


@pytest.mark.parametrize("measure", ["f1", "tastiness"])
@pytest.mark.parametrize(("failures", "outcome"), [(0, "passed"), (1, "undecided")])
def test_bounds_of_graded_items_allow_for_a_failure_that_was_not_seen(failures, outcome, measure):
    grades = np.tile([0.6, 0.8, 1.0], 100)
    new = np.where(np.arange(len(grades)) < failures, 0.0, grades)
    gate = bk.gate(
        "new",
        "old",
        results=bk.Items(learners=("new", "old"), values=[new, grades], measure=measure, larger_is_better=True),
        margin=0.01,
    )
    assert gate.outcome == outcome


@pytest.mark.parametrize(
    ("measure", "unit", "apart"),
    [
        *(("accuracy", 1, 1), ("accuracy", 100, 100), ("kappa", 1, 2)),
        *(("score", 1, 1), ("score", 5, 5), ("score", 10, 10), ("score", 60, 100)),
        *(("score", -1, None), ("score", 1000, None), ("log_likelihood", -1, None)),  # as any two results
    ],
)
def test_both_bounds_of_graded_items_count_one_item_more(measure, unit, apart):
    old = np.clip(np.random.default_rng(3).normal(0.7, 0.1, 300), 0.0, 0.99)
    new = old - np.random.default_rng(4).normal(0.002, 0.05, 300)
    old, new = (each * unit for each in (old, new))
    graded = bk.Items(learners=("new", "old"), values=[new, old], measure=measure, larger_is_better=True)
    check = bk.gate("new", "old", results=graded, margin=0.02 * abs(unit)).checks[0]
    for bound, side in ((check.low, -1), (check.high, 1)):
        more = np.append(old - new, side * (apart or np.ptp([new, old])))
        end = scipy.stats.ttest_1samp(more, 0).confidence_interval(0.90)[(1 + side) // 2]
        assert bound == pytest.approx(end, rel=0.15)
    assert ("K148" in codes(check)) == (apart is None)


def test_a_pair_of_graded_items_is_equivalent_where_the_gate_is_passed_both_ways():
    """Equivalence allows for the same failure that was not seen."""
    old = np.random.default_rng(2).normal(0.9, 0.005, 50)
    graded = bk.Items(learners=("new", "old"), values=[old[::-1], old], measure="score", larger_is_better=True)
    for margin, passed in ((0.03, False), (0.06, True)):
        assert (bk.gate("new", "old", results=graded, margin=margin).outcome == "passed") == passed
        assert bk.judge(graded, within=margin).comparison.pair("new", "old").equivalent == passed
        assert bk.compare(graded, rope=margin).pair("new", "old").equivalent == passed


@pytest.mark.parametrize(
    ("end", "beside", "outcome", "code"),
    [(1, 1e-6, "passed", 0), (1, -1e-6, "undecided", 3), (0, 1e-6, "undecided", 3), (0, -1e-6, "worse", 1)],
)
def test_a_margin_beside_a_bound_decides(end, beside, outcome, code):
    new = NEW - 0.05  # so that both bounds are above 0
    margin = scipy.stats.ttest_ind(OLD, new, equal_var=False).confidence_interval(0.90)[end] + beside
    gate = bk.gate(new, OLD, margin=margin, test="welch-t", **ACCURACY)
    assert (gate.outcome, gate.exit_code) == (outcome, code)
    assert bk.gate(new, OLD, margin=margin, fail_on="worse", test="welch-t", **ACCURACY).exit_code == code % 3


def test_of_a_loss_smaller_is_better():
    losses = {"measure": "error", "rows": "runs", "test": "welch-t"}
    one, other = bk.gate(1 - NEW, 1 - OLD, margin=0.02, **losses), bk.gate(NEW, OLD, margin=0.02, **ACCURACY)
    assert one.checks[0].high == pytest.approx(other.checks[0].high)


def test_several_measures_pass_together_and_share_alpha_to_be_worse(tmp_path):
    files = frames(
        tmp_path,
        {"seed": range(9), "accuracy": NEW, "f1": NEW - 0.2},
        {"seed": range(12), "accuracy": OLD, "f1": OLD},
    )
    gate = bk.gate(*files, margin={"accuracy": 0.05, "f1": 0.01}, test="welch-t")
    assert [(each.measure, each.outcome) for each in gate.checks] == [("accuracy", "passed"), ("f1", "worse")]
    assert gate.outcome == "worse"
    assert gate.checks[0].high == pytest.approx(welch(0.90).high)
    assert gate.checks[0].low == pytest.approx(welch(0.95).low)  # 0.05 / 2 at this side
    assert bk.gate(*files, margin="accuracy=0.05, f1=0.5").outcome == "passed"
    assert bk.gate(*files, margin=0.5, measure="accuracy,f1").checks[1].margin == 0.5
    with pytest.raises(bk.InputError, match="'accuracy' is named twice"):
        bk.gate(*files, margin="accuracy=0.01,accuracy=.2")
    with pytest.raises(bk.InputError, match="f1 has no margin"):
        bk.gate(*files, margin={"accuracy": 0.05}, measure="accuracy,f1")


def test_every_group_is_asked_by_itself(tmp_path):
    right = RNG.random(240) < 0.8
    worse = np.where(np.arange(240) < 120, right, RNG.random(240) < 0.3)
    groups = np.repeat(["easy", "hard"], 120)
    gate = bk.gate(*frames(tmp_path, items(worse, group=groups), items(right, group=groups)), margin=0.1, by_group=True)
    found = {each.group: each for each in gate.checks}
    assert {name: each.outcome for name, each in found.items()} == {
        "all items": "worse",
        "easy": "passed",
        "hard": "worse",
    }
    alone = bk.gate(*frames(tmp_path, items(worse[120:]), items(right[120:])), margin=0.1).checks[0]
    assert found["hard"].high == pytest.approx(alone.high)
    assert (found["hard"].new, found["hard"].old) == pytest.approx((worse[120:].mean(), right[120:].mean()))
    whole = bk.gate(*frames(tmp_path, items(worse), items(right)), margin=0.1).checks[0]
    assert found["all items"].high == pytest.approx(whole.high)


def test_every_data_set_is_asked_by_itself():
    values = 0.2 + 0.01 * RNG.normal(size=(2, 3, 1, 10))
    values[0, 2] += 0.2
    gate = bk.gate("a", "b", results=over_datasets(values), margin=0.05, by_group=True)
    assert [each.outcome for each in gate.checks] == ["passed", "passed", "worse"]
    assert gate.checks[0].group == "d0"


def test_a_share_is_the_margin_of_amounts_in_other_units():
    old = 10.0 ** RNG.uniform(-3, 3, size=20)
    ratios = 1.01 + 0.001 * RNG.normal(size=20)
    scores = over_datasets([old * ratios, old], measure="rmse")
    check = bk.gate("a", "b", results=scores, margin="2%").checks[0]
    assert check.relative
    assert check.outcome == "passed"
    assert check.worse_by == pytest.approx(np.median(ratios) - 1, abs=0.001)
    assert bk.gate("a", "b", results=scores, margin="0.5%").outcome == "worse"
    with pytest.raises(bk.InputError, match="other units"):
        bk.gate("a", "b", results=scores, margin=0.02)


@pytest.mark.parametrize("gone", [1, 20, 21])
def test_items_are_matched_by_name(gone, tmp_path):
    right = RNG.random(200) < 0.8
    fewer = {name: column[gone:][::-1] for name, column in items(right).items()}
    new, old = frames(tmp_path, fewer, items(right))
    if gone == 21:
        with pytest.raises(bk.InputError) as error:
            bk.gate(new, old, margin=0.05, missing="drop-items")
        assert "90 %" in error.value.fix
        return
    with pytest.raises(bk.InputError, match="item q0") as error:
        bk.gate(new, old, margin=0.05)
    assert "drop-items" in error.value.fix
    gate = bk.gate(new, old, margin=0.05, missing="drop-items")
    assert gate.left_out == tuple(f"q{i}" for i in range(gone))
    assert gate.checks[0].units == 200 - gone
    assert gate.checks[0].worse_by == 0


@pytest.mark.parametrize("missing", ["refuse", "drop-items"])
def test_too_few_items_in_common_are_said_at_once(tmp_path, missing):
    """Leaving items out is no remedy where it would be refused."""
    right = RNG.random(200) < 0.8
    half = {name: column[100:] for name, column in items(right).items()}
    with pytest.raises(bk.InputError, match="of 200 items only 100 have results of both models"):
        bk.gate(*frames(tmp_path, half, items(right)), margin=0.05, missing=missing)


def test_no_answer_may_be_a_wrong_one(tmp_path):
    right = np.arange(1000) % 5 != 0
    lacking = {**items(right), "correct": np.where(right & (np.cumsum(right) <= 90), np.nan, right)}
    wrong = {**items(right), "correct": np.nan_to_num(lacking["correct"])}
    assert np.isnan(lacking["correct"]).sum() == 90
    found = bk.gate(*frames(tmp_path, lacking, items(right)), margin=0.01, missing="worst")
    assert found.filled == {"new": 90}
    assert found.checks[0].high == bk.gate(*frames(tmp_path, wrong, items(right)), margin=0.01).checks[0].high
    assert found.outcome == "worse"


def _runs(gone, number=20, **facts):
    values = 0.8 + 0.01 * np.random.default_rng(3).normal(size=(2, number))
    values[0, gone] = np.nan
    return bk.Runs(learners=("new", "old"), values=tuple(values), measure="accuracy", larger_is_better=True, **facts)


def test_runs_that_were_left_out_are_named():
    gate = bk.gate("new", "old", results=_runs([3, 4]), margin=0.05, missing="drop-runs")
    assert gate.runs_left_out == {"new": ("4", "5")}
    assert [each.code for each in gate.checks[0].advice] == ["K122"]
    assert "2 runs without a result were left out: new 4" in " ".join(repr(gate).split())
    assert "2 runs without a result" in " ".join(gate.page().small)


def test_at_most_a_tenth_of_runs_is_left_out():
    with pytest.raises(bk.InputError, match="of 8 runs only 4 have results of new") as error:
        bk.gate("new", "old", results=_runs([0, 1, 2, 3], 8), margin=0.05, missing="drop-runs")
    assert "90 %" in error.value.fix


def test_curves_left_out_are_runs_too():
    values = 0.8 + 0.01 * np.random.default_rng(3).normal(size=(2, 20, 6))
    values[1, 7, 5] = np.nan
    curves = bk.Curves(learners=("new", "old"), values=tuple(values), measure="accuracy", larger_is_better=True)
    gate = bk.gate("new", "old", results=curves, margin=0.05, missing="drop-runs", curve="final")
    assert gate.runs_left_out == {"old": ("8",)}


def test_what_runs_were_filled_in_is_told():
    gate = bk.gate("new", "old", results=_runs([0, 1, 2, 3], 8), margin=0.05, missing="worst")
    assert (gate.filled, gate.filled_by) == ({"new": 4}, "worst")
    assert "results filled in by the worst: 4 of new" in " ".join(repr(gate).split())


def _answers(there):
    """Answers of two models to 300 questions, of which the new one has this many."""
    right = (np.arange(300) % 5 > 0).astype(float)
    return {"new": np.where(np.arange(300) < there, right, np.nan), "old": right}


@pytest.mark.parametrize("whose", ["old", "new"])
def test_answers_of_the_other_model_never_stand_for_those_that_are_missing(whose):
    with pytest.raises(bk.InputError, match="baseline") as error:
        bk.gate("new", "old", results=_answers(1), margin=0.02, missing=f"baseline:{whose}", rows="items")
    assert "baseline" not in error.value.fix


@pytest.mark.parametrize("there", [299, 240])
def test_missing_answers_are_counted_as_the_worst_and_that_is_offered(there):
    options = {"results": _answers(there), "margin": 0.25, "rows": "items", "measure": "correct"}
    with pytest.raises(bk.InputError) as error:
        bk.gate("new", "old", **options)
    assert "worst" in error.value.fix
    assert "baseline" not in error.value.fix
    assert bk.gate("new", "old", **options, missing="worst").filled == {"new": 300 - there}


@pytest.mark.parametrize(
    ("gone", "margin", "outcome", "instead", "words"),
    [
        (3, 0.05, "passed", "passed", "without these items the same outcome"),
        (15, 0.05, "undecided", "passed", "without these items it would be passed"),
        (150, 0.05, "worse", "passed", "without these items it would be passed"),  # more than may be left out
    ],
)
def test_it_is_said_whether_the_outcome_hangs_on_what_was_filled_in(gone, margin, outcome, instead, words):
    answers = _answers(300)
    answers["new"] = np.where(np.arange(300) < gone, np.nan, answers["new"])
    gate = bk.gate("new", "old", results=answers, margin=margin, rows="items", measure="correct", missing="worst")
    assert (gate.outcome, gate.instead, gate.outcome_instead) == (outcome, "drop-items", instead)
    assert words in " ".join(repr(gate).split())
    assert gate.to_dict()["outcome_instead"] == instead


def test_folds_that_were_filled_in_cannot_be_left_out():
    scores = 0.8 + 0.01 * np.random.default_rng(3).normal(size=(2, 1, 10))
    scores[0, 0, 4] = np.nan
    evidence = replace(folds(scores), measure="accuracy", larger_is_better=True)
    gate = bk.gate("a", "b", results=evidence, margin=0.05, missing="worst")
    assert (gate.filled, gate.instead, gate.outcome_instead) == ({"a": 1}, "", None)
    scores[:, 0, 4] = 0.8, np.nan
    with pytest.raises(bk.InputError, match="no data set is left"):
        bk.gate("a", "b", results=replace(evidence, values=scores[:, None]), margin=0.05, missing="worst")


def test_what_the_old_model_lacks_lets_nobody_pass():
    """Of an item that the new one has right and the old one does not answer nothing is known."""
    old = (np.arange(300) % 5 > 0).astype(float)
    new = np.where(np.arange(300) % 10 == 1, 0.0, old)
    lacking = np.where((np.arange(300) < 30) & (new == 1), np.nan, old)
    there = ~np.isnan(lacking)
    options = {"margin": 0.05, "rows": "items", "measure": "correct"}
    found = bk.gate("new", "old", results={"new": new, "old": lacking}, missing="worst", **options)
    alone = bk.gate("new", "old", results={"new": new[there], "old": old[there]}, **options)
    assert (found.filled, len(found.left_out)) == ({}, np.sum(~there))
    assert [found.checks[0].low, found.checks[0].high] == [alone.checks[0].low, alone.checks[0].high]
    both = bk.gate(
        "new", "old", results={"new": np.where(old == 0, np.nan, new), "old": lacking}, missing="worst", **options
    )
    assert both.left_out == found.left_out
    assert "left out: no result of" in " ".join(repr(both).split())


def test_of_the_items_at_most_a_tenth_may_lack_results_of_the_old_model():
    answers = {"new": _answers(300)["old"], "old": _answers(250)["new"]}
    options = {"results": answers, "margin": 0.05, "rows": "items", "measure": "correct"}
    for missing in ("refuse", "drop-items"):
        with pytest.raises(bk.InputError, match="only 250 have results of both models") as error:
            bk.gate("new", "old", **options, missing=missing)
        assert "worst" not in error.value.fix  # it would be refused too
    with pytest.raises(bk.InputError, match="only 250 have results of old"):
        bk.gate("new", "old", **options, missing="worst")


def test_failed_runs_and_data_sets_of_the_old_model_are_left_out():
    values = 0.8 + 0.01 * np.random.default_rng(3).normal(size=(2, 20))
    values[0, 3] = values[1, 7] = np.nan
    runs = bk.Runs(learners=("new", "old"), values=tuple(values), measure="accuracy", larger_is_better=True)
    gate = bk.gate("new", "old", results=runs, margin=0.05, missing="worst")
    assert (gate.filled, gate.runs_left_out, gate.instead) == ({"new": 1}, {"old": ("8",)}, "drop-runs")
    scores = replace(over_datasets(values), measure="accuracy", larger_is_better=True)
    gate = bk.gate("a", "b", results=scores, margin=0.2, missing="worst")
    assert (gate.filled, gate.left_out, gate.instead) == ({"a": 1}, ("d7",), "drop-datasets")
    values[1, 8:10] = np.nan
    with pytest.raises(bk.InputError, match="of 20 runs only 17 have results of old") as error:
        bk.gate("new", "old", results=replace(runs, values=tuple(values)), margin=0.05, missing="worst")
    assert "worst" not in error.value.fix


def test_of_curves_one_value_of_each_is_filled_in():
    values = 0.8 + 0.01 * np.random.default_rng(3).normal(size=(2, 20, 6))
    values[0, 3, 5] = values[1, 7, 5] = np.nan
    curves = bk.Curves(learners=("new", "old"), values=tuple(values), measure="accuracy", larger_is_better=True)
    gate = bk.gate("new", "old", results=curves, margin=0.05, missing="worst", curve="final")
    assert (gate.filled, gate.runs_left_out, gate.instead) == ({"new": 1}, {"old": ("8",)}, "drop-runs")


def test_tasks_of_runs_that_were_left_out_are_named():
    tasks = tuple(f"t{i}" for i in range(12) for _ in range(30))
    runs = _runs(range(30), 360, datasets=(tasks, tasks))
    gate = bk.gate("new", "old", results=runs, margin=0.05, missing="drop-datasets")
    assert gate.left_out == ("t0",)
    assert "1 data set left out: missing results of new (t0)" in " ".join(repr(gate).split())


def test_gaps_of_two_models_are_left_out_where_they_are_kept():
    values = 0.2 + 0.01 * RNG.normal(size=(2, 12))
    values[1, 3] = np.nan
    gate = bk.gate("a", "b", results=over_datasets(values), margin=0.05, missing="keep")
    assert (gate.left_out, gate.checks[0].units) == (("d3",), 11)


def test_data_sets_are_matched_by_name():
    values = 0.2 + 0.01 * RNG.normal(size=(2, 12))
    values[1, 3] = np.nan
    gate = bk.gate("a", "b", results=over_datasets(values), margin=0.05, missing="drop-datasets")
    assert (gate.left_out, gate.checks[0].units) == (("d3",), 11)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({}, "no margin"),
        ({"margin": -0.1}, "margin is -0.1"),
        ({"margin": 0}, "margin is 0"),
        ({"margin": 1.0}, "as much as accuracy"),
        ({"margin": "2%"}, "by differences"),
        ({"margin": "much"}, "'much'"),
        ({"margin": 0.1, "by_group": True}, "by_group"),
        ({"margin": 0.1, "on": "tpr,fpr"}, "on is no option"),
        ({"margin": 0.1, "fail_on": "tied"}, "fail_on 'tied'"),
        ({"margin": 0.1, "adjust": "holm"}, "adjust"),
        ({"margin": 0.1, "results": {"a": OLD, "b": NEW}}, "no name"),
    ],
)
def test_what_is_refused(options, wrong):
    with pytest.raises(bk.InputError, match=wrong):
        bk.gate(NEW, OLD, **options, **ACCURACY)


def _graded(values, **more):
    """Two models on 40 items, each in one of 8 groups, by a measure that nobody knows."""
    return bk.Items(
        learners=("new", "old"),
        values=values,
        measure="match",
        larger_is_better=True,
        groups=tuple(f"g{i % 8}" for i in range(40)),
        **more,
    )


WORSE = np.array([np.arange(40) % 3 == 0, np.arange(40) % 8 > 0]).astype(float)


@pytest.mark.parametrize(
    "results", [_graded(WORSE), _graded(WORSE / 2, origin=Origin(rate=True))], ids=["right or wrong", "said to be"]
)
def test_a_margin_as_wide_as_rates_is_refused_whatever_their_name(results):
    with pytest.raises(bk.InputError, match="as much as match can differ"):
        bk.gate("new", "old", results=results, margin=5)
    assert results.worst == 0.0


@pytest.mark.parametrize(("margin", "said"), [(5, True), (0.5, True), (0.4, False)])
def test_a_margin_as_wide_as_all_results_is_advised_against(margin, said):
    gate = bk.gate("new", "old", results=_graded(WORSE / 2), margin=margin)
    assert ("K145" in [each.code for each in gate.checks[0].advice]) == said


def test_names_are_two_of_the_table():
    results = {"a": OLD, "b": NEW, "c": NEW - 0.1}
    gate = bk.gate("c", "a", results=results, margin=0.05, **ACCURACY)
    assert (gate.new, gate.against, gate.outcome) == ("c", "a", "worse")
    for name, wrong in (("d", "unknown learner 'd'"), ("a", "a is given")):
        with pytest.raises(bk.InputError, match=wrong):
            bk.gate(name, "a", results=results, margin=0.05, **ACCURACY)


def test_one_result_each_is_refused():
    with pytest.raises(bk.InputError):
        bk.gate([0.8], [0.8], margin=0.05, measure="accuracy", rows="folds")


def test_what_does_not_vary_is_undecided():
    gate = bk.gate([0.8] * 3, [0.7] * 3, margin=0.05, **ACCURACY)
    assert (gate.outcome, gate.checks[0].power) == ("undecided", None)


@pytest.mark.slow
def test_equal_models_get_what_exact_chances_say():
    """Of right and wrong answers only those differ that one model has right; each may as well be the other's."""
    number, apart = 200, 30
    same = np.arange(number) % 2

    def answers(worse):
        new, old = same.copy(), same.copy()
        new[:apart], old[:apart] = np.arange(apart) >= worse, np.arange(apart) < worse
        return {"new": new, "old": old}

    def outcome(worse):
        results = bk.read(answers(worse), rows="items", measure="correct")
        return bk.gate("new", "old", results=results, margin=0.04).outcome

    chances = scipy.stats.binom(apart, 0.5).pmf(np.arange(apart + 1))
    outcomes = np.array([outcome(worse) for worse in range(apart + 1)])
    results = bk.read(answers(15), rows="items", measure="correct")
    gate = bk.gate("new", "old", results=results, margin=0.04, aa=True)
    assert gate.alike.passed + gate.alike.undecided + gate.alike.worse == pytest.approx(1)
    for name in ("passed", "worse"):
        assert getattr(gate.alike, name) == pytest.approx(chances[outcomes == name].sum(), abs=0.09)
    assert gate.checks[0].power == pytest.approx(chances[outcomes == "passed"].sum(), abs=0.09)


@pytest.mark.slow
def test_equal_runs_are_dealt_within_their_tasks():
    tasks = (("a",) * 6 + ("b",) * 6, ("a",) * 6 + ("b",) * 6)
    values = tuple(np.r_[np.zeros(6), np.ones(6)] + 0.01 * RNG.normal(size=12) + 0.2 * side for side in (0, 1))
    runs = bk.Runs(learners=("new", "old"), values=values, datasets=tasks, measure="error", larger_is_better=False)
    gate = bk.gate("new", "old", results=runs, margin=0.03, aa=True)
    assert gate.outcome == "passed"
    assert gate.alike.passed > 0.95  # were tasks mixed, spreads would be 0.5


def test_equal_models_of_data_sets_mostly_pass():
    values = 0.2 + 0.001 * RNG.normal(size=(2, 12, 1, 1))
    assert bk.gate("a", "b", results=over_datasets(values), margin=0.05, aa=True).alike.passed == 1


def _votes():
    return bk.Battles(learners=("a", "b", "c"), first=[0, 1, 2] * 40, second=[1, 2, 0] * 40, score=[1, 0, 0.5, 0] * 30)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: folds(0.2 + 0.001 * RNG.normal(size=(2, 1, 10))), "folds"),
        (lambda: over_datasets(0.2 + 0.001 * RNG.normal(size=(2, 4, 5, 2))), "folds"),
        (_votes, "battles"),
    ],
)
def test_equal_models_are_not_made_of_what_cannot_change_sides(make, why):
    results, margin = make(), 0.05 if make is not _votes else 50
    assert bk.gate("a", "b", results=results, margin=margin).checks[0].power is not None
    with pytest.raises(bk.InputError, match=why) as told:
        bk.gate("a", "b", results=results, margin=margin, aa=True)
    assert told.value.where == "gate, argument aa"


def test_results_that_were_filled_in_are_counted_over_all_measures():
    rows = [
        {"learner": name, "item": i, "accuracy": float(i % 2), "f1": float(i % 3 > 0)}
        for name in ("new", "old")
        for i in range(100)
    ]
    for place, measure in ((0, "accuracy"), (2, "accuracy"), (5, "f1"), (101, "f1")):
        rows[place][measure] = None
    margin = {"accuracy": 0.05, "f1": 0.05}
    assert bk.gate("new", "old", results=rows, margin=margin, missing="worst").filled == {"new": 3}


def _two_groups(size, apart):
    """Answers in two groups; in each of them either model alone is wrong ``apart`` times."""
    values = np.ones((2, 2 * size))
    for start in (0, size):
        values[0, start : start + apart] = values[1, start + apart : start + 2 * apart] = 0
    groups = ("a",) * size + ("b",) * size
    return bk.Items(learners=("new", "old"), values=values, groups=groups, measure="correct", larger_is_better=True)


def test_the_power_of_every_group_and_of_all_is_what_equal_models_get():
    """All items are many, the groups are few: the power is counted, asked for or not."""
    options = {"results": _two_groups(200, 10), "margin": 0.05, "by_group": True}
    plain, beside = bk.gate("new", "old", **options), bk.gate("new", "old", aa=True, **options)
    assert [each.power for each in plain.checks] == [each.power for each in beside.checks]
    assert [each.seen for each in plain.checks] == [each.seen for each in beside.checks]
    assert plain.power == beside.alike.passed < min(each.power for each in plain.checks)
    assert plain.alike is None
    assert f"all 3 in {100 * plain.power:.0f} %" in " ".join(repr(plain).split())
    assert f"passed {100 * plain.power:.1f} %" in " ".join(repr(beside).split())


def test_the_chance_to_pass_all_does_not_count_items_twice():
    gate = bk.gate("new", "old", results=_two_groups(400, 40), margin=0.05, by_group=True)
    everything, *parts = (each.power for each in gate.checks)
    assert gate.power is None
    said = f"{100 * np.prod(parts):.0f} %"
    assert said != f"{100 * everything * np.prod(parts):.0f} %"
    assert f"all 3 in at most {said}" in " ".join(repr(gate).split())


@pytest.mark.slow
def test_all_items_of_equal_models_are_those_of_their_groups(monkeypatch):
    """Two groups of items, passed and undecided by the number that the new model has wrong: by enumeration."""
    monkeypatch.setattr("bestofk.judging.loss_bounds.FEW_UNITS", 0)  # no draws where only outcomes are asked for
    number, apart = 120, 20

    def gate(worse, **more):
        values = np.ones((2, 2 * number))
        for i, own in enumerate(worse):
            values[0, i * number : i * number + own] = 0
            values[1, i * number + own : i * number + apart] = 0
        groups = ("a",) * number + ("b",) * number
        results = bk.Items(
            learners=("new", "old"), values=values, groups=groups, measure="correct", larger_is_better=True
        )
        return bk.gate("new", "old", results=results, margin=0.07, by_group=True, **more)

    own, both = ({}, {})
    for worse in range(apart + 1):
        for part in (0, 1):
            checks = gate((worse, worse - part if worse else 0)).checks
            both[2 * worse - part], own[worse], _ = (each.outcome == "passed" for each in checks)
    chance = scipy.stats.binom(apart, 0.5).pmf
    exact = sum(
        chance(i) * chance(j) * (own[i] and own[j] and both[i + j]) for i in range(apart + 1) for j in range(apart + 1)
    )
    alone = sum(chance(i) * own[i] for i in own) ** 2 * sum(
        scipy.stats.binom(2 * apart, 0.5).pmf(i) * both[i] for i in range(2 * apart + 1)
    )
    found = gate((10, 10), aa=True).alike
    error = np.sqrt(exact * (1 - exact) / found.draws)
    assert abs(found.passed - exact) < 3 * error < exact - alone


@pytest.mark.slow
def test_more_results_are_said_with_a_range():
    """Equal models that disagree on 0.2 of items pass in 0.8 with (1.645 + 0.842)² · 0.2 / 0.05² = 495 items."""
    rng = np.random.default_rng(8)

    def gate(number):
        place = rng.random(number)
        values = [place >= 0.1, (place < 0.1) | (place >= 0.2)]
        results = bk.Items(learners=("new", "old"), values=values, measure="correct", larger_is_better=True)
        return bk.gate("new", "old", results=results, margin=0.05).checks[0]

    found = [check for check in (gate(200) for _ in range(60)) if check.more_between is not None]
    low, high = np.array([check.more_between for check in found]).T
    assert ((low >= 1) & (low < high)).all()
    assert np.mean((low <= 295) & (high >= 295)) > 0.8
    assert {check.outcome for check in found} == {"undecided"}
    passed = gate(2000)
    assert (passed.outcome, passed.more, passed.more_between) == ("passed", None, None)


def test_no_number_of_results_lets_a_model_pass_that_seems_worse_than_the_margin():
    values = np.ones((2, 100))
    values[0, :6] = 0
    results = bk.Items(learners=("new", "old"), values=values, measure="correct", larger_is_better=True)
    check = bk.gate("new", "old", results=results, margin=0.05).checks[0]
    assert (check.outcome, check.more, check.more_between) == ("undecided", None, None)


def test_of_a_share_twice_the_margin_is_twice_the_share():
    values = 0.2 * np.exp(0.02 * RNG.normal(size=(2, 12, 1, 1)))
    check = bk.gate("a", "b", results=over_datasets(values, measure="rmse"), margin="20%", test="paired-t").checks[0]
    t, z = scipy.stats.t.ppf(0.95, 11), scipy.stats.norm.ppf(0.95)
    width = np.diff(np.log(values[:, :, 0, 0]), axis=0).std(ddof=1) / np.sqrt(12) * t
    expected = scipy.stats.norm.cdf(z * (np.log(1.4) - np.log(1.2)) / width - z)
    assert check.relative
    assert check.seen == pytest.approx(expected)


@pytest.mark.parametrize("alpha", [0.5, 0.9])
def test_alpha_is_below_a_half(alpha):
    with pytest.raises(bk.InputError, match="alpha is"):
        bk.gate(NEW, OLD, margin=0.02, alpha=alpha, **ACCURACY)


def test_the_margin_that_is_advised_is_one_that_is_taken():
    with pytest.raises(bk.InputError) as refused:
        bk.gate(NEW, OLD, margin="abc", **ACCURACY)
    assert "%" not in refused.value.fix
    with pytest.raises(bk.InputError) as refused:
        bk.gate(NEW, OLD, margin="2%", measure="rmse", rows="runs")
    assert "rate" not in refused.value.fix


@pytest.mark.parametrize(("scale", "fix"), [(1, "--margin 0.005."), (100, "--margin 0.5.")])
def test_per_cent_of_a_rate_are_said_in_its_units(scale, fix):
    with pytest.raises(bk.InputError) as refused:
        bk.gate(scale * NEW, scale * OLD, margin="0.5%", **ACCURACY)
    assert refused.value.fix.endswith(fix)


def test_few_groups_are_named_and_of_these_groups_only_items_are_asked():
    right, names = RNG.random(200) < 0.8, [f"t{i % 4}" for i in range(200)]
    values = np.stack([right, right]).astype(float)
    found = bk.Items(learners=("a", "b"), values=values, groups=names, measure="correct", larger_is_better=True)
    few = bk.gate("a", "b", results=found, margin=0.05)
    assert few.outcome == "undecided"
    assert "at least 6" in repr(few)
    assert "--groups fixed" in repr(few)
    assert bk.gate("a", "b", results=found, margin=0.05, groups="fixed").outcome == "passed"


def test_every_headline_says_what_it_is_about():
    values = np.stack([0.8 + 0.01 * RNG.normal(size=(3, 1, 10))] * 2)
    scores = bk.Scores(
        learners=("a", "b"), values=values, datasets=("x", "y", "z"), measure="accuracy", larger_is_better=True
    )
    gate = bk.gate("a", "b", results=scores, margin=0.05, by_group=True)
    assert "these 3 data sets" in " ".join(repr(gate).split())


def test_a_file_of_several_models_is_no_model(tmp_path):
    right = RNG.random(20) < 0.8
    new, old = frames(tmp_path, {**items(right), "model": list("abcd") * 5}, items(right))
    with pytest.raises(bk.InputError, match="4 models") as error:
        bk.gate(new, old, margin=0.05)
    assert "--results" in error.value.fix


@pytest.mark.parametrize(
    ("name", "number"),
    [("examples/battles.csv", 6), ("tests/peers/sklearn_grid_search.csv", 6), ("tests/peers/promptfoo.jsonl", 4)],
)
def test_a_file_whose_models_have_no_column_is_no_model_either(name, number):
    file = Path(__file__).parents[2] / name
    with pytest.raises(bk.InputError, match=f"{number} models") as error:
        bk.gate(file, file, margin=0.05)
    assert "--results" in error.value.fix


def test_a_task_may_have_a_measure_of_its_own(tmp_path):
    """Each measure is asked of the items that have it; an item that one model lacks is missing all the same."""
    task, nothing = ["sums"] * 60 + ["essays"] * 40, [None] * 100

    def model(seed, gap=None):
        rng = np.random.default_rng(seed)
        right = [*(rng.random(60) < 0.8).astype(int), *nothing[:40]]
        grade = [*nothing[:60], *rng.random(40).round(3)]
        if gap is not None:
            grade[gap] = None
        names = [f"q{i}" for i in range(100)]
        return {"item": names, "group": task, "exact_match": right, "f1": grade}

    options = {"margin": {"exact_match": 0.3, "f1": 0.3}, "groups": "fixed"}
    found = bk.gate(*frames(tmp_path, model(1), model(2)), **options)
    assert [(each.measure, each.units) for each in found.checks] == [("exact_match", 60), ("f1", 40)]
    assert found.left_out == ()
    by_task = bk.gate(*frames(tmp_path, model(1), model(2)), by_group=True, **options)
    assert [each.group for each in by_task.checks] == ["sums", "essays"]
    assert "of these groups" in repr(by_task)
    with pytest.raises(bk.InputError, match="q77"):
        bk.gate(*frames(tmp_path, model(1, gap=77), model(2)), **options)


def test_the_power_is_unknown_where_both_gave_the_same_answers():
    """Nothing tells how often equal models would disagree; of other groups the power is said."""
    right = (RNG.random(300) < 0.8).astype(float)
    other = right.copy()
    other[:20] = 1 - other[:20]
    groups = ("a",) * 150 + ("b",) * 150
    facts = {"learners": ("new", "old"), "measure": "correct", "larger_is_better": True, "groups": groups}
    same = bk.gate("new", "old", results=bk.Items(values=[right, right], **facts), margin=0.05, groups="fixed", aa=True)
    assert (same.outcome, same.checks[0].power, same.checks[0].seen) == ("passed", None, None)
    assert "unknown" in repr(same)
    assert same.alike is None
    by_group = bk.gate("new", "old", results=bk.Items(values=[right, other], **facts), margin=0.2, by_group=True)
    assert [each.power is None for each in by_group.checks] == [False, False, True]
    assert "unknown in b" in repr(by_group)
    assert "independent" not in repr(by_group)


def _binary(number, **facts):
    right = np.random.default_rng(7).random((2, number)) < 0.8
    return bk.Items(learners=("a", "b"), values=right, measure="correct", larger_is_better=True, **facts)


def _accuracies(number):
    values = 0.8 + 0.02 * np.random.default_rng(7).normal(size=(2, number))
    return bk.Runs(learners=("a", "b"), values=tuple(values), measure="accuracy", larger_is_better=True)


def _skewed(sign, times=1):
    """Errors on data sets, on a few of which one model is much worse."""
    apart = sign * np.array([0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.03, 0.08] * times)
    old = 0.3 + 0.05 * np.sin(np.arange(len(apart)))
    return over_datasets([old + apart + 1e-5 * np.cos(np.arange(len(apart))), old])


@pytest.mark.parametrize(
    ("results", "margin", "test"),
    [
        (_skewed(1), 0.02, "permutation-t"),
        (_binary(30), 0.3, "mcnemar-auto"),
        (_accuracies(6), 0.025, "welch-t"),
        *slow(
            (_skewed(-1), 0.02, "permutation-t"),
            (_skewed(1, 5), 0.01, "permutation-t"),
            (_skewed(-1, 5), 0.01, "permutation-t"),
            (_binary(160, groups=[f"g{i % 8}" for i in range(160)]), 0.08, "permutation-t"),
            (_binary(3200, groups=[f"g{i % 320}" for i in range(3200)]), 0.025, "permutation-t"),
            (_binary(400), 0.05, "mcnemar-auto"),
            (_accuracies(320), 0.003, "welch-t"),
        ),
    ],
)
def test_power_is_what_equal_models_get(results, margin, test):
    said = bk.gate("a", "b", results=results, margin=margin).checks[0]
    beside = bk.gate("a", "b", results=results, margin=margin, aa=True)
    assert said.test == test
    assert said.power == pytest.approx(beside.alike.passed, abs=0.08)
    assert beside.checks[0].power == beside.alike.passed


def test_power_does_not_depend_on_which_model_is_new():
    one, two = (bk.gate("a", "b", results=_skewed(sign), margin=0.02).checks[0] for sign in (1, -1))
    assert one.power == pytest.approx(two.power, abs=0.06)


def test_a_model_that_lost_much_does_not_make_equal_ones_differ():
    """Differences of 0.05 ± 0.001 on every data set: two equal models differ by 0.001."""
    old = 0.3 + 0.05 * np.sin(np.arange(8.0))
    new = old + 0.05 + 0.001 * np.cos(np.arange(8.0))
    gate = bk.gate("a", "b", results=over_datasets([new, old]), margin=0.02, aa=True)
    assert gate.outcome == "worse"
    assert gate.alike.passed == gate.checks[0].power == 1


@pytest.mark.slow
def test_power_does_not_hang_on_the_difference_that_was_found_in_groups_of_unequal_size():
    rng = np.random.default_rng(3)
    groups = tuple(f"g{i}" for i in range(30) for _ in range(2 if i % 2 else 60))
    own = dict(zip(dict.fromkeys(groups), rng.normal(0, 0.02, 30), strict=True))
    old = np.full(len(groups), 0.5)
    found = []
    for loss in (0.0, 0.3):
        new = old - loss + np.array([own[name] for name in groups])
        results = bk.Items(
            learners=("a", "b"), values=[new, old], groups=groups, measure="score", larger_is_better=True
        )
        found.append(bk.gate("a", "b", results=results, margin=0.01, aa=True).checks[0].power)
    assert found[0] == pytest.approx(found[1], abs=0.02)


def test_why_the_power_is_unknown():
    old = 0.3 + 0.05 * np.sin(np.arange(8.0))
    sums = np.r_[np.ones(80), np.zeros(80)]
    groups = tuple(f"g{i % 8}" for i in range(160))
    facts = {"learners": ("a", "b"), "measure": "correct", "larger_is_better": True}
    cases = {
        "same": over_datasets([old, old]),
        "constant": over_datasets([old + 0.01, old]),
        "unbounded": over_datasets([old[:3] + 0.01 * np.arange(3), old[:3]]),
    }
    for why, results in cases.items():
        gate = bk.gate("a", "b", results=results, margin=0.05)
        assert (gate.checks[0].unknown, gate.checks[0].power) == (why, None)
        assert ("same results" in repr(gate)) == (why == "same")
    equal_sums = bk.gate("a", "b", results=bk.Items(values=[sums, 1 - sums], groups=groups, **facts), margin=0.1)
    assert equal_sums.checks[0].unknown == "constant"
    both = bk.gate("a", "b", results=bk.Items(values=[[1, 1], [0, 0]], **facts), margin=0.1)
    assert (both.checks[0].unknown, both.checks[0].power) == ("", 0)


def test_identical_results_are_said(tmp_path):
    right = RNG.random(200) < 0.8
    files = frames(tmp_path, items(right), items(right))
    gate = bk.gate(*files, margin=0.05)
    assert (gate.outcome, gate.checks[0].identical) == ("passed", True)
    assert "identical throughout" in " ".join(repr(gate).split())
    assert "identical throughout" in " ".join(gate.page().small)
    assert bk.gate(OLD, OLD, margin=0.05, **ACCURACY).checks[0].identical
    other = bk.gate(NEW, OLD, margin=0.05, **ACCURACY)
    assert not other.checks[0].identical
    assert "identical" not in repr(other)
    assert not bk.gate("a", "b", results=_votes(), margin=50).checks[0].identical


PROMPTS = Origin("logs", assumed=("other-prompts",))


@pytest.mark.parametrize(
    ("code", "results", "options"),
    [
        ("K140", lambda: _binary(60, origin=PROMPTS), {}),
        ("K141", lambda: replace(_accuracies(6), values=([0.8, 0.81, 0.8, 0.82, 0.8, 0.1], [0.8, 0.81] * 3)), {}),
        ("K101", lambda: folds(0.2 + 0.001 * RNG.normal(size=(2, 1, 5))), {"test": "paired-t"}),
        ("K128", lambda: over_datasets(np.tile(0.2 + 0.01 * RNG.normal(size=12), (2, 1))), {}),
        ("", lambda: _accuracies(6), {}),
    ],
)
def test_advice_on_the_results_is_that_of_a_verdict(code, results, options):
    results = results()
    check = bk.gate("a", "b", results=results, margin=0.05, **options).checks[0]
    judged = bk.judge(results, **options).advice
    assert [repr(each) for each in check.advice] == [repr(each) for each in judged if each.code in OF_RESULTS]
    assert [each.code for each in check.advice] == [code] * bool(code)
    assert (f"({code})" in repr(bk.gate("a", "b", results=results, margin=0.05, **options))) == bool(code)


def test_advice_names_the_data_sets_that_it_is_about():
    values = 0.2 + 0.01 * RNG.normal(size=(2, 3, 1, 10))
    values[1, 2] = values[0, 2]
    gate = bk.gate("a", "b", results=over_datasets(values), margin=0.05, by_group=True)
    assert "d2: the results of a and b are identical throughout (K128)" in " ".join(repr(gate).split())
    groups = {"groups": ("x",) * 30 + ("y",) * 30}
    answers = np.array(_binary(60, **groups).values)
    answers[1, :30] = answers[0, :30]
    by_group = bk.gate("a", "b", results=replace(_binary(60, **groups), values=answers), margin=0.15, by_group=True)
    assert not any(each.advice for each in by_group.checks)  # few items may well have the same answers


@pytest.mark.parametrize(("curve", "what"), [(None, "averaged over steps 1–40"), ("final", "at step 40")])
def test_of_curves_it_is_said_what_was_compared(curve, what):
    values = 0.8 + 0.01 * np.random.default_rng(3).normal(size=(2, 6, 40))
    curves = bk.Curves(learners=("new", "old"), values=tuple(values), measure="accuracy", larger_is_better=True)
    gate = bk.gate("new", "old", results=curves, margin=0.05, curve=curve)
    assert gate.checks[0].quantity == what
    assert what in " ".join(repr(gate).split())
    assert what in gate.page().lines[0]


def test_files_of_the_two_models_are_named(tmp_path):
    right = RNG.random(200) < 0.8
    new, old = frames(tmp_path, items(right), items(right))
    gate = bk.gate(new, str(old), margin=0.05)
    assert gate.sources == {"new": "new.csv", "old": "old.csv"}
    assert "new (new.csv)" in repr(gate)
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.csv").write_bytes(new.read_bytes())
    one, two = (str(Path(folder, "x.csv")) for folder in ("one", "two"))
    same_name = bk.gate(tmp_path / one, tmp_path / two, margin=0.05)
    assert same_name.sources == {"new": one, "old": two}
    assert bk.gate(new, new, margin=0.05).sources == {"new": "new.csv", "old": "new.csv"}
    assert bk.gate(NEW, OLD, margin=0.05, **ACCURACY).sources == {}


def test_no_report_takes_the_place_of_a_source(tmp_path):
    rng, files = np.random.default_rng(0), {}
    for name in ("new", "old"):
        files[name] = tmp_path / f"{name}.csv"
        rows = [f"{i},{score:.2f}" for i, score in enumerate(rng.uniform(0.7, 0.9, 20))]
        files[name].write_text("\n".join(["dataset,accuracy", *rows]))
    found = bk.gate(files["new"], files["old"], margin=0.05)
    verdict = bk.judge(bk.read(files))
    for each in (found, verdict):
        before = files["old"].read_bytes()
        with pytest.raises(bk.InputError, match="is what is read"):
            each.report(files["old"], format="md")
        assert files["old"].read_bytes() == before
    assert "paths" not in found.to_dict()
    assert found.report(tmp_path / "gate.md").exists()


@pytest.mark.parametrize(
    ("kind", "margin"),
    [
        *[("answers", 0.02), ("grades", 0.05), ("groups", 0.05), ("runs", 0.02)],
        *slow(("answers", 0.05), ("grades", 0.02), ("groups", 0.02), ("runs", 0.05)),
    ],
)
def test_the_power_of_many_units_is_known_without_draws_and_about_that_of_draws(kind, margin, monkeypatch):
    rng, number, facts = np.random.default_rng(1), 400, {"measure": "accuracy", "larger_is_better": True}
    if kind == "runs":
        evidence = bk.Runs(learners=("new", "old"), values=tuple(rng.normal(0.8, 0.1, (2, number))), **facts)
    else:
        chance = rng.uniform(0.3, 0.9, number)
        values = rng.binomial(4, chance, (2, number)) / 4.0 if kind == "grades" else rng.random((2, number)) < chance
        groups = {"groups": tuple(f"g{i // 2}" for i in range(number))} if kind == "groups" else {}
        evidence = bk.Items(learners=("new", "old"), values=values.astype(float), **facts, **groups)
    plain = bk.gate("new", "old", results=evidence, margin=margin).checks[0]
    monkeypatch.setattr("bestofk.judging.loss_bounds.FEW_UNITS", 10 * number)
    drawn = bk.gate("new", "old", results=evidence, margin=margin).checks[0]
    assert (plain.power, plain.seen) == pytest.approx((drawn.power, drawn.seen), abs=0.08)


def test_no_report_takes_the_place_of_what_was_read_before_or_of_costs(tmp_path):
    results, prices = tmp_path / "results.csv", tmp_path / "prices.csv"
    rows = [f"{name},{seed},0.8{seed}" for name in ("a", "bb") for seed in range(5)]
    results.write_text("\n".join(["model,seed,accuracy", *rows]) + "\n")
    prices.write_text("model,price\na,1\nbb,2\n")
    found = bk.read(results, costs=prices)
    verdict = bk.judge(found, learners=["a", "bb"])
    for path in (results, prices):
        with pytest.raises(bk.InputError):
            verdict.report(path, format="md")


@pytest.mark.parametrize(("measure", "values"), [("accuracy", (0.858, 0.86)), ("val_loss", (0.4, 0.41))])
def test_runs_that_failed_do_not_pass_as_the_worst_that_was_seen(measure, values):
    rows = [{"model": m, "seed": i, measure: values[i % 2]} for m in ("new", "old") for i in range(8)]
    for row in rows[:4]:
        row[measure] = None
    options = {"results": rows, "margin": 0.02, "missing": "worst"}
    if measure == "accuracy":
        assert bk.gate("new", "old", **options).outcome != "passed"
    else:
        with pytest.raises(bk.InputError, match="no worst value of val_loss"):
            bk.gate("new", "old", **options)


def test_the_power_does_not_depend_on_which_model_is_named_first():
    runs = {"few": [0.858, 0.855, 0.8563], "more": [0.8592, 0.8589, 0.8583, 0.8557, 0.8579]}
    powers = {
        bk.gate(new, old, results=rows, margin=0.005).checks[0].power
        for order in (("few", "more"), ("more", "few"))
        for new, old in (("few", "more"), ("more", "few"))
        for rows in [[{"model": m, "seed": i, "accuracy": v} for m in order for i, v in enumerate(runs[m])]]
    }
    assert len(powers) == 1
    assert powers.pop() == pytest.approx(0.754, abs=0.02)  # of normal runs with these spreads


@pytest.mark.parametrize("names", [("test_accuracy", "f1"), ("metrics.test_accuracy", "metrics.f1")])
def test_margins_are_said_of_measures_or_of_their_columns(tmp_path, names):
    path = tmp_path / "mlflow.csv"
    rows = [f"{m}{i},FINISHED,{m},{i},{0.8 + i / 100},{0.7 + i / 100}" for m in ("new", "old") for i in range(5)]
    head = "run_id,status,params.model,params.seed,metrics.test_accuracy,metrics.f1"
    path.write_text("\n".join([head, *rows]))
    found = bk.gate("new", "old", results=path, margin=dict(zip(names, (0.1, 0.2), strict=True)))
    assert [each.margin for each in found.checks] == [0.1, 0.2]


@pytest.mark.parametrize(("margin", "scale", "wide"), [(0.5, 1, True), (0.05, 1, False), (5, 100, False)])
def test_a_margin_that_nearly_anything_passes_is_said(margin, scale, wide):
    rows = [
        {"model": m, "seed": i, "accuracy": scale * (0.8 + i / 100 + k / 1000)}
        for k, m in enumerate(("new", "old"))
        for i in range(5)
    ]
    gate, verdict = bk.gate("new", "old", results=rows, margin=margin), bk.judge(rows, within=margin)
    assert ("large part" in repr(gate)) == ("large part" in repr(verdict)) == wide
    assert ("K145" in codes(gate.checks[0])) == ("K145" in codes(verdict)) == wide


@pytest.mark.parametrize(
    ("margin", "scale", "spread", "better", "narrow"),
    [
        (0.05, 100, 0.01, 0.0, True),  # five points
        (0.05, 100, 0.001, 0.0, False),  # ten seeds that vary little can show as much
        (0.5, 100, 0.01, 0.0, False),  # half a point
        (0.2, 100, 0.03, 0.0, False),  # a fifth of one, on too few seeds
        (0.05, 100, 0.01, 0.05, False),  # whoever is better is within any margin
        (0.0005, 1, 0.01, 0.0, False),
        (5, 100, 0.01, 0.0, False),
    ],
)
def test_a_margin_in_per_cent_that_was_typed_as_a_share_is_said(margin, scale, spread, better, narrow):
    values = 0.85 + np.random.default_rng(1).normal(0, spread, (2, 10)) + [[better], [0]]
    runs = [(k, m, i) for k, m in enumerate(("new", "old")) for i in range(10)]
    rows = [{"model": m, "seed": i, "accuracy": scale * values[k, i]} for k, m, i in runs]
    gate, verdict = bk.gate("new", "old", results=rows, margin=margin), bk.judge(rows, within=margin)
    assert ("5 may be meant" in " ".join(repr(gate).split())) == narrow
    assert ("K145" in codes(gate.checks[0])) == ("K145" in codes(verdict)) == narrow


def test_bounds_of_a_check_are_found_once_at_every_level(monkeypatch):
    number, of = Counter(), Intervals.of

    def counting(self, places):
        number["of"] += 1
        return of(self, places)

    monkeypatch.setattr(Intervals, "of", counting)
    values = np.clip(np.random.default_rng(1).normal(0.6, 0.1, size=(2, 60)), 0, 1)
    facts = {"groups": ("a", "b", "c") * 20, "measure": "f1", "larger_is_better": True}
    results = bk.Items(learners=("new", "old"), values=values, **facts)
    gate = bk.gate("new", "old", results=results, margin=0.001, by_group=True)
    assert [each.outcome for each in gate.checks] == ["undecided"] * 4
    # low, high, the error that more units would have; and low and high of equal models
    assert number["of"] <= 5 * len(gate.checks)


@pytest.mark.parametrize("groups", ["sampled", "fixed"])
def test_the_power_does_not_hang_on_who_is_named_first_in_a_table(groups):
    values = np.random.default_rng(2).normal(0.6, 0.05, size=(2, 120))
    facts = {"groups": tuple("abcdefgh") * 15, "measure": "f1", "larger_is_better": True}
    tables = (
        bk.Items(learners=("new", "old"), values=values, **facts),
        bk.Items(learners=("old", "new"), values=values[::-1], **facts),
    )
    one, two = (bk.gate("new", "old", results=each, margin=0.015, groups=groups, aa=True) for each in tables)
    assert (one.power, one.alike.to_dict()) == (two.power, two.alike.to_dict())
    assert one.checks[0].seen == two.checks[0].seen


@pytest.mark.parametrize(("whose", "missing"), [("new", "drop-items"), ("old", "drop-items"), ("old", "worst")])
@pytest.mark.parametrize(
    ("gone", "wrong"), [(60, "of 60 items of group g3 none has"), (40, "of 60 items of group g3 only 20 have")]
)
def test_at_most_a_tenth_is_left_out_of_every_group(whose, missing, gone, wrong):
    """A group that is not asked about would be passed without a word."""
    groups = tuple(f"g{i // 60}" for i in range(720))
    values = {name: (np.arange(720) % 5 > 0).astype(float) for name in ("new", "old")}
    values[whose][180 : 180 + gone] = np.nan
    facts = {"measure": "correct", "larger_is_better": True, "groups": groups}
    items = bk.Items(learners=("new", "old"), values=list(values.values()), **facts)
    assert bk.gate("new", "old", results=items, margin=0.2, missing=missing).outcome == "passed"
    for way in (missing, "refuse"):
        with pytest.raises(bk.InputError, match=wrong) as error:
            bk.gate("new", "old", results=items, margin=0.2, by_group=True, missing=way)
        assert ("worst" in error.value.fix) == (whose == "new")


def test_a_data_set_of_its_own_check_is_not_left_out():
    values = 0.2 + 0.01 * RNG.normal(size=(2, 12, 1, 10))
    values[0, 3, 0, 4] = np.nan
    with pytest.raises(bk.InputError, match="of 1 data set of group d3 none has"):
        bk.gate("a", "b", results=over_datasets(values), margin=0.05, by_group=True, missing="drop-datasets")


@pytest.mark.parametrize(
    ("gone", "margin", "outcome", "instead", "words"),
    [
        (
            3,
            0.05,
            "passed",
            "passed",
            "3 items left out: no result of new (1, 2, 3); counted as wrong the same outcome",
        ),
        (15, 0.05, "passed", "undecided", "counted as wrong it would be undecided"),
    ],
)
def test_it_is_said_whether_the_outcome_hangs_on_what_was_left_out(gone, margin, outcome, instead, words):
    answers = _answers(300)
    answers["new"] = np.where(np.arange(300) < gone, np.nan, answers["new"])
    options = {"margin": margin, "rows": "items", "measure": "correct", "missing": "drop-items"}
    gate = bk.gate("new", "old", results=answers, **options)
    assert (gate.outcome, gate.instead, gate.outcome_instead) == (outcome, "worst", instead)
    assert words in " ".join(repr(gate).split())
    assert gate.to_dict()["left_out_of"] == {"new": [str(1 + i) for i in range(gone)]}
    answers["new"], answers["old"] = answers["old"], answers["new"]
    gate = bk.gate("new", "old", results=answers, **options)
    assert (gate.outcome_instead, list(gate.left_out_of)) == (None, ["old"])


@pytest.mark.parametrize("missing", ["drop-datasets", "keep"])
def test_the_same_is_said_of_data_sets_and_runs(missing):
    values = 0.8 + 0.01 * np.random.default_rng(3).normal(size=(2, 20))
    values[0, 3] = np.nan
    scores = replace(over_datasets(values), measure="accuracy", larger_is_better=True)
    gate = bk.gate("a", "b", results=scores, margin=0.05, missing=missing)
    assert (gate.left_out_of, gate.outcome, gate.outcome_instead) == ({"a": ("d3",)}, "passed", "undecided")
    assert "missing results of a (d3); counted as the worst it would be undecided" in " ".join(repr(gate).split())
    gate = bk.gate("new", "old", results=_runs([3]), margin=0.05, missing="drop-runs")
    assert "counted as the worst it would be undecided" in " ".join(repr(gate).split())


def test_a_worse_model_gives_wrong_answers_to_some_that_were_right(monkeypatch):
    """Two models that hardly disagree: a model that loses 0.1 disagrees with the old one much more often."""
    rng, number, draws = np.random.default_rng(5), 150, 200
    old = (np.arange(number) % 5 > 0).astype(float)
    new = np.where(np.arange(number) < 4, 1 - old, old)
    facts = {"learners": ("new", "old"), "measure": "correct", "larger_is_better": True}
    said = bk.gate("new", "old", results=bk.Items(values=[new, old], **facts), margin=0.07).checks[0].seen
    monkeypatch.setattr("bestofk.judging.loss_bounds.FEW_UNITS", 0)
    worse = 0
    for _ in range(draws):
        swapped = rng.random(number) < 0.5
        one, two = np.where(swapped, old, new), np.where(swapped, new, old)
        one = np.where(rng.random(number) < 0.14 / np.mean([new, old]), 0.0, one)
        worse += bk.gate("new", "old", results=bk.Items(values=[one, two], **facts), margin=0.07).outcome == "worse"
    assert said == pytest.approx(worse / draws, abs=0.08)


@pytest.mark.parametrize(("number", "apart", "margin"), [(400, 4, 0.04), (600, 60, 0.03)])
def test_the_same_is_said_of_many_answers_without_draws(number, apart, margin, monkeypatch):
    old = (np.arange(number) % 5 > 0).astype(float)
    new = np.where(np.arange(number) < apart, 1 - old, old)
    items = bk.Items(learners=("new", "old"), values=[new, old], measure="correct", larger_is_better=True)
    plain = bk.gate("new", "old", results=items, margin=margin).checks[0].seen
    monkeypatch.setattr("bestofk.judging.loss_bounds.FEW_UNITS", number)
    assert plain == pytest.approx(bk.gate("new", "old", results=items, margin=margin).checks[0].seen, abs=0.06)


@pytest.mark.parametrize("number", [200, 400])
def test_of_a_model_that_cannot_be_so_much_worse_nothing_is_said(number):
    gate = bk.gate("a", "b", results=_binary(number), margin=0.6)
    assert gate.checks[0].seen is None
    assert "one worse by" not in repr(gate)
    assert "one worse by 0.6 is" in repr(bk.gate("a", "b", results=_binary(number), margin=0.3))


@pytest.mark.parametrize(("number", "outcome"), [(12, "undecided"), (1200, "passed")])
@pytest.mark.parametrize("answer", [0.0, 1.0])
def test_of_models_that_are_always_right_or_always_wrong_nothing_is_said(number, outcome, answer):
    facts = {"learners": ("a", "b"), "measure": "correct", "larger_is_better": True}
    gate = bk.gate("a", "b", results=bk.Items(values=np.full((2, number), answer), **facts), margin=0.05)
    assert (gate.outcome, gate.power) == (outcome, None)


@pytest.mark.parametrize(
    ("whose", "said", "graded"),
    [
        ("new", " counts what new lacks as the worst.", False),
        ("old", "", False),
        ("both", " counts what new lacks as the worst, and leaves out what old lacks.", False),
        ("new", "", True),
    ],
)
def test_a_gate_offers_the_ways_that_it_takes(whose, said, graded):
    answers = {name: _answers(300)["old"] for name in ("new", "old")}
    answers = {name: values + 0.25 * np.arange(300) if graded else values for name, values in answers.items()}
    for name in answers if whose == "both" else [whose]:
        answers[name][3] = np.nan
    items = bk.Items(learners=("new", "old"), values=list(answers.values()), measure="score", larger_is_better=True)
    for missing in ("refuse", "keep"):
        with pytest.raises(bk.InputError) as error:
            bk.gate("new", "old", results=items, margin=0.25, missing=missing)
        assert ("worst" in error.value.fix) == bool(said)
        assert "drop-learners" not in error.value.fix
        assert "all learners" not in error.value.fix
        assert missing == "keep" or error.value.fix.endswith(said)
    if graded:
        with pytest.raises(bk.InputError, match="no worst value") as error:
            bk.gate("new", "old", results=items, margin=0.25, missing="worst")
        assert error.value.fix == "answer the items again."


@pytest.mark.parametrize(("least", "said"), [(1, ""), (199, ""), (200, " (200 or more)")])
def test_a_least_number_below_what_is_there_is_not_said(least, said):
    comparison = bk.gate("a", "b", results=_binary(200), margin=0.05).checks[0].comparison
    words = needed_words(None, (least, 10**9), comparison, "let it pass")
    assert words == f"how many more items would let it pass cannot be told yet{said}"


@pytest.mark.parametrize("missing", ["worst", "baseline:b"])
def test_runs_that_were_filled_in_did_not_diverge(missing):
    values = ([0.8, 0.81, 0.8, 0.82, 0.8, np.nan], [0.8, 0.81, 0.8, 0.81, 0.8, 0.1])
    runs = bk.Runs(learners=("a", "b"), values=values, measure="accuracy", larger_is_better=True)
    verdict = bk.judge(runs, missing=missing)
    assert [each.seen.rpartition(": ")[2] for each in verdict.advice if each.code == "K141"] == ["1 of 6 of b"]
    if missing == "worst":
        advice = bk.gate("a", "b", results=runs, margin=0.05, missing=missing).checks[0].advice
        assert [each.seen.rpartition(": ")[2] for each in advice if each.code == "K141"] == ["1 of 6 of b"]
