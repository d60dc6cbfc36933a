"""What a second first-time user ran into: changed code, killed workers, plans beside plans, prints in the answer."""

import importlib
import itertools
import json
import signal
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.collecting import collect_plan
from bestofk.collecting.cell.interrupts import Interrupts, from_outside
from bestofk.core.errors import InputError
from bestofk.design.learners import learner_of
from bestofk.design.learners.own_code import is_own, own_modules
from bestofk.stores.address import open_store
from bestofk.stores.memory import MemoryStore
from bestofk.stores.plans import drop_plan, plan_statuses
from bestofk.stores.store import PlanRecord
from collecting_toys import python_listening

NUMBERS = itertools.count()

BASE = """
from sklearn.base import BaseEstimator, ClassifierMixin
class Base(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = [0, 1]
        return self
"""
MINE = """
from {p}.base import Base
from . import far
import {p}_lone
LIMIT = 3
def near(X):
    return X[:, 0] > LIMIT
class Mine(Base):
    def predict(self, X):
        from .lazy import late
        return near(X) * far.away(X) * {p}_lone.one + late()
"""
FAR = "from .deep import deeper\ndef away(X):\n    return deeper(X)\n"
DEEP = "import os, json, sklearn.tree\ndef deeper(X):\n    return X[:, 1]\n"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of the user's own whose learner uses other modules of it in every way."""
    name = f"own{next(NUMBERS)}"
    folder = tmp_path / name
    folder.mkdir()
    texts = {"__init__": "", "base": BASE, "mine": MINE.format(p=name), "far": FAR, "deep": DEEP, "unused": "A = 1\n"}
    texts["lazy"] = "def late():\n    return 0\n"
    for module, text in texts.items():
        (folder / f"{module}.py").write_text(text)
    (tmp_path / f"{name}_lone.py").write_text("one = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for module in [each for each in sys.modules if each.startswith(name)]:
        del sys.modules[module]


def fingerprint(folder):
    return learner_of(importlib.import_module(f"{folder.name}.mine").Mine()).fingerprint


def changed(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("base", "[0, 1]", "[0, 1, 2]"),  # a method of a base class in another module
        ("mine", "> LIMIT", "< LIMIT"),  # a function beside the class
        ("mine", "LIMIT = 3", "LIMIT = 4"),  # a constant beside the class
        ("far", "deeper(X)\n", "-deeper(X)\n"),  # a function of another module
        ("deep", "X[:, 1]", "X[:, 2]"),  # two modules away
        ("lazy", "return 0", "return 1"),  # imported when it runs
        ("__init__", "", "import warnings\n"),  # runs before all others
    ],
)
def test_changed_code_of_ones_own_is_another_learner(package, module, old, new):
    before = fingerprint(package)
    assert fingerprint(package) == before
    changed(package / f"{module}.py", old, new)
    assert fingerprint(package) != before


def test_a_module_beside_the_package_counts_and_one_that_nobody_imports_does_not(package):
    before = fingerprint(package)
    changed(package / "unused.py", "A = 1", "A = 2")
    assert fingerprint(package) == before
    changed(package.parent / f"{package.name}_lone.py", "one = 1", "one = 2")
    assert fingerprint(package) != before


def test_only_the_users_own_modules_are_followed(package):
    importlib.import_module(f"{package.name}.mine")
    found = own_modules(f"{package.name}.mine")
    inner = {f"{package.name}.{each}" for each in ("base", "mine", "far", "deep", "lazy")}
    assert set(found) == {package.name, f"{package.name}_lone", *inner}
    assert not any(map(is_own, ("sklearn.tree", "json", "sys", "numpy", "bestofk.design.plan", "not_there")))


def test_a_folder_that_pip_filled_is_not_the_users_own(package):
    name = f"{package.name}_lone"
    assert is_own(name)
    other = package.parent / "target"
    (other / "thing-1.0.dist-info").mkdir(parents=True)
    (other / "thing-1.0.dist-info" / "INSTALLER").write_text("pip\n")
    (other / "thing.py").write_text("A = 1\n")
    sys.path.insert(0, str(other))
    try:
        assert not is_own("thing")
    finally:
        sys.path.remove(str(other))


def test_where_the_files_are_does_not_count(package, tmp_path, monkeypatch):
    """The same texts in another folder, with the line ends of another system, are the same learner."""
    before = own_modules(f"{package.name}.mine")
    elsewhere = tmp_path / "elsewhere" / package.name
    elsewhere.mkdir(parents=True)
    for file in package.glob("*.py"):
        (elsewhere / file.name).write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    monkeypatch.syspath_prepend(str(elsewhere.parent))
    assert own_modules(f"{package.name}.mine") == before


