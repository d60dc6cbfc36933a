"""Curves as Weights & Biases and MLflow export them, and histories that a data frame or a list of rows holds.

Columns of a chart of Weights & Biases (``Step`` or another x axis, ``run - metric``, ``__MIN``, ``__MAX``, groups) are
those of its exports, as issues 5349 and 6507 of github.com/wandb/wandb and public scripts that read them show.
Columns of MLflow's download (``Run`` or ``Group``, ``Run ID``, ``metric``, ``step``, ``timestamp``, ``value``; every
cell quoted, ``'`` before a minus sign) are those of ``CsvUtils.ts`` in github.com/mlflow/mlflow.
"""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import BestOfKError, InputError
from bestofk.evidence.layouts.measure_columns import chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.reading import read_evidence
from bestofk.measures.catalogue import spoken

EXPORTS = Path(__file__).parents[1] / "golden" / "curve_exports"
STEPS = (0, 5, 10)
ADAM = {"adam-seed-1": (0.5, 0.6, 0.7), "adam-seed-2": (0.52, 0.62, 0.72)}
SGD = {"sgd-seed-1": (0.4, 0.5, 0.6), "sgd-seed-2": (0.42, 0.52, 0.62)}
RUNS = {**ADAM, **SGD}


def written(path, head, rows, quoting=csv.QUOTE_MINIMAL):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file, quoting=quoting).writerows([head, *rows])
    return path


def chart(path, runs, *, metric="val/acc", axis="Step", own_step=False, spread=0.0, ends=("", "__MIN", "__MAX")):
    """A chart's export; with another x axis each run has its own _step as well."""
    head, rows = [axis], [[step] for step in STEPS]
    for run, values in runs.items():
        if own_step:
            head += [f"{run} - _step{end}" for end in ends]
            rows = [[*row, *[100 * row[0]] * len(ends)] for row in rows]
        head += [f"{run} - {metric}{end}" for end in ends]
        shift = {"": 0.0, "__MIN": -spread, "__MAX": spread}
        rows = [[*row, *(value + shift[end] for end in ends)] for row, value in zip(rows, values, strict=True)]
    return written(path, head, rows, csv.QUOTE_ALL)


def notes(found):
    return " ".join(found.origin.notes)


# --- a chart of Weights & Biases --------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", ["Step", "trainer/global_step", "epoch", "Relative Time (Process)"])
@pytest.mark.parametrize("own_step", [False, True])
def test_lowest_and_highest_and_own_steps_of_a_chart_are_no_curves(tmp_path, axis, own_step):
    found = bk.read(chart(tmp_path / "c.csv", RUNS, axis=axis, own_step=own_step, spread=0.1))
    assert (found.learners, found.runs) == (("adam", "sgd"), (("1", "2"), ("1", "2")))
    assert (found.measure, found.larger_is_better, found.steps) == ("val_acc", True, STEPS)
    np.testing.assert_array_equal(found.values[1], list(SGD.values()))
    assert f"{axis!r} was read as the step" in notes(found)


def test_a_chart_without_lowest_and_highest(tmp_path):
    found = bk.read(chart(tmp_path / "c.csv", RUNS, ends=("",)))
    assert (found.measure, found.learners) == ("val_acc", ("adam", "sgd"))


def test_columns_with_a_dash_are_no_chart_without_a_step_or_one_metric(tmp_path):
    path = written(tmp_path / "w.csv", ["dataset", "svm - rbf", "svm - linear"], [["a", 0.1, 0.2], ["b", 0.3, 0.5]])
    assert bk.read(path, measure="error").learners == ("svm - rbf", "svm - linear")
    path = written(tmp_path / "s.csv", ["step", "svm - rbf", "svm - linear"], [[1, 0.1, 0.2], [2, 0.3, 0.5]])
    assert bk.read(path, measure="error").learners == ("svm - rbf", "svm - linear")


@pytest.mark.parametrize("names", [("Group: adam", "Group: sgd"), ("Grouped runs", "sgd-seed-1")])
def test_lines_of_groups_are_means_and_refused(tmp_path, names):
    path = chart(tmp_path / "c.csv", dict.fromkeys(names, (0.1, 0.2, 0.3)), spread=0.05)
    with pytest.raises(InputError, match=f"'{names[0]} - val/acc' is the mean of a group of runs, not a run") as error:
        bk.read(path)
    assert "undo the grouping" in error.value.fix


