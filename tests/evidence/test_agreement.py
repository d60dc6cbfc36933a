"""What a program's files hold, what is shown of them and what is converted agree in number, for all of tests/peers.

The files are counted here with the json and csv of Python alone.
"""

from __future__ import annotations

import csv
import json
import zipfile
from dataclasses import replace
from math import isnan
from pathlib import Path

import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.core.extras import available
from bestofk.measures.catalogue import cost_of_name
from makers_tables import differences

PEERS = Path(__file__).parents[1] / "peers"


def objects(pattern):
    """All JSON of files, and all lines of JSON Lines."""
    for path in sorted(PEERS.glob(pattern)):
        text = path.read_text("utf-8")
        yield from map(json.loads, text.splitlines() if path.suffix == ".jsonl" else [text])


def lines(pattern):
    """Rows of tables below their header, as lists of cells."""
    for path in sorted(PEERS.glob(pattern)):
        yield from list(csv.reader(path.read_text("utf-8").splitlines()))[1:]


def rows(name):
    return sum(1 for _ in lines(name))


def cells(name, columns):
    """Results of a table with so many columns of results."""
    return rows(name) * columns


def samples():
    """Items of Inspect, whose samples are files of the archive, one for every epoch."""
    for path in sorted(PEERS.glob("inspect/*.eval")):
        names = zipfile.ZipFile(path).namelist()
        yield from {(path, name.partition("_epoch_")[0]) for name in names if name.startswith("samples/")}


def lists(name, column):
    """Values of the lists in a column."""
    table = csv.DictReader((PEERS / name).read_text("utf-8").splitlines())
    return sum(len(json.loads(row[column])) for row in table)


def number(found):
    return sum(1 for _ in found)


#: What is read, what must be said, how many results there are, and how many of them are missing.
HELD = {
    "lm_eval": (
        {"measure": "acc,exact_match", "filter": "strict-match"},
        number(each for each in objects("lm_eval/*/samples_*.jsonl") if each["filter"] in ("none", "strict-match")),
        0,
    ),
    "lm_eval/*/results_*.json": (
        {"measure": "acc,exact_match", "filter": "strict-match"},
        sum(len(each["results"]) for each in objects("lm_eval/*/results_*.json")),
        0,
    ),
    "lm_eval_flat": ({"measure": "acc"}, number(objects("lm_eval_flat/*.jsonl")), 0),
    "inspect": ({"measure": "match"}, number(samples()), 0),
    "inspect_json": (
        {"measure": "match"},
        sum(len({sample["id"] for sample in each["samples"]}) for each in objects("inspect_json/*.json")),
        0,
    ),
    "promptfoo.json": (
        {},
        len(next(objects("promptfoo.json"))["results"]["results"]),
        number(each for each in next(objects("promptfoo.json"))["results"]["results"] if each["failureReason"] == 2),
    ),
    "promptfoo.jsonl": ({}, number(objects("promptfoo.jsonl")), 0),
    "helm": (
        {"measure": "exact_match"},
        number(
            one for each in objects("helm/*/per_instance_stats.json") for one in each if not one.get("perturbation")
        ),
        0,
    ),
    "openai_evals": ({}, number(each for each in objects("openai_evals/*.jsonl") if each.get("type") == "match"), 0),
    "deepeval": ({}, sum(len(each["testCases"]) for each in objects("deepeval/*.json")), 0),
    "swe_bench": ({}, sum(each["total_instances"] for each in objects("swe_bench/*.json")), 0),
    "aeon": ({}, number(cell for row in lines("aeon/*.csv") for cell in row[1:]), 0),
    "aeon_resamples": ({}, len(list(PEERS.glob("aeon_resamples/*/*/*/*.csv"))), 0),
    "mlflow_runs.csv": ({"measure": "log_loss"}, rows("mlflow_runs.csv"), 0),
    "wandb_runs.csv": (
        {},
        rows("wandb_runs.csv"),
        number(row for row in lines("wandb_runs.csv") if row[1] != "finished"),
    ),
    "amlb.csv": ({}, rows("amlb.csv"), number(row for row in lines("amlb.csv") if row[-1])),
    "tabarena.csv": ({}, rows("tabarena.csv"), number(row for row in lines("tabarena.csv") if "True" in row)),
    "openml_evaluations.csv": ({}, lists("openml_evaluations.csv", "values"), 0),
    "mlr3.csv": ({}, rows("mlr3.csv"), 0),
    "tidymodels.csv": ({"measure": "roc_auc"}, number(row for row in lines("tidymodels.csv") if "roc_auc" in row), 0),
    "caret.csv": ({"measure": "Accuracy"}, cells("caret.csv", 3), 0),
    "weka_experiment.csv": ({}, rows("weka_experiment.csv"), 0),
    "autogluon_predictions.csv": ({}, cells("autogluon_predictions.csv", 4), 0),
    "mlxtend_predictions.csv": ({}, cells("mlxtend_predictions.csv", 3), 0),
    "mlxtend_5x2.csv": ({}, rows("mlxtend_5x2.csv"), 0),
    "mlxtend_bootstrap.csv": (
        {"rows": "folds", "larger_is_better": True},
        cells("mlxtend_bootstrap.csv", 3),
        0,
    ),
    "autorank.csv": ({"rows": "datasets", "larger_is_better": True}, cells("autorank.csv", 6), 0),
    "autorank_index.csv": ({"rows": "datasets", "larger_is_better": True}, cells("autorank_index.csv", 6), 0),
    "sklearn_concat.csv": ({}, rows("sklearn_concat.csv"), 0),
    "sklearn_model_column.csv": ({}, rows("sklearn_model_column.csv"), 0),
    "sklearn_scorers.csv": ({"measure": "accuracy"}, rows("sklearn_scorers.csv"), 0),
    "sklearn_indices.csv": ({}, rows("sklearn_indices.csv"), 0),
    "sklearn_indices.json": (
        {},
        sum(len(each["test_score"]) for each in next(objects("sklearn_indices.json")).values()),
        0,
    ),
    "sklearn_grid_search.csv": ({}, cells("sklearn_grid_search.csv", 10), 0),
}
#: What says too little for any verdict, or was spoilt.
REFUSED = (
    *("optuna_trials.csv", "autogluon_leaderboard.csv", "kaggle_leaderboard.csv", "swe_bench_results.json"),
    *("aeon_mean.csv", "inspect_failed", "lm_eval_faulty", "sklearn_unpaired.json"),
)
NO_RESULTS = {"README.md", "make", "conftest.py", "expected.json", "__pycache__"}


