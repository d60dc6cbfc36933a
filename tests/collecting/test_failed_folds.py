"""Folds that failed: the user is told of them, with the reason and the command that runs them again."""

import signal
import warnings
from contextlib import closing

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import bestofk as bk
from bestofk.cli import main
from bestofk.cli.collect import _command
from bestofk.cli.printing import as_argument
from bestofk.collecting.cell.failures import reason_of
from bestofk.collecting.cell.interrupts import Interrupts, from_outside
from bestofk.collecting.run.report import FailedFolds, troubles_of
from bestofk.core.errors import InputError
from bestofk.stores.address import open_store
from collecting_plans import Coloured, Column, Failing, answers, collected, collected_beside_max, outcomes, plan_file
from collecting_toys import python_listening
from makers import command


def test_python_is_warned_of_failed_folds_and_the_evidence_tells_them(tmp_path):
    plan = bk.Plan({"right": Column(0), "bad": Failing(1, least=20)}, {"mine": answers()}, folds="forward-4")
    with pytest.warns(FailedFolds) as heard:
        evidence = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    assert len(heard) == 1
    said = str(heard[0].message)
    assert "2 of 8 folds" in said
    assert "ValueError: too few rows" in said
    assert f"bestofk store info {tmp_path / 'r.db'}" in said
    assert heard[0].filename == __file__
    assert "2 of 8 folds" in repr(evidence)
    assert len(evidence.failures) == 2