def test_a_group_of_one_run_is_that_run(tmp_path):
    found = bk.read(chart(tmp_path / "c.csv", {"Group: a": (0.1, 0.2, 0.3), "Group: b": (0.2, 0.3, 0.4)}))
    assert found.learners == ("Group: a", "Group: b")


def test_a_chart_per_learner(tmp_path):
    """Names that the program makes up say nothing of the learner; the files, or their names, do."""
    adam = {"playful-sun-17": (0.5, 0.6, 0.7), "true-pond-18": (0.5, 0.6, 0.8)}
    sgd = {"calm-fog-20": (0.4, 0.5, 0.6), "red-frog-21": (0.4, 0.5, 0.5), "wild-sea-22": (0.4, 0.5, 0.4)}
    paths = [chart(tmp_path / "adam.csv", adam), chart(tmp_path / "sgd.csv", sgd)]
    for source in (paths, {"adam": paths[0], "sgd": paths[1]}, {"adam": paths[:1], "sgd": paths[1:]}, tmp_path):
        found = bk.read(source)
        assert (found.learners, found.runs) == (("adam", "sgd"), (tuple(adam), tuple(sgd)))
        np.testing.assert_array_equal(found.values[1], list(sgd.values()))


def test_charts_under_the_names_that_the_page_gives(tmp_path):
    first = chart(tmp_path / "wandb_export_2026-11-16T02_00_00.000+00_00.csv", ADAM)
    second = chart(tmp_path / "wandb_export_2026-11-16T02_00_07.000+00_00.csv", SGD)
    found = bk.read([first, second])
    assert (found.learners, found.runs) == (("adam", "sgd"), (("1", "2"), ("1", "2")))


# --- histories of the client of Weights & Biases ----------------------------------------------------------------------


def test_rows_that_wandb_wrote():
    """Its own files against those of Keras, whose numbers were logged; see the README there."""
    found = bk.read(EXPORTS / "wandb", measure="val/loss")
    assert (found.learners, found.runs) == (("broad", "narrow"), (("1", "2"), ("1", "2")))
    assert (found.measure, found.larger_is_better, found.steps) == ("val_loss", False, (1, 3, 5, 7))
    histories = json.loads((EXPORTS / "keras_histories.json").read_text())
    for name, values in zip(found.learners, found.values, strict=True):
        np.testing.assert_array_equal(values, [history["val_loss"] for history in histories[name][:2]])
    assert "'_step' is the step" in notes(found)
    assert "16 rows without val/loss" in notes(found)
    with pytest.raises(InputError, match="2 measures: val/loss, loss"):
        bk.read(EXPORTS / "wandb")


def history_rows(names=tuple(RUNS)):
    return [
        [f"id{names.index(run)}", run, step, 1.5 * i, 1.7e9 + i, value]
        for run in names
        for i, (step, value) in enumerate(zip(STEPS, RUNS[run], strict=True))
    ]


HISTORY = ["run_id", "name", "_step", "_runtime", "_timestamp", "val_acc"]


@pytest.mark.parametrize("called", ["name", "run_name", "display_name", "run"])
@pytest.mark.parametrize("ids", [False, True])
def test_one_table_of_all_histories(tmp_path, called, ids):
    head = [called if each == "name" else each for each in HISTORY]
    start = 0 if ids else 1
    path = written(tmp_path / "h.csv", head[start:], [row[start:] for row in history_rows()])
    found = bk.read(path)
    assert (found.learners, found.runs) == (("adam", "sgd"), (("1", "2"), ("1", "2")))
    np.testing.assert_array_equal(found.values[0], list(ADAM.values()))


def test_runs_of_one_name_are_told_apart_by_their_identifiers(tmp_path):
    rows = [[row[0], row[1].split("-")[0], *row[2:]] for row in history_rows()]
    found = bk.read(written(tmp_path / "h.csv", HISTORY, rows))
    assert (found.learners, found.runs) == (("adam", "sgd"), (("id0", "id1"), ("id2", "id3")))


def test_identifiers_alone_say_no_learner(tmp_path):
    """Clocks must not become learners."""
    rows = [[row[0], *row[2:]] for row in history_rows()]
    path = written(tmp_path / "h.csv", [HISTORY[0], *HISTORY[2:]], rows)
    with pytest.raises(InputError, match="nothing says which learner"):
        bk.read(path, measure="val_acc")


