"""Tables, dicts and exports of trackers that hold one value per run; and rows that somebody says what they are."""

import json

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence.layouts.shelf import LAYOUTS
from bestofk.testing import check_layout
from makers import ROOT
from makers_tables import written

SEEDS = """model,seed,accuracy,price
a,1,0.5,10
a,2,0.6,10
b,1,0.4,20
b,2,0.7,20
b,7,0.1,20
"""
TASKS = """algo,env,seed,return
a,walk,1,5
a,walk,2,6
a,run,1,10
a,run,2,14
b,walk,1,4
b,walk,2,8
b,run,1,9
b,run,3,11
b,run,4,13
"""
PLAIN = "model,accuracy\na,0.5\na,0.6\nb,0.4\nb,0.7\n"


def values_of(found):
    return {name: each.ravel().tolist() for name, each in zip(found.learners, found.values, strict=True)}


def refusal(source, **said):
    with pytest.raises(InputError) as error:
        bk.read(source, **said)
    assert all((error.value.wrong, error.value.where, error.value.fix))
    return error.value


# --- long and wide tables ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["seed", "run", "run_id", "trial_seed", "random_state", "Random Seed"])
def test_a_column_of_seeds_makes_runs(tmp_path, name):
    found = bk.read(written(tmp_path, "a.csv", SEEDS.replace("seed", name)))
    assert type(found) is bk.Runs
    assert values_of(found) == {"a": [0.5, 0.6], "b": [0.4, 0.7, 0.1]}
    assert (found.runs, found.costs) == ((("1", "2"), ("1", "2", "7")), {"price": {"a": 10, "b": 20}})


def test_seeds_beside_folds_are_replications_as_before(tmp_path):
    rows = "".join(f"{name},{seed},{fold},0.5\n" for name in "ab" for seed in (1, 2) for fold in (1, 2))
    found = bk.read(written(tmp_path, "a.csv", f"model,seed,fold,accuracy\n{rows}"))
    assert (len(found.replications), len(found.folds)) == (2, 2)


def test_tasks_and_seeds(tmp_path):
    found = bk.read(written(tmp_path, "a.csv", TASKS), larger_is_better=True)
    assert type(found) is bk.Runs
    assert found.datasets == (("walk", "walk", "run", "run"), ("walk", "walk", "run", "run", "run"))
    assert found.runs[1] == ("walk/1", "walk/2", "run/1", "run/3", "run/4")
    assert found.means() == {"a": (5.5 + 12) / 2, "b": (6 + 11) / 2}
    alone = bk.read(written(tmp_path, "a.csv", TASKS), larger_is_better=True, dataset="run")
    assert values_of(alone) == {"a": [10, 14], "b": [9, 11, 13]}


def test_tasks_with_seeds_are_data_sets_where_rows_say_so(tmp_path):
    found = bk.read(written(tmp_path, "a.csv", TASKS), larger_is_better=True, rows="datasets")
    assert (type(found), found.datasets) == (bk.Scores, ("walk", "run"))


def test_wide_tables(tmp_path):
    found = bk.read(written(tmp_path, "a.csv", "seed,a,b\n1,0.5,0.4\n2,0.6,0.7\n"), measure="accuracy")
    assert values_of(found) == {"a": [0.5, 0.6], "b": [0.4, 0.7]}
    found = bk.read(written(tmp_path, "a.csv", "task,seed,a,b\nx,1,1,4\nx,2,2,5\ny,1,3,6\ny,2,4,7\n"), measure="mae")
    assert found.datasets == (("x", "x", "y", "y"),) * 2


def test_columns_of_different_lengths_have_different_numbers_of_runs(tmp_path):
    path = written(tmp_path, "a.csv", "a,b\n0.5,0.4\n,0.7\n0.6,0.1\n,0.2\n")
    found = bk.read(path, measure="accuracy", rows="runs")
    assert [len(each) for each in found.values] == [3, 4]
    assert found.missing() == ("learner a, run 2",)


def test_seeds_after_the_last_result_of_a_learner_were_not_run(tmp_path):
    path = written(tmp_path, "a.csv", "seed,a,b\n1,,0.3\n2,0.6,0.7\n3,0.5,0.4\n5,,0.1\n6,,0.2\n")
    found = bk.read(path, measure="accuracy")
    assert (found.runs, found.missing()) == ((("1", "2", "3"), ("1", "2", "3", "5", "6")), ("learner a, run 1",))
    assert any("2 of a" in note for note in found.origin.notes)


def test_an_empty_cell_of_a_row_per_run_is_a_missing_run(tmp_path):
    text = "model,seed,accuracy\na,1,0.5\na,2,0.6\na,5,\nb,1,0.4\nb,2,0.7\n"
    assert bk.read(written(tmp_path, "a.csv", text)).missing() == ("learner a, run 5",)


HEADINGS = [("s1", "s2", "s3"), ("42", "43", "44"), ("seed_0", "seed_1", "seed_2"), ("glass", "iris", "wine")]


