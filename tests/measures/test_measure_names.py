"""Measures by name: how several are asked for, copies, directions, seconds, one score per cell."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import bestofk as bk
from bestofk.cli import main
from bestofk.core.errors import InputError
from bestofk.evidence.measure_vectors.wanted import threshold_in
from bestofk.measures.catalogue import is_recall_of_class
from makers_items import file_of
from makers_measures import (
    EXAMPLES,
    THREE,
    TWO,
    chance_frame,
    class_frame,
    counts_frame,
    counts_of,
    error_of,
    item_frame,
    rates_frame,
    run,
    saved,
    three_counts_csv,
    three_lines,
)
from makers_tables import written


def test_a_direction_is_asked_for_beside_the_name(tmp_path):
    path = tmp_path / "z.csv"
    path.write_text("learner,fold,zing,zong\n" + "".join(f"{n},{f},{f},{2 * f % 3}\n" for n in "ab" for f in range(5)))
    three_lines(run("judge", str(path), "--on", "zing,zong"), wrong="'zing'", where="argument on", fix="zing:larger")


def test_recalls_and_one_of_them_is_twice_the_same():
    with pytest.raises(bk.InputError, match="'tpr' is named twice"):
        bk.judge(counts_of(THREE), on="recalls,tpr")


def test_a_direction_is_asked_for_as_it_is_to_be_typed(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text(
        'learner,fold,tpr,"cost, all"\n' + "".join(f"{n},{f},0.{f + 1},{f}\n" for f in range(5) for n in "ab")
    )
    answer = run("judge", str(path), "--on", 'tpr,"cost, all"')
    assert (answer.exit_code, '"cost, all:larger" or "cost, all:smaller"' in answer.stderr) == (2, True)
    assert run("judge", str(path), "--on", 'tpr,"cost, all:smaller"').exit_code in (0, 1)


@pytest.mark.parametrize("on", ["tpr,fpr", "accuracy,f1", "confusion", "recalls", "precision,recall"])
def test_a_column_per_learner_is_one_measure(tmp_path, on):
    path = saved(tmp_path, "fold,lda,knn\n1,0.1,0.2\n2,0.2,0.2\n3,0.3,0.4\n4,0.1,0.2\n5,0.2,0.3\n")
    answer = run("judge", path, "--on", on)
    assert answer.exit_code == 2
    assert "score per learner" in answer.stderr
    assert "columns learner, fold" in answer.stderr


@pytest.mark.parametrize("on", [("tpr", "fpr"), "confusion", ("accuracy", "f1")])
def test_arrays_by_learner_are_one_measure(on):
    with pytest.raises(bk.InputError, match="score per learner"):
        bk.judge({"a": [0.1, 0.2, 0.3, 0.1, 0.2], "b": [0.2, 0.2, 0.4, 0.2, 0.3]}, on=on)


def test_a_table_of_data_sets_is_one_measure():
    path = str(EXAMPLES / "demsar.csv")
    with pytest.raises(bk.InputError, match=r"one score per learner and data set[\s\S]*columns learner, dataset"):
        bk.judge(path, on="tpr,fpr")


def test_outputs_by_name_are_several_measures():
    rng = np.random.default_rng(0)
    given = {name: {"test_accuracy": rng.random(6), "test_f1": rng.random(6)} for name in "ab"}
    verdict = bk.judge(given, on=("accuracy", "f1"))
    assert verdict.comparison.means_of("f1")["a"] == pytest.approx(given["a"]["test_f1"].mean())


def test_known_names_are_listed_whole(tmp_path):
    answer = run("judge", three_counts_csv(tmp_path), "--on", "tpr,zzz")
    known = answer.stderr.split("known: ")[1]
    for name in ("tnr", "fnr", "mcc", "balanced_accuracy", "kappa", "tp", "precision", "f1"):
        assert f" {name}," in f" {known}".replace(".", ","), name


@pytest.mark.parametrize(
    "on",
    ["accuracy,error", "tpr,recall", "tpr,fnr", "fpr,tnr", "specificity,tnr", "mcc,matthews_corrcoef", "fpr,recalls"],
)
def test_copies_of_a_measure_are_refused(tmp_path, on):
    answer = run("judge", three_counts_csv(tmp_path), "--on", on)
    assert answer.exit_code == 2
    assert "are one measure" in answer.stderr


@pytest.mark.parametrize("column", ["fit_seconds", "fit_time"])
def test_seconds_by_either_name(tmp_path, column):
    rng = np.random.default_rng(1)
    rows = [f"{name},{fold},{rng.random():.3f},{fold + (name == 'b')}" for name in "ab" for fold in range(6)]
    path = saved(tmp_path, f"learner,fold,accuracy,{column}\n" + "\n".join(rows) + "\n")
    verdict = bk.judge(path, on="accuracy,fit-seconds")
    assert verdict.comparison.means_of("fit_time")["b"] == pytest.approx(3.5)


def test_an_unknown_measure_is_named_as_typed(tmp_path):
    path = saved(
        tmp_path, "learner,fold,accuracy,f1\n" + "".join(f"{n},{f},0.{f},0.5\n" for n in "ab" for f in range(6))
    )
    answer = run("judge", path, "--on", "predict-seconds,accuracy")
    assert answer.stderr.startswith("unknown measure 'predict-seconds'.")
    assert "known: accuracy, f1." in answer.stderr


@pytest.mark.parametrize("on", ["tpr@0.30,tpr@0.3", "kappa@0.50,kappa@0.5", "recall@0.3,tpr@0.300"])
def test_a_threshold_is_one_number_however_it_is_written(on):
    with pytest.raises(InputError, match="are one measure"):
        bk.judge(item_frame(), on=on)
    assert bk.judge(item_frame(), on="tpr@0.3,tpr@0.4").order


def test_balanced_accuracy_and_macro_recall_are_one_measure():
    with pytest.raises(InputError, match="balanced_accuracy and recall_macro"):
        bk.judge(class_frame(), on="balanced_accuracy,recall_macro")


def test_measures_may_be_named_one_by_one(tmp_path):
    counts_frame().to_csv(tmp_path / "c.csv", index=False)
    runs = [["--on", "tpr", "--on", "fpr"], ["--on", "tpr,fpr"]]
    said = [CliRunner().invoke(main, ["judge", str(tmp_path / "c.csv"), *each, "--json"]).output for each in runs]
    assert said[0] == said[1]
    assert '"tpr"' in said[0]


@pytest.mark.parametrize("name", ["recall_macro", "recall_weighted", "recall_std", "recall_sem"])
def test_means_and_spreads_of_recalls_are_no_classes(name):
    assert not is_recall_of_class(name)
    if name in ("recall_std", "recall_sem"):
        frame = pd.DataFrame({"learner": list("aabb"), "fold": [1, 2] * 2, "accuracy": 0.5, name: 0.1})
        with pytest.raises(InputError, match=f"unknown measure '{name}'"):
            bk.read(frame, on=["accuracy", name])


def test_seconds_of_cross_validate_are_a_measure():
    X, y = load_iris(return_X_y=True)
    scoring = ["accuracy", "recall_macro"]
    found = {
        name: cross_validate(model, X, y, cv=10, scoring=scoring)
        for name, model in {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}.items()
    }
    for on in ("accuracy,fit-seconds", "accuracy,fit-seconds:smaller", "accuracy,fit_time"):
        verdict = bk.judge(found, on=on)
        assert [each.larger_is_better for each in verdict.comparison.measures] == [True, False]
        assert verdict.comparison.means_of("fit_time")["nb"] == pytest.approx(found["nb"]["fit_time"].mean())


def test_columns_may_have_an_at_sign():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"learner": ["a"] * 8 + ["b"] * 8, "fold": [*range(8)] * 2})
    frame["recall@5"], frame["ndcg@10"], frame["tpr@0.3"] = rng.random((3, 16))
    assert bk.judge(frame, on="recall@5,ndcg@10").names == ("recall@5", "ndcg@10")
    assert bk.judge(frame, on="recall@5,tpr@0.3").names == ("recall@5", "tpr@0.3")
    with pytest.raises(InputError, match="ROC curves and thresholds need probabilities"):
        bk.judge(frame, on="tpr@0.4,fpr@0.4")


@pytest.mark.parametrize("on", ["tpr fpr", "tpr;fpr", "tpr@0.3", ""])
def test_one_name_is_answered_with_how_several_are_named(on):
    with pytest.raises(InputError, match="on names") as error:
        bk.judge(rates_frame(TWO), on=on)
    assert "two or more, with commas between" in error.value.fix


def test_an_empty_on_is_not_passed_over(tmp_path):
    rates_frame(TWO).to_csv(tmp_path / "c.csv", index=False)
    assert CliRunner().invoke(main, ["judge", str(tmp_path / "c.csv"), "--on", ""]).exit_code == 2


@pytest.mark.parametrize("options", [{"larger_is_better": False}, {"align": "common"}])
def test_options_without_a_use_are_refused(options):
    with pytest.raises(InputError, match=next(iter(options))):
        bk.read(rates_frame(TWO), on="tpr,fpr", **options)
    frame = rates_frame(TWO).assign(taste=np.linspace(0, 1, 20))
    assert bk.read(frame, on="tpr,taste", larger_is_better=True).measures[1].larger_is_better


def test_measures_of_all_classes_are_among_the_known_ones():
    table = chance_frame().drop(columns="probability")
    with pytest.raises(InputError, match="unknown measure 'kapa'") as error:
        bk.judge(table, on="accuracy,kapa")
    assert "did you mean 'kappa'" in error.value.fix
    assert "precision_macro" in error.value.fix


def test_a_direction_is_taken_where_a_measure_needs_it():
    frame = rates_frame(TWO).assign(taste=np.linspace(0, 1, 20), zest=np.linspace(1, 0, 20), accuracy=np.nan)
    frame["accuracy"] = 1 - error_of(frame)
    for on in ("taste,accuracy", "accuracy,taste", "taste,zest:smaller"):
        found = bk.read(frame, on=on, larger_is_better=True).measures
        assert next(each for each in found if each.name == "taste").larger_is_better
    assert bk.read(frame, on="tpr,accuracy", larger_is_better=True).names == ("tpr", "accuracy")
    with pytest.raises(InputError, match="of fpr smaller"):
        bk.read(frame, on="tpr,fpr", larger_is_better=True)


def test_names_of_several_words_are_not_cut():
    with pytest.raises(InputError, match="names one measure, cost in euro"):
        bk.judge(rates_frame(TWO), on="cost in euro")


@pytest.mark.parametrize("name", ["tpr@2", "tpr@", "tpr@x", "taste@0.3", "tpr"])
def test_names_that_are_no_threshold(name):
    assert threshold_in(name) is None


@pytest.mark.parametrize("names", ["accuracy,error", "recall,sensitivity"])
def test_columns_that_say_different_things_are_no_copies(tmp_path, names):
    rng = np.random.default_rng(0)
    apart = [(n, f, *np.round(rng.random(2), 3)) for n in "ab" for f in range(8)]
    path = file_of(tmp_path, f"learner,fold,{names}", apart)
    assert bk.judge(path, on=names).names == tuple(names.split(","))
    turned = names == "accuracy,error"
    same = [(n, f, one, round(1 - one, 3) if turned else one) for n, f, one, _ in apart]
    with pytest.raises(bk.InputError, match="are one measure"):
        bk.judge(file_of(tmp_path, f"learner,fold,{names}", same), on=names)


MEANS = {"dataset": ["a", "b"] * 2, "learner": ["x"] * 2 + ["y"] * 2, "accuracy_mean": [0.7, 0.8, 0.6, 0.9]}


@pytest.mark.parametrize("measure", [None, "accuracy", "accuracy_mean"])
def test_a_mean_is_its_measure_and_a_spread_is_none(measure):
    found = bk.read({**MEANS, "accuracy_std": [0.1] * 4, "fit_time_mean": [1.0, 2.0, 3.0, 4.0]}, measure=measure)
    assert (found.measure, found.larger_is_better, [*found.others]) == ("accuracy", True, [])
    assert found.costs["fit_time"] == {"x": 1.5, "y": 3.5}
    assert any("'accuracy_std' (spreads)" in note for note in found.origin.notes)


def test_a_slip_of_the_pen_is_answered_with_the_measure():
    for source in ({**MEANS, "accuracy_std": [0.1] * 4}, {"dataset": ["a", "b"], "x": [0.7, 0.8], "y": [0.6, 0.9]}):
        with pytest.raises(InputError) as error:
            bk.read(source, measure="acuracy")
        assert "did you mean 'accuracy'?" in error.value.fix
        assert "std" not in error.value.fix


def test_numbers_that_do_not_say_of_what_are_what_is_asked_for():
    columns = {"mean" if name == "accuracy_mean" else name: values for name, values in MEANS.items()}
    assert bk.read({**columns, "std": [0.1] * 4}, measure="accuracy").measure == "accuracy"
    with pytest.raises(InputError, match="unknown measure 'accuracy'"):
        bk.read({**columns, "f1": [0.1] * 4}, measure="accuracy")


def test_files_of_several_data_sets_are_told_what_they_lack(tmp_path):
    for name in ("iris", "wine"):
        written(tmp_path, f"{name}.csv", "learner,fold,accuracy\na,1,0.5\nb,1,0.6\n")
    with pytest.raises(InputError, match="appears twice") as error:
        bk.read([tmp_path / "iris.csv", tmp_path / "wine.csv"])
    assert "column dataset" in error.value.fix
