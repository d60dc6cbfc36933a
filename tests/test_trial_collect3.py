"""What a third first-time user of collect ran into: names that are numbers, curves of bootstraps, disks that refuse."""

import errno
import sqlite3
import warnings
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.base import BaseEstimator, ClassifierMixin

import bestofk as bk
from bestofk.cli import main
from bestofk.cli.collect import _command
from bestofk.cli.printing import as_argument
from bestofk.collecting.cell.failures import reason_of
from bestofk.collecting.run.report import FailedFolds, troubles_of
from bestofk.core.errors import InputError
from bestofk.design.datasets import dataset_of
from bestofk.sharing.plain_fold import WrongAnswer, aligned_probabilities, class_codes
from bestofk.stores.address import open_store

NUMBERS = ("1", "2", "3")
X = np.random.default_rng(7).normal(size=(60, 2))
Y = np.r_[[1] * 29, [2] * 29, [3] * 2]


class Known(ClassifierMixin, BaseEstimator):
    """A learner made beforehand; it finds the true name in the first column and answers in some form."""

    def __init__(self, form="number", own="codes"):
        self.form, self.own = form, own

    def fit(self, X, y):
        self.classes_ = np.unique(y) + (1 if self.own == "names" else 0)
        return self

    def predict(self, X):
        names = np.asarray(X)[:, 0].astype(int)
        forms = {"number": names, "text": names.astype(str), "codes": (names - 1).astype(object)}
        return forms[self.form]

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


class Coloured(ClassifierMixin, BaseEstimator):
    """Raises with colours for a terminal."""

    def fit(self, X, y):
        raise ValueError("\x1b[31mred\x1b[0m\x07 alert \x1b]0;title\x07!")

    def predict(self, X):
        return np.zeros(len(X))