def test_the_history_of_one_run_is_no_evidence(tmp_path):
    path = written(tmp_path / "h.csv", HISTORY[2:], [row[2:] for row in history_rows(("adam-seed-1",))])
    with pytest.raises(InputError, match="which learner each run is of"):
        bk.read(path)


def test_a_frame_written_with_its_index(tmp_path):
    for run in RUNS:
        rows = [[i, *row[2:]] for i, row in enumerate(history_rows((run,)))]
        written(tmp_path / f"{run}.csv", ["", *HISTORY[2:]], rows)
    found = bk.read(tmp_path)
    assert (found.learners, found.steps) == (("adam", "sgd"), STEPS)


# --- what MLflow's page downloads -------------------------------------------------------------------------------------


def mlflow_download(path, who="Run", sign=1, names=tuple(RUNS), step=lambda step: step):
    rows = [
        [run, f"id{i}", key, step(at), 1763258400000 + at, f"{'' if sign > 0 else chr(39)}{sign * value}"]
        for key in ("val/acc", "score")
        for i, run in enumerate(names)
        for at, value in zip(STEPS, list(RUNS.values())[i], strict=True)
    ]
    return written(path, [who, "Run ID", "metric", "step", "timestamp", "value"], rows, csv.QUOTE_ALL)


def test_the_download_of_a_chart(tmp_path):
    path = mlflow_download(tmp_path / "m.csv")
    with pytest.raises(InputError, match="are 2 measures: val/acc"):
        bk.read(path)
    for asked in ("val/acc", "val_acc", "acc"):
        found = bk.read(path, measure=asked)
        assert (found.learners, found.runs) == (("adam", "sgd"), (("1", "2"), ("1", "2")))
        assert (found.measure, found.steps) == ("val_acc", STEPS)
        np.testing.assert_array_equal(found.values[0], list(ADAM.values()))


def test_minus_signs_that_the_page_hides_from_spreadsheets(tmp_path):
    found = bk.read(mlflow_download(tmp_path / "m.csv", sign=-1), measure="score", larger_is_better=True)
    np.testing.assert_array_equal(found.values[1], [[-value for value in values] for values in SGD.values()])


def test_runs_of_one_name_in_the_download(tmp_path):
    path = mlflow_download(tmp_path / "m.csv", names=("adam", "adam", "sgd", "sgd"))
    found = bk.read(path, measure="acc")
    assert (found.learners, found.runs) == (("adam", "sgd"), (("id0", "id1"), ("id2", "id3")))


def test_groups_of_the_page_are_means(tmp_path):
    with pytest.raises(InputError, match="grouped: each line") as error:
        bk.read(mlflow_download(tmp_path / "m.csv", who="Group"), measure="acc")
    assert "grouping in MLflow" in error.value.fix


def test_metrics_that_were_logged_without_a_step(tmp_path):
    with pytest.raises(InputError, match=r"12 values.*val_acc") as error:
        bk.read(mlflow_download(tmp_path / "m.csv", step=lambda step: 0), measure="acc")
    assert "step=epoch" in error.value.fix


# --- tables with names of runs, and histories without epochs ----------------------------------------------------------


def test_run_names_in_a_table_of_ones_own(tmp_path):
    rows = [[run, step, v] for run, values in RUNS.items() for step, v in zip(STEPS, values, strict=True)]
    for called in ("run", "run_name"):
        found = bk.read(written(tmp_path / "t.csv", [called, "step", "accuracy"], rows))
        assert (found.learners, found.runs) == (("adam", "sgd"), (("1", "2"), ("1", "2")))


def test_a_run_in_a_wide_table_stays_a_run(tmp_path):
    rows = [[f"seed{run}", step, 0.1 * run, 0.2 * run] for run in (1, 2) for step in STEPS]
    found = bk.read(written(tmp_path / "t.csv", ["run", "step", "lda", "knn"], rows), measure="error")
    assert (found.learners, found.runs[0]) == (("lda", "knn"), ("seed1", "seed2"))


@pytest.mark.parametrize("index", [True, False])
def test_a_history_that_a_frame_wrote_has_its_rows_for_epochs(tmp_path, index):
    for run, values in RUNS.items():
        rows = [[*([i] if index else []), 1 - v, 1.1 - v] for i, v in enumerate(values)]
        written(tmp_path / f"{run}.csv", [*([""] if index else []), "loss", "val_loss"], rows)
    found = bk.read(tmp_path, measure="val_loss")
    assert (found.learners, found.steps) == (("adam", "sgd"), (0, 1, 2))
    assert "epochs, from 0" in notes(found)