@pytest.mark.parametrize("headings", HEADINGS)
def test_columns_beside_learners_in_rows_are_what_they_are_said_to_be(tmp_path, headings):
    head = ",".join(("model", *headings))
    path = written(tmp_path, "a.csv", f"{head}\na,0.5,0.6,0.4\nb,0.7,0.8,0.7\n")
    runs = bk.read(path, measure="accuracy", rows="runs")
    assert (type(runs), runs.runs) == (bk.Runs, (headings, headings))
    assert values_of(runs) == {"a": [0.5, 0.6, 0.4], "b": [0.7, 0.8, 0.7]}
    assert bk.read(path, measure="accuracy", rows="folds").folds == headings
    assert bk.read(path, measure="accuracy", rows="datasets").datasets == headings
    fewer = bk.read(written(tmp_path, "b.csv", f"{head}\na,0.5,0.6,\nb,0.7,0.8,0.7\n"), measure="mae", rows="runs")
    assert (fewer.runs, fewer.missing()) == ((headings[:2], headings), ())


def test_items_may_be_in_columns(tmp_path):
    path = written(tmp_path, "a.csv", "model,q1,q2,q3\na,0,1,1\nb,1,1,0\n")
    found = bk.read(path, measure="accuracy", rows="items")
    assert (type(found), found.items) == (bk.Items, ("q1", "q2", "q3"))


def test_a_learner_in_a_row_without_results_is_not_lost(tmp_path):
    path = written(tmp_path, "a.csv", "model,s1,s2\na,0.5,0.6\nb,0.7,0.8\nc,,\n")
    assert bk.read(path, measure="accuracy", rows="runs").missing() == ("learner c, run s1", "learner c, run s2")


@pytest.mark.parametrize("name", ["seed", "run"])
def test_columns_that_are_called_seeds_are_runs(tmp_path, name):
    path = written(tmp_path, "a.csv", f"model,{name}1,{name}2\na,0.5,0.6\nb,0.7,0.8\n")
    assert type(bk.read(path, measure="accuracy")) is bk.Runs


@pytest.mark.parametrize("headings", ["s1,s2,s3", "s0,s42,s7", "42,43,44", "0,1,7", "ds1,ds2,ds3"])
def test_columns_that_may_be_runs_are_asked_about(tmp_path, headings):
    path = written(tmp_path, "a.csv", f"model,{headings}\na,0.5,0.6,0.4\nb,0.7,0.8,0.7\n")
    assert "--rows runs|folds|datasets|items" in refusal(path, measure="accuracy").fix
    assert "--rows runs|folds|datasets" in refusal(path).fix


def test_data_sets_that_are_called_by_a_word_and_a_size_are_not_asked_about(tmp_path):
    path = written(tmp_path, "a.csv", "model,cifar10,cifar100\na,0.5,0.6\nb,0.7,0.8\n")
    assert bk.read(path, measure="accuracy").datasets == ("cifar10", "cifar100")


def test_a_reason_stands_beside_the_missing_run(tmp_path):
    text = "model,seed,accuracy,failure\na,1,0.5,\na,2,,diverged\nb,1,0.1,\nb,2,0.2,\n"
    assert bk.read(written(tmp_path, "a.csv", text)).missing() == ("learner a, run 2 (failed: diverged)",)


def test_counts_give_the_error_of_every_run():
    columns = {"model": list("aabb"), "seed": [1, 2, 1, 2], "tp": [4, 3, 4, 2], "fn": [0, 1, 0, 2]}
    found = bk.read(columns | {"fp": [1] * 4, "tn": [5] * 4})
    assert values_of(found) == {"a": [0.1, 0.2], "b": [0.1, 0.3]}


def test_frames_and_rows_are_tables(tmp_path):
    frame = pd.read_csv(written(tmp_path, "a.csv", SEEDS))
    for source in (frame, frame.to_dict("list"), frame.to_dict("records"), frame.set_index(["model", "seed"])):
        assert type(bk.read(source, measure="accuracy")) is bk.Runs


def test_one_file_per_learner(tmp_path):
    paths = {
        name: written(tmp_path, f"{name}.csv", f"seed,accuracy\n1,{x}\n2,0.5\n") for name, x in (("a", 0.1), ("b", 0.2))
    }
    assert values_of(bk.read(paths)) == {"a": [0.1, 0.5], "b": [0.2, 0.5]}
    assert type(bk.read(list(paths.values()))) is bk.Runs


def test_a_seed_that_repeats_is_named_with_its_learner_and_lines(tmp_path):
    error = refusal(written(tmp_path, "a.csv", SEEDS.replace("b,7", "b,2")))
    assert "learner b, seed 2" in error.wrong
    assert "line 5" in error.wrong
    assert "line 6" in error.where
    error = refusal(written(tmp_path, "a.csv", TASKS.replace("b,run,4", "b,run,3")), larger_is_better=True)
    assert "learner b, task run, seed 3" in error.wrong


