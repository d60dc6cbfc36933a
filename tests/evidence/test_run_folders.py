"""A folder of tables, one per run, named after learner and run or in a subfolder per learner; real exports of loggers.

The files in golden/curve_exports were written by the programs themselves: see the README there.
"""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.core.errors import BestOfKError, InputError
from bestofk.evidence import Curves
from bestofk.evidence.programs.training import learners_and_runs
from bestofk.evidence.reading import read_evidence
from bestofk.evidence.result_files import files_in

EXPORTS = Path(__file__).parents[1] / "golden" / "curve_exports"
HISTORIES = json.loads((EXPORTS / "keras_histories.json").read_text())
NETS = ("broad", "narrow")


def written(folder, names, head="step,loss", values=(0.9, 0.5)):
    for number, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{head}\n1,{values[0]}\n2,{values[1] + number / 100}\n")
    return folder


def read_folder(folder, **request):
    return read_evidence(folder, **request)


# --- folders ----------------------------------------------------------------------------------------------------------


def test_names_of_files_tell_learner_and_run(tmp_path):
    found = read_folder(written(tmp_path, ["ppo_seed1.csv", "ppo_seed2.csv", "dqn_seed1.csv"]))
    assert isinstance(found, Curves)
    assert (found.learners, found.runs) == (("dqn", "ppo"), (("1",), ("1", "2")))
    assert found.origin.source == str(tmp_path)


@pytest.mark.parametrize(
    ("names", "runs"),
    [
        (["ppo/seed1.csv", "ppo/seed2.csv", "dqn/seed2.csv", "dqn/seed3.csv"], (("2", "3"), ("1", "2"))),
        (["ppo/ppo_seed1.csv", "ppo/ppo_seed2.csv", "dqn/dqn_seed1.csv"], (("1",), ("1", "2"))),
        (["ppo/version_0/metrics.csv", "ppo/version_1/metrics.csv", "dqn/version_0/metrics.csv"], (("0",), ("0", "1"))),
        (["ppo/first.csv", "ppo/second.csv", "dqn/first.csv"], (("first",), ("first", "second"))),
    ],
)
def test_subfolders_are_learners(tmp_path, names, runs):
    found = read_folder(written(tmp_path, names))
    assert (found.learners, found.runs) == (("dqn", "ppo"), runs)
    assert any("subfolders, runs the tables" in note for note in found.origin.notes)


TASKS = ("cifar", "pets")


@pytest.mark.parametrize(
    "name",
    [
        "{learner}/{task}/seed{seed}.csv",
        "{learner}/{task}/{seed}.csv",
        "{learner}/{task}/{learner}_{task}_seed{seed}.csv",
        "{learner}/{task}/{task}{seed}x.csv",  # no numbers: names of runs that no two tasks share
        "{learner}/{task}_seed{seed}.csv",
        "{learner}/{task}-fold-{seed}.csv",
        "{learner}/{task}_{seed}.csv",
        "{learner}/{learner}_{task}_seed{seed}.csv",
        "{learner}/{task}_seed{seed}/metrics.csv",
    ],
)
def test_runs_in_tasks_are_not_pooled(tmp_path, name):
    seeds = {"ppo": (1, 2, 3), "dqn": (1, 2)}
    cells = [(learner, task, seed) for learner in seeds for task in TASKS for seed in seeds[learner]]
    names = [name.format(learner=learner, task=task, seed=seed) for learner, task, seed in cells]
    found = read_folder(written(tmp_path, names))
    assert found.learners == ("dqn", "ppo")
    assert found.datasets == (("cifar",) * 2 + ("pets",) * 2, ("cifar",) * 3 + ("pets",) * 3)


@pytest.mark.parametrize(
    "names", [["a_seed1", "b_seed2"], ["2026-01-01_seed1", "2026-01-02_seed2"], ["a_1", "a_2", "b_3"], ["a1", "b1"]]
)
def test_runs_of_names_that_no_number_ties_are_of_one_task(tmp_path, names):
    found = read_folder(written(tmp_path, [f"{learner}/{name}.csv" for learner in ("ppo", "dqn") for name in names]))
    assert (found.datasets, list(map(len, found.runs))) == ((), [len(names)] * 2)


@pytest.mark.parametrize("names", [["version_0/seed1", "version_1/seed1"], ["run1/val", "run2/val"]])
def test_folders_called_after_a_run_are_no_tasks(tmp_path, names):
    paths = [f"{learner}/{name}.csv" for learner in ("ppo", "dqn") for name in names]
    found = read_folder(written(tmp_path, paths))
    assert (found.datasets, list(map(len, found.runs))) == ((), [2, 2])
    written(tmp_path, [path.replace(".csv", "_more.csv") for path in paths])
    with pytest.raises(InputError, match="is called after a run, and has several tables"):
        read_folder(tmp_path)


def test_the_values_are_those_of_the_files(tmp_path):
    found = read_folder(written(tmp_path, ["b/seed1.csv", "b/seed2.csv", "a/seed1.csv"]))
    np.testing.assert_array_equal(found.values[0], [[0.9, 0.52]])
    np.testing.assert_array_equal(found.values[1], [[0.9, 0.5], [0.9, 0.51]])


def test_a_subfolder_per_run(tmp_path):
    names = ["wide_seed0/metrics.csv", "wide_seed1/metrics.csv", "deep_seed0/metrics.csv", "deep_seed1/metrics.csv"]
    found = read_folder(written(tmp_path, names))
    assert (found.learners, found.runs) == (("deep", "wide"), (("0", "1"), ("0", "1")))