def test_no_program_is_left_out():
    told = {name.partition("/")[0] for name in (*HELD, *REFUSED)}
    assert {path.name for path in PEERS.iterdir()} - NO_RESULTS == told


@pytest.mark.parametrize("name", HELD)
def test_results_are_as_many_as_the_files_hold(name, tmp_path):
    if name == "inspect" and not available("zstandard"):
        pytest.skip("needs zstandard")
    said, held, missing = HELD[name]
    paths = sorted(PEERS.glob(name))
    evidence = bk.read(paths if "*" in name else paths[0], **said)
    summary = evidence.summary()
    assert (summary.results, len(summary.missing)) == (held - missing, missing)
    answer = evidence.convert(tmp_path / "long.csv")
    written = list(csv.DictReader((tmp_path / "long.csv").read_text("utf-8").splitlines()))
    assert (answer.rows, len(written)) == (held, held)
    again = bk.read(tmp_path / "long.csv", **answer.options)
    only_means = any("mean over folds" in lost for lost in answer.left_out)
    fixed = any("groups='fixed'" in lost for lost in answer.left_out)
    but = (*["measured_costs"] * only_means, *["fixed_groups"] * fixed)
    assert differences(*(replace(each, costs=known_costs(each)) for each in (evidence, again)), but) == []


def known_costs(evidence):
    """Costs by the names that bestofk has for them, without those that nobody knows."""
    known = {name: each for name, each in evidence.costs.items() if not all(map(isnan, each.values()))}
    return {cost_of_name(name) or name: each for name, each in known.items()}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_evidence_is_refused(name):
    with pytest.raises(InputError) as caught:
        bk.read(PEERS / name)
    assert all((caught.value.wrong, caught.value.where, caught.value.fix))


def test_instances_that_are_left_out_are_counted():
    every = number(one for each in objects("helm/*/per_instance_stats.json") for one in each)
    summary = bk.read(PEERS / "helm", measure="exact_match").summary()
    assert any(f"{every - summary.results} perturbed instances" in note for note in summary.notes)