def test_one_run_of_a_learner_is_refused_unless_it_is_not_asked_for(tmp_path):
    path = written(tmp_path, "a.csv", SEEDS + "c,1,0.9,30\n")
    with pytest.raises(InputError, match="learner c has one run"):
        bk.judge(path)
    assert bk.read(path, learners=["a", "b"]).learners == ("a", "b")
    path = written(tmp_path, "a.csv", TASKS.replace("a,run,2,14\n", ""))
    with pytest.raises(InputError, match="learner a has one run of task run"):
        bk.judge(bk.read(path, larger_is_better=True))
    assert bk.read(path, larger_is_better=True, dataset="walk").learners == ("a", "b")


def test_a_summary_row_is_no_run(tmp_path):
    assert "summary row" in refusal(written(tmp_path, "a.csv", SEEDS + "a,mean,0.55,10\n")).wrong


def test_an_identifier_of_runs_gives_way_to_the_seed():
    columns = {"model": list("aabb"), "run_id": list("wxyz"), "seed": [1, 2, 1, 2], "accuracy": [0.1, 0.2, 0.3, 0.4]}
    assert bk.read(columns).runs == (("1", "2"), ("1", "2"))


def test_what_divides_the_data_is_said_against_runs(tmp_path):
    path = written(tmp_path, "a.csv", SEEDS)
    assert "it is about folds" in refusal(path, measure="accuracy", replications=2).wrong
    assert "it is about curves" in refusal(path, measure="accuracy", align="relative").wrong
    found = bk.read(path, measure="accuracy", test_fraction=0.3)
    assert (type(found), found.test_fraction) == (bk.Scores, 0.3)
    assert "need folds or data sets" in refusal(bk.read(path, measure="accuracy"), on="accuracy,price").wrong


# --- rows that no column tells apart ----------------------------------------------------------------------------------

KINDS = {"runs": bk.Runs, "folds": bk.Scores, "items": bk.Items, "datasets": bk.Scores}
LISTS = {"a": [0.5, 0.6], "b": [0.4, 0.7]}
NAMED = {"a": {3: 0.5, 4: 0.6}, "b": {3: 0.4, 4: 0.7}}


def is_of(found, rows):
    sizes = {"runs": lambda: len(found.runs[0]), "items": lambda: len(found.items)}
    scores = {"folds": lambda: len(found.folds), "datasets": lambda: len(found.datasets)}
    return type(found) is KINDS[rows] and (sizes | scores)[rows]() == 2


@pytest.mark.parametrize("rows", KINDS)
def test_rows_are_what_they_are_said_to_be(tmp_path, rows):
    said = {"measure": "accuracy", "rows": rows}
    long = written(tmp_path, "long.csv", PLAIN)
    wide = written(tmp_path, "wide.csv", "a,b\n0.5,0.4\n0.6,0.7\n")
    saved = written(tmp_path, "lists.json", json.dumps(LISTS))
    named = written(tmp_path, "named.json", json.dumps(NAMED))
    frame = pd.DataFrame({"accuracy": [0.5, 0.6, 0.4, 0.7], "model": list("aabb")}, index=[0, 1, 0, 1])
    arrays = {name: np.array(each) for name, each in LISTS.items()}
    for source in (long, wide, saved, named, LISTS, NAMED, arrays, pd.DataFrame(LISTS), frame):
        found = bk.read(source, **said)
        assert is_of(found, rows)
        assert found.means() == pytest.approx({"a": 0.55, "b": 0.55})
    assert is_of(bk.read(list(LISTS.values()), learners=["a", "b"], **said), rows)


@pytest.mark.parametrize("rows", ["folds", "items", "datasets"])
def test_only_runs_may_be_of_unequal_numbers(tmp_path, rows):
    lists = {"a": [0.5, 0.6, 0.7], "b": [0.4, 0.7]}
    for source in (lists, written(tmp_path, "a.csv", PLAIN + "b,0.9\n")):
        assert "learner b" in refusal(source, measure="accuracy", rows=rows).wrong
        assert "rows='runs'" in refusal(source, measure="accuracy", rows=rows).fix
        assert type(bk.read(source, measure="accuracy", rows="runs")) is bk.Runs
    saved = written(tmp_path, "a.json", json.dumps(lists))
    assert values_of(bk.read(saved, measure="accuracy", rows="runs")) == lists
    assert "equal length" in refusal(saved, measure="accuracy", rows=rows).fix


def test_names_of_numbers_are_kept():
    assert bk.read(NAMED, measure="accuracy", rows="runs").runs == (("3", "4"), ("3", "4"))
    assert bk.read(NAMED, measure="accuracy", rows="datasets").datasets == ("3", "4")


