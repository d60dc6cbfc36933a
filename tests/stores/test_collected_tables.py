"""Tables of collected results: what they keep, what they lose and say so, and counts against errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.stores.exchange.recovery import verify_store
from bestofk.stores.exchange.table_import import store_from_table
from collecting_plans import Coloured, collected, collected_beside_max, outcomes, plan_file, written
from makers import codes, command, read_only, three_lines

# Learner a has counts and an error that fits them, b its error alone.
PARTLY = """\
learner,dataset,replication,fold,tp,fn,fp,tn,error,fingerprint
a,d,1,1,5,1,1,5,0.1666667,#1
a,d,1,2,5,2,1,4,,#2
b,d,1,1,,,,,0.25,#1
b,d,1,2,,,,,0.20,#2
"""


def by_learner(scores: Any) -> dict[str, list[float]]:
    return {name: scores.values[place].ravel().tolist() for place, name in enumerate(scores.learners)}


def by_place(scores: Any) -> dict[tuple[str, str], list[float]]:
    return {
        (learner, dataset): scores.values[k, d].ravel().tolist()
        for k, learner in enumerate(scores.learners)
        for d, dataset in enumerate(scores.datasets)
    }


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of data sets with two classes and with more."""
    store = tmp_path_factory.mktemp("mixed") / "r.db"
    plan = bk.Plan(["max", "nmc", "nn"], ["breast-cancer", "iris", "wine"], folds="3-fold")
    bk.collect(plan, store, engine="serial", progress=False)
    return store


def test_a_table_of_two_classes_and_more_is_one_plan(mixed: Path, tmp_path: Path) -> None:
    table, back, again = tmp_path / "r.csv", tmp_path / "back.db", tmp_path / "again.csv"
    command("store", "export", mixed, table)
    assert "1 plan added" in command("store", "merge", back, table).stdout
    old, new = bk.read(mixed), bk.read(back)
    assert by_place(new) == by_place(old)
    assert bk.judge(new).best == bk.judge(old).best
    command("store", "export", back, again)
    assert sorted(again.read_text().splitlines()) == sorted(table.read_text().splitlines())


def without_classes(table: Path) -> Path:
    """The table as programs write it that know the counts of two classes only."""
    pd.read_csv(table, dtype=str).drop(columns=["classes", "confusion"]).to_csv(table, index=False)
    return table


@pytest.mark.parametrize("measure", ["error", "accuracy", "kappa", "mcc", "balanced_accuracy", "f1_macro"])
def test_a_table_of_any_classes_is_judged_like_its_store(mixed: Path, tmp_path: Path, measure: str) -> None:
    table, back = tmp_path / "r.csv", tmp_path / "back.db"
    command("store", "export", mixed, table)
    command("store", "merge", back, table)
    expected = by_place(bk.read(mixed, measure=measure))
    assert by_place(bk.read(table, measure=measure)) == expected
    assert by_place(bk.read(back, measure=measure)) == expected


@pytest.mark.parametrize("dataset", ["breast-cancer", "wine"])
@pytest.mark.parametrize("on", ["recalls", "kappa,mcc"])
def test_classes_of_a_table_are_those_of_its_store(mixed: Path, tmp_path: Path, on: str, dataset: str) -> None:
    table, back = tmp_path / "r.csv", tmp_path / "back.db"
    command("store", "export", mixed, table)
    command("store", "merge", back, table)
    asked = {"on": on, "dataset": dataset, "undefined": 0}
    expected = bk.read(mixed, **asked)
    for source in (table, back):
        found = bk.read(source, **asked)
        assert found.classes == expected.classes
        places = [found.learners.index(name) for name in expected.learners]
        for name, values in {expected.measure: expected.values, **expected.others}.items():
            mine = found.values if name == found.measure else found.others[name]
            assert np.array_equal(mine[places], values)


def test_a_class_of_a_table_is_positive_by_its_name(mixed: Path, tmp_path: Path) -> None:
    table = tmp_path / "r.csv"
    command("store", "export", mixed, table)
    asked = {"on": "tpr,fpr", "dataset": "wine", "positive": "class_1"}
    told, expected = bk.read(table, **asked), bk.read(mixed, **asked)
    assert by_learner(told) == by_learner(expected)
    assert told.positive == "class_1"
    with pytest.raises(InputError, match="different classes"):
        bk.read(table, on="tpr,fpr", positive="class_1")
    with pytest.raises(InputError, match="probabilities"):
        bk.read(table, on="roc", dataset="wine")


def test_data_sets_without_counts_have_no_rare_class(mixed: Path, tmp_path: Path) -> None:
    """Counts of two classes are empty for data sets of three, which says nothing about how rare a class is."""
    table = tmp_path / "r.csv"
    command("store", "export", mixed, table)
    assert "K125" not in codes(bk.judge(mixed))
    assert "K125" not in codes(bk.judge(table))
    assert "K125" not in codes(bk.judge(without_classes(table)))