SCRIPT = """
import sys
from sklearn.base import BaseEstimator, ClassifierMixin
from bestofk.design.learners import learner_of
import beside_script
from beside_script import other
LIMITS = {"low": 3, "high": [4, 5]}
def inner(X):
    return X > LIMITS["low"]
def near(X):
    return inner(X)
class Base(ClassifierMixin, BaseEstimator):
    rate = 7
    @property
    def level(self):
        return 8
    @staticmethod
    def plus(X):
        return X + 9
    def predict(self, X):
        return near(X) + other(X)
class Mine(Base):
    def fit(self, X, y):
        return self
unrelated = X = 1
found = learner_of(Mine()).fingerprint
"""


def learnt_by(folder, how, monkeypatch):
    """The fingerprint of the script's learner, run from its file or typed, in a __main__ of its own."""
    main = ModuleType("__main__")
    if how == "script":
        main.__file__ = str(folder / "script.py")
    monkeypatch.setitem(sys.modules, "__main__", main)
    exec(compile((folder / "script.py").read_text(), getattr(main, "__file__", "<stdin>"), "exec"), vars(main))
    return main.found


@pytest.mark.parametrize("how", ["script", "typed"])
def test_a_scripts_own_code_counts_as_far_as_names_reach(tmp_path, monkeypatch, how):
    """In a file and, as far as compiled code tells, at a prompt that keeps no text."""
    script, beside = tmp_path / "script.py", tmp_path / "beside_script.py"
    script.write_text(SCRIPT)
    beside.write_text("def other(X):\n    return 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = learnt_by(tmp_path, how, monkeypatch)
    changed(script, "unrelated = X = 1", "unrelated = X = 2")
    assert learnt_by(tmp_path, how, monkeypatch) == before
    seen = {before}
    for file, old, new in (
        (script, "[4, 5]", "[4, 6]"),
        (script, "return X > LIMITS", "return X < LIMITS"),
        (script, "near(X) + other", "near(X) - other"),
        (script, "rate = 7", "rate = 6"),
        (script, "return 8", "return 6"),
        (script, "X + 9", "X + 6"),
        (beside, "return 0", "return 1"),
    ):
        changed(file, old, new)
        now = learnt_by(tmp_path, how, monkeypatch)
        assert now not in seen
        seen.add(now)
    del sys.modules["beside_script"]


# ---- engines ----


class Cluster:
    """A client of Dask whose workers die so many times while they are told the setting."""

    def __init__(self, deaths):
        self.deaths, self.told = deaths, 0

    def register_plugin(self, plugin, name):
        self.told += 1
        if self.told <= self.deaths:
            raise OSError("in <closed TCP>: Stream is closed")  # what CommClosedError is


def test_workers_of_dask_that_die_while_the_run_begins_are_told_again(monkeypatch):
    from bestofk.collecting.engines import dask

    monkeypatch.setattr(dask, "PAUSES", (0.0, 0.0, 0.0))
    cluster = Cluster(2)
    dask._tell_workers(cluster, None, "run", "tcp://here")
    assert cluster.told == 3
    with pytest.raises(InputError, match=r"tcp://here went away 3 times while the run began \(OSError: in"):
        dask._tell_workers(Cluster(9), None, "run", "tcp://here")


def test_a_closed_connection_is_among_the_errors_that_are_tried_again():
    distributed = pytest.importorskip("distributed")
    assert issubclass(distributed.comm.CommClosedError, OSError)


def test_no_scheduler_leaves_no_store(tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    from bestofk.collecting.engines import dask

    monkeypatch.setattr(dask, "WAIT", 0.2)
    answer = command("collect", plan_file(tmp_path), "--into", tmp_path / "r.db", "--engine", "tcp://127.0.0.1:9")
    assert answer.exit_code == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in answer.stderr
    assert not (tmp_path / "r.db").exists()


LEARNERS = """
import os
import numpy as np
from sklearn.naive_bayes import GaussianNB
class Talks(GaussianNB):
    def fit(self, X, y):
        print("fitting aloud", flush=True)
        os.write(1, b"from below\\n")  # as compiled libraries do
        return super().fit(X, y)
class Breaks(GaussianNB):
    def fit(self, X, y):
        raise KeyboardInterrupt
class Nans(GaussianNB):
    def predict(self, X):
        return np.full(len(X), np.nan)
class Fails(GaussianNB):
    def fit(self, X, y):
        raise ValueError("broken")
"""


@pytest.fixture
def learners(tmp_path):
    """A module of learners beside the plan."""
    name = f"learners{next(NUMBERS)}"
    (tmp_path / f"{name}.py").write_text(LEARNERS)
    before = list(sys.path)
    yield name
    sys.path[:] = before
    sys.modules.pop(name, None)


def command(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def plan_file(tmp_path, *lines, folds="3-fold", datasets="iris", name="plan.toml"):
    text = [f'folds = "{folds}"', f'datasets = ["{datasets}"]', "[learners]", "max = {}", "nmc = {}", *lines]
    (tmp_path / name).write_text("\n".join(text))
    return tmp_path / name


@pytest.mark.parametrize("engine", ["serial", "local:1"])
def test_what_learners_print_does_not_spoil_the_answer(tmp_path, learners, engine, capfd):
    file = plan_file(tmp_path, f'loud = {{ factory = "{learners}:Talks" }}')
    given = ["collect", str(file), "--into", str(tmp_path / "r.db"), "--engine", engine, "--allow-code", "--json"]
    with pytest.raises(SystemExit):
        main(given)
    said, heard = capfd.readouterr()
    assert json.loads(said)["folds"] == 9
    assert heard.count("fitting aloud") == heard.count("from below") == 3


@pytest.mark.parametrize("engine", ["serial", "local:1"])
def test_a_learner_that_raises_keyboard_interrupt_is_a_failed_fold(tmp_path, learners, engine):
    file = plan_file(tmp_path, f'breaks = {{ factory = "{learners}:Breaks" }}')
    answer = command("collect", file, "--into", tmp_path / "r.db", "--engine", engine, "--allow-code")
    assert answer.exit_code == 1
    assert "breaks: 3 failed folds on iris: KeyboardInterrupt" in answer.stdout
    assert "6 folds done, 3 failed, 0 missing" in command("store", "info", tmp_path / "r.db").stdout


def test_a_signal_is_told_from_what_a_learner_raises():
    interrupts = Interrupts()
    with python_listening():
        assert from_outside(KeyboardInterrupt())
    with interrupts.heard():
        assert not from_outside(KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt) as raised:
            signal.raise_signal(signal.SIGINT)
        assert from_outside(raised.value)
    assert not from_outside(ValueError())


def test_predictions_that_are_no_numbers_are_named_once(tmp_path, learners):
    file = plan_file(tmp_path, f'nans = {{ factory = "{learners}:Nans" }}')
    answer = command("collect", file, "--into", tmp_path / "r.db", "--engine", "serial", "--allow-code")
    assert "never seen in the data: nan; learners" in answer.stdout


# ---- plans beside plans ----


def two_plans(tmp_path, learners):
    """A store with the plan of a broken learner and that of the mended one."""
    file = plan_file(tmp_path, f'own = {{ factory = "{learners}:Fails" }}')
    given = ("collect", file, "--into", tmp_path / "r.db", "--engine", "serial", "--allow-code")
    first = command(*given)
    changed(tmp_path / f"{learners}.py", 'raise ValueError("broken")', "return super().fit(X, y)")
    del sys.modules[learners]
    second = command(*given)
    assert (first.exit_code, second.exit_code) == (1, 0)
    assert "Mended code counts as another learner and a new plan" in first.stderr
    return tmp_path / "r.db"


def test_judge_says_which_plan_is_whole_and_drop_takes_the_other_out(tmp_path, learners):
    file = two_plans(tmp_path, learners)
    with closing(open_store(file)) as store:
        broken, mended = sorted(plan_statuses(store), key=lambda plan: plan.done)
        (nmc,) = {each.key.series for each in store.finished() if each.key.learner == "nmc"}
    asked = command("judge", file)
    assert asked.exit_code == 2
    assert f"{broken.fingerprint[:12]} of {broken.created} (6 folds done, 3 failed" in asked.stderr
    assert f"{mended.fingerprint[:12]} of {mended.created} (9 folds done, whole" in asked.stderr
    assert "bestofk store drop" in asked.stderr
    dropped = command("store", "drop", file, "--plan", broken.fingerprint[:12], "--json")
    gone = {"cells": 1, "replications": 1, "kept": 2}  # nmc and max on iris serve the other plan
    assert json.loads(dropped.stdout) == {"fingerprint": broken.fingerprint, "created": broken.created} | gone
    with closing(open_store(file)) as store:
        assert [plan.fingerprint for plan in store.plans()] == [mended.fingerprint]
        assert len(store.finished()) == 3
        assert store.finished([nmc])
    assert command("judge", file).exit_code in (0, 1)
    said = command("store", "drop", file, "--plan", mended.fingerprint).stdout
    assert said.startswith(f"dropped plan {mended.fingerprint[:12]} of ")
    assert said.endswith("and 3 cells with 3 replications\n")


def test_a_plan_is_not_dropped_beside_one_that_cannot_be_read(tmp_path):
    store = MemoryStore()
    plan = bk.Plan(["max", "nmc"], ["iris"], folds="3-fold")
    collect_plan(plan, store, engine="serial", progress=False)
    store.record_plan(PlanRecord("f" * 64, "{}", "2026-01-01"))
    with pytest.raises(InputError, match="nobody knows which cells it uses"):
        drop_plan(store, plan.fingerprint)
    with pytest.raises(InputError, match="no plan is named"):
        drop_plan(store, "")
    assert (len(store.plans()), len(store.finished())) == (2, 2)


def test_halves_that_were_merged_are_whole_once_their_common_plan_was_collected(tmp_path):
    wanted = [plan_file(tmp_path, "nn = {}", datasets='iris", "wine')]
    wanted += [plan_file(tmp_path, "nn = {}", datasets=each, name=f"{each}.toml") for each in ("iris", "wine")]
    for half in wanted[1:]:
        command("collect", half, "--into", f"{half}.db", "--engine", "serial")
    both = tmp_path / "both.db"
    command("store", "merge", both, f"{wanted[1]}.db", f"{wanted[2]}.db")
    answer = command("collect", wanted[0], "--into", both, "--engine", "serial", "--json")
    assert (json.loads(answer.stdout)["folds"], json.loads(answer.stdout)["resumed"]) == (0, 18)
    asked = command("judge", both)
    assert asked.stderr.count("9 folds done, whole") == 2
    assert asked.stderr.count("18 folds done, whole") == 1


def test_a_changed_plan_under_a_lock_is_not_ready_to_run(tmp_path):
    file = plan_file(tmp_path)
    assert command("plan", "lock", file).exit_code == 0
    assert json.loads(command("plan", "check", file, "--json").stdout)["locked"]
    plan_file(tmp_path, "lda = {}")
    answer = command("plan", "check", file)
    assert answer.exit_code == 2
    assert "the plan was locked at" in answer.stderr


# ---- stores and tables ----


def test_a_damaged_file_is_not_sound(tmp_path):
    file = tmp_path / "r.db"
    command("collect", plan_file(tmp_path), "--into", file, "--engine", "serial")
    whole = file.read_bytes()
    assert len(whole) > 4096
    file.write_bytes(whole[: len(whole) // 2])
    for more in ("-wal", "-shm"):
        Path(f"{file}{more}").unlink(missing_ok=True)
    answer = command("store", "verify", file)
    assert answer.exit_code == 1
    assert "damaged" in answer.stdout
    assert json.loads(command("store", "verify", file, "--json").stdout)["sound"] is False
    assert command("store", "verify", tmp_path / "none.db").exit_code == 2


def by_learner(evidence):
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
    want = by_learner(bk.read(store))
    assert {name: list(rows["error"]) for name, rows in frame.groupby("learner")} == want
    assert by_learner(bk.read(table)) == by_learner(bk.read(table, measure="error")) == want
    merged = command("store", "merge", back, table)
    assert "is a plain table" in merged.stderr
    assert "--complete" in merged.stderr
    assert by_learner(bk.read(back)) == want
    whole = tmp_path / "whole.csv"
    command("store", "export", store, whole, "--complete")
    again = command("store", "merge", store, whole)
    assert "0 cells with 0 folds added, 2 replications known already, 0 plans added" in again.stdout
    assert "plain table" not in again.stderr


# ---- words ----


def test_words_of_plans_that_are_refused(tmp_path):
    assert "folds holdout-30x3" in command("plan", "check", plan_file(tmp_path, folds="holdout-30x3")).stderr
    file = plan_file(tmp_path, "knnn = {}")
    assert f"where: {file}, learners.knnn\n" in command("plan", "check", file).stderr
    file = plan_file(tmp_path, "knn = { params = { neighbours = 3 } }")
    assert f"where: {file}, learners.knn" in command("plan", "check", file).stderr
    file = plan_file(tmp_path, datasets="iriss")
    assert f"where: {file}, datasets.iriss\n" in command("plan", "check", file).stderr
    with pytest.raises(InputError, match="is missing in 1 row, the first at row 2"):
        bk.Plan(["max", "nmc"], {"gap": (np.zeros((3, 1)), np.array([0.0, np.nan, 1.0]))})


def test_a_single_row_to_test_on_is_noted(tmp_path):
    answer = command("plan", "check", plan_file(tmp_path, folds="holdout-0.001x3"))
    assert answer.exit_code == 0
    assert "note: holdout-0.001x3 tests on a single row of iris" in answer.stderr
    assert "note:" not in command("plan", "check", plan_file(tmp_path)).stderr


def test_a_report_is_told_in_a_whole_sentence(tmp_path):
    store, page = tmp_path / "r.db", tmp_path / "r.md"
    command("collect", plan_file(tmp_path), "--into", store, "--engine", "serial")
    said = command("report", store, "-o", page).stdout
    assert said.endswith(f"; the report is in {page}\n")