def test_rows_that_nothing_tells_are_asked_about(tmp_path):
    error = refusal(written(tmp_path, "a.csv", PLAIN))
    assert "learner a has 2 rows" in error.wrong
    assert "--rows runs|folds|items" in error.fix
    assert "--rows runs|" in refusal(NAMED, measure="accuracy").fix
    assert "rows='runs'" in refusal({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.2]}, measure="accuracy").fix


def test_rows_of_one_task_are_runs_or_folds_where_said(tmp_path):
    path = written(
        tmp_path, "a.csv", TASKS.replace(",1,", ",").replace(",2,", ",").replace(",3,", ",").replace("seed,", "")
    )
    path.write_text(path.read_text().replace(",4,", ","))
    assert "--rows runs|folds" in refusal(path, larger_is_better=True).fix
    found = bk.read(path, larger_is_better=True, rows="runs")
    assert found.runs == (("walk/1", "walk/2", "run/1", "run/2"), ("walk/1", "walk/2", "run/1", "run/2", "run/3"))
    assert "learner b has 5 rows" in refusal(path, larger_is_better=True, rows="folds").wrong
    wide = written(tmp_path, "w.csv", "task,a,b\nx,1,2\nx,2,3\ny,3,4\ny,4,5\n")
    assert bk.read(wide, measure="mae", rows="runs").datasets == (("x", "x", "y", "y"),) * 2
    assert bk.read(wide, measure="mae", rows="folds").values.shape == (2, 2, 1, 2)


def test_a_single_row_that_is_there_twice_is_named_with_its_lines(tmp_path):
    path = written(tmp_path, "a.csv", "model,dataset,error\na,x,0.1\nb,x,0.2\na,y,0.1\na,y,0.1\nb,y,0.3\n")
    assert "line 4" in refusal(path).wrong


HISTORY = {"a": [{"loss": [3, 2]}, {"loss": [3, 1]}], "b": [{"loss": [3, 2]}, {"loss": [2, 1]}]}
OUTPUTS = {"a": {"test_accuracy": [0.5, 0.6]}, "b": {"test_accuracy": [0.4, 0.7]}}
#: Sources that say themselves what they are, and what they may be said to be.
TOLD = {
    "folds of a table": ({"model": list("aabb"), "fold": [1, 2, 1, 2], "error": [0.1, 0.2, 0.3, 0.4]}, {"folds"}),
    "data sets": ({"dataset": ["x", "y"], "a": [0.1, 0.2], "b": [0.2, 0.3]}, {"datasets"}),
    "items": ({"item": [1, 2], "a": [1, 0], "b": [0, 1]}, {"items"}),
    "predictions": ({"truth": ["u", "v"], "a": ["u", "u"], "b": ["v", "v"]}, {"items"}),
    "items of data sets": (
        {"model": list("aabb"), "dataset": list("xyxy"), "item": [1, 2, 1, 2], "correct": [1, 0, 1, 1]},
        {"items"},
    ),
    "cross_validate": (OUTPUTS, {"folds"}),
    "histories": (HISTORY, set()),
    "curves": ({"model": list("aabb"), "seed": [1, 1, 1, 1], "step": [1, 2, 1, 2], "loss": [1, 2, 3, 4]}, set()),
    "runs": ({"model": list("aabb"), "seed": [1, 2, 1, 2], "error": [0.1, 0.2, 0.3, 0.4]}, {"runs", "folds"}),
    "evidence": (
        bk.Runs(learners=("a", "b"), values=([1, 2], [3, 4]), measure="mae", larger_is_better=False),
        {"runs"},
    ),
    "Weka": (ROOT / "tests" / "peers" / "weka_experiment.csv", {"folds", "datasets"}),
    "a search": (ROOT / "tests" / "peers" / "sklearn_grid_search.csv", {"folds"}),
}


@pytest.mark.parametrize("rows", KINDS)
@pytest.mark.parametrize("name", TOLD)
def test_rows_are_honoured_or_refused(name, rows):
    source, honoured = TOLD[name]
    said = {} if name not in ("data sets", "items") else {"measure": "accuracy"}
    if rows in honoured:
        bk.read(source, rows=rows, **said)
    else:
        assert f"rows is {rows!r}" in refusal(source, rows=rows, **said).wrong


def test_rows_of_a_store(tmp_path):
    plan = bk.Plan(learners=["nn", "nmc"], datasets=["iris"], folds="5x2", prior=["nmc", "nn"])
    bk.collect(plan, into=tmp_path / "s.db", engine="serial")
    bk.read(tmp_path / "s.db", rows="folds")
    assert "rows is 'runs'" in refusal(tmp_path / "s.db", rows="runs").wrong


# --- the column of the learner ----------------------------------------------------------------------------------------


