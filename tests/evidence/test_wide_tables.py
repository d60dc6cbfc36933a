"""One column per learner: what is no learner, what is no number, and rows that nothing names."""

import pandas as pd
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from makers_tables import written

SCORES = {"dataset": ["a", "b", "c"], "rf": [0.8, 0.81, 0.84], "svm": [0.7, 0.72, 0.71]}


def refused(source, **said):
    with pytest.raises(InputError) as error:
        bk.read(source, measure="accuracy", **said)
    return error.value


@pytest.mark.parametrize("word", ["0.91*", "0.914 ± 0.01", "0.914 (0.01)", r"\textbf{0.914}", "**0.9**", "timeout"])
def test_a_column_of_words_is_not_passed_over(word):
    frame = pd.DataFrame({**SCORES, "mine": [word] * 3})
    error = refused(frame)
    assert "'mine'" in error.wrong
    assert repr(word) in error.wrong
    assert "--learners rf,svm" in error.fix
    assert bk.read(frame, measure="accuracy", learners=["rf", "svm"]).learners == ("rf", "svm")


def test_decorated_numbers_are_told_before_other_words(tmp_path):
    text = "name of set,ours,rf\na,0.91*,0.8\nb,0.92*,0.7\n"
    assert "'ours'" in refused(written(tmp_path, "a.csv", text)).wrong


def test_words_whose_column_says_so_are_passed_over():
    found = bk.read(pd.DataFrame({**SCORES, "domain": ["x", "y", "z"], "prompt_hash": list("pqr")}), measure="accuracy")
    assert found.learners == ("rf", "svm")
    assert any("'domain'" in note for note in found.origin.notes)


@pytest.mark.parametrize("cell", ["91.4 ± 2.1", "0.914 (0.021)", "0.914 +/- 0.02", r"$0.914 \pm 0.02$"])
def test_means_with_their_spread_are_refused_by_name(tmp_path, cell):
    error = refused(written(tmp_path, "a.csv", f"lr,tree\n{cell},{cell}\n"))
    assert "±" in error.fix
    assert "dataset" not in error.wrong


def test_data_sets_in_columns_are_not_lost_either():
    columns = {"learner": ["rf", "svm"], "iris": [0.9, 0.8], "wine": [0.8, 0.7], "glass": ["0.7*", "0.6*"]}
    assert "'0.7*'" in refused(pd.DataFrame(columns)).wrong


@pytest.mark.parametrize(
    "name", ["time", "#inst", "n", "imbalance", "size", "instances", "n_features", "num classes", "fit_time"]
)
def test_costs_and_facts_about_data_sets_are_no_learners(name):
    found = bk.read(pd.DataFrame({**SCORES, name: [50, 60, 70]}), measure="accuracy")
    assert found.learners == ("rf", "svm")
    assert any(repr(name) in note for note in found.origin.notes)


def test_measures_beside_costs_are_of_a_learner_that_is_not_named():
    error = refused(pd.DataFrame({"dataset": ["a", "b"], "f1": [0.5, 0.6], "auc": [0.5, 0.6], "fit_time": [1, 2]}))
    assert "names the learner" in error.wrong


@pytest.mark.parametrize("index", [True, False])
def test_rows_that_only_numbers_name_are_asked_about(tmp_path, index):
    frame = pd.DataFrame({"lr": [1.0, 0.96, 0.9], "tree": [0.92, 0.9, 0.93]})
    frame.to_csv(tmp_path / "wide.csv", index=index)
    for source in (frame, tmp_path / "wide.csv"):
        assert "--rows datasets|folds|runs|items" in refused(source).fix
        assert len(bk.read(source, measure="accuracy", rows="folds").folds) == 3
        assert len(bk.read(source, measure="accuracy", rows="datasets").datasets) == 3
    assert bk.read(frame.rename_axis("dataset"), measure="accuracy").datasets == ("0", "1", "2")


@pytest.mark.parametrize("options", [{}, {"measure": "accuracy"}, {"measure": "accuracy", "transpose": True}])
def test_a_mean_and_a_spread_of_every_learner_are_refused_as_a_summary(tmp_path, options):
    path = tmp_path / "summary.csv"
    path.write_text("model,mean,std\nresnet,0.858,0.002\nvit,0.861,0.003\n")
    with pytest.raises(InputError, match="mean and std: a summary"):
        bk.read(path, **options)


def test_the_middle_of_two_numbers_near_the_largest_gives_no_warning():
    frame = pd.DataFrame({"dataset": ["x", "y"], "a": [1e308, 1e308], "b": [0.5, 0.6], "c": [0.4, 0.5]})
    assert "these can hardly be scores" in refused(frame).wrong
