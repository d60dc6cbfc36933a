"""Probabilities of items: areas, curves and hulls of one test set and of groups as folds."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.plots.gallery import figure, figures_for
from bestofk.reporting.page import recipe_of
from makers_measures import (
    TWO_CLASS,
    by_holm,
    chance_frame,
    class_probabilities_csv,
    codes,
    item_frame,
    long_table,
    pairs_of,
    probabilities_file,
    run,
)


@pytest.mark.parametrize("on", ["roc", "auc", ("ROC",)])
def test_areas_of_all_pairs_by_delong(file, on):
    truth, scores, path = file()
    verdict = bk.judge(path, on=on)
    comparison = verdict.comparison
    assert (comparison.kind, comparison.test, comparison.sample.units) == ("items", "delong", 300)
    pairs = pairs_of(verdict)
    for pair, adjusted in zip(pairs, by_holm([each.pvalue for each in pairs]), strict=True):
        alone = bk.stats.roc.delong(truth, scores[pair.first], scores[pair.second], tail="t")
        assert (pair.statistic, pair.pvalue) == pytest.approx((alone.statistic, alone.pvalue))
        assert pair.adjusted == pytest.approx(adjusted)
        interval = alone.confidence_interval(pair.level)
        assert (pair.low, pair.high) == pytest.approx((interval.low, interval.high))
        assert (pair.adjusted <= verdict.alpha) == (pair.low > 0 or pair.high < 0)
    assert verdict.roc.areas == {name: pytest.approx(bk.stats.roc.auc(truth, each)) for name, each in scores.items()}
    assert (verdict.status, verdict.best, verdict.order) == ("decided", "good", ("good", "fair", "poor"))


def test_the_other_class_may_be_positive(file):
    truth, scores, path = file()
    verdict = bk.judge(path, on="roc", positive="no")
    assert verdict.roc.positive == "no"
    assert verdict.roc.areas["good"] == pytest.approx(bk.stats.roc.auc(1 - truth, 1 - scores["good"]))
    with pytest.raises(bk.UnknownName, match="maybe"):
        bk.judge(path, on="roc", positive="maybe")


def test_curves_hull_and_costs(file):
    truth, scores, path = file(strength={"good": 1.0, "fair": 1.0, "poor": 0.1})
    roc = bk.judge(path, on="roc").roc
    assert roc.folds == 1
    alone = bk.stats.roc.curve(truth, scores["fair"])
    assert np.array_equal(roc.curves["fair"], np.stack([alone.fpr, alone.tpr], axis=-1))
    ranges = bk.stats.roc.cost_ranges(roc.curves)
    assert {each.learner for each in roc.costs.best} <= set(ranges.optimal)
    for each in roc.costs.best:  # half of the items are positive: the price is the slope
        middle = each.low * 1.01 if each.high == np.inf else (each.low + each.high) / 2
        if middle > 0:
            assert each.learner in ranges.best_for(middle)


def test_curves_are_averaged_over_groups(file):
    truth, scores, path = file(groups=True)
    roc = bk.judge(path, on="roc").roc
    folds = [np.arange(300) % 10 == f for f in range(10)]
    mean = bk.stats.roc.average_curve([truth[f] for f in folds], [scores["good"][f] for f in folds])
    assert roc.folds == 10
    assert np.allclose(roc.curves["good"], np.stack([mean.fpr, mean.tpr], axis=-1))


@pytest.mark.parametrize("suffix", ["html", "md", "tex", "json", "txt"])
def test_reports_have_a_section_on_curves(file, suffix):
    _, _, path = file(groups=True)
    for on in ("roc", "tpr,fpr"):
        found = run("report", path, "--on", on, "-o", "-", "--format", suffix)
        assert found.exit_code in (0, 1)
        text = found.stdout
        if suffix == "json":
            assert json.loads(text)["findings"]["roc"]["folds"] == 10
        else:
            assert "ROC curves of 10" in " ".join(text.split())


def test_the_command_and_its_figures(file):
    _, _, path = file()
    answer = run("judge", path, "--on", "roc")
    assert answer.exit_code == 0
    verdict = bk.judge(path, on="roc")
    assert "roc" in {each.name for each in figures_for(verdict)}
    drawn = figure("roc", verdict).info
    assert drawn.areas == tuple(verdict.roc.areas[name] for name in verdict.order)


def test_the_recipe_makes_it_again(file):

    _, _, path = file()
    found = {}
    exec(recipe_of(bk.judge(path, on="roc")).code.replace("print(verdict)", ""), found)
    assert found["verdict"].best == "good"


def test_results_without_probabilities_have_no_curves(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("truth,a,b\n" + "yes,yes,no\nno,no,no\n" * 10, encoding="utf-8")
    with pytest.raises(bk.InputError, match="probabilities of every item"):
        bk.judge(str(path), on="roc")
    for on in ("roc", "tpr@0.3,fpr@0.3"):
        with pytest.raises(bk.InputError, match="probabilities of every item"):
            bk.judge(TWO_CLASS, on=on)


def test_curves_of_three_classes_are_offered_one_class(tmp_path):
    with pytest.raises(bk.InputError, match="say which: --positive x"):
        bk.judge(class_probabilities_csv(tmp_path), on="roc")


def test_areas_far_below_chance_are_asked_about(tmp_path):
    turned = bk.judge(probabilities_file(tmp_path, turned=True), on="roc")
    assert any("of the other class" in note and "class p" in note for note in turned.provenance.notes)
    plain = bk.judge(probabilities_file(tmp_path), on="roc")
    assert not any("of the other class" in note for note in plain.provenance.notes)


def test_ties_are_rows_of_somebody_not_items_of_everybody(tmp_path):
    path = Path(probabilities_file(tmp_path))
    text = path.read_text().split("\n")
    text[1] = "a,0,1,n,0.5"
    path.write_text("\n".join(text))
    notes = bk.read(str(path)).origin.notes
    assert any("1 row" in note for note in notes)


@pytest.mark.parametrize("classes", [(9, 10), (2, 10), (99, 100), (-2, -1), (-1, 1), ("a", "b")])
def test_the_second_class_is_that_of_scikit_learn(classes):
    from sklearn.metrics import roc_auc_score

    table = long_table(classes)
    verdict = bk.judge(table, on="roc")
    for name in ("sure", "vague"):
        part = table[table.learner == name]
        area = roc_auc_score(part.truth == classes[1], part.probability)
        assert area > 0.5
        assert verdict.roc.areas[name] == pytest.approx(area)
    assert verdict.order[0] == "sure"


@pytest.mark.parametrize("truth", ["n", "y"])
def test_items_of_one_class_have_no_curve(truth):
    table = pd.DataFrame({"truth": [truth] * 3, "a:n": [0.6, 0.7, 0.1], "b:n": [0.3, 0.2, 0.5]})
    table["a:y"], table["b:y"] = 1 - table["a:n"], 1 - table["b:n"]
    with pytest.raises(InputError, match=r"a ROC curve needs"):
        bk.judge(table, on="roc")


@pytest.mark.parametrize("option", [{"undefined": 0}, {"task": "retrieval"}])
def test_what_areas_have_no_use_for_is_refused(option):
    with pytest.raises(InputError, match="areas under ROC curves"):
        bk.judge(item_frame(), on="roc", **option)


def test_one_test_set_is_sent_to_curves():
    with pytest.raises(InputError, match="one test set") as error:
        bk.judge(item_frame().drop(columns="fold"), on="tpr,fpr")
    assert "--on roc" in error.value.fix


def test_areas_without_spread_are_warned_of():
    rows = [("n", 0.1, 0.9)] * 3 + [("y", 0.9, 0.1)] * 3
    table = pd.DataFrame([(t, 1 - p, p, 1 - q, q) for t, p, q in rows], columns=["truth", "a:n", "a:y", "b:n", "b:y"])
    verdict = bk.judge(table, on="roc")
    assert (verdict.status, verdict.comparison.degenerate.tolist()) == ("undecided", [True])
    assert "6 items" in codes(verdict)["K115"].seen


def test_probabilities_of_the_other_class_are_noticed():
    note = "most predictions of a are of the class that their probabilities speak against"
    assert any(note in each for each in bk.judge(chance_frame(turned=True), on="roc").provenance.notes)
    assert not any("speak against" in each for each in bk.judge(chance_frame(), on="roc").provenance.notes)


def test_delong_on_folds_says_that_they_were_put_together():
    pooled, by_folds = (bk.judge(chance_frame(), on="roc", test=test).provenance.notes for test in ("delong", "auto"))
    assert any("items of 8 folds" in note for note in pooled)
    assert not any("items of 8 folds" in note for note in by_folds)


def test_missing_scores_are_named_with_their_line(tmp_path):
    table = chance_frame()
    table.loc[5, "probability"] = np.nan
    table.to_csv(tmp_path / "items.csv", index=False)
    with pytest.raises(InputError, match=r"item 5 \(line 7\)"):
        bk.judge(tmp_path / "items.csv", on="roc")
    with pytest.raises(InputError, match="missing is 'keep'") as error:
        bk.judge(tmp_path / "items.csv", on="roc", missing="keep")
    assert "drop-items" in error.value.fix
    assert bk.judge(tmp_path / "items.csv", on="roc", missing="drop-items").order