def test_a_column_is_said_to_name_the_learner(tmp_path):
    path = written(tmp_path, "a.csv", SEEDS.replace("model", "kind"))
    assert bk.read(path, learner="kind", measure="accuracy").learners == ("a", "b")
    both = {"model": ["v1"] * 4, "kind": list("aabb"), "seed": [1, 2, 1, 2], "accuracy": [0.1, 0.2, 0.3, 0.4]}
    assert bk.read(both, learner="kind").learners == ("a", "b")
    assert "unknown column 'sort'" in refusal(path, learner="sort").wrong
    for source in (LISTS, HISTORY, bk.read(both, learner="kind")):
        assert (
            "there are no columns"
            in refusal(source, learner="kind", measure="loss" if source is HISTORY else None).wrong
        )


# --- tables of trackers -----------------------------------------------------------------------------------------------

MLFLOW = ROOT / "tests" / "peers" / "mlflow_runs.csv"


def mlflow(**columns):
    """The table of runs as a frame, with other names for some columns."""
    return pd.read_csv(MLFLOW).rename(columns={key.replace("__", "."): new for key, new in columns.items()})


def test_runs_of_mlflow():
    frame = pd.read_csv(MLFLOW)
    found = bk.read(MLFLOW, measure="accuracy")
    expected = {name: each.sort_values("params.seed") for name, each in frame.groupby("params.algo")}
    assert values_of(found) == {name: each["metrics.accuracy"].tolist() for name, each in expected.items()}
    assert dict(zip(found.learners, found.runs, strict=True))["mlp"] == ("0", "1", "2", "3", "4")
    assert type(bk.read(frame, measure="metrics.log_loss")) is bk.Runs
    assert "2 measures: " in refusal(MLFLOW).wrong


def test_a_learner_that_no_column_names_is_asked_for():
    frame = mlflow(params__algo="params.kind", params__test_size="params.share")
    error = refusal(frame, measure="accuracy")
    assert "--learner params.kind;" in error.fix
    assert (
        bk.read(frame, measure="accuracy", learner="params.kind").means() == bk.read(MLFLOW, measure="accuracy").means()
    )
    frame["params.head"] = frame["params.kind"] + "2"
    assert "--learner params.kind or params.head" in refusal(frame, measure="accuracy").fix


def test_two_columns_that_could_name_the_learner_are_asked_about():
    frame = mlflow()
    frame["params.model"] = "m" + frame["params.algo"]
    assert "params.model" in refusal(frame, measure="accuracy").wrong
    assert set(bk.read(frame, measure="accuracy", learner="params.model").learners) == {"mmlp", "mforest"}


def test_runs_without_a_seed_go_by_their_identifiers_and_mixed_settings_are_said():
    found = bk.read(mlflow(params__seed="params.depth"), measure="accuracy")
    assert set(found.runs[0]) <= set(pd.read_csv(MLFLOW)["run_id"])
    assert any("differ in params.depth" in note for note in found.origin.notes)
    assert "settings-as-runs" in found.origin.assumed
    assert bk.judge(found).advice[0].code == "K138"
    assert not bk.read(mlflow(), measure="accuracy").origin.assumed


def test_a_run_without_a_result_has_no_other_settings():
    frame = mlflow()
    frame["params.lr"] = 0.1
    frame.loc[0, ["params.lr", "metrics.accuracy"]] = None
    found = bk.read(frame, measure="accuracy")
    assert (len(found.missing()), found.origin.assumed) == (1, ())


def test_only_runs_that_are_judged_tell_whether_settings_differ():
    frame = mlflow()
    frame["params.lr"] = 0.1
    frame.loc[0, "params.lr"] = 0.2
    assert bk.read(frame, measure="accuracy").origin.assumed
    other = [name for name in set(frame["params.algo"]) if name != frame.loc[0, "params.algo"]]
    assert not bk.read(frame, measure="accuracy", learners=other).origin.assumed
    frame.loc[0, "status"] = "FAILED"
    assert not bk.read(frame, measure="accuracy").origin.assumed


@pytest.mark.parametrize("name", ["epoch", "global_step", "step", "best_epoch", "Epoch"])
def test_how_far_training_came_is_no_setting(tmp_path, name):
    text = wandb(head=HEAD.replace("epoch", name)).replace(",1,99,10,", ",1,99,7,")
    assert bk.read(written(tmp_path, "a.csv", text), measure="val/acc").origin.assumed == ()
    told = bk.read(written(tmp_path, "b.csv", text.replace(name, f"config.{name}")), measure="val/acc")
    assert told.origin.assumed == ("settings-as-runs",)


def test_the_settings_that_differ_are_named():
    verdict = bk.judge(bk.read(mlflow(params__seed="params.depth"), measure="accuracy"))
    assert verdict.advice[0].code == "K138"
    assert any("params.depth" in note for note in verdict.provenance.notes)


def test_a_run_that_did_not_finish_is_missing():
    frame = mlflow()
    frame.loc[0, "status"] = "FAILED"
    assert bk.read(frame, measure="accuracy").missing() == ("learner mlp, run 4 (failed: FAILED)",)


#: After the columns of the runs page: facts, settings, summary.
HEAD = "Name,State,Notes,User,Tags,Created,Runtime,Sweep,arch,env,lr,seed,_step,epoch,val/acc,train/loss\n"


