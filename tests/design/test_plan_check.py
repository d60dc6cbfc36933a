"""What ``plan check`` and a plan in Python refuse or note, and locks."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.design.datasets import dataset_of
from collecting_plans import noisy, plan_file, plan_of, written
from makers import command, three_lines


@pytest.mark.parametrize(("ordered", "said"), [("false", True), ("true", False)])
def test_check_says_that_forward_folds_take_the_order_of_rows_for_time(tmp_path, ordered, said):
    X, y = noisy()
    pd.DataFrame(X, columns=list("abc")).assign(y=y).to_csv(tmp_path / "mine.csv", index=False)
    file = tmp_path / "plan.toml"
    entry = f"m = {{ file = 'mine.csv', ordered = {ordered} }}"
    file.write_text(f"folds = 'forward-4'\nlearners = ['max', 'nmc']\n[datasets]\n{entry}\n")
    answer = command("plan", "check", file)
    assert answer.exit_code == 0
    assert ("forward-4 takes the order" in answer.stderr) is said
    assert len(json.loads(command("plan", "check", file, "--json").stdout)["notes"]) == said


@pytest.mark.parametrize(
    ("folds", "wrong", "fix"),
    [
        (10, "unknown folds 10.", "did you mean '10-fold'?"),
        ([(np.arange(500), np.arange(500))], "unknown folds [(array([", "split and get_n_splits"),
        (None, "unknown folds None.", "5x2"),
    ],
)
def test_folds_that_are_none_are_shown_in_short(folds, wrong, fix):
    with pytest.raises(InputError) as raised:
        bk.Plan(["max", "nmc"], ["iris"], folds=folds)
    assert raised.value.wrong.startswith(wrong)
    assert len(raised.value.wrong) < 70
    assert fix in raised.value.fix


@pytest.mark.parametrize("spoil", [lambda y: np.arange(40.0) // 1, lambda y: np.full(40, 1.5)])
def test_a_target_without_a_name_is_not_called_class(spoil):
    X, y = noisy()
    with pytest.raises(InputError, match=r"^y (holds|is)"):
        bk.Plan(["mean", "ridge"], {"mine": (X, spoil(y))})


def test_numbers_are_not_called_a_class():
    X, _ = noisy()
    with pytest.raises(InputError) as raised:
        bk.Plan(["max", "nmc"], {"mine": (X, X[:, 0])})
    assert "target class" not in str(raised.value)


def test_a_changed_plan_under_a_lock_is_not_ready_to_run(tmp_path):
    file = plan_file(tmp_path)
    assert command("plan", "lock", file).exit_code == 0
    assert json.loads(command("plan", "check", file, "--json").stdout)["locked"]
    plan_file(tmp_path, "lda = {}")
    answer = command("plan", "check", file)
    assert answer.exit_code == 2
    assert "plan was locked" in answer.stderr


def test_words_of_plans_that_are_refused(tmp_path):
    assert "folds holdout-30x3" in command("plan", "check", plan_file(tmp_path, folds="holdout-30x3")).stderr
    file = plan_file(tmp_path, "knnn = {}")
    assert f"where: {file}, learners.knnn\n" in command("plan", "check", file).stderr
    file = plan_file(tmp_path, "knn = { params = { neighbours = 3 } }")
    assert f"where: {file}, learners.knn" in command("plan", "check", file).stderr
    file = plan_file(tmp_path, datasets="iriss")
    assert f"where: {file}, datasets.iriss\n" in command("plan", "check", file).stderr
    with pytest.raises(InputError, match=r"missing.*row 2"):
        bk.Plan(["max", "nmc"], {"gap": (np.zeros((3, 1)), np.array([0.0, np.nan, 1.0]))})


@pytest.mark.parametrize(
    ("key", "value", "fix"),
    [
        ("measures", "{ auc = 1 }", "a list of names"),
        ("measures", '"auc"', "a list of names"),
        ("prior", "{ max = 1, nmc = 2 }", "a list of learners"),
        ("prior", "3", "complexity"),
        ("seed", "true", "a whole number"),
        ("seed", "-1", "a whole number"),
        ("folds", "10", "text"),
        ("folds", '"5y2"', "5x2"),
        ("keep_predictions", "1", "true or false"),
    ],
)
def test_a_wrong_setting_is_refused_in_the_words_of_toml_before_data_are_opened(tmp_path, monkeypatch, key, value, fix):
    monkeypatch.setattr("bestofk.design.plan.file.dataset_of_entry", lambda *given, **more: pytest.fail("opened"))
    (tmp_path / "p.toml").write_text(f'learners = ["max", "nmc"]\ndatasets = ["iris"]\n{key} = {value}\n')
    wrong, where, todo = three_lines(command("plan", "check", tmp_path / "p.toml"))
    assert key in wrong
    assert str(tmp_path / "p.toml") in where
    assert "argument" not in where
    assert fix in todo
    assert "True" not in todo


def test_a_table_is_no_list_of_names():
    for wrong in ({"measures": {"auc": 1}}, {"prior": {"max": 1, "nmc": 2}}):
        with pytest.raises(InputError):
            bk.Plan(["max", "nmc"], ["iris"], **wrong)


def test_a_single_row_to_test_on_is_noted(tmp_path):
    answer = command("plan", "check", plan_file(tmp_path, folds="holdout-0.001x3"))
    assert answer.exit_code == 0
    assert "note: holdout-0.001x3 tests on a single row of iris" in answer.stderr
    assert "note:" not in command("plan", "check", plan_file(tmp_path)).stderr


def test_the_target_as_groups_is_refused(tmp_path):
    frame = pd.DataFrame({"a": range(6), "class": list("ababab")})
    frame.to_csv(tmp_path / "d.csv", index=False)
    (tmp_path / "p.toml").write_text(
        'seed = 1\nfolds = "2x2"\nlearners = ["max"]\n[datasets]\na = { file = "d.csv", groups = "class" }\n'
    )
    first, where, fix = three_lines(command("plan", "check", tmp_path / "p.toml"))
    assert "target class" in first
    assert "data set a" in where
    assert "another column as groups" in fix
    for source in (frame, (frame[["a"]], frame["class"])):
        with pytest.raises(InputError, match="column of groups"):
            dataset_of(source, name="d", target="class", groups="class")


def test_a_lock_on_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    (tmp_path / "p.toml").write_text('seed = 1\nfolds = "2x2"\nlearners = ["max", "nmc"]\ndatasets = ["iris"]\n')
    whole = Path.write_text

    def full(path, text, **more):
        whole(path, "", **more)
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        told = three_lines(command("plan", "lock", tmp_path / "p.toml"))
    assert "lock cannot be written" in told[0]
    assert [each.name for each in tmp_path.iterdir()] == ["p.toml"]
    assert command("plan", "lock", tmp_path / "p.toml").exit_code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["p.toml", "p.toml.lock"]


@pytest.mark.parametrize(
    ("lines", "first", "where", "fix"),
    [
        (
            'learners = { m = { learner = "lda" }, max = {}, d = "tree" }\ndatasets = ["iris"]',
            "d is 'tree'.",
            "learners.d",
            '"d" = { learner = ',
        ),
        (
            'learners = ["max"]\ndatasets = { "a b" = "x.csv" }',
            "a b is 'x.csv'.",
            "datasets.a b",
            "{ dataset = ",
        ),
        ('learners = { nmc = 3 }\ndatasets = ["iris"]', "nmc is 3.", "learners.nmc", '"nmc" = { learner = '),
    ],
)
def test_one_wrong_entry_of_a_table_is_named(tmp_path, lines, first, where, fix):
    (tmp_path / "p.toml").write_text(f'seed = 1\nfolds = "2x2"\n{lines}\n')
    told = three_lines(command("plan", "check", tmp_path / "p.toml"))
    assert told[0] == first
    assert told[1].endswith(where)
    assert fix in told[2]


def test_a_single_row_of_numbers_has_any_error(tmp_path: Path) -> None:
    rows = "\n".join(f"{number},{number % 7},{1.5 * number + number % 3}" for number in range(30))
    written(tmp_path, f"a,b,y\n{rows}\n", "reg.csv")
    numbers = f'\n[datasets]\nreg = {{ file = "{tmp_path}/reg.csv", target = "y" }}'
    plan = plan_of(tmp_path, "mean = {}", "ridge = {}", folds="30-fold", datasets=numbers)
    answer = command("plan", "check", plan)
    assert answer.exit_code == 0, answer.stderr
    assert "0 or 1" not in answer.stderr
    assert "and r2 is undefined" in answer.stderr


def test_a_learner_that_prints_while_it_is_made_does_not_spoil_a_check(own_code: Any, tmp_path: Path) -> None:
    text = "from sklearn.naive_bayes import GaussianNB\nclass Loud(GaussianNB):\n    def __init__(self, priors=None):\n"
    name = own_code(text + "        print('hello')\n        super().__init__(priors=priors)\n")
    plan = plan_of(tmp_path, "max = {}", f'loud = {{ factory = "{name}:Loud" }}')
    answer = command("plan", "check", plan, "--allow-code", "--json")
    assert json.loads(answer.stdout)["notes"] == []
    assert "hello" in answer.stderr
