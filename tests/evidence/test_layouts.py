"""Tables made by hand: which evidence they are read as, what is said back, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence import Curves, Items, Scores
from bestofk.evidence.columns import SYNONYMS, roles_of_name
from bestofk.evidence.layouts import grid as layout_grid
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.shelf import is_key_name
from bestofk.evidence.layouts.table_kind import evidence_from_table
from bestofk.measures.catalogue import is_larger_better
from bestofk.tables.frames import table_from_rows
from makers_tables import (
    grid,
    read,
    scored,
)

# --- long scores ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["learner", "replication", "fold"])
def test_every_synonym_is_recognised_and_said_back(role):
    for name in SYNONYMS[role]:
        columns = {"learner": ["a", "b"] * 4, "replication": [1, 1, 1, 1, 2, 2, 2, 2], "fold": [1, 1, 2, 2] * 2}
        columns = {(name if key == role else key): value for key, value in columns.items()}
        found = read({**columns, "error": np.arange(8) / 10})
        assert found.values.shape == (2, 1, 2, 2)
        assert (name == role) == (f"column '{name}' was read as {role}" not in found.origin.notes)


def test_long_scores_do_not_depend_on_the_order_of_rows():
    columns = {**grid(folds=12), "dataset": ["iris"] * 24}
    shuffled = np.random.default_rng(1).permutation(24)
    first, second = read(columns), read({name: [values[i] for i in shuffled] for name, values in columns.items()})
    assert first.folds == second.folds == tuple(str(i) for i in range(1, 13))  # 10 after 9
    by_name = [second.learners.index(name) for name in first.learners]
    np.testing.assert_array_equal(first.values, second.values[by_name])


def test_names_of_folds_are_sorted_numbers_first_then_words():
    folds = ["b", "10", "2", "a"]
    found = read({"learner": ["x"] * 4 + ["y"] * 4, "fold": folds * 2, "error": np.arange(8) / 10})
    assert found.folds == ("2", "10", "a", "b")
    np.testing.assert_allclose(found.values[0, 0, 0], [0.2, 0.1, 0.3, 0.0])


def test_a_cell_absent_for_some_is_missing_and_absent_for_all_is_not_planned():
    rows = [
        {"learner": learner, "dataset": data, "fold": fold, "error": 0.1}
        for data, folds in (("u", 3), ("v", 2))
        for learner in ("a", "b")
        for fold in range(1, folds + 1)
        if (learner, data, fold) != ("b", "v", 2)
    ]
    found = evidence_from_table(table_from_rows(rows, "here"), Request(None, None, None, None))
    assert found.missing() == ("learner b, data set v, fold 2",)
    assert found.planned[1, 0].tolist() == [True, True, False]


def test_an_empty_score_with_a_reason_is_a_failure():
    found = read(grid() | {"error": [0.1, 0.2, 0.3, 0.1, None, 0.2], "failure": ["", "", "slow", "", "no memory", ""]})
    assert found.missing() == ("learner knn, fold 2 (failed: no memory)",)
    assert found.failures == {("knn", "data", "1", "2"): "no memory"}


def test_several_measures_are_asked_about_and_the_others_kept():
    columns = grid(accuracy=[0.9] * 6, fit_time=[1.0, 1, 1, 2, 2, 5], memory=[3.0] * 6)
    with pytest.raises(InputError, match="error, accuracy, memory"):
        read(columns)
    found = read(columns, measure="Accuracy")
    assert (found.measure, found.larger_is_better) == ("accuracy", True)
    assert set(found.others) == {"error", "memory"}
    assert found.costs["fit_time"] == {"lda": 1.0, "knn": 3.0}
    assert found.costs["memory"] == {"lda": 3.0, "knn": 3.0}


def test_a_cost_that_one_learner_lacks_stays_and_the_measure_is_none():
    found = read(grid(fit_time=[1.0, 1, 1, None, None, None]))
    np.testing.assert_equal(found.costs, {"fit_time": {"lda": 1.0, "knn": np.nan}})
    beside = read(grid(auc=[0.9] * 3 + [None] * 3), measure="error")
    np.testing.assert_equal(beside.costs, {"auc": {"lda": 0.9, "knn": np.nan}})
    turned = read(grid(auc=[0.9] * 6), measure="error").on("auc", larger_is_better=True)
    assert set(turned.costs) == {"error"}


def test_words_and_empty_columns_are_said_back():
    found = read(grid(comment=["x", "y", "z", "u", "v", "w"], spare=[None] * 6))
    assert found.origin.notes == ("columns not used: 'comment' (words); 'spare' (empty)",)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [(None, [0.25, 0.5]), ("accuracy", [0.75, 0.5]), ("tpr", [0.8, 0.4]), ("precision", [0.8, 2 / 3]), ("tp", [8, 4])],
)
def test_counts_give_measures(measure, expected):
    counts = {"tp": [8, 4], "fn": [2, 6], "fp": [2, 2], "tn": [4, 4]}
    found = read({"learner": ["a", "b"], "fold": [1, 1], **counts}, measure=measure, larger_is_better=_up(measure))
    np.testing.assert_allclose(found.values[:, 0, 0, 0], expected)
    np.testing.assert_array_equal(found.counts[1, 0, 0, 0], [4, 6, 2, 4])


def _up(measure):
    return True if measure == "tp" else None


def test_fingerprints_are_kept_and_unequal_ones_refused():
    found = read(grid(fingerprint=["p", "q", "r"] * 2))
    assert found.fingerprints[0, 0].tolist() == ["p", "q", "r"]
    with pytest.raises(InputError, match=r"q in row 2") as error:
        read(grid(fingerprint=["p", "q", "r", "p", "x", "r"]))
    assert "row 5" in error.value.where


def test_a_row_number_beside_folds_is_no_item():
    found = read({"id": list(range(6)), **grid()})
    assert isinstance(found, Scores)
    assert any("'id' (numbers the rows)" in note for note in found.origin.notes)


def test_learners_may_be_named_by_numbers_and_called_model():
    assert read({"model": [0.1, 0.1, 0.5, 0.5], "fold": [1, 2] * 2, "acc": [0, 1, 0, 1]}).learners == ("0.1", "0.5")
    assert read({"learner": [0.1, 0.5], "fold": [1, 1], "acc": [0.1, 0.2]}).learners == ("0.1", "0.5")


def test_unshared_folds_are_refused_before_memory_runs_out(monkeypatch):
    monkeypatch.setattr(layout_grid, "MOST_CELLS", 1_000)
    size = 400
    columns = {"learner": ["a", "b"] * 200, "fold": list(range(size)), "replication": list(range(size))}
    with pytest.raises(InputError, match="not share their folds"):
        read({**columns, "error": [0.1] * size})


def test_one_row_per_measure():
    keys = {"learner": ["a", "a", "b", "b"], "fold": [1, 1, 1, 1], "metric": ["acc", "loss"] * 2}
    columns = {**keys, "value": [0.8, 1.5, 0.9, 1.2]}
    with pytest.raises(InputError, match="2 measures: acc, loss"):
        read(columns)
    found = read(columns, measure="loss")
    assert (found.measure, found.larger_is_better) == ("loss", False)
    np.testing.assert_array_equal(found.values[:, 0, 0, 0], [1.5, 1.2])
    with pytest.raises(InputError, match="appears twice") as error:
        read({name: [*values, values[1]] for name, values in columns.items()}, measure="loss")
    assert error.value.where == "here, row 5"


# --- wide -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "shape"),
    [
        ({"dataset": ["u", "v", "w", "x"]}, (2, 4, 1, 1)),
        ({"fold": [1, 2, 3, 4]}, (2, 1, 1, 4)),
        ({"rep": [1, 1, 2, 2], "fold": [1, 2, 1, 2]}, (2, 1, 2, 2)),
        ({"task": ["u", "u", "v", "v"], "fold": [1, 2, 1, 2]}, (2, 2, 1, 2)),
    ],
)
def test_one_column_per_learner(keys, shape):
    found = read({**keys, "lda": [0.1, 0.2, 0.3, 0.4], "knn": [0.5, 0.6, 0.7, 0.8]}, measure="error")
    assert isinstance(found, Scores)
    assert found.values.shape == shape
    np.testing.assert_allclose(found.values[1].ravel(), [0.5, 0.6, 0.7, 0.8])


@pytest.mark.parametrize(
    ("rows", "kind", "text"),
    [
        ("datasets", Scores, "2 learners on 3 data sets, measure accuracy: larger is better"),
        ("folds", Scores, "2 learners on 1 data set, 1 replication of 3 folds, measure accuracy: larger is better"),
        ("items", Items, "2 learners on 3 items, measure accuracy: larger is better"),
    ],
)
def test_rows_without_a_name(rows, kind, text):
    found = read({"lda": [0.1, 0.2, 0.3], "knn": [0.3, 0.2, 0.1]}, measure="accuracy", rows=rows)
    assert (type(found), repr(found)) == (kind, text)
    assert found.origin.assumed == (("one-replication",) if rows == "folds" else ())


def test_learners_choose_the_columns():
    found = read({"a": [1.0, 2], "b": [2.0, 1], "c": [3.0, 3]}, learners=["c", "a"], measure="error", rows="folds")
    assert found.learners == ("c", "a")
    assert any("'b' (not among learners=)" in note for note in found.origin.notes)


def test_long_and_wide_say_the_same():
    values = np.random.default_rng(2).random((2, 3, 4))  # learners, data sets, folds
    places = [(d, f) for d in range(3) for f in range(4)]
    keys = {"dataset": [f"d{d}" for d, _ in places], "fold": [f for _, f in places]}
    wide = read({**keys, "a": values[0].ravel(), "b": values[1].ravel()}, measure="error")
    twice = {name: column * 2 for name, column in keys.items()}
    long = read({**twice, "learner": ["a"] * 12 + ["b"] * 12, "error": values.ravel()})
    np.testing.assert_array_equal(long.values, wide.values)
    np.testing.assert_array_equal(long.values[:, :, 0], values)
    assert (long.datasets, long.folds, repr(long)) == (wide.datasets, wide.folds, repr(wide))


@pytest.mark.parametrize("measure", ["test_accuracy", "test_score", "learner", "dataset", "fold", "item", "step", "tp"])
@pytest.mark.parametrize("key", ["dataset", "fold", "item", "step"])
def test_the_measure_of_learners_side_by_side_may_have_any_name(key, measure):
    columns = {key: [1, 2, 3], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.5]}
    found = read(columns, measure=measure, larger_is_better=True)
    assert (found.measure, found.learners, found.costs) == (measure, ("a", "b"), {})
    np.testing.assert_array_equal([np.ravel(each) for each in found.values], [columns["a"], columns["b"]])
    assert type(found) is {"item": Items, "step": Curves}.get(key, Scores)


# --- the index of a data frame ----------------------------------------------------------------------------------------


def test_an_index_that_numbers_the_rows_is_dropped():
    for start in (0, 1):
        found = read({"unnamed": list(range(start, start + 6)), **grid()})
        assert any("column that only numbers" in note for note in found.origin.notes)
        assert "unnamed" not in found.others


def test_the_index_of_concatenated_outputs_is_learner_and_fold():
    columns = {
        "unnamed": ["lda"] * 3 + ["knn"] * 3,
        "unnamed 2": [0, 1, 2] * 2,
        "fit_time": [0.1] * 6,
        "score_time": [0.2] * 6,
        "test_score": [0.8, 0.9, 0.7, 0.6, 0.7, 0.8],
    }
    found = read(columns)
    assert (found.learners, found.folds, found.measure) == (("lda", "knn"), ("0", "1", "2"), "score")
    assert found.larger_is_better
    assert found.costs["predict_time"] == {"lda": pytest.approx(0.2), "knn": pytest.approx(0.2)}


def test_a_text_index_beside_learners_names_the_data_sets():
    columns = {"unnamed": ["iris", "wine"], "lda": [0.1, 0.2], "knn": [0.2, 0.3]}
    with pytest.raises(InputError, match="learners or data sets"):  # whatever they are called
        read(columns, measure="error")
    found = read(columns, measure="error", rows="datasets")
    assert (found.datasets, found.origin.assumed) == (("iris", "wine"), ())
    turned = bk.read(pd.DataFrame(columns), measure="error", transpose=True)
    assert turned.learners == ("iris", "wine")


def across(heading, rows, columns):
    """Errors of learners and data sets, the names of rows under a heading."""
    values = 0.1 + 0.01 * np.arange(len(rows) * len(columns)).reshape(len(rows), len(columns))
    return [",".join([heading, *columns])] + [
        ",".join([name, *(f"{value:.2f}" for value in line)]) for name, line in zip(rows, values, strict=True)
    ]


@pytest.mark.parametrize(
    ("heading", "learners", "sets"),
    [
        ("", ["u", "v"], ["dataset1", "dataset2", "dataset3"]),
        ("", ["model 1", "model 2"], ["u", "v", "w"]),
        ("name", ["u", "v"], ["dataset1", "dataset2", "dataset3"]),
    ],
)
def test_names_tell_whether_learners_are_in_rows_or_in_columns(tmp_path, heading, learners, sets):
    for name, lines in (("rows", across(heading, learners, sets)), ("columns", across(heading, sets, learners))):
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(lines))
        found = bk.read(path, measure="error")
        assert (set(found.learners), found.datasets) == (set(learners), tuple(sets))
        frame = pd.read_csv(path, index_col=0).rename_axis(None)
        assert np.array_equal(bk.read(frame, measure="error").values, found.values)
    rows = bk.read(tmp_path / "rows.csv", measure="error").values[:, :, 0, 0]
    assert np.allclose(rows, 0.1 + 0.01 * np.arange(rows.size).reshape(rows.shape))


@pytest.mark.parametrize("heading", ["", "name"])
@pytest.mark.parametrize(
    ("rows", "columns"), [("uvw", "ab"), (["svm", "knn"], ["iris", "wine"]), (["iris", "wine"], ["svm", "knn"])]
)
def test_a_table_that_may_be_turned_either_way_is_asked_about(tmp_path, heading, rows, columns):
    path = tmp_path / "r.csv"
    path.write_text("\n".join(across(heading, list(rows), list(columns))))
    with pytest.raises(InputError, match="learners or data sets") as error:
        bk.read(path, measure="error")
    assert str(error.value).count("\n") == 2
    assert rows[0] in error.value.wrong
    assert columns[0] in error.value.wrong
    with pytest.raises(InputError, match="learners or data sets"):
        bk.read(pd.read_csv(path, index_col=0).rename_axis(None), measure="error")
    for word, learners in (("learner", rows), ("model", rows), ("dataset", columns)):
        path.write_text("\n".join(across(word, list(rows), list(columns))))
        assert bk.read(path, measure="error").learners == tuple(learners)
    path.write_text("\n".join(across("", list(rows), list(columns))))
    assert bk.read(path, measure="error", rows="datasets").learners == tuple(columns)
    for learners in (tuple(rows), tuple(columns)):
        assert bk.read(path, measure="error", learners=learners[:2]).learners == learners[:2]


def test_folds_in_columns_are_folds_and_numbers_are_asked_about(tmp_path):
    path = tmp_path / "r.csv"
    for heading in ("", "model"):
        path.write_text("\n".join(across(heading, ["u", "v"], ["fold 1", "fold 2", "fold 3"])))
        found = bk.read(path, measure="error")
        assert (found.learners, found.values.shape) == (("u", "v"), (2, 1, 1, 3))
    path.write_text("\n".join(across("", ["split0", "split1"], ["u", "v"])))
    assert bk.read(path, measure="error").values.shape == (2, 1, 1, 2)
    path.write_text("\n".join(across("model", ["u", "v"], ["1", "2", "3"])))
    with pytest.raises(InputError, match="folds"):
        bk.read(path, measure="error")


def test_costs_beside_data_sets_in_columns_are_kept(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("model,price,iris,wine\na,3,0.1,0.2\nb,5,0.2,0.1\n")
    found = bk.read(path, measure="error")
    assert found.datasets == ("iris", "wine")
    assert found.costs["price"] == {"a": 3.0, "b": 5.0}


def test_a_number_column_without_name_or_sense_is_refused():
    with pytest.raises(InputError, match="column 1"):
        read({"unnamed": [4, 4, 2, 1, 9, 9], **grid()})


def test_the_index_of_frames_that_were_put_together_is_no_column(tmp_path):
    parts = [pd.DataFrame({"learner": n, "dataset": ["u", "v", "w"], "error": [0.1, 0.2, 0.3]}) for n in "ab"]
    for frame in (pd.concat(parts), pd.concat([each[each["dataset"] != "u"] for each in parts])):
        frame.to_csv(tmp_path / "r.csv")
        expected = bk.read(frame.reset_index(drop=True))
        for source in (frame, tmp_path / "r.csv") if len(frame) == 6 else (frame,):
            found = bk.read(source)
            assert found.datasets == expected.datasets
            assert np.array_equal(found.values, expected.values)


def test_an_index_that_repeats_and_may_mean_something_is_called_the_index():
    frame = pd.DataFrame({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.2, 0.3, 0.4, 0.5]}, index=[0, 1, 0, 1])
    with pytest.raises(InputError, match="index of the data frame has no name") as error:
        bk.read(frame, measure="error")
    assert "rename_axis" in error.value.fix
    assert bk.read(frame.rename_axis("fold").assign(replication=[1, 1, 2, 2]), measure="error").values.shape[2:] == (
        2,
        2,
    )
    assert bk.read(frame.reset_index(drop=True), measure="error", rows="datasets").values.shape[1] == 4


# --- scikit-learn and Weka --------------------------------------------------------------------------------------------


def test_scorers_point_up_and_keep_their_names():
    found = read(scored(neg_log_loss=[-0.1, -0.2, -0.3, -0.4], tasty=[1.0] * 4), measure="tasty")
    assert (found.measure, found.larger_is_better, set(found.others)) == ("tasty", True, {"neg_log_loss"})
    assert any("scikit-learn's convention" in note for note in found.origin.notes)
    assert read(scored(neg_log_loss=[-0.1, -0.2, -0.3, -0.4])).larger_is_better


def test_a_loss_among_scorers_is_asked_about():
    with pytest.raises(InputError, match="read two ways"):
        read(scored(mse=[0.1] * 4))
    assert not read(scored(mse=[0.1] * 4), larger_is_better=False).larger_is_better


def test_training_scores_are_not_measures():
    found = read(scored(score=[0.1] * 4) | {"train_score": [0.9] * 4})
    assert (found.measure, dict(found.others)) == ("score", {})
    assert any("'train_score'" in note for note in found.origin.notes)


@pytest.mark.parametrize("form", ["dict", "frame", "file"])
def test_a_parameter_that_is_none_is_named_and_one_that_is_not_there_is_not(tmp_path, form):
    params = [{"depth": 1, "seen": "all"}, {"depth": None, "seen": None}, {"leaf": 3}]
    results = {
        "param_depth": np.ma.array([1, None, None], mask=[0, 0, 1], dtype=object),
        "param_seen": np.ma.array(["all", None, None], mask=[0, 0, 1], dtype=object),
        "param_leaf": np.ma.array([None, None, 3], mask=[1, 1, 0], dtype=object),
        "params": params,
        **{f"split{i}_test_score": [0.5, 0.6, 0.7] for i in range(3)},
    }
    pd.DataFrame(results).to_csv(tmp_path / "grid.csv", index=False)
    source = {"dict": results, "frame": pd.DataFrame(results), "file": tmp_path / "grid.csv"}[form]
    assert bk.read(source).learners == ("depth=1 seen=all", "depth=None seen=None", "leaf=3")


def test_search_results():
    columns = {
        "mean_fit_time": [0.1, 0.2],
        "mean_score_time": [0.3, 0.4],
        "param_C": [1.0, 0.5],
        "param_kernel": ["rbf", None],
        **{f"split{s}_test_{m}": [0.05 * s, 0.1 * s] for s in range(11) for m in ("acc", "auc")},
        "split0_train_acc": [1.0, 1.0],
    }
    with pytest.raises(InputError, match="2 measures: acc, auc"):
        read(columns)
    found = read(columns, measure="auc")
    assert found.learners == ("C=1 kernel=rbf", "C=0.5")
    np.testing.assert_allclose(found.values[1, 0, 0], 0.1 * np.arange(11))  # split10 after split9
    assert found.costs["fit_time"] == {"C=1 kernel=rbf": 0.1, "C=0.5": 0.2}
    assert found.others["acc"].shape == found.values.shape
    assert set(found.costs) == {"fit_time", "predict_time", "acc"}
    with pytest.raises(InputError, match="acc is 300") as error:
        read(columns | {"split3_test_acc": [0.5, 300]}, measure="auc")
    assert error.value.where == "here, row 2, column split3_test_acc"
    assert set(found.origin.assumed) == {"one-replication", "searched"}


def searched(**scorers):
    """What a search returns for two settings: numbers of every scorer, split by split."""
    return {"param_C": [1.0, 0.5]} | {
        f"split{number}_test_{name}": [each, each + 0.1]
        for name, values in scorers.items()
        for number, each in enumerate(values)
    }


@pytest.mark.parametrize("name", ["size", "fit_time", "learner", "fold", "dataset", "tp", "test_score", "train_score"])
def test_scorers_of_a_search_may_have_any_name(name):
    found = read(searched(**{name: [0.1, 0.2, 0.3]}), larger_is_better=False)
    assert (found.measure, found.learners, found.folds) == (name, ("C=1", "C=0.5"), ("1", "2", "3"))
    np.testing.assert_allclose(found.values[:, 0, 0], [[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]])


@pytest.mark.parametrize("names", [("accuracy", "f1"), ("fit_time", "accuracy"), ("tp", "fn", "fp", "tn")])
def test_of_several_scorers_none_is_chosen_by_its_name(names):
    columns = searched(**{name: [0.1, 0.2] for name in names} | {names[0]: [np.nan, np.nan]})
    with pytest.raises(InputError, match=f"{len(names)} measures: {', '.join(names)}"):
        read(columns)
    failed = read(columns, measure=names[0], larger_is_better=None if "accuracy" in names else True)
    assert (failed.measure, set(failed.others)) == (names[0], set(names[1:]))
    assert np.isnan(failed.values).all()


def weka(schemes):
    rows = [
        {
            "Key_Dataset": "iris",
            "Key_Run": run,
            "Key_Fold": fold,
            "Key_Scheme": scheme,
            "Key_Scheme_options": options,
            "Percent_correct": 90 + fold,
            "Percent_incorrect": 10 - fold,
            "Elapsed_Time_training": 0.5,
        }
        for scheme, options in schemes
        for run in (1, 2)
        for fold in (1, 2, 3)
    ]
    return evidence_from_table(table_from_rows(rows, "here"), Request(None, None, None, None))


def test_weka():
    found = weka([("weka.classifiers.trees.J48", "'-C 0.25'"), ("weka.classifiers.rules.ZeroR", "''")])
    assert repr(found).startswith(
        "2 learners on 1 data set, 2 replications of 3 folds, measure Percent_correct: larger"
    )
    assert found.learners == ("J48", "ZeroR")
    assert found.costs["fit_time"] == {"J48": 0.5, "ZeroR": 0.5}
    np.testing.assert_array_equal(found.values[0, 0], [[91, 92, 93]] * 2)


def test_weka_schemes_are_told_apart_by_options():
    found = weka([("weka.trees.J48", "'-C 1'"), ("weka.trees.J48", "'-C 2'"), ("weka.rules.ZeroR", "''")])
    assert found.learners == ("J48 -C 1", "J48 -C 2", "ZeroR")


# --- items ------------------------------------------------------------------------------------------------------------


def test_predictions_beside_the_truth():
    found = read({"y_true": ["a", "b", "b"], "lda": ["a", "b", "a"], "knn": ["b", "b", None]})
    assert isinstance(found, Items)
    np.testing.assert_array_equal(found.values, [[0, 0, 1], [1, 0, np.nan]])
    assert (found.measure, found.truth, found.predictions["lda"]) == ("error", ("a", "b", "b"), ("a", "b", "a"))
    assert found.missing() == ("learner knn, item 3 (row 3)",)


def test_classes_written_as_numbers_are_the_same_class_however_written():
    found = read({"truth": ["1.0", "0.0", "1"], "lda": [1, 0, 0], "knn": ["1", "1", "1"]}, measure="accuracy")
    np.testing.assert_array_equal(found.values, [[1, 1, 0], [1, 0, 1]])


def test_probabilities_are_kept_and_predict_where_nothing_else_does():
    columns = {"truth": ["a", "b"], "lda:a": [0.9, 0.2], "lda:b": [0.1, 0.8], "knn:b": [0.6, 0.7], "knn:a": [0.4, 0.3]}
    found = read(columns)
    assert (found.learners, found.classes) == (("lda", "knn"), ("a", "b"))
    assert found.predictions == {"lda": ("a", "b"), "knn": ("b", "b")}
    np.testing.assert_array_equal(found.probabilities["knn"], [[0.4, 0.6], [0.3, 0.7]])


def test_numbers_to_predict_need_a_distance():
    columns = {"target": [0.5, 1.0], "lda": [0.5, 2.0], "knn": [1.0, 0.0]}
    with pytest.raises(InputError, match="number to predict"):
        read(columns)
    np.testing.assert_allclose(read(columns, measure="mse").values, [[0, 1], [0.25, 1]])


def test_outcomes_per_item_with_groups():
    columns = {"item": [1, 2, 1, 2], "task": ["p", "p", "q", "q"], "lda": [1, 0, 1, 1], "knn": [0, 0, 1, 0]}
    found = read(columns, measure="correct")
    assert (found.items, found.groups) == (("p/1", "p/2", "q/1", "q/2"), ("p", "p", "q", "q"))
    assert read(columns).measure == "correct"  # 0 and 1
    with pytest.raises(InputError, match=r"direction.*'score'"):
        read({**columns, "lda": [1, 0, 1, 0.5]})


def test_long_items_from_scores_and_from_predictions():
    keys = {"model": ["a", "a", "b", "b"], "question_id": ["q1", "q2", "q2", "q1"]}
    found = read({**keys, "acc": [1, 0, 1, 1], "price": [1.0, 3, 2, 2]})
    np.testing.assert_array_equal(found.values, [[1, 0], [1, 1]])
    assert found.costs["price"] == {"a": 2.0, "b": 2.0}
    judged = read({**keys, "label": ["x", "y", "y", "x"], "pred": ["x", "x", "y", "y"]})
    np.testing.assert_array_equal(judged.values, [[0, 1], [1, 0]])
    assert judged.predictions == {"a": ("x", "x"), "b": ("y", "y")}
    assert judged.truth == ("x", "y")


def test_a_missing_item_is_a_missing_outcome():
    found = read({"model": ["a", "a", "b"], "item": ["q1", "q2", "q2"], "acc": [1, 0, 1]})
    assert found.missing() == ("learner b, item q1 (no row)",)


# --- curves -----------------------------------------------------------------------------------------------------------


def curve_columns(points=((1, 10), (1, 20), (2, 10), (2, 20))):
    return {
        "model": ["a"] * len(points) + ["b"] * len(points),
        "seed": [run for run, _ in points] * 2,
        "epoch": [step for _, step in points] * 2,
        "val_loss": [0.1 * i for i in range(2 * len(points))],
    }


def test_long_curves():
    found = read(curve_columns())
    assert isinstance(found, Curves)
    assert (found.steps, found.runs, found.larger_is_better) == ((10.0, 20.0), (("1", "2"), ("1", "2")), False)
    np.testing.assert_allclose(found.values[1], [[0.4, 0.5], [0.6, 0.7]])
    assert any("column 'seed' was read" in note for note in found.origin.notes)


def test_learners_may_have_different_numbers_of_curves():
    columns = {name: values[:-2] for name, values in curve_columns().items()}
    assert [len(each) for each in read(columns).values] == [2, 1]


def test_an_empty_point_is_missing():
    columns = curve_columns() | {"val_loss": [None, *[0.1] * 7]}
    assert read(columns).missing() == ("learner a, run 1, step 10",)


def test_wide_curves():
    columns = {"fold": [1, 1, 2, 2], "train_size": [10, 20, 10, 20], "a": [0.1, 0.2, 0.3, 0.4], "b": [0.5] * 4}
    found = read(columns, measure="accuracy")
    np.testing.assert_array_equal(found.values[0], [[0.1, 0.2], [0.3, 0.4]])
    assert found.runs[1] == ("1", "2")


# --- directions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "larger"),
    [
        ("accuracy ACC percent_correct roc-auc f1_macro test_f1 neg_log_loss R2 mcc exact_match val_acc return", True),
        ("error error_rate err loss val_loss test_mse RMSE log-loss perplexity Percent_incorrect fit_time fnr", False),
        ("score tastiness x neg_accuracy metric", None),
    ],
)
def test_directions(names, larger):
    assert {name: is_larger_better(name) for name in names.split()} == dict.fromkeys(names.split(), larger)


def test_key_names():
    assert all(is_key_name(name) for name in ("Learner", "data-set", "CV fold", "y_true", "Key_Scheme", "model.name"))
    assert not any(is_key_name(name) for name in ("error", "fit_time", "epoch", "lda", ""))
    assert roles_of_name("Task") == ("dataset", "group")


# --- words of absence, unclear names, what other programs write -------------------------------------------------------


def test_words_of_absence_are_names_of_learners_and_classes():
    found = read({"learner": ["none", "none", "NA", "NA"], "fold": [1, 2, 1, 2], "error": [0.1, 0.2, 0.3, 0.4]})
    assert (found.learners, found.missing()) == (("none", "NA"), ())
    said = read({"truth": ["none", "yes", "none"], "a": ["none", "none", "none"], "b": ["yes", "yes", "none"]})
    assert said.values.tolist() == [[0, 1, 0], [1, 0, 0]]


def test_a_word_of_absence_among_numbers_is_a_missing_class():
    with pytest.raises(InputError, match="the truth is empty"):
        read({"truth": ["1", "NA", "0"], "a": [1, 1, 0], "b": [1, 0, 0]})
    found = read(
        {
            "item": [1, 2] * 2,
            "model": ["a", "a", "b", "b"],
            "truth": ["1", "0"] * 2,
            "pred": ["1", "NA", "0", "0"],
        }
    )
    assert found.missing() == ("learner a, item 2 (row 2)",)


def test_a_column_of_absence_alone_is_a_learner_without_scores():
    with pytest.raises(InputError, match="column 'b'"):
        read({"fold": [1, 2], "a": [0.1, 0.2], "b": ["NA", "none"]}, measure="error")


@pytest.mark.parametrize("name", ["iteration", "iter"])
def test_an_iteration_beside_folds_is_asked_about(name):
    columns = {name: [1, 1, 2, 2], "fold": [1, 2, 1, 2], "a": [0.1, 0.2, 0.3, 0.4], "b": [0.2, 0.2, 0.3, 0.3]}
    with pytest.raises(InputError, match="curves of 2 steps in 2 folds, or 2 replications of 2 folds") as error:
        read(columns, measure="error")
    assert "to step" in error.value.fix
    assert "--rows folds" in error.value.fix
    told = {
        "step": Curves,
        "replication": Scores,
        "epoch": Curves,
    }
    for other, kind in told.items():
        assert type(read({(other if n == name else n): v for n, v in columns.items()}, measure="error")) is kind
    assert type(read({**columns, "run": [1, 2, 1, 2]}, measure="error")) is Curves
    del columns["fold"]
    columns[name] = [1, 2, 3, 4]
    assert type(read(columns, measure="error")) is Curves


def test_a_filter_is_a_learner_like_any_other_where_there_are_no_models():
    found = read({"dataset": ["x", "y"], "filter": [0.1, 0.2], "wrapper": [0.2, 0.3]}, measure="error")
    assert found.learners == ("filter", "wrapper")


@pytest.mark.parametrize("beside", ["fit_time", "score_time", "test_indices"])
def test_output_of_scikit_learn_needs_no_direction(beside):
    columns = {"model": ["a", "a", "b", "b"], "split": [0, 1, 0, 1], "test_score": [0.1, 0.2, 0.3, 0.4]}
    with pytest.raises(InputError, match="direction"):
        read(columns)
    found = read({**columns, beside: ["[1, 2]", "[3, 4]"] * 2 if beside == "test_indices" else [1, 2, 1, 2]})
    assert (found.measure, found.larger_is_better) == ("score", True)


def test_test_indices_that_differ_are_refused():
    columns = {"model": ["a", "a", "b", "b"], "split": [0, 1, 0, 1], "test_score": [0.1, 0.2, 0.3, 0.4]}
    with pytest.raises(InputError, match="the fingerprint is") as error:
        read({**columns, "test_indices": ["[1, 2]", "[3, 4]", "[1, 2]", "[3, 5]"]})
    assert error.value.where == "here, row 4, column test_indices"


def test_a_table_of_items_and_texts_is_not_taken_for_one_model():
    columns = {"item": [1, 2], "prompt_hash": ["ab", "cd"], "gpt": [1, 0], "llama": [0, 0]}
    assert read(columns, measure="accuracy").learners == ("gpt", "llama")
    with pytest.raises(InputError, match="no column names the learner"):
        read({"item": [1, 2], "prompt_hash": ["ab", "cd"], "acc": [1, 0]})


# --- probabilities and classes ----------------------------------------------------------------------------------------


def chances(a, b):
    return {"truth": ["x", "y", "y"], "lda:x": a, "lda:y": b, "knn:x": [0.5] * 3, "knn:y": [0.5] * 3}


def test_probabilities_outside_0_and_1_are_refused():
    with pytest.raises(InputError, match=r"1\.5, no probability") as error:
        read(chances([0.1, -0.5, 0.3], [0.9, 1.5, 0.7]) | {"lda:x": [0.1, 0, 0.3]})
    assert error.value.where == "here, row 2, column lda:y"


def test_probabilities_that_are_not_1_in_all_are_refused():
    with pytest.raises(InputError, match=r"of lda are 0\.9") as error:
        read(chances([0.1, 0.2, 0.3], [0.9, 0.8, 0.6]))
    assert error.value.where == "here, row 3"
    read(chances([0.1, 0.2, 0.3], [0.9, 0.8, 0.7005]))  # rounded


def test_ties_of_the_most_probable_class_are_counted():
    notes = read(chances([0.1, 0.5, 0.3], [0.9, 0.5, 0.7])).origin.notes
    assert [note for note in notes if "most probable classes" in note] == [
        "1 item of learner 'lda' with two or more most probable classes: the first of them was taken",
        "3 items of learner 'knn' with two or more most probable classes: the first of them was taken",
    ]


@pytest.mark.parametrize(("number", "said"), [(20, False), (21, True)])
def test_many_whole_numbers_are_classes_with_a_note(number, said):
    truth = list(range(number))
    found = read({"target": truth, "a": truth, "b": truth[::-1]})
    assert ("'target' was read as 21 classes: measure='mae' reads it as numbers" in found.origin.notes) == said
    assert not read({"target": truth, "a": truth, "b": truth}, measure="mae").origin.notes[1:]


def test_a_learner_called_max_is_one_unless_it_stands_beside_a_summary():
    wide = {"fold": [1, 2, 3], "max": [0.5, 0.6, 0.4], "nmc": [0.1, 0.2, 0.1]}
    assert read(wide, measure="error").learners == ("max", "nmc")
    with pytest.raises(InputError) as error:
        read({**wide, "knn": [0.1, 0.1, 0.2], "mean": [0.3, 0.4, 0.25]}, measure="error")
    assert error.value.fix.endswith("(--learners nmc,knn).")


@pytest.mark.parametrize(("measure", "larger"), [("accuracy", True), ("error", False), ("log_loss", False)])
@pytest.mark.parametrize("wide", [True, False])
def test_probabilities_that_are_all_missing_leave_the_measure_as_asked(measure, larger, wide):
    if wide:
        columns = {"truth": ["n", "y"]} | {f"{name}:{label}": [np.nan] * 2 for name in "ab" for label in "ny"}
    else:
        columns = {"learner": [*"aabb"], "item": [1, 2] * 2, "truth": ["n", "y"] * 2, "probability": [np.nan] * 4}
    found = read(columns, measure=measure)
    assert (found.measure, found.larger_is_better, found.values.shape) == (measure, larger, (2, 2))
    assert np.isnan(found.values).all()


def test_decision_scores_on_one_side_leave_the_measure_as_asked():
    columns = {"learner": [*"aabb"], "item": [1, 2] * 2, "truth": ["n", "y"] * 2, "decision": [0.1, 0.2, 0.3, 0.4]}
    found = read(columns, measure="accuracy")
    assert (found.measure, found.larger_is_better, found.undecided) == ("accuracy", True, ("a", "b"))


# --- names that tell less ---------------------------------------------------------------------------------------------

TASKS = {"model": ["a"] * 3 + ["b"] * 3, "seed": [1, 2, 3] * 2, "t0": [0.5, 0.6, 0.7] * 2, "t1": [0.2, 0.3, 0.4] * 2}


def test_columns_are_tasks_where_the_measure_is_none_of_them():
    found = read(TASKS, measure="accuracy")
    assert isinstance(found, bk.Runs)
    assert found.datasets[0] == ("t0",) * 3 + ("t1",) * 3
    assert found.values[1].ravel().tolist() == [0.5, 0.6, 0.7, 0.2, 0.3, 0.4]
    folds = read({("fold" if name == "seed" else name): each for name, each in TASKS.items()}, measure="accuracy")
    assert (folds.datasets, folds.values.shape) == (("t0", "t1"), (2, 2, 1, 3))
    for measure in ("acuracy", "t0"):  # a slip, and a column
        assert isinstance(refused(TASKS, measure=measure), InputError)


def refused(columns, **options):
    with pytest.raises(InputError) as error:
        read(columns, **options)
    return error.value


def test_lists_by_task():
    lists = {"a": {"x": [0.5, 0.6, 0.7], "y": [0.2, 0.3]}, "b": {"x": [0.9, 0.8], "y": [0.4, 0.5, 0.6]}}
    found = bk.read(lists, measure="accuracy", rows="runs")
    assert found.datasets == (("x",) * 3 + ("y",) * 2, ("x",) * 2 + ("y",) * 3)
    assert found.values[1].ravel().tolist() == [0.9, 0.8, 0.4, 0.5, 0.6]
    with pytest.raises(InputError, match="nothing says") as error:
        bk.read(lists, measure="accuracy")
    assert "--rows runs|folds" in error.value.fix


@pytest.mark.parametrize("name", ["arch", "optimizer", "llm"])
def test_another_name_of_the_learner_is_offered(name):
    columns = {name: ["x", "x", "y", "y"], "seed": [1, 2, 1, 2], "accuracy": [0.5, 0.6, 0.7, 0.8]}
    assert f"--learner {name}" in refused(columns).fix
    assert bk.read(pd.DataFrame(columns), learner=name).learners == ("x", "y")


@pytest.mark.parametrize("name", ["trial", "replicate"])
def test_replications_that_are_runs_are_offered_as_such(name):
    columns = {"model": ["x"] * 3 + ["y"] * 3, name: [1, 2, 3] * 2, "accuracy": [0.5, 0.6, 0.7, 0.8, 0.7, 0.9]}
    with pytest.raises(InputError) as error:
        bk.judge(read(columns))
    assert "--rows runs" in error.value.fix
    assert isinstance(read(columns, rows="runs"), bk.Runs)


def test_tasks_with_one_run_each_are_offered_as_data_sets():
    columns = {"model": list("aabb"), "task": list("xyxy"), "seed": [0] * 4, "accuracy": [0.5, 0.6, 0.7, 0.8]}
    with pytest.raises(InputError, match="one run of task") as error:
        bk.judge(pd.DataFrame(columns))
    assert "--rows datasets" in error.value.fix
    assert read(columns, rows="datasets").datasets == ("x", "y")


OUTCOMES = {"model": list("aaaabbbb"), "id": [1, 2, 3, 4, 4, 3, 2, 1], "correct": [0, 1, 1, 0, 1, 1, 0, 0]}


@pytest.mark.parametrize("name", ["task_id", "idx", "sample_id", "example_id", "ticket_id"])
@pytest.mark.parametrize("rows", [None, "items"])
def test_an_identifier_of_every_row_of_a_model_names_the_item(name, rows):
    found = read({(name if key == "id" else key): each for key, each in OUTCOMES.items()}, rows=rows)
    assert isinstance(found, Items)
    assert found.items == tuple("1234")
    assert found.values.tolist() == [[0, 1, 1, 0], [0, 0, 1, 1]]  # by name, not by place


def test_an_identifier_of_tasks_stays_one():
    columns = {"model": list("aabb"), "task_id": [31, 37] * 2, "accuracy": [0.91, 0.82, 0.93, 0.84]}
    assert read(columns).datasets == ("31", "37")
    config = {"model": list("aabb"), "fold": [1, 2] * 2, "config_id": [7, 7, 8, 8], "accuracy": [0.9, 0.8, 0.7, 0.6]}
    assert isinstance(read(config, measure="accuracy"), Scores)


def test_rows_are_never_matched_by_place_beside_an_identifier():
    columns = {"model": list("aabb"), "ticket_id": [1, 1, 1, 2], "correct": [0, 1, 1, 0]}
    assert "appears twice" in refused(columns, rows="items").wrong


def test_a_preference_names_a_cost():
    columns = {**OUTCOMES, "kilobytes": [1, 1, 1, 1, 2, 2, 2, 2]}
    assert "--measure correct" in refused(columns).fix
    assert bk.read(pd.DataFrame(columns), costs=["kilobytes"]).costs == {"kilobytes": {"a": 1.0, "b": 2.0}}
    assert bk.judge(pd.DataFrame(columns), prior="kilobytes").comparison.measure == "correct"


def test_a_known_measure_is_offered_first():
    columns = {**grid(folds=3), "taste": np.arange(6.0), "train_error": np.arange(6.0) / 10}
    assert "--measure error " in refused(columns).fix


def test_an_item_that_is_there_twice_may_have_repeats():
    columns = {"model": list("aabb"), "item": [1, 1, 1, 2], "correct": [0, 1, 1, 0]}
    assert "epoch, attempt or sample" in refused(columns).fix


@pytest.mark.parametrize("scores", [0.5, None, "abc", [[0.1, 0.2], [0.3]], [[0.1], [0.2]], [10**400, 0.2], {"a": 1}])
def test_scores_of_cross_validate_are_one_number_per_fold(tmp_path, scores):
    output = {"a": {"test_accuracy": scores}, "b": {"test_accuracy": scores}}
    path = tmp_path / "outputs.json"
    path.write_text(json.dumps(output))
    for source in (output, path):
        with pytest.raises(bk.InputError, match="test_accuracy"):
            bk.read(source)