def wandb(*, head=HEAD, name="{arch}-{seed}-x"):
    rows = [
        f"{name.format(arch=arch, seed=seed)},finished,-,me,,2026-01-01T00:00:00.000Z,{60 + seed},,{arch},{env},0.1,"
        f"{seed},99,10,{0.5 + 0.01 * seed + 0.1 * (arch == 'vit')},0.3\n"
        for arch in ("cnn", "vit")
        for env in ("walk", "run")
        for seed in range(3)
    ]
    return head + "".join(rows)


def test_runs_of_wandb(tmp_path):
    path = written(tmp_path, "wandb.csv", wandb())
    found = bk.read(path, measure="val/acc")
    assert (type(found), found.measure, found.larger_is_better) == (bk.Runs, "val_acc", True)
    assert found.means() == pytest.approx({"cnn": 0.51, "vit": 0.61})
    assert found.datasets[0] == ("walk",) * 3 + ("run",) * 3
    assert found.costs == {"runtime": {"cnn": 61, "vit": 61}, "train/loss": {"cnn": 0.3, "vit": 0.3}}
    assert bk.read(path).measure == "val_acc"  # the other is of training
    path = written(tmp_path, "two.csv", wandb().replace("train/loss", "val/loss"))
    assert "val/acc, val/loss" in refusal(path).wrong
    shown = bk.read(path, measure="val/acc").summary({"measure": ("val/acc", "val/loss")})
    assert shown.measures == {"val_acc": True, "val/loss": False}  # once, with its direction


@pytest.mark.parametrize("facts", ["Name,State,Notes,User,Tags,Created,Runtime,Sweep", "Name,x1,x2,x3,x4,x5,x6,x7"])
def test_settings_and_summaries_of_wandb_may_have_a_prefix(tmp_path, facts):
    """As its programming interface calls them; settings that are numbers are no metrics then."""
    summary = ",summary._step,summary.epoch,summary.val/acc,summary.train/loss\n"
    head = facts + ",config.arch,config.env,config.lr,config.seed" + summary
    found = bk.read(written(tmp_path, "wandb.csv", wandb(head=head)))
    plain = bk.read(written(tmp_path, "plain.csv", wandb()))
    assert (found.learners, found.measure, found.means()) == (plain.learners, plain.measure, plain.means())
    assert (found.datasets, found.runs) == (plain.datasets, plain.runs)
    searched = wandb(head=head).replace("0.1,2,", "0.2,2,")
    found = bk.read(written(tmp_path, "searched.csv", searched), measure="summary.val/acc")
    assert any("config.lr" in note for note in found.origin.notes)


def test_unfinished_runs_of_wandb_are_missing(tmp_path):
    path = written(tmp_path, "wandb.csv", wandb().replace("finished", "crashed", 1))
    assert bk.read(path, measure="acc").missing() == ("learner cnn, run walk/0 (failed: crashed)",)


@pytest.mark.parametrize(
    ("head", "done", "failed"),
    [
        ("model,seed,accuracy,status", "{model},{seed},0.9,finished", "{model},{seed},diverged,crashed"),
        ("model,seed,metric,value,State", "{model},{seed},accuracy,0.9,Finished", "{model},{seed},accuracy,0.1,Failed"),
        (
            "Run ID,Name,Source Type,Source Name,User,Status,model,accuracy",  # as the page of MLflow saves it
            "{seed},r{seed},LOCAL,a.py,me,FINISHED,{model},0.9",
            "{seed},r{seed},LOCAL,a.py,me,KILLED,{model},0.1",
        ),
    ],
)
def test_unfinished_runs_of_any_table_are_missing(tmp_path, head, done, failed):
    rows = [
        (failed if (model, seed) == ("b", 3) else done).format(model=model, seed=seed)
        for model in "ab"
        for seed in (1, 2, 3)
    ]
    found = bk.read(written(tmp_path, "a.csv", "\n".join([head, *rows])))
    state = failed.split(",")[5 if "User" in head else -1]
    assert (type(found), found.missing()) == (bk.Runs, (f"learner b, run 3 (failed: {state})",))
    assert found.means()["a"] == pytest.approx(0.9)
    assert not any("status" in note or "State" in note for note in found.origin.notes)


def test_a_status_of_other_words_is_none_of_a_run(tmp_path):
    rows = "".join(
        f"{model},{seed},0.9,{'failed' if seed == 3 else 'passed'}\n" for model in "ab" for seed in (1, 2, 3)
    )
    assert bk.read(written(tmp_path, "a.csv", f"model,seed,accuracy,status\n{rows}")).missing() == ()


@pytest.mark.parametrize("column", ["item", "step"])
def test_a_status_of_items_and_steps_is_none_of_a_run(tmp_path, column):
    rows = "".join(f"{m},{s},{i},0.9,{('failed', 'finished')[i % 2]}\n" for m in "ab" for s in (1, 2) for i in range(4))
    assert bk.read(written(tmp_path, "a.csv", f"model,epoch,{column},accuracy,status\n{rows}".replace("epoch", "seed")))