def test_tags_of_tensorboard_in_subfolders(tmp_path):
    for net in NETS:
        (tmp_path / net).mkdir()
        for run in ("seed1", "seed2"):
            text = "Wall time,Step,Value\n5,0,0.9\n6,1,0.4\n"
            (tmp_path / net / f"run-{run}-tag-loss.csv").write_text(text)
    assert read_folder(tmp_path).measure == "loss"
    for path in list(tmp_path.glob("*/*.csv")):
        shutil.copy(path, path.with_name(path.name.replace("loss", "acc")))
    with pytest.raises(InputError, match="2 measures: acc, loss"):
        read_folder(tmp_path)
    found = read_folder(tmp_path, measure="acc", larger_is_better=True)
    assert (found.learners, found.runs) == (NETS, (("1", "2"), ("1", "2")))
    with pytest.raises(BestOfKError, match="unknown measure 'f1'"):
        read_folder(tmp_path, measure="f1")


def test_what_is_passed_over_is_said(tmp_path):
    written(tmp_path, ["a/seed1.csv", "a/seed2.csv", "b/seed1.csv"])
    (tmp_path / "README.txt").write_text("runs")
    (tmp_path / "empty").mkdir()
    notes = read_folder(tmp_path).origin.notes
    assert "files that were not read: README.txt" in notes
    assert "subfolders without results: empty" in notes


def test_folders_that_mean_two_things_are_refused(tmp_path):
    written(tmp_path, ["a/seed1.csv", "a/seed2.csv", "b/seed1.csv", "c_seed1.csv"])
    with pytest.raises(InputError, match=r"c_seed1\.csv and subfolders"):
        read_folder(tmp_path)
    (tmp_path / "c_seed1.csv").unlink()
    written(tmp_path, ["a/deeper/seed3.csv"])
    with pytest.raises(InputError, match=r"seed1\.csv and subfolders"):
        read_folder(tmp_path)


def test_learners_may_be_chosen(tmp_path):
    written(tmp_path, [f"{name}/seed{run}.csv" for name in "abc" for run in (1, 2)])
    assert read_folder(tmp_path, learners=("a", "c")).learners == ("a", "c")


def test_which_folders_hold_runs(tmp_path):
    with pytest.raises(InputError, match="the folder has no file that bestofk reads there"):
        files_in(tmp_path)
    written(tmp_path, ["a/version_0/metrics.csv"])
    assert files_in(tmp_path) == ([], {"a": [tmp_path / "a/version_0/metrics.csv"]})
    (tmp_path / "model.jsonl").write_text("{}\n")
    assert files_in(tmp_path) == ([tmp_path / "model.jsonl"], {})  # a harness's results come first


# --- files that the programs wrote ------------------------------------------------------------------------------------


def test_keras_csvlogger_and_history_say_the_same():
    files = read_folder(EXPORTS / "keras", measure="val_loss")
    objects = read_evidence(HISTORIES, measure="val_loss")
    assert (files.learners, objects.learners) == (NETS, NETS)
    assert files.runs == (("1", "2", "3"), ("1", "2", "3"))
    for one, two, net in zip(files.values, objects.values, NETS, strict=True):
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(one, [history["val_loss"] for history in HISTORIES[net]])


def test_mlflow_metric_history():
    found = read_evidence(EXPORTS / "mlflow_metric_history.csv", measure="val_accuracy", larger_is_better=True)
    assert (found.learners, found.runs) == (NETS, (("1", "2", "3"), ("1", "2", "3")))
    # the same seeds as Keras' own files
    np.testing.assert_allclose(found.values[0], [history["val_accuracy"] for history in HISTORIES["broad"]], rtol=1e-12)


def test_tensorboard_download():
    paths = {net: sorted((EXPORTS / "tensorboard").glob(f"run-{net}_*.csv")) for net in NETS}
    found = read_evidence(paths, larger_is_better=False)
    assert (found.learners, found.measure, found.steps) == (NETS, "epoch_loss", (0, 1, 2, 3))
    with paths["broad"][1].open() as file:
        values = [float(line["Value"]) for line in csv.DictReader(file)]
    np.testing.assert_array_equal(found.values[0][1], values)
    expected = [history["val_loss"] for history in HISTORIES["narrow"][:2]]
    np.testing.assert_allclose(found.values[1], expected, rtol=1e-6)


def test_an_empty_folder_is_told_what_may_be_in_it(tmp_path):
    with pytest.raises(InputError, match=r"no file that bestofk reads there: \.csv, .*\.jsonl") as error:
        read_evidence(tmp_path)
    assert "per model or run" in error.value.fix


def test_a_folder_of_runs_is_read_and_judged():
    found = bk.read(EXPORTS / "keras", measure="val_loss")
    assert (found.learners, found.runs) == (("broad", "narrow"), (("1", "2", "3"), ("1", "2", "3")))
    said = CliRunner().invoke(main, ["judge", str(EXPORTS / "keras"), "--measure", "val_loss", "--json"])
    assert said.exit_code in (0, 1), said.output
    assert '"curves"' in said.output


def test_what_tensorboard_adds_to_a_run_is_passed_over():
    found = bk.read(EXPORTS / "tensorboard", larger_is_better=False)
    assert (found.learners, found.runs) == (("broad", "narrow"), (("1", "2"), ("1", "2")))
    assert np.shape(found.values) == (2, 2, 4)


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (["a_seed1_validation", "b_seed1_validation"], (("a", "1"), ("b", "1"))),
        (["a_seed1/train", "b_seed1/train"], (("a", "1"), ("b", "1"))),
        (["a_seed1_train", "a_seed1_validation"], None),
    ],
)
def test_an_end_that_all_names_share(names, parts):
    assert learners_and_runs(names) == parts