def test_scores_of_folds_in_files_are_no_epochs(tmp_path):
    for name in ("lda", "knn"):
        written(tmp_path / f"{name}.csv", ["", "val_loss"], [[i, 0.1 * i] for i in range(3)])
    assert isinstance(bk.read(tmp_path), bk.Scores)


def test_frames_and_rows_of_runs():
    import pandas as pd

    rows = {
        run: [
            part
            for step, value in zip(STEPS, values, strict=True)
            for part in ({"step": step, "loss": 9.0, "note": "x"}, {"step": step, "val_acc": value})
        ]
        for run, values in RUNS.items()
    }
    as_rows = {"adam": [rows[run] for run in ADAM], "sgd": [rows[run] for run in SGD]}
    as_frames = {name: [pd.DataFrame(run).drop(columns="note") for run in runs] for name, runs in as_rows.items()}
    for source in (as_rows, as_frames):
        found = read_evidence(source, measure="val_acc")
        assert (found.learners, found.steps) == (("adam", "sgd"), STEPS)
        np.testing.assert_array_equal(found.values[0], list(ADAM.values()))


# --- names of metrics -------------------------------------------------------------------------------------------------


def test_which_metric_is_meant():
    metrics = ("train/loss", "val/loss", "val/acc")
    assert chosen_metric(metrics, Request(measure="acc"), "x") == "val/acc"
    assert chosen_metric(metrics, Request(measure="val_loss"), "x") == "val/loss"
    with pytest.raises(InputError, match="2 measures: val/loss, train/loss"):
        chosen_metric(metrics, Request(measure="loss"), "x")
    with pytest.raises(BestOfKError, match="unknown measure 'f1'"):
        chosen_metric(metrics, Request(measure="f1"), "x")
    with pytest.raises(InputError, match="no column holds a metric"):
        chosen_metric((), Request(), "x")


@pytest.mark.parametrize(
    ("metric", "name"), [("val/loss", "val_loss"), ("train/loss", "train_loss"), ("charts/x", "charts_x"), ("f1", "f1")]
)
def test_a_metric_is_called_so_that_its_direction_is_known(metric, name):
    assert spoken(metric) == name


def test_a_run_of_a_chart_without_a_value_is_named(tmp_path):
    path = tmp_path / "chart.csv"
    path.write_text("Step,ppo-seed1 - loss,ppo-seed2 - loss,dqn-seed1 - loss\n1,0.5,,0.4\n2,0.4,,0.3\n")
    with pytest.raises(InputError, match=r"'ppo-seed2'.*loss"):
        bk.read(path)


FOUR_RUNS = ("ppo-seed1", "ppo-seed2", "dqn-seed1", "dqn-seed2")


def test_a_run_of_a_history_without_a_value_is_named(tmp_path):
    rows = [f"{run},{step},{'' if run == 'dqn-seed2' else 0.5 / step}" for run in FOUR_RUNS for step in (1, 2)]
    path = tmp_path / "history.csv"
    path.write_text("name,_step,loss\n" + "\n".join(rows) + "\n")
    with pytest.raises(InputError, match=r"'dqn-seed2'.*loss"):
        bk.read(path)


def test_several_charts_say_how_they_were_read(tmp_path):
    paths = [chart(tmp_path / "adam.csv", ADAM, axis="epoch"), chart(tmp_path / "sgd.csv", SGD, axis="epoch")]
    for source in (paths, {"adam": paths[0], "sgd": paths[1]}, {"adam": paths[:1], "sgd": paths[1:]}, tmp_path):
        notes = bk.read(source).origin.notes
        assert any("columns 'run - val/acc'" in note for note in notes)
        assert any("'epoch' was read" in note for note in notes)


@pytest.mark.parametrize(
    ("metrics", "first"),
    [
        (["accuracy", "loss", "val_accuracy", "val_loss"], "val_accuracy"),
        (["loss", "val/loss"], "val/loss"),
        (["loss", "eval_loss"], "eval_loss"),
        (["train_loss", "f1"], "f1"),
        (["loss", "f1"], "loss"),
    ],
)
def test_of_several_metrics_one_of_validation_is_proposed(metrics, first):
    with pytest.raises(InputError) as error:
        chosen_metric(metrics, Request(), "x")
    assert error.value.fix.startswith(f"say which: --measure {first} ")