def test_names_of_runs_say_the_learner(tmp_path):
    head = HEAD.replace("arch", "x1").replace("env", "x2")
    path = written(tmp_path, "wandb.csv", wandb(head=head, name="{arch}-seed{seed}").replace(",run,", ",walk,"))
    rows = path.read_text().splitlines(keepends=True)
    path.write_text("".join(dict.fromkeys(rows)))
    found = bk.read(path, measure="acc")
    assert (found.learners, found.runs) == (("cnn", "vit"), (("0", "1", "2"),) * 2)


def test_a_learner_of_wandb_is_asked_for(tmp_path):
    path = written(tmp_path, "wandb.csv", wandb(head=HEAD.replace("arch", "thing")))
    assert "--learner thing" in refusal(path, measure="acc").fix
    assert bk.read(path, measure="acc", learner="thing").learners == ("cnn", "vit")


def test_the_name_of_a_run_may_be_said_to_be_the_learner(tmp_path):
    path = written(tmp_path, "wandb.csv", wandb(name="net {arch}"))
    assert bk.read(path, measure="acc", learner="Name").learners == ("net cnn", "net vit")


def test_the_layouts_of_trackers_pass_the_check(tmp_path):
    check_layout(LAYOUTS["mlflow-runs"], MLFLOW, measure="accuracy")
    check_layout(LAYOUTS["wandb-runs"], written(tmp_path, "w.csv", wandb()), measure="val/acc")


def test_runs_are_counted_by_data_set_where_each_has_as_many():
    rows = [(a, env, seed) for a in "ab" for env in ("walk", "run", "swim") for seed in range(4)]
    frame = pd.DataFrame(rows, columns=["algo", "env", "seed"])
    frame["return"] = np.random.default_rng(0).normal(size=len(frame))
    assert bk.compare(bk.read(frame)).sample.units_text.startswith("4 runs on each of 3")
    assert bk.compare(bk.read(frame[1:])).sample.units_text.startswith("11 to 12 runs each")


# --- cells that are no numbers, and costs, in tables of trackers ------------------------------------------------------