def test_counts_that_do_not_fit_their_classes_are_refused_with_their_line(tmp_path: Path) -> None:
    rows = ["learner,fold,error,classes,confusion"]
    rows += [f'{name},{fold},0.5,"[""x"", ""y""]",1 1/1 1' for fold in (1, 2) for name in "ab"]
    assert bk.read(written(tmp_path, "\n".join(rows)), on="recalls").classes == ("x", "y")
    for wrong in ("1 1/1", "1 1 0/1 1 0/0 0 0", "many"):
        faulty = written(tmp_path, "\n".join([*rows[:-1], rows[-1].replace("1 1/1 1", wrong)]))
        with pytest.raises(InputError, match=re.escape(repr(wrong))) as told:
            bk.read(faulty)
        assert "line 5, column confusion" in told.value.where


def test_measures_of_counts_are_refused_where_some_data_sets_have_none(mixed: Path, tmp_path: Path) -> None:
    table, back = tmp_path / "r.csv", tmp_path / "back.db"
    command("store", "export", mixed, table)
    command("store", "merge", back, without_classes(table))
    with pytest.raises(InputError, match=r"kappa is made of counts, and the results of \w+ on (iris|wine)") as told:
        bk.read(back, measure="kappa")
    assert told.value.fix == "choose among: error."
    for words in (["--on", "tpr,fpr"], ["--on", "error,kappa"]):
        answer = command("judge", back, *words)
        assert (answer.exit_code, len(answer.stderr.splitlines())) == (2, 3), answer.stderr


def test_a_data_set_that_failed_as_a_whole_does_not_make_a_second_plan(mixed: Path, tmp_path: Path) -> None:
    table, back = tmp_path / "r.csv", tmp_path / "back.db"
    command("store", "export", mixed, table)
    frame = pd.read_csv(table)
    frame = frame[frame["dataset"] != "wine"]
    frame.loc[frame["dataset"] == "iris", ["error", "confusion"]] = np.nan
    frame.to_csv(table, index=False)
    assert "1 plan added" in command("store", "merge", back, table).stdout
    scores = bk.read(back)
    assert np.isnan(scores.values[:, 1]).all()
    assert not np.isnan(scores.values[:, 0]).any()
    assert set(scores.failures.values()) == {"the table has no result for this fold"}  # type: ignore[attr-defined]


def test_an_error_without_counts_is_kept(tmp_path: Path) -> None:
    table, back = written(tmp_path, PARTLY), tmp_path / "t.db"
    assert "1 plan added" in command("store", "merge", back, table).stdout
    scores = bk.read(back)
    assert by_learner(scores) == {"a": [0.1666667, 0.25], "b": [0.25, 0.20]}
    assert scores.failures == {}  # type: ignore[attr-defined]
    command("store", "export", back, tmp_path / "again.csv")
    assert np.isnan(pd.read_csv(tmp_path / "again.csv").query("learner == 'b'")["tp"]).all()


def test_an_error_without_counts_within_one_cell_is_kept(tmp_path: Path) -> None:
    table = written(tmp_path, PARTLY.replace("a,d,1,2,5,2,1,4,,", "a,d,1,2,,,,,0.5,"))
    store = store_from_table(table)
    assert verify_store(store).sound
    assert [cell.scores["error"].tolist() for cell in store.read() if cell.key.learner == "a"] == [[[0.1666667, 0.5]]]
    command("store", "merge", tmp_path / "t.db", table)
    command("store", "export", tmp_path / "t.db", tmp_path / "again.csv")
    again = pd.read_csv(tmp_path / "again.csv").query("learner == 'a'")
    assert again["tp"].tolist()[0] == 5
    assert np.isnan(again["tp"].tolist()[1])


@pytest.mark.parametrize("table", ["plain", "complete"])
def test_an_error_that_contradicts_its_counts_is_refused(table: str, mixed: Path, tmp_path: Path) -> None:
    if table == "plain":
        file, told = written(tmp_path, PARTLY.replace("0.1666667", "0.40")), ("a on d is 0.4,", "give 0.1666666667.")
        place = "column error, replication 1, fold 1"
    else:
        file = tmp_path / "c.csv"
        command("store", "export", mixed, file, "--complete")
        frame = pd.read_csv(file, dtype={"fingerprint": str})
        row = frame.index[(frame["learner"] == "nn") & (frame["dataset"] == "breast-cancer") & (frame["fold"] == 2)][0]
        told = ("nn on breast-cancer is 0.75,", f"give {frame.loc[row, 'error']:.10g}.")
        frame.loc[row, "error"], place = 0.75, "column error, replication 1, fold 2"
        frame.to_csv(file, index=False)
    answer = command("store", "merge", tmp_path / "t.db", file)
    assert (answer.exit_code, len(answer.stderr.splitlines())) == (2, 3)
    for words in (*told, place):
        assert words in answer.stderr
    assert not (tmp_path / "t.db").exists()


def test_rounding_is_no_contradiction(tmp_path: Path) -> None:
    for text, fits in (("0.1666667", True), ("0.16667", False)):
        table = written(tmp_path, PARTLY.replace("0.1666667", text))
        assert (command("store", "merge", tmp_path / f"{fits}.db", table).exit_code == 0) == fits