def test_python_hears_nothing_when_all_went_well(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evidence = collected(tmp_path, "3-fold")
    assert "failed" not in repr(evidence)


def test_all_folds_failing_is_told_too(tmp_path):
    with pytest.warns(FailedFolds, match="^6 of 6 folds"):
        evidence = collected(tmp_path, "3-fold", answers(), {"one": Failing(0), "two": Failing(1)})
    assert "6 of 6 folds" in repr(evidence)


def test_failed_points_of_learning_curves_keep_their_reason(tmp_path):
    learners = {"right": Column(0), "bad": Failing(1, least=6)}
    with pytest.warns(FailedFolds):
        evidence = collected(tmp_path, "learning-curve-3-fold-3", answers(), learners)
    gone = int(np.isnan(evidence.values[1]).sum())
    assert gone == len(evidence.failures) > 0
    assert f"{gone} of 18 folds" in repr(evidence)
    answer = command("judge", tmp_path / "r.db")
    assert answer.exit_code == 2
    assert "learner bad, run 1.1" in answer.stderr
    assert "failed: ValueError: too few" in answer.stderr
    assert "--retry-failed" in answer.stderr


def test_failed_points_of_curves_on_several_data_sets_keep_their_reason(tmp_path):
    X, y = answers()
    sets = {"one": (X, y), "two": (X[::-1], y[::-1])}
    plan = bk.Plan({"right": Column(0), "bad": Failing(1, least=6)}, sets, folds="learning-curve-3-fold-3")
    with pytest.warns(FailedFolds):
        evidence = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    missing = evidence.missing()
    assert missing
    assert all("failed: ValueError: too few" in each for each in missing)


def test_one_of_a_kind_is_not_many(tmp_path):
    with pytest.raises(InputError, match="plan has 0 learners"):
        bk.Plan([], ["iris"])
    with pytest.raises(InputError, match="plan has 1 learner\\."):
        bk.Plan(["max"], ["iris"])
    with pytest.raises(InputError, match="asks for 1 fold\\."):
        bk.Plan(["max", "nmc"], ["iris"], folds="1-fold")
    plan = bk.Plan({"right": Column(0), "bad": Failing(1)}, {"mine": answers()}, folds="holdout-0.5")
    store = tmp_path / "r.db"
    with pytest.warns(FailedFolds, match=r"1 of 2.*bad: 1 failed fold"):
        bk.collect(plan, store, engine="serial", progress=False)
    told = command("store", "info", store).stdout
    assert "done, 1 failed" in told
    assert "1 replication, 0 failed" in told
    assert "no plan begins with 'zzz'" in command("judge", store, "--plan", "zzz").stderr


def test_commands_to_go_on_have_the_arguments_of_whoever_called(tmp_path, capsys, monkeypatch):
    """Called with arguments of its own, the program's have nothing to do with it."""
    monkeypatch.setattr("sys.argv", ["pytest", "--its-own"])
    (tmp_path / "failing_here.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\n"
        "class Faulty(GaussianNB):\n    def fit(self, X, y):\n        raise ValueError('no use')\n"
    )
    file, store = tmp_path / "plan.toml", tmp_path / "r.db"
    file.write_text("datasets = ['iris']\n[learners]\nmax = {}\nbad = { factory = 'failing_here:Faulty' }\n")
    given = ["collect", str(file), "--into", str(store), "--engine", "serial", "--no-sharing", "--allow-code"]
    with pytest.raises(SystemExit) as ended:
        main(given)
    told = capsys.readouterr().err.splitlines()[-1]
    assert ended.value.code == 1
    words = told.removeprefix("To run what failed again: bestofk ").split()
    assert words == ["collect", "--retry-failed", *given[1:]]


@pytest.mark.parametrize("engine", ["serial", "local:1"])
def test_a_learner_that_raises_keyboard_interrupt_is_a_failed_fold(tmp_path, learners, engine):
    file = plan_file(tmp_path, f'breaks = {{ factory = "{learners}:Breaks" }}')
    answer = command("collect", file, "--into", tmp_path / "r.db", "--engine", engine, "--allow-code")
    assert answer.exit_code == 1
    assert "breaks: 3 failed folds" in answer.stdout
    assert "KeyboardInterrupt" in answer.stdout
    assert "3 failed, 0 missing" in command("store", "info", tmp_path / "r.db").stdout


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
    assert "data: nan; learners" in answer.stdout


class Strange(ClassifierMixin, BaseEstimator):
    """Answers with a label that there is not, and gives no probabilities."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), 7)


def test_the_command_to_go_on_can_be_typed_whatever_the_plan_is_called(tmp_path, monkeypatch):
    from bestofk.cli.collect import collect

    monkeypatch.chdir(tmp_path)
    words = ["--into", "-r s.db", "--", "-my plan.toml"]
    with collect.make_context("collect", words, obj=["collect", *words]):
        assert _command("--retry-failed") == "bestofk collect --retry-failed --into '-r s.db' -- '-my plan.toml'"
    assert collect.make_context("collect", ["./-my plan.toml", "--into", "-r s.db"]).params["store"] == "-r s.db"
    assert as_argument("a-b.db") == "a-b.db"


def test_colours_of_an_exception_are_not_kept(tmp_path):
    store = collected_beside_max(tmp_path, Coloured(), folds="2x2")
    (reason,) = outcomes(store)[1]
    assert reason.endswith("ValueError: red alert !")
    assert reason_of(ValueError("\x1b[1;31ma\tb\x1b[0m\x00")) == "ValueError: a b"


def test_a_failed_fold_does_not_lack_a_measure_besides(tmp_path):
    store = collected_beside_max(tmp_path, Strange(), folds="2x2", measures=["log_loss"])
    with closing(open_store(store)) as opened:
        found = troubles_of(opened.read())
    assert [each.learner for each in found.failures] == ["mine"]
    assert "mine" not in [each.learner for each in found.unscored]


@pytest.mark.parametrize("engine", ["serial", "local:1"])
def test_an_exception_without_a_message_is_a_failed_fold(tmp_path, learners, engine):
    file = plan_file(tmp_path, f'mute = {{ factory = "{learners}:Mute" }}')
    answer = command("collect", file, "--into", tmp_path / "r.db", "--engine", engine, "--allow-code")
    assert answer.exit_code == 1
    assert "Speechless" in answer.stdout