class Strange(ClassifierMixin, BaseEstimator):
    """Answers with a label that there is not, and gives no probabilities."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), 7)


def collected(tmp_path, learner, *, data=None, folds="5-fold", **more):
    first = np.c_[Y, X].astype(float)
    plan = bk.Plan(
        learners={"mine": learner, "max": "max"}, datasets={"d": data or (first, Y)}, folds=folds, seed=1, **more
    )
    store = str(tmp_path / "s.db")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedFolds)
        bk.collect(plan, store, engine="serial", progress=False)
    return store


def outcomes(store):
    """Error, None where the fold failed, of every fold of the learner, and all reasons."""
    with closing(open_store(store)) as opened:
        cells = [cell for cell in opened.read() if cell.key.learner == "mine"]
    errors = [
        None if reason else float(1 - np.trace(matrix) / matrix.sum())
        for cell in cells
        for matrices, line in zip(cell.confusion, cell.failures, strict=True)
        for matrix, reason in zip(matrices, line, strict=True)
    ]
    return errors, {reason for cell in cells for line in cell.failures for reason in line if reason}


def command(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def three_lines(answer):
    """The error of a command: three lines, exit code 2, no traceback."""
    assert answer.exit_code == 2, (answer.output, answer.exception)
    lines = answer.stderr.splitlines()
    assert len(lines) == 3, answer.stderr
    return lines


@pytest.mark.parametrize("kind", [int, float])
def test_numbers_are_codes_and_names_given_as_numbers_are_told(kind):
    with pytest.raises(WrongAnswer) as told:
        class_codes(np.array([1, 2, 3], dtype=kind), 3, NUMBERS)
    assert "0 to 2: numbers are these codes, names are text such as '3'." in str(told.value)
    assert "look like names" in str(told.value)
    with pytest.raises(WrongAnswer) as told:
        class_codes(np.array([7], dtype=kind), 1, NUMBERS)
    assert "look like names" not in str(told.value)
    assert class_codes(np.array(["1", "3"]), 2, NUMBERS).tolist() == [0, 2]
    assert class_codes(np.array([1, 2], dtype=kind), 2, NUMBERS).tolist() == [1, 2]


def test_names_that_are_their_own_codes_are_no_names_given_as_numbers():
    with pytest.raises(WrongAnswer) as told:
        class_codes(np.array([2]), 1, ("0", "1"))
    assert "look like names" not in str(told.value)


def test_only_labels_that_there_are_not_are_called_strange():
    with pytest.raises(WrongAnswer, match="never seen in the data: 'c';"):
        class_codes(np.array(["a", "c"]), 2, ("a", "b"))


@pytest.mark.parametrize("learnt", [[0, 1, 2], [0, 1]])
def test_a_learner_whose_own_classes_are_names_as_numbers_fails_in_every_fold(tmp_path, learnt):
    rows = np.isin(Y - 1, learnt) if len(learnt) == 3 else np.arange(60) < 58
    data = (np.c_[Y, X][rows].astype(float), Y[rows])  # without the 3, codes are 0 and 1, and 2 is none
    errors, reasons = outcomes(collected(tmp_path, Known(own="names"), data=data))
    assert errors == [None] * 5
    assert all("names" in reason for reason in reasons)


def test_a_fold_trained_without_the_last_class_still_proves_names_by_its_classes():
    from bestofk.sharing.plain_fold import refuse_names_as_numbers as refuse

    with pytest.raises(WrongAnswer, match=r"classes_ of the learner are 1, 2: names as numbers"):
        refuse([1, 2, 1], np.array([1, 2]), np.array([0, 1, 0]), NUMBERS)
    refuse(["1", "2"], np.array([1, 2]), np.array([0, 1]), NUMBERS)  # what it answers with is what counts
    refuse([1, 2], np.array([1, 2]), np.array([1, 2]), NUMBERS)  # trained on classes 2 and 3, as their codes say
    refuse([1, 1], np.array([0, 1, 2]), np.array([0, 1]), NUMBERS)
    refuse([1, 1], np.array(["1", "2"]), np.array([0, 1]), NUMBERS)
    refuse([1, 1], None, np.array([0, 1]), NUMBERS)


def test_text_is_names_also_where_they_look_like_numbers(tmp_path):
    errors, reasons = outcomes(collected(tmp_path, Known(form="text", own="codes")))
    assert (errors, reasons) == ([0.0] * 5, set())


def test_classes_of_a_learner_that_are_text_are_names_of_the_columns():
    given = [[0.25, 0.75]]
    assert aligned_probabilities(given, 1, np.array(["1", "2"]), NUMBERS).tolist() == [[0.25, 0.75, 0.0]]
    assert aligned_probabilities(given, 1, np.array([1, 2]), NUMBERS).tolist() == [[0.0, 0.25, 0.75]]
    with pytest.raises(WrongAnswer, match="classes_ of the learner hold labels never seen in the data: 3"):
        aligned_probabilities(given, 1, np.array([2, 3]), NUMBERS)


def test_codes_in_an_array_of_objects_are_codes(tmp_path):
    errors, reasons = outcomes(collected(tmp_path, Known(form="codes")))
    assert (errors, reasons) == ([0.0] * 5, set())
    mixed = np.array([0, 1.0, True, "3", np.int8(2)], dtype=object)
    assert class_codes(mixed, 5, NUMBERS).tolist() == [0, 1, 1, 2, 2]
    with pytest.raises(WrongAnswer, match=r"never seen in the data: nan, \[1\];"):
        class_codes(np.array([0, float("nan"), [1]], dtype=object), 3, NUMBERS)


@pytest.mark.parametrize("datasets", [("d",), ("d", "e")])
def test_curves_of_bootstraps_tested_on_their_training_rows_are_refused(tmp_path, datasets):
    def run(folds):
        data = {name: (X + 0.5 * Y[:, None], (Y > 1).astype(int)) for name in datasets}
        plan = bk.Plan(learners=["nmc", "max"], datasets=data, folds=folds, seed=1)
        bk.collect(plan, str(tmp_path / f"{folds}.db"), engine="serial", progress=False)
        return tmp_path / f"{folds}.db"

    first, _, fix = three_lines(command("judge", run("learning-curve-bootstrap-8-2")))
    assert first.startswith("every bootstrap sample was tested on the full set, and no test is valid there; only means")
    assert 'folds = "learning-curve-bootstrap-' in fix
    spec = fix.split('"')[1]
    assert command("judge", run(spec.replace("-16-", "-10-"))).exit_code in (0, 1)


def test_the_notes_of_such_curves_say_that_errors_are_too_low(tmp_path):
    store = collected(tmp_path, "nmc", folds="learning-curve-bootstrap-4-2")
    assert any("errors are too low" in note for note in bk.read(store).origin.notes)
    with pytest.raises(InputError, match="only means: mine"):
        bk.compare(bk.read(store))


def test_the_target_as_groups_is_refused(tmp_path):
    frame = pd.DataFrame({"a": range(6), "class": list("ababab")})
    frame.to_csv(tmp_path / "d.csv", index=False)
    (tmp_path / "p.toml").write_text(
        'seed = 1\nfolds = "2x2"\nlearners = ["max"]\n[datasets]\na = { file = "d.csv", groups = "class" }\n'
    )
    first, where, fix = three_lines(command("plan", "check", tmp_path / "p.toml"))
    assert first.startswith("the target class is also the column of groups")
    assert "data set a" in where
    assert "name another column as groups" in fix
    for source in (frame, (frame[["a"]], frame["class"])):
        with pytest.raises(InputError, match="is also the column of groups"):
            dataset_of(source, name="d", target="class", groups="class")


def test_a_store_of_a_newer_format_is_not_rescued_either(tmp_path):
    store = collected(tmp_path, "nmc", folds="2x2")
    with closing(sqlite3.connect(store)) as opened:
        opened.execute("PRAGMA user_version = 9")
    plain = three_lines(command("store", "merge", tmp_path / "new.db", store))
    rescued = three_lines(command("store", "merge", tmp_path / "new.db", store, "--rescue"))
    assert plain == rescued
    assert "newer bestofk (format 9" in plain[0]
    assert not (tmp_path / "new.db").exists()


def read_only(*_, **__):
    raise OSError(errno.EROFS, "Read-only file system")


def test_a_table_that_cannot_be_written_is_told_in_three_lines(tmp_path, monkeypatch):
    store = collected(tmp_path, "nmc", folds="2x2")
    (tmp_path / "file").write_text("")
    told = three_lines(command("store", "export", store, tmp_path / "file" / "o.csv"))
    assert told[0] == "the table cannot be written (Not a directory)."
    monkeypatch.chdir(tmp_path)
    for folder in (".", "..", tmp_path):
        assert three_lines(command("store", "export", store, folder))[0] == f"{folder} is a folder."
    told = three_lines(command("store", "export", store, f"{'o' * 300}.csv"))
    assert told[0] == "the table cannot be written (File name too long)."
    monkeypatch.setattr(Path, "unlink", read_only)
    monkeypatch.setattr("bestofk.stores.exchange.table_export.open", read_only, raising=False)
    told = three_lines(command("store", "export", store, "o.csv"))
    assert told[0] == "the table cannot be written (Read-only file system)."


def test_a_report_that_cannot_be_written_is_told_in_three_lines(tmp_path, monkeypatch):
    store = collected(tmp_path, "nmc", folds="5x2")
    told = three_lines(command("report", store, "-o", tmp_path / f"{'r' * 300}.md"))
    assert told[0] == "the report cannot be written: File name too long."
    monkeypatch.setattr(Path, "unlink", read_only)
    monkeypatch.setattr(Path, "write_text", read_only)
    told = three_lines(command("report", store, "-o", tmp_path / "r.md"))
    assert told[0] == "the report cannot be written: Read-only file system."


def test_a_lock_on_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    (tmp_path / "p.toml").write_text('seed = 1\nfolds = "2x2"\nlearners = ["max", "nmc"]\ndatasets = ["iris"]\n')
    whole = Path.write_text

    def full(path, text, **more):
        whole(path, "", **more)
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        told = three_lines(command("plan", "lock", tmp_path / "p.toml"))
    assert told[0] == "the lock cannot be written: No space left on device."
    assert [each.name for each in tmp_path.iterdir()] == ["p.toml"]
    assert command("plan", "lock", tmp_path / "p.toml").exit_code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["p.toml", "p.toml.lock"]


def test_the_command_to_go_on_can_be_typed_whatever_the_plan_is_called(tmp_path, monkeypatch):
    from bestofk.cli.collect import collect

    monkeypatch.chdir(tmp_path)
    context = collect.make_context("collect", ["--into", "-r s.db", "--", "-my plan.toml"])
    with context:
        assert _command() == "bestofk collect './-my plan.toml' --into '-r s.db'"
    assert collect.make_context("collect", ["./-my plan.toml", "--into", "-r s.db"]).params["store"] == "-r s.db"
    assert as_argument("a-b.db") == "a-b.db"


@pytest.mark.parametrize(
    ("lines", "first", "where", "fix"),
    [
        (
            'learners = { m = { learner = "lda" }, max = {}, d = "tree" }\ndatasets = ["iris"]',
            "d is 'tree'.",
            "learners.d",
            'd = { learner = "tree" }',
        ),
        ('learners = ["max"]\ndatasets = { "a b" = "x.csv" }', "a b is 'x.csv'.", "datasets.a b", '{ file = "x.csv" }'),
        ('learners = { nmc = 3 }\ndatasets = ["iris"]', "nmc is 3.", "learners.nmc", 'nmc = { learner = "nmc" }'),
    ],
)
def test_one_wrong_entry_of_a_table_is_named(tmp_path, lines, first, where, fix):
    (tmp_path / "p.toml").write_text(f'seed = 1\nfolds = "2x2"\n{lines}\n')
    told = three_lines(command("plan", "check", tmp_path / "p.toml"))
    assert told[0] == first
    assert told[1].endswith(where)
    assert fix in told[2]


def test_colours_of_an_exception_are_not_kept(tmp_path):
    store = collected(tmp_path, Coloured(), folds="2x2")
    (reason,) = outcomes(store)[1]
    assert reason.endswith("ValueError: red alert !")
    assert reason_of(ValueError("\x1b[1;31ma\tb\x1b[0m\x00")) == "ValueError: a b"


def test_colours_in_an_older_store_are_left_out_of_a_plain_table(tmp_path, monkeypatch):
    monkeypatch.setattr("bestofk.collecting.cell.failures.without_escapes", str)
    store = collected(tmp_path, Coloured(), folds="2x2")
    assert any("\x1b" in reason for reason in outcomes(store)[1])
    for name, escapes in (("plain.csv", False), ("whole.csv", True)):
        assert command("store", "export", store, tmp_path / name, *["--complete"] * escapes).exit_code == 0
        assert ("\x1b" in (tmp_path / name).read_text()) is escapes


def test_a_failed_fold_does_not_lack_a_measure_besides(tmp_path):
    store = collected(tmp_path, Strange(), folds="2x2", measures=["log_loss"])
    with closing(open_store(store)) as opened:
        found = troubles_of(opened.read())
    assert [each.learner for each in found.failures] == ["mine"]
    assert "mine" not in [each.learner for each in found.unscored]


def test_series_with_predictions_are_told_from_those_without(tmp_path):
    for more in ({}, {"keep_predictions": True}, {"measures": ["log_loss"], "keep_predictions": True}):
        store = collected(tmp_path, "nmc", folds="2x2", **more)
    lines = [line for line in command("store", "info", store).stdout.splitlines() if "  mine on d" in line]
    ends = {line.split("seed 1")[1].split(":")[0] for line in lines}
    assert ends == {"", ", with predictions", ", with log_loss and predictions"}


def test_the_index_of_a_pandas_frame_is_no_input(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "class": list("abab")})
    frame.to_parquet(tmp_path / "plain.parquet")
    frame.iloc[[3, 1, 0, 2]].to_parquet(tmp_path / "unnamed.parquet")
    named = frame.set_index(pd.Index(["p", "p", "q", "q"], name="patient"))
    named.to_parquet(tmp_path / "named.parquet")
    for name in ("plain", "unnamed", "named"):
        assert [each.name for each in dataset_of(tmp_path / f"{name}.parquet").features] == ["x"]
    grouped = dataset_of(tmp_path / "named.parquet", groups="patient")
    assert grouped.groups.tolist() == [0, 0, 1, 1]
    assert len(grouped.features) == 1
    wanted = dataset_of(tmp_path / "named.parquet", nominal=["patient"])
    assert [each.name for each in wanted.features] == ["x", "patient"]
    assert len(dataset_of(tmp_path / "named.parquet", drop=["patient"]).features) == 1


def test_a_question_mark_in_a_csv_is_a_missing_value(tmp_path):
    (tmp_path / "d.csv").write_text("x,k,class\n1,?,a\n?,u,b\n3,v,a\n")
    x, k = dataset_of(tmp_path / "d.csv").features
    assert np.isnan(x.values).tolist() == [False, True, False]
    assert np.isnan(k.values).tolist() == [True, False, False]
    assert k.categories == ("u", "v")


def test_stratified_folds_of_groups_are_refused(tmp_path):
    data = {"data": (X, Y > 1), "groups": np.arange(60) // 6}
    with pytest.raises(InputError, match="groups"):
        collected(tmp_path, "nmc", data=data, folds="2x2-stratified")