def tracked(program, *, cell="0.93", state="FINISHED"):
    """Eight runs; the last of them has ``cell`` for its val_loss."""
    heads = {
        "mlflow": "run_id,status,params.model,params.seed,params.gpu_mem,metrics.val_loss,metrics.accuracy,"
        "metrics.latency_ms\n",
        "wandb": "Name,State,model,seed,gpu_mem,val_loss,accuracy,latency_ms,Created,User\n",
        "api": "id,state,config.model,config.seed,config.gpu_mem,summary.val_loss,summary.accuracy,summary.latency_ms,"
        "created_at,name\n",
    }
    rows = []
    for i in range(8):
        name, size = (("vit", 9), ("resnet", 5))[i // 4]
        loss = cell if i == 7 else f"0.{30 + i}"
        done = state if i == 7 else "FINISHED"
        more = "" if program == "mlflow" else ",2026-01-01,me" + str(i)
        rows.append(f"r{i},{done},{name},{i % 4},{size},{loss},0.{80 + i},{10 * size + i % 4}{more}\n")
    return heads[program] + "".join(rows)


TRACKERS = pytest.mark.parametrize("program", ["mlflow", "wandb", "api"])


@TRACKERS
@pytest.mark.parametrize("cell", ["Infinity", "n.a.x", "diverged"])
def test_a_word_in_the_measure_of_a_tracker_is_named_with_its_line(tmp_path, program, cell):
    path = written(tmp_path, "runs.csv", tracked(program, cell=cell))
    error = refusal(path, measure="val_loss")
    assert (repr(cell) in error.wrong, f"{path}, line 9" in error.where) == (True, True)
    assert "val_loss" in refusal(path).wrong  # no other measure is judged instead


@TRACKERS
def test_a_word_in_an_unfinished_run_or_in_a_measure_that_is_not_asked_for_is_no_fault(tmp_path, program):
    path = written(tmp_path, "runs.csv", tracked(program, cell="diverged"))
    assert values_of(bk.read(path, measure="accuracy"))["vit"] == [0.8, 0.81, 0.82, 0.83]
    path = written(tmp_path, "stopped.csv", tracked(program, cell="diverged", state="KILLED"))
    assert len(bk.read(path, measure="val_loss").missing()) == 1


@pytest.mark.parametrize("head", ["epoch,step,val_loss,val_acc", "_step,_runtime,val_loss,val_acc"])
def test_a_word_in_the_measure_of_a_log_is_named_with_its_line(tmp_path, head):
    for name in ("a_seed1", "a_seed2", "b_seed1", "b_seed2"):
        rows = "".join(f"{i},{i},{'oops' if (name, i) == ('b_seed2', 3) else 0.5 - i / 10},0.{i}\n" for i in range(4))
        written(tmp_path, f"{name}.csv", f"{head}\n{rows}")
    error = refusal(tmp_path, measure="val_loss")
    assert (error.wrong.startswith("val_loss is 'oops'"), "b_seed2.csv, line 5" in error.where) == (True, True)


@TRACKERS
@pytest.mark.parametrize("cost", ["latency_ms", "gpu_mem"])
def test_numbers_of_a_tracker_may_be_costs(tmp_path, program, cost):
    path = written(tmp_path, "runs.csv", tracked(program))
    found = bk.read(path, measure="accuracy")
    assert found.costs["latency_ms"] == {"vit": 91.5, "resnet": 51.5}
    assert found.costs["gpu_mem"] == {"vit": 9, "resnet": 5}
    assert bk.judge(found, prior=cost).prior == ("resnet", "vit")
    before = {"mlflow": {"latency_ms": "metrics.", "gpu_mem": "params."}}.get(program, {}).get(cost, "")
    assert bk.read(path, measure="accuracy", costs=[f"{before}{cost}"]).costs[f"{before}{cost}"]
    with pytest.raises(InputError) as error:
        bk.judge(found, prior="latency")
    assert all(each in error.value.fix for each in ("latency_ms", "gpu_mem"))


def test_a_cost_that_nobody_asked_for_is_not_used_where_it_is_no_number(tmp_path):
    rows = "".join(
        f"{model};{seed};0.{seed};{size}\n" for model, size in (("a", "1,200"), ("b", "3,400")) for seed in (1, 2, 3)
    )
    path = written(tmp_path, "a.csv", f"model;seed;accuracy;params\n{rows}")
    found = bk.read(path)
    assert (found.measure, found.costs) == ("accuracy", {})
    assert "column not used: 'params' (cells that are no finite numbers)" in found.origin.notes
    for judged in (path, found):
        with pytest.raises(InputError, match="params is '1,200', not a number") as error:
            bk.judge(judged, prior="params")
        assert (error.value.where, error.value.fix) == (
            f"{path}, line 2, column params",
            "write a decimal point, and no comma between thousands.",
        )
    assert "'1,200'" in refusal(path, measure="params").wrong
    alone = written(
        tmp_path,
        "b.csv",
        f"model;seed;params\n{rows}".replace(";0.1;", ";").replace(";0.2;", ";").replace(";0.3;", ";"),
    )
    assert "'1,200'" in refusal(alone).wrong


def test_what_is_larger_for_a_better_learner_is_listed_as_a_measure(tmp_path):
    summary = bk.read(ROOT / "tests/peers/mlflow_runs.csv", measure="log_loss").summary()
    assert (dict(summary.measures), summary.costs) == ({"log_loss": False, "accuracy": True}, ())
    rows = SEEDS.replace("price", "price,brier").replace(",10", ",10,0.2").replace(",20", ",20,0.3")
    summary = bk.read(written(tmp_path, "a.csv", rows), measure="brier").summary()
    assert (dict(summary.measures), summary.costs) == ({"brier": False, "accuracy": True}, ("price",))


# --- names that are nearly the same -----------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", ["inf", "oops"])
@pytest.mark.parametrize("key", ["seed", "fold", "step"])
def test_a_fault_in_a_column_that_is_not_asked_for_is_no_fault(tmp_path, key, cell):
    rows = "".join(f"{name},{i},{cell if i == 1 else 0.5},0.{i}\n" for name in "ab" for i in (1, 2, 3))
    path = written(tmp_path, "a.csv", f"model,{key},train_loss,val_accuracy\n{rows}")
    found = bk.read(path, measure="val_accuracy")
    assert (found.measure, found.costs) == ("val_accuracy", {})
    assert any("'train_loss'" in note for note in found.origin.notes)
    for asked in ({"measure": "train_loss"}, {"measure": "val_accuracy", "costs": ["train_loss"]}):
        assert "line 2, column train_loss" in refusal(path, **asked).where


def test_two_spellings_of_a_learner_or_a_task_are_refused(tmp_path):
    rows = "".join(f"{name},{seed},0.{50 + seed}\n" for name in ("vit", "cnn") for seed in range(4))
    path = written(tmp_path, "a.csv", f"model,seed,accuracy\n{rows}ViT,4,0.6\nViT,5,0.6\n")
    error = refusal(path)
    assert ("'vit'" in error.wrong, "'ViT'" in error.wrong, "line 10" in error.where) == (True, True, True)
    both = bk.read(written(tmp_path, "b.csv", f"model,seed,accuracy\n{rows}ViT,0,0.6\nViT,1,0.6\n"))
    assert both.learners == ("vit", "cnn", "ViT")  # side by side they are two
    error = refusal(written(tmp_path, "c.csv", TASKS.replace("b,run,4", "b,Run,4")))
    assert ("'run'" in error.wrong, "'Run'" in error.wrong) == (True, True)