def test_only_a_plain_table_is_called_one(mixed: Path, tmp_path: Path) -> None:
    plain, whole, store = tmp_path / "r.csv", tmp_path / "c.csv", tmp_path / "m.db"
    command("store", "export", mixed, plain)
    assert "r.csv is a plain" in command("store", "merge", store, plain).stderr
    command("store", "export", store, whole, "--complete")
    for number, source in enumerate((store, whole)):
        merged = command("store", "merge", tmp_path / f"{number}.db", source)
        assert "9 cells with 27" in merged.stdout
        assert merged.stderr == ""
    told = json.loads(command("store", "merge", tmp_path / "j.db", whole, "--json").stdout)
    assert told[str(whole)]["imported"] is False


def test_measures_are_offered_that_the_task_allows(tmp_path):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(30, 2))
    collected(tmp_path, "3-fold", (X, X[:, 0] + 0.25), ["mean", "ridge"], measures=["mse"])
    answer = command("judge", tmp_path / "r.db", "--measure", "error")
    assert answer.exit_code == 2
    assert "error is for classification, and" in answer.stderr
    assert "to do: choose a measure for the data: mse" in answer.stderr
    assert "add measures" in command("judge", tmp_path / "r.db", "--measure", "mae").stderr


def test_only_a_table_that_loses_the_preference_says_so(tmp_path):
    collected(tmp_path, "3-fold", prior=["nmc", "max"])
    lost = "no place for the plan's preference"
    assert lost in command("store", "export", tmp_path / "r.db", tmp_path / "a.csv").stderr
    assert lost not in command("store", "export", tmp_path / "r.db", tmp_path / "b.csv", "--complete").stderr


@pytest.mark.parametrize(("folds", "said"), [("forward-4", True), ("bootstrap-3", True), ("3-fold", False)])
def test_a_table_that_loses_how_rows_were_divided_says_so(tmp_path, folds, said):
    collected(tmp_path, folds)
    told = command("store", "export", tmp_path / "r.db", tmp_path / "a.csv").stderr
    assert (f"{folds} divides rows; judge" in told) is said


def losses_by_learner(evidence):
    """Losses of a table's folds, by learner: a table has an order of its own."""
    return {name: values.ravel().tolist() for name, values in zip(evidence.learners, evidence.values, strict=True)}


@pytest.mark.parametrize("dataset", ["breast-cancer", "iris"])
def test_a_table_has_the_error_whatever_the_classes(tmp_path, dataset):
    store = tmp_path / "r.db"
    command("collect", plan_file(tmp_path, datasets=dataset), "--into", store, "--engine", "serial")
    table, back = tmp_path / "r.csv", tmp_path / "back.db"
    command("store", "export", store, table)
    frame = pd.read_csv(table)
    assert ("tp" in frame) == (dataset == "breast-cancer")
    want = losses_by_learner(bk.read(store))
    assert {name: list(rows["error"]) for name, rows in frame.groupby("learner")} == want
    assert losses_by_learner(bk.read(table)) == losses_by_learner(bk.read(table, measure="error")) == want
    merged = command("store", "merge", back, table)
    assert "is a plain table" in merged.stderr
    assert "--complete" in merged.stderr
    assert losses_by_learner(bk.read(back)) == want
    whole = tmp_path / "whole.csv"
    command("store", "export", store, whole, "--complete")
    again = command("store", "merge", store, whole)
    assert "0 cells with 0 folds added, 2 replications known already, 0 plans added" in again.stdout
    assert "plain table" not in again.stderr


def test_a_table_that_cannot_be_written_is_told_in_three_lines(tmp_path, monkeypatch):
    store = collected_beside_max(tmp_path, "nmc", folds="2x2")
    (tmp_path / "file").write_text("")
    told = three_lines(command("store", "export", store, tmp_path / "file" / "o.csv"))
    assert "written: Not a directory." in told[0]
    monkeypatch.chdir(tmp_path)
    for folder in (".", "..", tmp_path):
        assert three_lines(command("store", "export", store, folder))[0] == f"{folder} is a folder."
    told = three_lines(command("store", "export", store, f"{'o' * 300}.csv"))
    assert told[0] == "the table cannot be written: File name too long."
    monkeypatch.setattr(Path, "unlink", read_only)
    monkeypatch.setattr("bestofk.tables.writing.open", read_only, raising=False)
    told = three_lines(command("store", "export", store, "o.csv"))
    assert "written: Read-only file system." in told[0]


def test_colours_in_an_older_store_are_left_out_of_a_plain_table(tmp_path, monkeypatch):
    monkeypatch.setattr("bestofk.collecting.cell.failures.without_escapes", str)
    store = collected_beside_max(tmp_path, Coloured(), folds="2x2")
    assert any("\x1b" in reason for reason in outcomes(store)[1])
    for name, escapes in (("plain.csv", False), ("whole.csv", True)):
        assert command("store", "export", store, tmp_path / name, *["--complete"] * escapes).exit_code == 0
        assert ("\x1b" in (tmp_path / name).read_text()) is escapes
