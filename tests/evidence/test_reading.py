"""Sources of every kind: files, folders, data frames, arrays and what scikit-learn returns."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.core.errors import InputError
from bestofk.evidence import Curves, Items, Scores
from bestofk.evidence.reading import read_evidence
from makers_tables import (
    output,
    written,
)

EXAMPLE = Path(__file__).parents[2] / "examples" / "five_by_two.csv"


class Lda:
    """Stands for an estimator."""


class TwoLines:
    """Shows itself in two lines."""

    def __repr__(self):
        return "first\nsecond"


class Knn:
    """Stands for another."""


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_file_is_read_and_keeps_where_it_came_from():
    found = read_evidence(EXAMPLE)
    assert "5 replications of 2" in repr(found)
    assert found.origin.source == str(EXAMPLE)
    assert len(found.origin.sha256) == 64
    assert found.origin.notes == ()
    assert repr(read_evidence(str(EXAMPLE))) == repr(found)


@pytest.mark.parametrize(
    ("text", "options", "kind"),
    [
        ("model,split,acc\na,1,.5\nb,1,.6\n", {}, Scores),
        ("truth,a,b\nx,x,y\ny,y,y\n", {}, Items),
        ("item,a,b\n1,1,0\n2,1,1\n", {"measure": "correct"}, Items),
        ("learner,item,correct\na,1,1\nb,1,0\n", {}, Items),
        ("learner,run,step,loss\na,1,1,.5\na,1,2,.4\nb,1,1,.6\nb,1,2,.5\n", {}, Curves),
        ("epoch,a,b\n1,.5,.4\n2,.4,.3\n", {"measure": "loss"}, Curves),
        ("dataset\ta\tb\niris\t.5\t.4\nwine\t.4\t.3\n", {"larger_is_better": True}, Scores),
        (",a,b\n0,.5,.4\n1,.4,.3\n", {"larger_is_better": True, "rows": "datasets"}, Scores),
    ],
)
def test_layouts_of_files(tmp_path, text, options, kind):
    assert type(read_evidence(written(tmp_path, "results.csv", text), **options)) is kind


@pytest.mark.parametrize(
    ("text", "wrong", "where"),
    [
        ("learner,fold,error\na,1,.1\nb,1,.2\na,1,.3\n", "learner a appears twice: first in line 2", "line 4"),
        ("learner,fold,error\na,1,.1\nb,1,x\n", "error is 'x', not a number", "line 3, column error"),
        ("learner,fold,error\na,1,.1\n,1,.2\n", "the learner is empty", "line 3, column learner"),
        ("learner,fold,tp,fn,fp,tn\na,1,1,1,1,1\nb,1,0,0,0,0\n", "error is 0/0", "line 3"),
    ],
)
def test_faults_name_the_line(tmp_path, text, wrong, where):
    path = written(tmp_path, "results.csv", text)
    with pytest.raises(InputError) as error:
        read_evidence(path)
    assert wrong in error.value.wrong
    assert error.value.where.startswith(str(path))
    assert error.value.where.endswith(where)


# --- objects ----------------------------------------------------------------------------------------------------------


def test_arrays_by_learner():
    folds = read_evidence({"a": [0.1, 0.2, None], "b": np.array([0.2, 0.3, 0.1])}, measure="error")
    assert "1 replication of 3" in repr(folds)
    assert folds.missing() == ("learner a, fold 3",)
    repeated = read_evidence({"a": np.ones((5, 2)), "b": np.zeros((5, 2))}, larger_is_better=True)
    assert repeated.values.shape == (2, 1, 5, 2)
    assert repeated.measure == "score"


def test_the_hash_of_arrays_is_of_their_content():
    first, same, other = (read_evidence({"a": [0.1], "b": [x]}, measure="error") for x in (0.2, 0.2, 0.3))
    assert first.origin.sha256 == same.origin.sha256 != other.origin.sha256


def test_outputs_of_cross_validate():
    outputs = {"a": output([0.8, 0.9], indices=[[0, 1], [2, 3]]), "b": output([0.7, 0.6], indices=[[0, 1], [2, 3]])}
    found = read_evidence(outputs)
    assert (found.measure, found.larger_is_better) == ("score", True)
    np.testing.assert_array_equal(found.values[:, 0, 0], [[0.8, 0.9], [0.7, 0.6]])
    assert found.costs["fit_time"] == {"a": 0.5, "b": 0.5}
    assert found.fingerprints.shape == (1, 1, 2)
    assert found.fingerprints[0, 0, 0] != found.fingerprints[0, 0, 1]
    assert found.origin.assumed == ()  # the indices say that these are two folds
    assert not any("one replication" in note for note in found.origin.said)


def test_outputs_of_cross_validate_in_a_json_file(tmp_path):
    outputs = {name: {"test_score": [0.8, 0.9], "indices": {"test": [[0, 1], [2, 3]]}} for name in ("a", "b", "none")}
    path = written(tmp_path, "cv.json", json.dumps(outputs))
    found = read_evidence(path, learners=["a", "none"])
    assert (found.learners, found.larger_is_better, found.origin.source) == (("a", "none"), True, str(path))
    same = read_evidence(outputs)
    assert (found.fingerprints == same.fingerprints).all()
    assert len(found.origin.sha256) == 64
    assert found.origin.sha256 != same.origin.sha256
    outputs["b"]["indices"]["test"] = [[0, 1], [2, 4]]
    with pytest.raises(InputError, match="the fingerprint is") as error:
        read_evidence(written(tmp_path, "cv.json", json.dumps(outputs)))
    assert error.value.where.startswith(f"{path}, learner b, fold 2")


@pytest.mark.parametrize("indices", [[1, 2], {"test": [[0, 1]]}, {"test": [["x"], [1]]}, {"train": [[0], [1]]}])
def test_indices_that_are_none_are_refused(indices):
    with pytest.raises(InputError, match="indices are") as error:
        read_evidence({name: {"test_score": [0.8, 0.9], "indices": indices} for name in ("a", "b")})
    assert "learner a" in error.value.where


def test_another_object_of_objects_is_no_table(tmp_path):
    path = written(tmp_path, "a.json", json.dumps({"a": {"accuracy": 1}, "b": {"accuracy": 0}}))
    with pytest.raises(InputError, match=r"JSON.*whose 'a'"):
        read_evidence(path)


def test_folds_that_differ_between_learners_are_refused():
    outputs = {"a": output([0.8, 0.9], indices=[[0, 1], [2, 3]]), "b": output([0.7, 0.6], indices=[[0, 1], [2, 4]])}
    with pytest.raises(InputError, match="the fingerprint is") as error:
        read_evidence(outputs)
    assert "learner b, fold 2" in error.value.where


def test_a_list_of_outputs_is_named_by_its_estimators_or_by_the_caller():
    named = [output([0.8, 0.9], estimator=[Lda(), Lda()]), output([0.7, 0.6], estimator=[Knn(), Knn()])]
    assert read_evidence(named).learners == ("Lda", "Knn")
    assert read_evidence([output([0.8, 0.9]), output([0.7, 0.6])], learners=["x", "y"]).learners == ("x", "y")
    assert read_evidence([[0.8, 0.9], [0.7, 0.6]], learners=["x", "y"], measure="auc").learners == ("x", "y")


def test_rows_and_columns_as_objects():
    rows = [{"learner": name, "fold": fold, "error": 0.1} for name in ("a", "b") for fold in (1, 2)]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    np.testing.assert_array_equal(read_evidence(rows).values, read_evidence(columns).values)
    outcomes = [{"model": name, "id": i, "correct": right} for name in "ab" for i, right in ((1, True), (2, None))]
    assert read_evidence(outcomes).missing() == ("learner a, item 2 (row 2)", "learner b, item 2 (row 4)")
    assert isinstance(read_evidence({"truth": ["x", "y"], "a": ["x", "x"], "b": ["y", "y"]}), Items)
    assert read_evidence({"model": [0.1, 0.2], "baseline": [0.2, 0.3]}, measure="error").learners[0] == "model"


def test_evidence_is_returned_as_it_is_or_on_another_measure():
    columns = {"learner": ["a", "b", "c"], "fold": [1, 1, 1], "error": [0.1, 0.2, 0.3], "auc": [0.9, 0.8, 0.7]}
    found = read_evidence(columns, measure="error")
    assert read_evidence(found) is found
    assert (read_evidence(found, measure="auc").larger_is_better, read_evidence(found).measure) == (True, "error")
    assert read_evidence(found, learners=["a", "c"]).learners == ("a", "c")


def test_data_frames():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {"model": ["a", "a", "b", "b"], "fold": [1, 2, 1, 2], "acc": [0.5, 0.6, 0.7, 0.8]}
    for frame in (pandas.DataFrame(columns), polars.DataFrame(columns), pandas.DataFrame(columns).set_index("model")):
        found = read_evidence(frame)
        assert (found.learners, found.folds, found.measure) == (("a", "b"), ("1", "2"), "acc")
    by_learner = {name: pandas.DataFrame(output([0.5, 0.6])) for name in ("a", "b")}
    for source in (by_learner, pandas.concat(by_learner)):
        assert read_evidence(source).values.shape == (2, 1, 1, 2)


def test_what_scikit_learn_returns():
    pytest.importorskip("sklearn")
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV, cross_validate
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_iris(return_X_y=True)
    outputs = [
        cross_validate(
            each, X, y, cv=3, return_indices=True, return_estimator=True, scoring=["accuracy", "neg_log_loss"]
        )
        for each in (GaussianNB(), DecisionTreeClassifier(random_state=0))
    ]
    found = read_evidence(outputs, measure="neg_log_loss")
    assert (found.learners, found.larger_is_better) == (("GaussianNB", "DecisionTreeClassifier"), True)
    np.testing.assert_array_equal(found.values[1, 0, 0], outputs[1]["test_neg_log_loss"])
    grid = [{"max_depth": [1, 2]}, {"splitter": ["random"]}]
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=3).fit(X, y)
    settings = read_evidence(search.cv_results_)
    assert settings.learners == ("max_depth=1", "max_depth=2", "splitter=random")
    np.testing.assert_allclose(list(settings.means().values()), search.cv_results_["mean_test_score"])


# --- what is refused --------------------------------------------------------------------------------------------------


def test_errors_stay_three_lines_whatever_the_source():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(np.arange(100.0))
    faults = [
        (series, {}),
        (np.ones((30, 3)), {}),
        ({"fold": {"x": series}, "a": [1]}, {}),
        ({"fold": TwoLines(), "a": [1]}, {}),
        (PAIR, {"learners": series, "measure": "error"}),
        (PAIR, {"measure": series}),
        (PAIR, {"larger_is_better": series, "measure": "error"}),
        (PAIR, {"replications": series, "measure": "error"}),
        (PAIR, {"test_fraction": series, "measure": "error"}),
        ({"a\nb": [0.1], "c": [0.1, 0.2]}, {"measure": "error"}),
    ]
    for source, options in faults:
        with pytest.raises(InputError) as error:
            read_evidence(source, **options)
        assert str(error.value).count("\n") == 2


def test_values_of_arrays_that_cannot_be_are_refused():
    with pytest.raises(InputError, match=r"accuracy is 300\.") as error:
        read_evidence({"a": [90, 300], "b": [80, 90]}, measure="accuracy")
    assert error.value.where == "arrays by learner, learner a, fold 2"
    with pytest.raises(InputError, match="shares and percent"):
        read_evidence({"a": [0.9, 0.8], "b": [80, 90]}, measure="accuracy")


@pytest.mark.parametrize("others", [[1, 0, 1], [0, 0, 0]])
def test_one_value_among_zeros_and_ones_is_refused(others):
    frame = pd.DataFrame({"item": list("pqrs"), "a": [1, 0, 1, 1], "b": [2, *others]})
    with pytest.raises(InputError, match="shares and percent") as error:
        read_evidence(frame, measure="correct", item="item")
    assert "item p" in error.value.where


PAIR = {"a": [0.1, 0.2], "b": [0.2, 0.3]}
ERROR = {"measure": "error"}
FAULTS = {
    "nothing": (None, {}, "the source is None"),
    "a number": (3, {}, "the source is 3"),
    "an array without names": (np.ones((3, 2)), {}, "the source is "),
    "empty dict": ({}, {}, "the dict is empty"),
    "empty list": ([], {}, "the list is empty"),
    "nameless": ({"": [0.1], "b": [0.2]}, ERROR, "a learner has no name"),
    "unequal folds": ({"a": [0.1, 0.2], "b": [0.2]}, ERROR, "learner b has 1 fold, learner a 2 folds"),
    "ragged": ({"a": [[0.1, 0.2], [0.3]], "b": [0.1]}, ERROR, "the scores of a are [[0.1, 0.2], [0.3]]."),
    "3-D": ({"a": np.ones((2, 2, 2)), "b": np.ones((2, 2, 2))}, ERROR, "the scores of a are array"),
    "one number": ({"a": 0.1, "b": 0.2}, ERROR, "the scores of a are 0.1."),
    "words": ({"a": ["0.1", "x"], "b": ["0.2", "y"]}, ERROR, "the scores of a are "),
    "a word for a learner": ({"a": [0.1], "b": None}, ERROR, "the scores of b are None."),
    "objects": ({"a": [object()], "b": [0.1]}, ERROR, "the scores of a are "),
    "infinite": ({"a": [np.inf], "b": [0.1]}, ERROR, "is inf"),
    "no direction": (PAIR, {}, "direction of the measure 'score' is not known"),
    "contradicted": (PAIR, {"measure": "error", "larger_is_better": True}, "error: smaller is better"),
    "unnamed scores": ([[0.1], [0.2]], ERROR, "entry 1 of the list has no name"),
    "unnamed outputs": ([output([0.1]), output([0.2])], {}, "entry 1 of the list has no name"),
    "too few names": ([[0.1], [0.2]], {"learners": ["a"]}, "there are 1 name for 2 outputs"),
    "same names": ([[0.1], [0.2]], {"learners": ["a", "a"]}, "learner 'a' is named twice"),
    "same estimators": ([output([0.1], estimator=[Lda()])] * 2, {}, "learner 'Lda' is named twice"),
    "output alone": (output([0.1, 0.2]), {}, "output of cross_validate for one learner"),
    "outputs and arrays": ({"a": output([0.1]), "b": [0.1]}, {}, "not an output of cross_validate"),
    "outputs of unequal folds": ({"a": output([0.1, 0.2]), "b": output([0.1])}, {}, "learner b has 1 fold"),
    "unequal scorers": ({"a": output([0.1]), "b": output([0.1], test_f1=[1.0])}, {}, "learner a has no test_f1"),
    "unequal columns": ({"learner": ["a", "b"], "error": [0.1]}, {}, "the columns have unequal lengths"),
    "measure is a number": (PAIR, {"measure": 3}, "measure is 3"),
    "direction is a word": (PAIR, {"larger_is_better": "yes"}, "larger_is_better is 'yes'"),
    "learners is a word": (PAIR, {"learners": "ab"}, "learners is 'ab'"),
    "unknown learner": (PAIR, {"learners": ["a", "z"], "measure": "error"}, "unknown learner 'z'"),
    "no such file": ("nowhere.csv", {}, ""),
    "replications do not divide": (PAIR, {**ERROR, "replications": 3}, "2 folds cannot be 3 replications of equally"),
    "no replication": (PAIR, {**ERROR, "replications": 0}, "replications is 0"),
    "half a replication": (PAIR, {**ERROR, "replications": 1.5}, "replications is 1.5"),
    "named replications": (
        {"a": np.ones((5, 2)), "b": np.ones((5, 2))},
        {**ERROR, "replications": 2},
        "the source itself says that there are 5 replications",
    ),
    "splits of replications": (
        {"a": np.ones((5, 2)), "b": np.ones((5, 2))},
        {**ERROR, "test_fraction": 0.5},
        "there are 5 replications of 2 folds, no random splits",
    ),
    "no share": (PAIR, {**ERROR, "test_fraction": 0}, "test_fraction is 0"),
    "all a share": (PAIR, {**ERROR, "test_fraction": 1.0}, "test_fraction is 1.0"),
    "two designs": (PAIR, {**ERROR, "replications": 2, "test_fraction": 0.5}, "both replications and test_fraction"),
    "replications of items": (
        {"item": [1, 2], "a": [0, 1], "b": [1, 1]},
        {"measure": "correct", "replications": 2},
        "about folds",
    ),
    "splits of curves": (
        {"step": [1, 2], "a": [0, 1], "b": [1, 1]},
        {"measure": "loss", "test_fraction": 0.5},
        "about folds",
    ),
    "replications of unequal data sets": (
        {"learner": ["a", "b"] * 3, "dataset": list("uuuuvv"), "fold": [1, 1, 2, 2, 1, 1], "error": [0.1] * 6},
        {"replications": 2},
        "different numbers of folds per data set cannot be 2 replications",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_get_three_lines(fault):
    source, options, message = FAULTS[fault]
    with pytest.raises(InputError) as error:
        read_evidence(source, **options)
    assert message in error.value.wrong
    assert error.value.where.strip()
    assert error.value.fix.strip()


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no file that bestofk"):
        read_evidence(tmp_path)


def test_evidence_refuses_what_it_does_not_have():
    found = read_evidence(PAIR, measure="error")
    with pytest.raises(InputError, match="unknown measure 'auc'"):
        read_evidence(found, measure="auc")
    with pytest.raises(InputError, match="smaller is better"):
        read_evidence(found, larger_is_better=True)


def test_reading_loads_no_data_frame_library():
    heavy = "pandas polars pyarrow narwhals openpyxl sklearn"
    code = f"import sys, bestofk.evidence.reading; print([m for m in '{heavy}'.split() if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.fixture(scope="module")
def searches():
    """Two fitted searches over the same five folds."""
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    inputs, classes = load_iris(return_X_y=True)
    grids = {"knn": (KNeighborsClassifier(), {"n_neighbors": [1, 3, 5]})}
    grids["tree"] = (DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]})
    return {name: GridSearchCV(*each, cv=5).fit(inputs, classes) for name, each in grids.items()}


def splits(search):
    return np.stack([search.cv_results_[f"split{i}_test_score"] for i in range(5)], axis=1)


def test_searches_by_name_are_read_setting_by_setting(searches):
    expected = np.concatenate([splits(each) for each in searches.values()])
    for source in (searches, {name: each.cv_results_ for name, each in searches.items()}):
        found = bk.read(source)
        assert found.learners[:2] == ("knn: n_neighbors=1", "knn: n_neighbors=3")
        assert found.learners[-1] == "tree: max_depth=3"
        assert np.array_equal(found.values[:, 0, 0], expected)
        assert found.costs["fit_time"]["tree: max_depth=1"] == searches["tree"].cv_results_["mean_fit_time"][0]
    named = bk.read(list(searches.values()), learners=["knn", "tree"])
    assert named.learners == bk.read(searches).learners


def test_a_fitted_search_is_its_results(searches):
    found = bk.read(searches["knn"])
    assert found.learners == ("n_neighbors=1", "n_neighbors=3", "n_neighbors=5")
    assert np.array_equal(found.values[:, 0, 0], splits(searches["knn"]))


def test_an_estimator_without_results_and_searches_of_other_folds_are_refused(searches):
    from sklearn.base import clone

    knn = searches["knn"].cv_results_
    shorter = {name: each for name, each in knn.items() if not name.startswith("split4")}
    for source, wrong in (
        (clone(searches["knn"]), "no results"),
        (searches["knn"].estimator, "no results"),
        ({"knn": clone(searches["knn"]), "tree": searches["tree"]}, "no results"),
        ({"knn": searches["knn"], "tree": [0.1, 0.2]}, "no cv_results_"),
        ({"knn": knn, "short": shorter}, "4 splits"),
    ):
        with pytest.raises(InputError, match=wrong) as error:
            bk.read(source)
        assert str(error.value).count("\n") == 2


def test_missing_results_are_offered_as_the_asker_writes_options(tmp_path):
    frame = pd.DataFrame({"learner": list("aab"), "dataset": list("xyx"), "error": [0.1, 0.2, 0.3]})
    with pytest.raises(InputError, match="1 result is missing") as error:
        bk.judge(frame)
    assert "missing='drop-datasets'" in error.value.fix
    assert "--" not in error.value.fix
    frame.to_csv(tmp_path / "a.csv", index=False)
    answer = CliRunner().invoke(main, ["judge", str(tmp_path / "a.csv"), "--json"])
    assert "--missing drop-datasets" in json.loads(answer.output)["fix"]


@pytest.mark.parametrize("verb", [bk.judge, bk.compare, bk.order, bk.rank])
def test_every_verb_reads_with_the_options_of_read(tmp_path, verb):
    path = tmp_path / "a.csv"
    rows = [f"{learner},{d},0.{d}{k},0.{k}{d}" for k, learner in enumerate("abc", 1) for d in range(1, 8)]
    path.write_text("\n".join(["name,dataset,accuracy,f1", *rows]))
    read = {"measure": "f1", "learner": "name"}
    assert repr(verb(path, **read)) == repr(verb(bk.read(path, **read)))
    with pytest.raises(InputError, match="mesure") as error:
        verb(path, mesure="f1")
    assert "'measure'" in error.value.fix


@pytest.mark.parametrize("remarks", ["# made by a script\n", "# results, of, 2026-01-01, by us\n\n# seed 3\n", "#\n"])
def test_remarks_above_the_header_are_passed_over(tmp_path, remarks):
    path = tmp_path / "a.csv"
    path.write_text(f"{remarks}learner,fold,error\na,1,0.1\na,2,0.2\nb,1,0.2\nb,2,wrong\n")
    with pytest.raises(bk.InputError) as error:
        bk.read(path)
    assert f"line {remarks.count(chr(10)) + 5}" in error.value.where
    path.write_text(path.read_text().replace("wrong", "0.3"))
    assert bk.read(path).learners == ("a", "b")


def test_a_header_that_begins_like_a_remark_is_one(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("#instances,a,b\n10,0.1,0.2\n20,0.2,0.3\n")
    assert bk.read(path, measure="error", rows="datasets").learners == ("a", "b")


def test_rows_of_a_json_file_may_have_facts_beside_them(tmp_path):
    path = tmp_path / "a.json"
    rows = [{"model": model, "dataset": name, "accuracy": 0.5} for model in "ab" for name in "xyz"]
    path.write_text(json.dumps({"version": 1, "results": rows, "made": "today"}))
    assert bk.read(path).datasets == ("x", "y", "z")


def test_a_column_per_fold_may_have_their_mean_beside_them(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("model,fold_1,fold_2,fold_3,mean,std\na,0.1,0.2,0.3,0.2,0.1\nb,0.2,0.2,0.3,0.23,0.1\n")
    assert len(bk.read(path, larger_is_better=False).folds) == 3
