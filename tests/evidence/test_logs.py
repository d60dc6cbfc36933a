"""Logs as programs of evaluation write them, judged by one call; files in tests/peers, spoilt ones made here."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.core.errors import InputError, MissingExtra, Unsaid
from bestofk.core.extras import available
from bestofk.evidence import Items, Runs, Scores
from makers import codes, command

PEERS = Path(__file__).parents[1] / "peers"
DATE = "2026-01-01T00-00-00.000000"
HARNESS = PEERS / "lm_eval"
SAMPLES = f"samples_choices_{DATE}.jsonl"


def refusal(source, **said):
    with pytest.raises(InputError) as error:
        bk.read(source, **said)
    return error.value


def copied(folder, tmp_path):
    return Path(shutil.copytree(folder, tmp_path / folder.name))


def changed(path, change):
    """Rewrite the lines of a file: ``change`` gets their objects."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    path.write_text("".join(json.dumps(row) + "\n" for row in change(rows)), "utf-8")


def lines_of(task, model, measure, kept=None):
    path = HARNESS / model / f"samples_{task}_{DATE}.jsonl"
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return [row[measure] for row in rows if kept in (None, row["filter"])]


# --- LM Evaluation Harness --------------------------------------------------------------------------------------------


def test_a_folder_of_models_and_tasks_is_judged_as_it_is():
    verdict = bk.judge(bk.read(HARNESS, measure="acc,exact_match", filter="strict-match"))
    found = verdict.evidence
    assert isinstance(found, Items)
    assert (found.learners, found.group_names, len(found.items)) == (
        ("big", "middle", "tiny"),
        ("choices", "sums"),
        60,
    )
    both = [*lines_of("choices", "big", "acc"), *lines_of("sums", "big", "exact_match", "strict-match")]
    np.testing.assert_allclose(found.means()["big"], np.mean(both))
    assert verdict.comparison.sample.groups_fixed  # two tasks are no sample of tasks


def test_models_have_the_names_that_their_results_say(tmp_path):
    folder = copied(HARNESS, tmp_path)
    for name in ("big", "tiny"):
        own = (folder / name).rename(folder / f"lab__{name}")
        for path in own.glob("results_*"):
            said = json.loads(path.read_text("utf-8"))
            said |= {"model_name": f"lab/{name}", "model_name_sanitized": f"lab__{name}"}
            path.write_text(json.dumps(said), "utf-8")
    (folder / "lab__tiny").rename(folder / "few shots")  # whoever renames a folder means it
    asked = {"measure": "acc,exact_match", "filter": "strict-match"}
    assert set(bk.read(folder, **asked).learners) == {"lab/big", "middle", "few shots"}


def test_two_folders_of_one_model_are_refused_unless_they_are_named(tmp_path):
    folder = copied(HARNESS, tmp_path)
    for name in ("big", "tiny"):
        for path in (folder / name).glob("results_*"):
            said = json.loads(path.read_text("utf-8")) | {"model_name": "lab/net", "model_name_sanitized": "lab__net"}
            path.write_text(json.dumps(said), "utf-8")
    asked = {"dataset": "choices", "measure": "acc"}
    error = refusal(folder, **asked)
    assert error.wrong.startswith("there are two logs of lab/net on choices")
    assert all(f"/{name}/" in error.where for name in ("big", "tiny"))
    named = {name: folder / name / SAMPLES for name in ("big", "tiny")}
    assert bk.read(named, measure="acc").learners == ("big", "tiny")
    assert set(bk.read(folder, replication="file", **asked).learners) == {"lab/net", "middle"}


@pytest.mark.parametrize("kept", ["samples", "results"])
@pytest.mark.parametrize("names", [("fp16", "int4"), ("half", "quarter")])
def test_two_variants_of_one_model_are_named_on_the_command_line(tmp_path, kept, names):
    for folder, model in {"fp16": "big", "int4": "tiny"}.items():
        shutil.copytree(HARNESS / model, tmp_path / folder)
        for path in (tmp_path / folder).glob("results_*"):
            said = json.loads(path.read_text("utf-8")) | {"model_name": "lab/net", "model_name_sanitized": "lab__net"}
            path.write_text(json.dumps(said), "utf-8")
        for path in (tmp_path / folder).iterdir() if kept == "results" else ():
            if path.suffix == ".jsonl":
                path.unlink()
    asked = ["--measure", "acc,exact_match", "--filter", "strict-match"]
    folders = [str(tmp_path / "fp16"), str(tmp_path / "int4")]
    refused = command("read", *folders, *asked)
    assert "--learners first,second" in refused.stderr
    assert "{" not in refused.stderr
    options = {"measure": "acc,exact_match", "filter": "strict-match"}
    found = bk.read(folders, learners=names, **options)
    means = bk.read(HARNESS, **options).means()
    assert found.means() == pytest.approx({names[0]: means["big"], names[1]: means["tiny"]})
    turned = bk.read(folders[::-1], learners=["fp16", "int4"], **options)
    assert turned.means() == pytest.approx({"fp16": means["big"], "int4": means["tiny"]})


def test_tasks_are_what_they_are_said_to_be():
    asked = {"measure": "acc,exact_match", "filter": "flexible-extract"}
    datasets = bk.read(HARNESS, tasks="datasets", **asked)
    assert isinstance(datasets, Scores)
    assert datasets.datasets == ("choices", "sums")
    tiny = datasets.values[datasets.learners.index("tiny"), :, 0, 0]
    right = lines_of("choices", "tiny", "acc"), lines_of("sums", "tiny", "exact_match", "flexible-extract")
    np.testing.assert_allclose(tiny, [np.mean(each) for each in right])
    groups = bk.read(HARNESS, tasks="groups", **asked)
    assert bk.judge(groups).status == "undecided"  # two groups
    assert bk.judge(groups, groups="fixed").status == "decided"
    assert "tasks" in refusal(PEERS / "promptfoo.jsonl", tasks="datasets").wrong


@pytest.mark.parametrize("tasks", [5, 6])
def test_six_tasks_are_a_sample_of_tasks(tmp_path, tasks):
    for model in ("big", "tiny"):
        for number in range(tasks):
            folder = tmp_path / model
            folder.mkdir(exist_ok=True)
            shutil.copy(HARNESS / model / SAMPLES, folder / f"samples_t{number}_{DATE}.jsonl")
    found = bk.read(tmp_path, measure="acc")
    sample = bk.compare(found).sample
    assert (sample.groups_fixed, sample.units) == ((True, len(found.items)) if tasks == 5 else (False, 6))
    datasets = bk.read(tmp_path, measure="acc", tasks="datasets")
    assert isinstance(datasets, Scores)
    assert len(datasets.datasets) == tasks


def test_results_without_samples_are_data_sets():
    paths = sorted(HARNESS.glob("*/results_*.json"))
    found = bk.read(paths, measure="acc,exact_match", filter="strict-match")
    assert isinstance(found, Scores)
    assert (found.learners, set(found.datasets)) == (("big", "middle", "tiny"), {"choices", "sums"})
    big = found.values[0, list(found.datasets).index("sums"), 0, 0]
    np.testing.assert_allclose(big, np.mean(lines_of("sums", "big", "exact_match", "strict-match")))


@pytest.mark.parametrize(
    ("key", "value", "name"),
    [
        ("versions", 2, "version"),
        ("n-shot", 5, "number of shots"),
        ("n-samples", {"original": 30, "effective": 20}, "number of samples"),
    ],
)
def test_results_of_another_setting_are_refused_with_both(tmp_path, key, value, name):
    folder = copied(HARNESS, tmp_path)
    paths = sorted(folder.glob("*/results_*.json"))
    said = json.loads(paths[2].read_text("utf-8"))
    said[key]["sums"] = value
    paths[2].write_text(json.dumps(said), "utf-8")
    error = refusal(paths, measure="acc,exact_match", filter="strict-match")
    assert all(part in error.wrong for part in (name, "sums", "for big", "for tiny"))
    assert error.where == f"{paths[0]} and {paths[2]}"
    assert name in error.fix


def test_results_of_other_hashes_are_said(tmp_path):
    folder = copied(HARNESS, tmp_path)
    paths = sorted(folder.glob("*/results_*.json"))
    for path in paths:
        said = json.loads(path.read_text("utf-8"))
        hashes = {"sums": "x", "choices": "z" if path == paths[2] else "y"}
        path.write_text(json.dumps(said | {"task_hashes": hashes}), "utf-8")
    asked = {"measure": "acc,exact_match", "filter": "strict-match"}
    found = bk.read(paths, **asked)
    assert "K140" in [each.code for each in bk.judge(found).advice]
    assert "K140" not in [each.code for each in bk.judge(bk.read(paths[:2], **asked)).advice]


@pytest.mark.parametrize("up", ["x", [], 3])
def test_results_with_an_odd_direction_are_refused_by_their_file(tmp_path, up):
    paths = sorted(copied(HARNESS, tmp_path).glob("*/results_*.json"))
    said = json.loads(paths[1].read_text("utf-8"))
    said["higher_is_better"]["choices"]["acc"] = up
    paths[1].write_text(json.dumps(said), "utf-8")
    assert refusal(paths, measure="acc,exact_match", filter="strict-match").where == str(paths[1])


def test_one_value_of_a_model_is_refused_with_how_to_log_more(tmp_path):
    folder = copied(HARNESS, tmp_path)
    for path in folder.glob("*/results_*.json"):
        said = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps(said | {"results": {"choices": said["results"]["choices"]}}), "utf-8")
    assert "--log_samples" in refusal(sorted(folder.glob("*/results_*.json")), measure="acc").fix


def test_the_direction_is_that_of_the_results(tmp_path):
    folder = copied(HARNESS, tmp_path)
    for model in folder.iterdir():
        results = model / f"results_{DATE}.json"
        content = json.loads(results.read_text("utf-8"))
        content["higher_is_better"]["choices"]["oddness"] = False
        results.write_text(json.dumps(content), "utf-8")
        changed(model / SAMPLES, lambda rows: [{**row, "oddness": 1, "metrics": ["oddness"]} for row in rows])
    assert not bk.read(folder, dataset="choices", measure="oddness").larger_is_better
    for results in folder.glob("*/results_*"):
        results.unlink()
    assert "direction" in refusal(folder, dataset="choices", measure="oddness").wrong


def test_directions_that_contradict_each_other_are_refused_with_both(tmp_path):
    for model, level in {"a": 0.7, "b": 0.5}.items():
        said = {"results": {}, "model_name": model, "higher_is_better": {}}
        for task in range(8):
            said["results"][f"t{task}"] = {"quality,none": level + task / 100, "acc,none": level}
            said["higher_is_better"][f"t{task}"] = {"quality": task != 3, "acc": False}
        (tmp_path / model).mkdir()
        (tmp_path / model / f"results_{DATE}.json").write_text(json.dumps(said), "utf-8")
    error = refusal(tmp_path, measure="quality")
    assert all(f"results_{DATE}.json, {task}" in error.wrong for task in ("t0", "t3"))
    assert "by its name" in refusal(tmp_path, measure="acc").wrong


def test_measures_that_tasks_do_not_share_are_named():
    error = refusal(HARNESS, filter="strict-match")
    assert "acc_norm" in error.wrong
    assert "--measure acc,exact_match" in error.fix
    assert refusal(HARNESS, filter="strict-match", measure="acc").where.endswith(f"samples_sums_{DATE}.jsonl")
    assert "--filter strict-match" in refusal(HARNESS).fix
    assert "strict-match" in refusal(HARNESS, filter="strict").fix
    assert "choices" in refusal(HARNESS, dataset="choixes").fix


def spoilt(tmp_path, change, model="big"):
    folder = copied(HARNESS, tmp_path)
    changed(folder / model / SAMPLES, change)
    return folder, folder / model / SAMPLES


def test_models_with_other_items_under_the_same_number_are_refused_by_name(tmp_path):
    folder, path = spoilt(tmp_path, lambda rows: [{**row, "doc_hash": f"{row['doc_id']}"} for row in rows], "tiny")
    error = refusal(folder, dataset="choices", measure="acc")
    assert all(name in error.wrong for name in ("big", "tiny"))
    assert f"{path}, line 1" in error.where


def test_other_prompts_are_said(tmp_path):
    folder, _ = spoilt(tmp_path, lambda rows: [{**row, "prompt_hash": "x"} for row in rows])
    found = bk.read(folder, dataset="choices", measure="acc")
    assert any("different prompts" in note for note in found.origin.notes)
    assert "K140" in [each.code for each in bk.judge(found).advice]


def test_a_log_that_ends_too_early_is_refused(tmp_path):
    folder, path = spoilt(tmp_path, lambda rows: rows[:20])
    assert refusal(folder, dataset="choices", measure="acc").where == str(path)
    path.write_text(path.read_text("utf-8")[:-30], "utf-8")
    assert f"{path}, line 20" in refusal(folder, dataset="choices", measure="acc").where


def test_another_version_of_a_task_is_refused(tmp_path):
    folder = copied(HARNESS, tmp_path)
    results = folder / "tiny" / f"results_{DATE}.json"
    results.write_text(results.read_text("utf-8").replace('"choices": "Yaml"', '"choices": 2'), "utf-8")
    assert "version" in refusal(folder, dataset="choices", measure="acc").wrong


def test_a_second_log_without_its_results_is_of_the_same_model(tmp_path):
    folder = copied(HARNESS, tmp_path)
    own = (folder / "big").rename(folder / "lab__big")
    results = own / f"results_{DATE}.json"
    said = json.loads(results.read_text("utf-8")) | {"model_name": "lab/big", "model_name_sanitized": "lab__big"}
    results.write_text(json.dumps(said), "utf-8")
    shutil.copy(own / SAMPLES, own / SAMPLES.replace("2026-01-01", "2026-02-02"))
    assert "two logs of lab/big" in refusal(folder, dataset="choices", measure="acc").wrong


def test_several_versions_of_the_program_are_said(tmp_path):
    folder = copied(HARNESS, tmp_path)
    for version, path in enumerate(sorted(folder.glob("*/results_*.json"))):
        said = json.loads(path.read_text("utf-8")) | {"lm_eval_version": f"0.4.{version}"}
        path.write_text(json.dumps(said), "utf-8")
    notes = bk.read(folder, dataset="choices", measure="acc").origin.notes
    assert any("0.4.0, 0.4.1 and 0.4.2" in note for note in notes)


@pytest.mark.parametrize(("folder", "name"), [("lm_eval_flat", "more.jsonl"), ("inspect", "more.eval")])
def test_an_empty_log_is_not_passed_over(tmp_path, folder, name):
    path = copied(PEERS / folder, tmp_path) / name
    path.touch()
    assert refusal(path.parent).where == str(path)


def test_two_runs_of_a_model_are_refused_with_both_files(tmp_path):
    folder = copied(HARNESS, tmp_path)
    again = folder / "big" / SAMPLES.replace("2026-01-01", "2026-02-02")
    shutil.copy(folder / "big" / SAMPLES, again)
    error = refusal(folder, dataset="choices", measure="acc")
    assert all(name in error.where for name in (SAMPLES, again.name))
    named = {"first": folder / "big" / SAMPLES, "second": again}
    assert bk.read(named, measure="acc").learners == ("first", "second")


def test_a_model_without_samples_beside_others_is_named(tmp_path):
    folder = copied(HARNESS, tmp_path)
    for path in folder.glob("tiny/samples_*"):
        path.unlink()
    assert "tiny" in refusal(folder).wrong


def test_results_of_a_task_without_samples_are_not_dropped(tmp_path):
    folder = copied(HARNESS, tmp_path)
    (path,) = folder.glob("tiny/samples_sums_*")
    path.unlink()
    error = refusal(folder, measure="acc", dataset="choices")
    assert "tiny has results of sums and no samples" in error.wrong
    assert bk.read(sorted(folder.glob("*/samples_choices_*")), measure="acc").learners == ("big", "middle", "tiny")


def test_tables_beside_logs_are_not_passed_over_in_silence(tmp_path):
    folder, asked = copied(HARNESS, tmp_path), {"measure": "acc", "dataset": "choices"}
    shutil.copy(PEERS / "amlb.csv", folder / "big" / "notes.csv")
    assert any("not read: big/notes.csv" in note for note in bk.read(folder, **asked).origin.notes)
    shutil.copy(PEERS / "amlb.csv", folder)
    error = refusal(folder, **asked)
    assert "amlb.csv" in error.wrong
    assert str(folder / "amlb.csv") in error.fix


def test_a_file_that_cannot_be_opened_stops_only_logs(tmp_path):
    rows = "".join(f"d{number},0.{number + 1}\n" for number in range(6))
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"dataset,accuracy\n{rows}", "utf-8")
    (tmp_path / "notes.json.gz").write_text("no gzip file", "utf-8")
    assert bk.read(tmp_path).learners == ("a", "b")
    folder = copied(PEERS / "deepeval", tmp_path)
    shutil.copy(tmp_path / "notes.json.gz", folder)
    assert refusal(folder).where == str(folder / "notes.json.gz")


def test_a_file_beside_logs_that_is_none_is_refused():
    paths = [*HARNESS.glob(f"*/{SAMPLES}"), PEERS / "amlb.csv"]
    assert refusal(paths, measure="acc").where == str(paths[-1])


def test_files_of_two_programs_are_refused(tmp_path):
    folder = copied(HARNESS, tmp_path)
    shutil.copy(PEERS / "promptfoo.jsonl", folder)
    assert "promptfoo" in refusal(folder).wrong


def test_a_folder_called_as_another_model_is_refused(tmp_path):
    folder = copied(HARNESS, tmp_path)
    for model in ("big", "tiny"):
        results = folder / model / f"results_{DATE}.json"
        said = json.loads(results.read_text("utf-8"))
        said |= {"model_name": f"lab/{model}", "model_name_sanitized": f"lab__{model}"}
        results.write_text(json.dumps(said), "utf-8")
    (folder / "big").rename(folder / "first")
    (folder / "tiny").rename(folder / "lab__big")
    error = refusal(folder, dataset="choices", measure="acc")
    assert "lab/tiny" in error.wrong
    assert "lab/big" in error.wrong
    (folder / "lab__big").rename(folder / "second")
    assert bk.read(folder, dataset="choices", measure="acc").learners == ("first", "middle", "second")


def test_a_model_without_the_task_is_not_left_out_unseen(tmp_path):
    folder = copied(HARNESS, tmp_path)
    (folder / "tiny" / SAMPLES).unlink()
    (folder / "tiny" / f"results_{DATE}.json").unlink()
    error = refusal(folder, dataset="choices", measure="acc")
    assert "tiny has no results on choices" in error.wrong
    assert "--learners big,middle" in error.fix
    found = bk.read(folder, dataset="choices", measure="acc", learners=["big", "middle"])
    assert found.learners == ("big", "middle")


def test_an_infinite_value_is_refused_with_its_line(tmp_path):
    folder, path = spoilt(tmp_path, lambda rows: [{**row, "acc": 1e308} for row in rows])
    path.write_text(path.read_text("utf-8").replace("1e+308", "1e400"), "utf-8")
    error = refusal(folder, dataset="choices", measure="acc")
    assert error.where.startswith(f"{path}, line 1")
    assert "value of" not in str(error)


# --- Inspect ----------------------------------------------------------------------------------------------------------

needs_zstandard = pytest.mark.skipif(not available("zstandard"), reason="the extra inspect is not installed")
JSON_LOGS = PEERS / "inspect_json"


@needs_zstandard
def test_epochs_are_averaged_within_the_item():
    found = bk.read(PEERS / "inspect", measure="match")
    assert (found.learners, len(found.items)) == (("mockllm/large", "mockllm/small"), 6)
    assert (found.measure, found.larger_is_better) == ("match", True)
    assert set(np.unique(found.values)) == {0.0, 0.5, 1.0}
    np.testing.assert_allclose([*found.means().values()], [11 / 12, 1 / 3])  # read_eval_log(…).results says so too
    assert found.costs["tokens"] == {"mockllm/large": 12.0, "mockllm/small": 7.0}
    assert set(found.costs["seconds"]) == set(found.learners)


@pytest.mark.parametrize("name", ["match", "tick"])
def test_means_of_right_and_wrong_answers_are_rates_whatever_their_name(name):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        [(model, item, repeat) for model in "ab" for item in range(60) for repeat in range(2)],
        columns=["model", "item", "repeat"],
    )
    frame[name] = rng.integers(0, 2, len(frame))
    verdict = bk.judge(bk.read(frame, measure=name, larger_is_better=True))
    assert verdict.comparison.rate_range == 1.0
    assert "K119" in codes(verdict)
    frame[name] *= 7
    assert bk.judge(bk.read(frame, measure=name, larger_is_better=True)).comparison.rate_range is None


@needs_zstandard
@pytest.mark.parametrize(
    "source",
    [PEERS / "inspect", *sorted((PEERS / "inspect").iterdir()), [*sorted(JSON_LOGS.glob("*_sums_*"))]],
    ids=["folder", "large", "small", "json"],
)
def test_of_several_scorers_one_is_asked_for(source):
    error = refusal(source)
    assert isinstance(error, Unsaid)
    assert error.wrong == "there are 2 measures: match, includes."
    assert "--measure match" in error.fix
    shown = command("read", *map(str, source if isinstance(source, list) else [source])).output
    assert "--measure match or includes" in shown
    assert "match (larger is better), includes (larger is better)" in shown


@pytest.mark.parametrize("name", ["inspect_json", "lm_eval", "deepeval", "promptfoo.json", "promptfoo.jsonl"])
def test_logs_are_judged_by_one_measure(name):
    error = refusal(PEERS / name, on="match,includes")
    assert error.wrong == "match and includes are asked for, and logs are judged by one measure."
    assert "--measure match" in error.fix


@pytest.mark.parametrize(
    ("declared", "headline", "measure"),
    [
        ({"score": "includes", "scorer": None}, {"scorer": "includes", "score": "includes"}, "includes"),
        ({"scorer": "match"}, {"scorer": "match", "score": "match"}, "match"),
        ({"score": "gone"}, {"scorer": "match", "score": "match"}, None),  # Inspect has warned, and taken the first
        ({}, {"scorer": "match", "score": "match"}, None),
    ],
)
def test_a_scorer_that_the_task_declares_is_the_measure(tmp_path, declared, headline, measure):
    folder = copied(JSON_LOGS, tmp_path)
    for path in folder.iterdir():
        log = json.loads(path.read_text("utf-8"))
        log["eval"]["headline_metric"] = declared
        log["results"]["headline"] = {**headline, "metric": "accuracy"}
        path.write_text(json.dumps(log), "utf-8")
    if measure is None:
        assert isinstance(refusal(folder, dataset="sums"), Unsaid)
    else:
        assert bk.read(folder, dataset="sums").measure == measure


@pytest.mark.parametrize(
    ("declared", "measure"),
    [
        ({}, None),
        ({"sums": "includes"}, None),
        ({"more": "match", "sums": "match"}, "match"),
        ({"sums": "match"}, "match"),
    ],
    ids=["none", "another", "the same", "the only one of the other task"],
)
def test_several_tasks_have_one_measure_by_the_rule_of_each(tmp_path, declared, measure):
    folder = copied(JSON_LOGS, tmp_path)
    for path in folder.iterdir():
        scorer = declared.get(json.loads(path.read_text("utf-8"))["eval"]["task"])
        headline = {"scorer": scorer, "score": scorer, "metric": "accuracy"}
        with_json(path, lambda log, said=headline: log["eval"].update(headline_metric={"scorer": said["scorer"]}))
        with_json(path, lambda log, said=headline: log["results"].update(headline=said))
    if measure is None:
        error = refusal(folder)
        own = "includes of sums (declared)" if declared else "includes of sums"
        assert (isinstance(error, Unsaid), error.wrong) == (
            True,
            f"the tasks have no one measure: match of more and sums; {own}.",
        )
        assert ("--measure match or includes,match" in error.fix) == bool(declared)
        assert "--dataset more" in error.fix
    else:
        assert bk.read(folder).measure == measure


def test_json_logs_of_two_tasks():
    found = bk.read(JSON_LOGS, measure="match")
    assert (found.group_names, len(found.items)) == (("more", "sums"), 14)
    assert bk.judge(found, prior="tokens").status == "decided"
    for path in sorted(JSON_LOGS.glob("*_more_*")):
        log = json.loads(path.read_text("utf-8"))
        accuracy = log["results"]["scores"][0]["metrics"]["accuracy"]["value"]
        np.testing.assert_allclose(bk.read(JSON_LOGS, dataset="more").means()[log["eval"]["model"]], accuracy)


def test_json_logs_of_an_older_version_have_no_eval_id(tmp_path):
    folder = copied(JSON_LOGS, tmp_path)
    for path in folder.iterdir():
        log = json.loads(path.read_text("utf-8"))
        del log["eval"]["eval_id"]
        path.write_text(json.dumps(log, indent=2), "utf-8")
    assert bk.read(folder, measure="match").means() == bk.read(JSON_LOGS, measure="match").means()


def test_another_version_of_a_task_of_inspect_is_refused(tmp_path):
    folder = copied(JSON_LOGS, tmp_path)
    path = folder / "2026-01-01_more_large.json"
    log = json.loads(path.read_text("utf-8"))
    assert log["eval"]["task_version"] == 0  # as it is where nobody says it
    log["eval"]["task_version"] = 7
    path.write_text(json.dumps(log), "utf-8")
    assert "version" in refusal(folder, dataset="more").wrong


def test_an_item_of_other_inputs_is_refused(tmp_path):
    folder = copied(JSON_LOGS, tmp_path)
    with_json(folder / "2026-01-01_more_small.json", lambda log: log["samples"][0].update(input="Another?"))
    wrong = refusal(folder, dataset="more").wrong
    assert "of task 'more' has different inputs or answers for mockllm/large and mockllm/small." in wrong


def test_metadata_make_groups():
    found = bk.read(JSON_LOGS, dataset="more", group="kind")
    assert set(found.group_names) == {"even", "odd"}
    assert "kind" in refusal(JSON_LOGS, dataset="more", group="kinds").fix


def test_a_run_that_failed_is_refused():
    error = refusal([*JSON_LOGS.glob("*_more_*"), *(PEERS / "inspect_failed").iterdir()])
    assert "status error" in error.wrong
    assert "broken" in error.where


def scored(tmp_path, value, number=0):
    """The logs with another value of one sample of the large model."""
    folder = copied(JSON_LOGS, tmp_path)
    path = folder / "2026-01-01_more_large.json"
    log = json.loads(path.read_text("utf-8"))
    log["samples"][number]["scores"] = {"match": {"value": value}}
    path.write_text(json.dumps(log), "utf-8")
    return folder


@pytest.mark.parametrize(("value", "number"), [("C", 1.0), ("I", 0.0), ("P", 0.5), ("N", 0.0), (0.25, 0.25), (True, 1)])
def test_values_of_scorers(tmp_path, value, number):
    found = bk.read(scored(tmp_path, value), dataset="more")
    assert found.values[0, 0] == number
    assert found.is_rate  # graded by letters, whatever the scorer is called


def test_an_unknown_value_is_refused_with_its_sample(tmp_path):
    error = refusal(scored(tmp_path, "maybe"), dataset="more")
    assert "maybe" in error.wrong
    assert error.where.endswith("sample 1, item q0")


def test_a_scorer_of_words_is_refused_only_where_it_is_chosen(tmp_path):
    folder = copied(JSON_LOGS, tmp_path)
    for path in folder.glob("*_more_*"):
        log = json.loads(path.read_text("utf-8"))
        for each in log["samples"]:
            each["scores"]["note"] = {"value": "well said"}
        path.write_text(json.dumps(log), "utf-8")
    assert bk.read(folder, dataset="more").means() == bk.read(JSON_LOGS, dataset="more").means()
    assert "well said" in refusal(folder, dataset="more", measure="note").wrong


def test_a_score_of_parts_is_several_measures(tmp_path):
    folder = copied(JSON_LOGS, tmp_path)
    for path in folder.glob("*_more_*"):
        log = json.loads(path.read_text("utf-8"))
        for place, each in enumerate(log["samples"]):
            each["scores"] = {"judge": {"value": {"style": place, "facts": 1}}}
        log["results"] = {}
        path.write_text(json.dumps(log), "utf-8")
    found = bk.read(folder, dataset="more", measure="judge/style", larger_is_better=True)
    assert found.values[0].tolist() == list(range(8))


def test_a_part_of_a_score_is_declared_and_graded_as_a_score_is(tmp_path):
    folder = copied(JSON_LOGS, tmp_path)
    headline = {"scorer": "judge", "score": "facts"}
    for path in folder.glob("*_more_*"):
        log = json.loads(path.read_text("utf-8"))
        for place, each in enumerate(log["samples"]):
            each["scores"]["judge"] = {"value": {"style": place, "facts": each["scores"]["match"]["value"]}}
        log["eval"]["headline_metric"] = headline
        log["results"]["headline"] = {**headline, "metric": "accuracy"}
        path.write_text(json.dumps(log), "utf-8")
    found = bk.read(folder, dataset="more")
    assert (found.measure, found.larger_is_better, found.is_rate) == ("judge/facts", True, True)
    assert found.means() == bk.read(JSON_LOGS, dataset="more").means()


def test_missing_samples_and_damaged_logs_are_refused(tmp_path):
    folder = copied(JSON_LOGS, tmp_path)
    path = folder / "2026-01-01_more_large.json"
    log = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**log, "samples": log["samples"][:3]}), "utf-8")
    assert "3 of 8 samples" in refusal(folder, dataset="more").wrong
    cut = tmp_path / "cut.eval"
    cut.write_bytes((PEERS / "inspect" / "2026-01-01_sums_large.eval").read_bytes()[:5000])
    assert refusal(cut).where == str(cut)
    with zipfile.ZipFile(tmp_path / "begun.eval", "w") as archive:
        archive.writestr("_journal/start.json", "{}")
    assert "not ended" in refusal(tmp_path / "begun.eval").wrong
    with zipfile.ZipFile(tmp_path / "other.eval", "w") as archive:
        archive.writestr("a.csv", "model,acc")
    assert refusal(tmp_path / "other.eval").wrong == "there is no header.json in it."
    shutil.copy(PEERS / "inspect" / "2026-01-01_sums_large.eval", tmp_path / "log.zip")
    assert len(bk.read(tmp_path / "log.zip", measure="match").learners) == 1  # known by what is in it


@pytest.mark.parametrize(("place", "byte"), [(10, 99), (8, 1)])  # an unknown way of packing; a password
def test_a_log_that_is_packed_by_something_else_is_refused(tmp_path, place, byte):
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("summaries.json", "[]")
    content = bytearray(path.read_bytes())
    for mark in (b"PK\x01\x02", b"PK\x03\x04"):
        content[content.index(mark) + place - 2 * (mark[2] == 3)] = byte
    path.write_bytes(content)
    assert "cannot be unpacked" in refusal(path).wrong


@needs_zstandard
def test_a_log_that_ends_within_a_header_is_refused(tmp_path):
    path = tmp_path / "log.eval"
    content = bytearray((PEERS / "inspect" / "2026-01-01_sums_large.eval").read_bytes())
    start = content.rindex(b"header.json") - 46  # its entry in the directory, which says where it begins
    content[start + 42 : start + 46] = (len(content) - 4).to_bytes(4, "little")
    path.write_bytes(content)
    assert "cannot be unpacked" in refusal(path).wrong


@pytest.mark.parametrize("said", [{}, {"measure": "match"}])
def test_a_log_without_scores_is_refused(tmp_path, said):
    folder = copied(PEERS / "inspect_json", tmp_path)
    path = folder / "2026-01-01_sums_large.json"
    content = json.loads(path.read_text("utf-8"))
    for sample in content["samples"]:
        del sample["scores"]
    path.write_text(json.dumps(content), "utf-8")
    assert refusal(folder, dataset="sums", **said).where == str(path)


def test_models_without_a_common_task_are_refused(tmp_path):
    for name in ("sums_large", "more_small"):
        shutil.copy(PEERS / "inspect_json" / f"2026-01-01_{name}.json", tmp_path)
    error = refusal(tmp_path)
    assert all(part in error.wrong for part in ("task", "mockllm/large has sums", "mockllm/small has more"))


def test_what_is_to_be_said_of_measures_is_true(tmp_path):
    folder = copied(PEERS / "inspect_json", tmp_path)
    for path in folder.iterdir():
        content = json.loads(path.read_text("utf-8"))
        for sample in content["samples"]:
            sample["scores"] = {"kind": {"value": {"wit": 1.0, "length": 3.0}}}
        path.write_text(json.dumps(content), "utf-8")
    for said in ({}, {"measure": "wit"}):
        error = refusal(folder, dataset="sums", **said)
        assert isinstance(error, Unsaid)
        assert "accuracy" not in error.fix  # the logs have none


def test_what_was_said_in_a_json_log_is_let_go(tmp_path):
    content = json.loads((PEERS / "inspect_json" / "2026-01-01_sums_large.json").read_text("utf-8"))
    for sample in content["samples"]:
        sample["messages"] = [{"role": "user", "content": "x" * 100_000}]
    for number in range(6):
        content["eval"]["model"] = f"m{number}"
        (tmp_path / f"{number}.json").write_text(json.dumps(content), "utf-8")
    paths, most = sorted(tmp_path.iterdir()), []
    bk.read(paths[:2], measure="match")  # what is imported counts for nothing
    for some in (paths[:2], paths):
        tracemalloc.start()
        bk.read(some, measure="match")
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert most[1] < 1.2 * most[0]


def test_a_cost_that_no_log_has_is_none(tmp_path):
    folder = copied(PEERS / "inspect_json", tmp_path)
    for path in folder.iterdir():
        content = json.loads(path.read_text("utf-8"))
        for sample in content["samples"]:
            sample["model_usage"] = {}
        path.write_text(json.dumps(content), "utf-8")
    assert set(bk.read(folder, measure="match").costs) == {"seconds"}


@pytest.mark.parametrize(("own", "expected"), [(True, 7.0), (False, 107.0)], ids=["its own", "not told apart"])
def test_tokens_of_a_grader_are_none_of_the_model(tmp_path, own, expected):
    folder = copied(JSON_LOGS, tmp_path)
    for path in folder.iterdir():
        content = json.loads(path.read_text("utf-8"))
        for sample in content["samples"]:
            used = {"mockllm/grader": {"total_tokens": 100}, "m": sample["model_usage"][content["eval"]["model"]]}
            sample["model_usage"] = {
                content["eval"]["model"] if own and name == "m" else name: used[name] for name in used
            }
        path.write_text(json.dumps(content), "utf-8")
    assert bk.read(folder, measure="match").costs["tokens"]["mockllm/small"] == expected


def test_a_log_that_is_packed_once_more_is_refused(tmp_path):
    folder = copied(PEERS / "inspect", tmp_path)
    path = sorted(folder.iterdir())[0]
    path.write_bytes(gzip.compress(path.read_bytes()))
    error = refusal(folder)
    assert (error.where, "cannot be unpacked" in error.wrong) == (str(path), True)


def test_without_zstandard_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtra, match="inspect"):
        bk.read(PEERS / "inspect")


# --- promptfoo --------------------------------------------------------------------------------------------------------


def test_results_of_promptfoo():
    found = bk.read(PEERS / "promptfoo.jsonl")
    assert (found.learners, found.measure, len(found.items)) == (("small", "large"), "pass", 7)
    assert found.means()["large"] == 6 / 7  # all but 2 + 2
    assert found.costs["dollars"] == {"small": 0.0001, "large": 0.001}
    assert found.costs["tokens"] == {"small": 20.0, "large": 40.0}
    assert bk.read(PEERS / "promptfoo.jsonl", measure="score").larger_is_better
    assert "direction" in refusal(PEERS / "promptfoo.jsonl", measure="right").wrong  # a score that the user named
    right = bk.read(PEERS / "promptfoo.jsonl", measure="right", larger_is_better=True)
    assert right.values.tolist() == found.values.tolist()


def test_tests_without_numbers_are_told_apart_by_what_they_ask(tmp_path):
    path = tmp_path / "results.json"
    content = json.loads((PEERS / "promptfoo.json").read_text("utf-8"))
    content["results"]["results"] = [
        {k: v for k, v in row.items() if k != "testIdx"} for row in content["results"]["results"]
    ]
    path.write_text(json.dumps(content), "utf-8")
    found, numbered = bk.read(path), bk.read(PEERS / "promptfoo.json")
    assert found.items == numbered.items
    np.testing.assert_array_equal(found.values, numbered.values)


def test_an_error_of_the_provider_is_a_missing_result():
    found = bk.read(PEERS / "promptfoo.json")
    assert len(found.missing()) == 1
    assert bk.judge(found, missing="drop-items").status in ("tied", "decided")


def test_prompts_are_learners_and_repeats_are_averaged(tmp_path):
    rows = [json.loads(line) for line in (PEERS / "promptfoo.jsonl").read_text("utf-8").splitlines()]
    for row in rows[:]:
        rows.append({**row, "testIdx": row["testIdx"] + 100, "success": False})
        rows.append({**row, "promptIdx": 9, "prompt": {"raw": "Add!", "label": "Add!"}})
    path = tmp_path / "more.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = bk.read(path)
    prompts = ("What is {{a}} + {{b}}?", "Add!")
    assert set(found.learners) == {f"{model}: {prompt}" for model in ("small", "large") for prompt in prompts}
    assert len(found.items) == 7
    assert found.means()["large: What is {{a}} + {{b}}?"] == pytest.approx(3 / 7)


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        (("x:low", "x:high"), ("small (x:low)", "small (x:high)", "large")),
        (("x", "x"), ("small (promptIdx 0)", "small (promptIdx 2)", "large")),
    ],
)
def test_systems_of_one_name_are_not_one_system(tmp_path, ids, names):
    rows = [json.loads(line) for line in (PEERS / "promptfoo.jsonl").read_text("utf-8").splitlines()]
    small = [row for row in rows if row["promptIdx"] == 0]
    for row in small:
        row["provider"]["id"] = ids[0]
        rows.append({**row, "promptIdx": 2, "provider": {"id": ids[1], "label": "small"}, "success": True})
    path = tmp_path / "more.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = bk.read(path)
    assert set(found.learners) == set(names)
    assert found.means()[names[1]] == 1
    assert found.means()[names[0]] == bk.read(PEERS / "promptfoo.jsonl").means()["small"]


def test_tests_of_two_files_must_be_the_same(tmp_path):
    rows = [json.loads(line) for line in (PEERS / "promptfoo.jsonl").read_text("utf-8").splitlines()]
    paths = {model: tmp_path / f"{model}.jsonl" for model in ("small", "large")}
    for model, path in paths.items():
        own = [json.dumps(row) + "\n" for row in rows if row["provider"]["label"] == model]
        path.write_text("".join(own), "utf-8")
    assert len(bk.read(list(paths.values())).items) == 7
    paths["large"].write_text("".join(own).replace("is {{sum}}", "was {{sum}}"), "utf-8")
    assert "different inputs" in refusal(list(paths.values())).wrong


def test_a_file_of_one_system_is_called_as_the_caller_says(tmp_path):
    rows = [json.loads(line) for line in (PEERS / "promptfoo.jsonl").read_text("utf-8").splitlines()]
    paths = [tmp_path / f"{model}.jsonl" for model in ("large", "small")]
    for path in paths:
        own = [json.dumps(row) + "\n" for row in rows if row["provider"]["label"] == path.stem]
        path.write_text("".join(own), "utf-8")
    means = bk.read(PEERS / "promptfoo.jsonl").means()
    assert bk.gate(*paths, margin=0.05).checks[0].new == means["large"]
    assert bk.read(paths, learners=["small", "large"]).means() == means  # the other order keeps them, and calls none
    assert bk.read(paths, learners=["v2", "v1"]).means() == {"v2": means["large"], "v1": means["small"]}
    pair = [PEERS / "promptfoo.jsonl", paths[0]]
    huge = paths[0].read_text("utf-8").replace('"large"', '"huge"')
    paths[0].write_text(huge, "utf-8")
    assert set(bk.read(pair, learners=["small", "huge"]).learners) == {"small", "huge"}
    paths[0].write_text(huge.replace('"testCase": {', '"testCase": {"metadata": {"learner": 1}, '), "utf-8")
    assert bk.read(paths).learners == ("huge", "small")  # and not as its tests say


def test_what_promptfoo_writes_for_people_is_refused_and_what_is_converted_has_its_costs(tmp_path):
    path = tmp_path / "results.csv"  # of one provider and one prompt: no column is there twice
    path.write_text(
        "Description,a,[small] Add {{a}},Status,Score,Named Scores,Grader Reason\nRow #1,3,6,PASS,1,{},fine\n"
    )
    assert "export eval" in refusal(path, rows="items", measure="Score").fix
    bk.read(PEERS / "promptfoo.jsonl").convert(path)
    assert set(bk.read(path).costs) == {"price", "tokens", "runtime"}


def test_one_model_is_asked_for_the_others():
    (path,) = JSON_LOGS.glob("*_more_large*")
    with pytest.raises(bk.InputError, match="one learner") as error:
        bk.judge(bk.read(path))
    assert "folder" in error.value.fix


# --- other evaluations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "asked", "measure", "items", "means"),
    [
        ("helm", "exact_match", "exact_match", 10, {"org/small": 0.2, "org/large": 0.7}),  # without perturbed instances
        ("openai_evals", None, "correct", 8, {"small": 0.625, "large": 0.75}),
        ("deepeval", None, "pass", 8, {"small": 3 / 8, "large": 7 / 8}),
        ("swe_bench", None, "resolved", 10, {"small.test": 0.4, "large.test": 0.8}),
    ],
)
def test_a_folder_of_logs(folder, asked, measure, items, means):
    found = bk.read(PEERS / folder, measure=asked)  # the means are those that the programs say
    assert (found.measure, found.larger_is_better, len(found.items)) == (measure, True, items)
    assert found.means() == pytest.approx(means)
    assert bk.judge(found).order[0] == max(means, key=means.get)


def test_costs_of_helm_and_deepeval():
    helm, deepeval = bk.read(PEERS / "helm", measure="exact_match"), bk.read(PEERS / "deepeval")
    assert helm.costs["tokens"] == {"org/small": 386.0, "org/large": 386.0}  # 385 in prompts, 1 in answers
    assert deepeval.costs["dollars"] == {"small": 0.001, "large": 0.01}
    assert bk.judge(deepeval, prior="dollars").best == "small"


def test_splits_of_helm_are_not_mixed(tmp_path):
    folder = copied(PEERS / "helm", tmp_path)
    whole = bk.read(folder, measure="exact_match")
    for path in folder.glob("*/per_instance_stats.json"):
        rows = json.loads(path.read_text("utf-8"))
        for row in rows:
            for stat in row["stats"]:
                stat["name"]["split"] = "valid" if row["instance_id"] == rows[0]["instance_id"] else "test"
        path.write_text(json.dumps(rows), "utf-8")
    error = refusal(folder, measure="exact_match")
    assert "2 splits: valid and test" in error.wrong
    assert "--filter split=test" in error.fix
    found = bk.read(folder, measure="exact_match", filter="split=test")
    assert found.items == whole.items[1:]
    assert "test" in refusal(folder, measure="exact_match", filter="split=tests").fix


def cases(folder, threshold, passes):
    """Test cases of two systems with scores from 0.05 to 0.95; ``passes`` says of a score whether it does."""
    for name in ("small", "large"):
        scores = [each / 20 for each in range(1, 20, 2)]
        metrics = [
            {"name": "Toxicity", "score": each, "threshold": threshold, "success": passes(each)} for each in scores
        ]
        tests = [{"name": f"c{place}", "success": True, "metricsData": [each]} for place, each in enumerate(metrics)]
        (folder / f"{name}.json").write_text(json.dumps({"testCases": tests, "identifier": name}), "utf-8")
    return folder


def test_the_direction_of_a_metric_is_that_of_its_threshold(tmp_path):
    asked = {"measure": "Toxicity"}
    assert not bk.read(cases(tmp_path, 0.5, lambda score: score <= 0.5), **asked).larger_is_better
    assert bk.read(cases(tmp_path, 0.5, lambda score: score >= 0.5), **asked).larger_is_better
    assert "direction" in refusal(cases(tmp_path, None, lambda score: score <= 0.5), **asked).wrong
    assert "test case c0" in refusal(cases(tmp_path, 0.5, lambda score: True), **asked).wrong


def test_a_run_of_helm_without_its_specification_is_refused(tmp_path):
    folder = copied(PEERS / "helm", tmp_path)
    (folder / "simple_mcqa_small" / "run_spec.json").unlink()
    assert "run_spec.json" in refusal(folder).wrong


def test_an_eval_without_its_final_report_has_not_ended(tmp_path):
    folder = copied(PEERS / "openai_evals", tmp_path)
    changed(folder / "small.jsonl", lambda rows: [row for row in rows if "final_report" not in row])
    error = refusal(folder)
    assert "final report" in error.wrong
    assert error.where == str(folder / "small.jsonl")


def test_an_eval_that_lacks_events_is_told_by_its_final_report(tmp_path):
    folder = copied(PEERS / "openai_evals", tmp_path)
    for path in folder.iterdir():  # the report stands before the events
        changed(path, lambda rows: [row for row in rows if row.get("sample_id") not in ("sums.dev.0", "sums.dev.1")])
    error = refusal(folder)
    assert "6 events" in error.wrong
    assert error.where == str(folder / "large.jsonl")


def test_events_of_a_sample_are_one_attempt_until_a_measure_comes_again(tmp_path):
    folder = copied(PEERS / "openai_evals", tmp_path)
    plain = bk.read(folder)

    def more(rows):
        for row in rows:
            yield row
            if row.get("type") == "match":
                yield {**row, "type": "metrics", "data": {"rouge": 0.25}}

    for path in folder.iterdir():
        changed(path, more)
    assert bk.read(folder).values.tolist() == plain.values.tolist()
    rouge = bk.read(folder, measure="rouge", larger_is_better=True)
    assert set(rouge.values.ravel()) == {0.25}
    for path in folder.iterdir():
        changed(path, lambda rows: [*rows, *({**row, "data": {"rouge": 0.75}} for row in rows if "rouge" in str(row))])
    assert set(bk.read(folder, measure="rouge", larger_is_better=True).values.ravel()) == {0.5}


def test_samples_of_other_answers_are_refused(tmp_path):
    folder = copied(PEERS / "openai_evals", tmp_path)
    text = (folder / "small.jsonl").read_text("utf-8")
    (folder / "small.jsonl").write_text(text.replace('"expected": "6"', '"expected": "4"', 1), "utf-8")
    assert "sums.dev.0" in refusal(folder).wrong


def test_test_cases_of_other_questions_are_refused(tmp_path):
    folder = copied(PEERS / "deepeval", tmp_path)
    text = (folder / "small.json").read_text("utf-8")
    (folder / "small.json").write_text(text.replace('"input": "3 + 1 ="', '"input": "4 + 4 ="'), "utf-8")
    assert "sum 3" in refusal(folder).wrong


@pytest.mark.parametrize(
    "report",
    [
        {"resolved": ["a", "b"], "no_generation": [], "no_logs": []},
        {"total_instances": 9, "resolved_ids": ["a"], "unresolved_ids": ["b"]},
    ],
)
def test_a_report_that_does_not_name_all_instances_is_refused(tmp_path, report):
    path = tmp_path / "model.json"
    path.write_text(json.dumps(report), "utf-8")
    assert "unresolved_ids" in refusal(path).fix


def test_results_of_estimators_on_resamples(tmp_path):
    found = bk.read(PEERS / "aeon")
    nearest, summary = "Nearest (KNeighborsTimeSeriesClassifier)", "Summary (SummaryClassifier)"
    assert (found.learners, len(found.datasets), found.values.shape) == ((nearest, summary), 4, (2, 4, 3, 1))
    with pytest.raises(bk.InputError, match="share of test data"):  # random splits, which are no cross-validation
        bk.judge(bk.read(PEERS / "aeon", dataset="UnitTest"))
    assert (found.measure, found.larger_is_better) == ("accuracy", True)
    means = pd.read_csv(PEERS / "aeon_mean.csv", index_col=0)  # as tsml-eval says
    np.testing.assert_allclose(found.values.mean(axis=(2, 3)).T, means)
    folder = copied(PEERS / "aeon", tmp_path)
    for path in [*folder.iterdir()]:  # a file for every measure
        shutil.copy(path, folder / path.name.replace("accuracy", "auroc"))
        shutil.copy(path, folder / path.name.replace("accuracy", "fittime"))
    assert "accuracy" in refusal(folder).fix
    assert bk.read(folder, measure="accuracy").values.tolist() == found.values.tolist()
    assert not bk.read(folder, measure="fit_time").larger_is_better


def test_huge_predictions_of_a_resample_are_those_of_no_measure(tmp_path):
    folder = copied(PEERS / "aeon_resamples", tmp_path)
    path = next(folder.rglob("testResample*.csv"))
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], *(f"1,1e300{line[line.index(',', 2) :]}" for line in lines[3:])]))
    assert "mean squared error inf" in refusal(folder).wrong


def test_means_of_tsml_are_refused_with_where_the_results_are():
    assert "all_resamples" in refusal(PEERS / "aeon_mean.csv").fix
    assert "one estimator" in refusal(next((PEERS / "aeon").iterdir())).wrong


def test_rows_of_resamples_that_are_cut_off_and_empty_cells(tmp_path):
    folder = copied(PEERS / "aeon", tmp_path)
    path = sorted(folder.iterdir())[0]
    text = path.read_text("utf-8")
    path.write_text(text.replace("0.8,0.857", ",0.857"), "utf-8")
    assert len(bk.read(folder).missing()) == 1
    path.write_text(text[:-30], "utf-8")
    assert refusal(folder).where == f"{path}, line 5"


def test_files_of_single_resamples():
    found, every = bk.read(PEERS / "aeon_resamples"), bk.read(PEERS / "aeon")
    assert (found.measure, found.datasets) == ("accuracy", ("UnitTest",))
    assert found.values[:, 0].tolist() == every.values[:, every.datasets.index("UnitTest")].tolist()


def resamples(tmp_path, third, lines):
    """Files of two regressors whose third line says something of predictions."""
    for learner in ("ridge", "tree"):
        for number in range(2):
            path = tmp_path / learner / "Predictions" / "Gas" / f"testResample{number}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            text = "".join(f"{line}\n" for line in (f"Gas,{learner},TEST,{number},SECONDS,", "{}", third, *lines))
            path.write_text(text, "utf-8")
    return tmp_path


def test_the_measure_of_a_resample_is_that_of_its_predictions(tmp_path):
    found = bk.read(resamples(tmp_path, "0.625,1,1", ["1.5,2.5", "2,2.5"]))
    assert (found.measure, found.larger_is_better) == ("mse", False)
    error = refusal(resamples(tmp_path, "0.9,1,1", ["1,1", "0,1"]))  # of clusters, or cut off
    assert "accuracy 0.5" in error.wrong
    assert error.where.endswith("testResample0.csv, line 3")


# --- tables of programs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said", "learners", "shape", "measure"),
    [
        ("amlb.csv", {}, ("AutoGluon", "FLAML", "RandomForest"), (3, 3, 1, 5), "result"),
        ("tabarena.csv", {}, ("Constant", "KNN", "Tree"), (3, 3, 1, 3), "metric_error"),
        (
            "openml_evaluations.csv",
            {},
            ("sklearn.tree.DecisionTreeClassifier(1)", "weka.J48(2)"),
            (2, 3, 1, 10),
            "accuracy",
        ),
        ("mlr3.csv", {}, ("classif.rpart", "classif.ranger", "classif.featureless"), (3, 3, 1, 5), "error"),
        ("tidymodels.csv", {"measure": "accuracy"}, ("base_glm", "base_forest"), (2, 1, 2, 5), "accuracy"),
        ("caret.csv", {"measure": "Kappa"}, ("knn", "lda", "tree"), (3, 1, 2, 5), "kappa"),
    ],
)
def test_a_table_is_read_as_its_program_means_it(name, said, learners, shape, measure):
    found = bk.read(PEERS / name, **said)
    assert (found.learners, found.values.shape, found.measure) == (learners, shape, measure)
    assert found.larger_is_better is (measure not in ("error", "metric_error"))


def test_scores_of_mlr3_without_their_resampling_and_means_of_tasks(tmp_path):
    frame = pd.read_csv(PEERS / "mlr3.csv").drop(columns=["nr", "resampling_id"])
    found = bk.read(frame)
    assert found.values.shape == (3, 3, 1, 5)
    assert "one-replication" in found.origin.assumed  # nothing says what an iteration is
    means = frame.groupby(["task_id", "learner_id"], as_index=False)["classif.ce"].mean()
    assert bk.read(means).values.shape == (3, 3, 1, 1)


def resampled(way, number):
    """Scores of mlr3 on one task, resampled so."""
    rows = [("iris", learner, way, i + 1, 0.8 + i / 1000) for learner in ("lda", "rpart") for i in range(number)]
    return pd.DataFrame(rows, columns=["task_id", "learner_id", "resampling_id", "iteration", "classif.acc"])


def metrics(*names):
    """Metrics of tidymodels by the names of its resamples."""
    rows = [(learner, name, "accuracy", 0.8) for learner in ("lda", "rpart") for name in names]
    return pd.DataFrame(rows, columns=["wflow_id", "id", ".metric", ".estimate"])


@pytest.mark.parametrize(
    "table",
    [resampled("cv", 20), resampled("loo", 20), metrics(*(f"Fold{i:02}" for i in range(20)))],
    ids=["cv", "loo", "Fold"],
)
def test_one_cross_validation_is_not_asked_about_where_the_package_says_it(table):
    found = bk.read(table)
    assert (len(found.replications), len(found.folds), found.origin.assumed) == (1, 20, ())


@pytest.mark.parametrize(
    "table", [resampled("bootstrap", 20), metrics("Apparent", *(f"Bootstrap{i}" for i in range(20)))]
)
def test_a_bootstrap_leaves_out_a_known_share(table):
    found = bk.read(table)
    assert (len(found.replications), found.test_fraction, found.origin.assumed) == (20, 0.368, ())
    assert bk.read(table, test_fraction=0.3).test_fraction == 0.3


@pytest.mark.parametrize(
    ("table", "option"),
    [
        (resampled("subsampling", 20), {"test_fraction": 0.33}),
        (metrics(*(f"Resample{i}" for i in range(20))), {"test_fraction": 0.25}),
        (resampled("repeated_cv", 20), {"replications": 10}),
    ],
)
def test_what_a_package_does_not_say_of_its_resamples_is_asked(table, option):
    with pytest.raises(Unsaid) as error:
        bk.read(table)
    assert {error.value.option: error.value.choices[0]} == option
    assert not bk.read(table, **option).origin.assumed


def test_repeated_folds_of_mlr3_are_asked_about():
    frame = pd.read_csv(PEERS / "mlr3.csv").assign(resampling_id="repeated_cv")  # iterations of all repeats in a row
    assert "one-replication" in bk.read(frame).origin.assumed


def test_resamples_of_models_that_were_bound_by_hand():
    frame = (
        pd.read_csv(PEERS / "tidymodels.csv").drop(columns=["model", "preproc"]).rename(columns={"wflow_id": "model"})
    )
    assert bk.read(frame, measure="accuracy").learners == ("base_glm", "base_forest")
    candidates = frame.assign(model="one", **{".config": frame["model"]})
    assert bk.read(candidates, measure="accuracy").learners == ("base_glm", "base_forest")


def test_results_that_failed_or_were_imputed_are_missing():
    (cell,) = bk.read(PEERS / "amlb.csv").failures
    assert cell == ("RandomForest", "boston", "1", "4")
    assert {(cell[0], cell[1]) for cell in bk.read(PEERS / "tabarena.csv").failures} == {("KNN", "wine")}
    assert bk.read(PEERS / "tabarena.csv").costs["fit_time"]["KNN"] == 2  # and not that of the model that stands in
    assert bk.judge(PEERS / "amlb.csv", missing="keep").order[0] == "AutoGluon"
    of_2019 = pd.read_csv(PEERS / "amlb.csv").drop(columns=["metric", "auc", "logloss"], errors="ignore")
    assert "own measure" in bk.read(of_2019, larger_is_better=True).origin.notes[1]


def test_an_empty_column_takes_no_place_of_a_cost():
    frame = pd.read_csv(PEERS / "amlb.csv")
    assert frame["params"].isna().all()
    assert "size" not in " ".join(bk.read(frame).origin.notes)
    assert bk.read(frame.assign(size=7.0)).costs["size"] == dict.fromkeys(frame["framework"].unique(), 7.0)


def test_values_of_folds_are_those_that_openml_says():
    frame = pd.read_csv(PEERS / "openml_evaluations.csv")
    assert frame["value"].isna().all()  # which is so where there are values of folds
    values = np.array([json.loads(each) for each in frame["values"]]).reshape(3, 2, 10)
    assert bk.read(PEERS / "openml_evaluations.csv").values[:, :, 0].tolist() == values.transpose(1, 0, 2).tolist()


def test_evaluations_in_a_frame_have_lists():
    frame = pd.read_csv(PEERS / "openml_evaluations.csv")
    frame["values"] = frame["values"].map(json.loads)
    assert "to_csv" in refusal(frame).fix


def test_results_under_several_constraints_are_asked_about(tmp_path):
    path = tmp_path / "amlb.csv"
    text = (PEERS / "amlb.csv").read_text("utf-8")
    path.write_text(text + text.partition("\n")[2].replace("1h8c", "4h8c"), "utf-8")
    assert "--filter constraint=1h8c" in refusal(path).fix
    assert bk.read(path, filter="constraint=4h8c").values.shape == (3, 3, 1, 5)


def early_amlb(measures):
    """Results as the AutoML benchmark wrote them in 2019: tasks with their measures, no constraint and no metric."""
    rows = [
        {"id": "openml.org/t/1", "task": task, "framework": name, "fold": fold, "result": level - fold / 100}
        | {"mode": "aws", "version": 1, "utc": "2019-04-12T19:41:14", "duration": 60.0, "info": None}
        | {"acc": 0.5 + place / 10, measure: level - fold / 100}
        for task, measure in measures.items()
        for place, (name, level) in enumerate({"TPOT": 0.8, "autosklearn": 0.9}.items())
        for fold in range(4)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("name", "column", "metric", "value"),
    [
        ("amlb.csv", "result", "auc", -7),
        ("amlb.csv", "result", "neg_rmse", 7),
        ("tabarena.csv", "metric_error", "rmse", -1),
    ],
)
def test_a_result_that_the_measure_of_its_task_cannot_have_is_refused(tmp_path, name, column, metric, value):
    frame = pd.read_csv(PEERS / name)
    row = frame.index[frame["metric"] == metric][1]
    frame.loc[row, column] = value
    frame.to_csv(tmp_path / name, index=False)
    assert refusal(tmp_path / name).where == f"{tmp_path / name}, line {row + 2}, column {column}"


@pytest.mark.parametrize(("name", "column"), [("amlb.csv", "result"), ("tabarena.csv", "metric_error")])
def test_a_measure_whose_column_is_empty_is_not_unknown(tmp_path, name, column):
    frame = pd.read_csv(PEERS / name).assign(**{column: None})
    frame.to_csv(tmp_path / name, index=False)
    assert f"{column!r} is empty" in refusal(tmp_path / name).wrong


def test_early_results_of_the_automl_benchmark():
    found = bk.read(early_amlb({"kc1": "auc", "adult": "auc"}))
    assert (found.measure, found.values.shape, found.learners) == ("auc", (2, 2, 1, 4), ("TPOT", "autosklearn"))
    mixed = early_amlb({"kc1": "auc", "car": "logloss"})
    assert "logloss" in refusal(mixed).wrong
    assert bk.read(mixed, measure="acc").means()["autosklearn"] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("name", "said", "read"),
    [
        ("tabarena.csv", {"learner": "method"}, True),
        ("mlr3.csv", {"learner": "learner_id", "dataset_column": "task_id"}, True),
        ("amlb.csv", {"learner": "framework"}, True),
        ("amlb.csv", {"dataset_column": "id"}, False),
        ("mlr3.csv", {"replication": "iteration"}, False),
        ("mlflow_runs.csv", {"measure": "log_loss", "replication": "params.seed"}, True),
        ("mlflow_runs.csv", {"measure": "log_loss", "replication": "run_id"}, True),
        ("mlflow_runs.csv", {"measure": "log_loss", "item": "params.seed"}, False),
        ("kaggle_leaderboard.csv", {"learner": "TeamName"}, False),
        ("optuna_trials.csv", {"learner": "params_kernel", "measure": "value"}, False),
    ],
)
def test_a_column_that_is_told_is_read_or_refused(name, said, read):
    if read:
        means = bk.read(PEERS / name, measure=said.get("measure")).means()
        assert bk.read(PEERS / name, **said).means() == pytest.approx(means, nan_ok=True)
    else:
        assert refusal(PEERS / name, **said).where.startswith(str(PEERS / name))


def test_replications_of_tracked_runs_are_runs():
    found = bk.read(PEERS / "mlflow_runs.csv", learner="params.algo", measure="log_loss", replication="params.seed")
    assert isinstance(found, Runs)
    assert "params.seed" in refusal(PEERS / "mlflow_runs.csv", measure="log_loss", replication="seed").fix


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("amlb.csv", {"measure": "f1"}),
        ("amlb.csv", {"larger_is_better": False}),
        ("tabarena.csv", {"measure": "accuracy"}),
        ("tabarena.csv", {"larger_is_better": True}),
        ("openml_evaluations.csv", {"measure": "auc"}),
        ("mlr3.csv", {"measure": "classif.auc"}),
        ("tidymodels.csv", {"measure": "kap"}),
        ("caret.csv", {"measure": "ROC"}),
        ("promptfoo.jsonl", {"larger_is_better": False}),
        ("promptfoo.jsonl", {"measure": "rihgt"}),
        ("amlb.csv", {"on": "acc,auc"}),
        ("promptfoo.jsonl", {"on": "pass,score"}),
        ("tidymodels.csv", {"on": "accuracy,roc_auc"}),
    ],
)
def test_what_a_source_has_not_is_not_answered_with_something_else(name, said):
    assert refusal(PEERS / name, **said).fix


def test_measures_of_two_directions_are_not_mixed(tmp_path):
    path = tmp_path / "amlb.csv"
    path.write_text((PEERS / "amlb.csv").read_text("utf-8").replace("neg_logloss", "logloss"), "utf-8")
    assert "logloss" in refusal(path).wrong
    assert bk.read(path, filter="metric=auc").measure == "auc"


def test_means_over_resamples_are_refused(tmp_path):
    path = tmp_path / "metrics.csv"
    path.write_text(
        "wflow_id,.config,.metric,mean,n,std_err\na,1,accuracy,0.9,10,0.01\nb,1,accuracy,0.8,10,0.01\n", "utf-8"
    )
    assert "summarize = FALSE" in refusal(path).fix


@pytest.mark.parametrize(("name", "export"), [("autogluon", "predict_multi"), ("kaggle", "folds")])
def test_leaderboards_are_refused_with_what_to_export(name, export):
    assert export in refusal(PEERS / f"{name}_leaderboard.csv").fix


def test_the_predictions_that_autogluon_is_asked_for_are_read():
    board = pd.read_csv(PEERS / "autogluon_leaderboard.csv", index_col="model")
    found = bk.read(PEERS / "autogluon_predictions.csv", measure="accuracy")
    assert found.means() == pytest.approx(board["score_test"].to_dict())


def test_a_cost_goes_by_the_name_of_its_column():
    rows = [{"model": name, "fold": fold, "accuracy": fold / 9, "cost": "$1"} for name in "ab" for fold in range(5)]
    frame = pd.DataFrame(rows)
    assert bk.judge(frame, prior="cost").order == ("a", "b")
    frame.loc[7, "cost"] = "€1"
    with pytest.raises(InputError, match="€1"):
        bk.judge(frame, prior="cost")


@pytest.mark.parametrize(
    ("source", "known", "other"),
    [(PEERS / "deepeval", "dollars", "dolars"), (PEERS / "tabarena.csv", "fit_time", "fit_tme")],
)
def test_a_cost_that_is_not_there_is_not_swallowed(source, known, other):
    assert known in bk.read(source, costs=[known]).costs
    assert known in refusal(source, costs=[known, other]).fix
    assert "there are none" in refusal(PEERS / "swe_bench", costs=[known]).wrong


# --- sources and spoilt files -----------------------------------------------------------------------------------------


def test_names_of_models_are_given_by_the_caller_or_chosen():
    paths = sorted(HARNESS.glob(f"*/{SAMPLES}"))
    assert bk.read(paths, measure="acc", learners=["a", "b", "c"]).learners == ("a", "b", "c")
    assert bk.read({"a": HARNESS / "big", "b": HARNESS / "tiny"}, measure="acc", dataset="choices").learners == (
        "a",
        "b",
    )
    assert bk.read(HARNESS, measure="acc", dataset="choices", learners=["tiny", "big"]).learners == ("big", "tiny")
    assert "bigg" in refusal(HARNESS, measure="acc", dataset="choices", learners=["bigg", "t", "m"]).wrong
    assert "twice" in refusal([paths[0], paths[0]], measure="acc").wrong


def test_two_logs_of_a_model_that_name_no_task_are_two_runs(tmp_path):
    folder = copied(PEERS / "deepeval", tmp_path)
    again = folder / "small again.json"
    again.write_text((folder / "small.json").read_text("utf-8").replace('"success": true', '"success": false'), "utf-8")
    error = refusal(folder)
    assert "two logs of small" in error.wrong
    assert "--replication file" in error.fix
    half = bk.read(PEERS / "deepeval").means()["small"] / 2
    assert bk.read(folder, replication="file").means()["small"] == pytest.approx(half)
    named = bk.read({"first": folder / "small.json", "second": again})
    assert named.means() == pytest.approx({"first": 2 * half, "second": 0})


def test_results_of_two_dates_are_two_runs(tmp_path):
    for place, (model, date) in enumerate((model, date) for model in "ab" for date in ("2026-01-01", "2026-02-02")):
        values = {f"t{task}": {"acc,none": (place + task) / 20} for task in range(6)}
        path = tmp_path / model / f"results_{date}T00-00-00.0.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"results": values, "model_name": model}), "utf-8")
    assert "two logs of a on t0" in refusal(tmp_path).wrong
    found = bk.read(tmp_path, replication="file")
    assert found.values.shape == (2, 6, 2, 1)
    np.testing.assert_allclose(found.values[1, 0, :, 0], [2 / 20, 3 / 20])


def test_several_logs_of_a_model_are_repeats_where_they_are_said_to_be(tmp_path):
    folder = copied(HARNESS, tmp_path)
    for model in folder.iterdir():
        again = model / SAMPLES.replace("2026-01-01", "2026-02-02")
        shutil.copy(model / SAMPLES, again)
        changed(again, lambda rows: [{**row, "acc": 1.0} for row in rows])
    found = bk.read(folder, dataset="choices", measure="acc", replication="file")
    np.testing.assert_allclose(found.means()["tiny"], (1 + np.mean(lines_of("choices", "tiny", "acc"))) / 2)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.eval", "PK"),
        ("a.json", '{"version": 2, "status": "success", "eval": {"eval_id": 1}, "samples": [1]}'),
        ("a.json", '{"version": 2, "status": "success", "eval": {"eval_id": 1}, "samples": []}'),
        ("a.json", '{"evalId": 1, "results": {"results": [{"provider": 3}]}}'),
        ("a.json", '{"evalId": 1, "results": []}'),
        ("a.jsonl", '{"promptIdx": 1, "success": "yes"}'),
        ("a.jsonl", '{"spec": {"completion_fns": 3}}'),
        ("a.json", '{"testCases": [{"metricsData": [3]}]}'),
        ("a.json", '{"resolved_ids": 3}'),
        ("a.json", '{"results": {"t": {"acc,none": "high"}}}'),
        ("a.json", '{"results": {"t": 3, "u": {"acc,none": 1}}}'),
        ("a.jsonl", '{"doc_id": 1, "arguments": {}, "bleu": [1, 2], "metrics": ["bleu"]}'),
        ("a.jsonl", '{"doc_id": 1, "arguments": {}, "acc": 1}\n[3]'),
        ("a_accuracy.csv", "Resamples:,0,1\nBeef,high,0.5\n"),
        ("testResample0.csv", "a\nb\nc\nd\n"),
        ("per_instance_stats.json", '[{"stats": [3]}]'),
    ],
)
def test_other_things_than_a_log_has_end_in_three_lines(tmp_path, name, text):
    (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "run_spec.json").write_text("{}", "utf-8")
    assert refusal(tmp_path).where.startswith(str(tmp_path))
    with pytest.raises(bk.InputError):
        bk.judge(tmp_path / name)


def test_half_a_character_in_a_file_is_a_question_mark(tmp_path):
    rows = [{"learner": name, "fold": fold, "error": fold / 9} for name in ("\ud83d", "b") for fold in range(5)]
    path = tmp_path / "results.json"
    path.write_text(json.dumps(rows), encoding="ascii")
    assert bk.read(path).learners == ("?", "b")


# --- no model is left out without a word ------------------------------------------------------------------------------


def cut(characters):
    return lambda text: text[:characters]


def in_order(text):
    """What jq -S makes of it."""
    return "".join(json.dumps(json.loads(line), sort_keys=True) + "\n" for line in text.splitlines())


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *(
            (f"{folder}", cut(many))
            for folder in ("deepeval/large.json", "swe_bench/large.test.json")
            for many in (40, 99)
        ),
        ("inspect_json/2026-01-01_sums_large.json", cut(40)),
        ("lm_eval_flat/tiny.jsonl", cut(5)),
        ("lm_eval_flat/tiny.jsonl", lambda text: f"rubbish\n{text}"),
        ("openai_evals/large.jsonl", lambda text: text.split("\n", 1)[1]),
        ("openai_evals/large.jsonl", lambda text: text.split("\n", 2)[2]),
        ("deepeval/large.json", lambda _: '{"notes": [1, 2]}'),
        ("helm/simple_mcqa_large/per_instance_stats.json", cut(0)),
        ("helm/simple_mcqa_large/per_instance_stats.json", cut(40)),
    ],
)
def test_a_damaged_log_beside_others_is_refused_by_its_name(tmp_path, name, change):
    folder = copied(PEERS / name.split("/")[0], tmp_path)
    path = folder / name.split("/", 1)[1]
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    assert refusal(folder).where.startswith(str(path))
    assert refusal([each for each in folder.rglob(f"*{path.suffix}") if each.name != "run_spec.json"]).where.startswith(
        str(path)
    )


@pytest.mark.parametrize("change", [lambda text: f"\n \n{text}", in_order])
def test_blank_lines_and_the_order_of_keys_do_not_count(tmp_path, change):
    folder = copied(HARNESS, tmp_path)
    asked = {"measure": "acc,exact_match", "filter": "strict-match"}
    before = bk.read(folder, **asked).means()
    for path in folder.glob("tiny/samples_*"):
        path.write_text(change(path.read_text("utf-8")), "utf-8")
    assert bk.read(folder, **asked).means() == before


@pytest.mark.parametrize(
    ("name", "asked"), [("deepeval", {}), ("inspect_json", {"measure": "match"}), ("swe_bench", {})]
)
def test_the_order_of_keys_in_one_object_does_not_count(tmp_path, name, asked):
    folder = copied(PEERS / name, tmp_path)
    before = bk.read(folder, **asked).means()
    for path in folder.iterdir():
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")), sort_keys=True), "utf-8")
    assert bk.read(folder, **asked).means() == before


def test_a_long_first_input_does_not_hide_a_log(tmp_path):
    folder = copied(PEERS / "deepeval", tmp_path)
    for path in folder.iterdir():
        said = json.loads(path.read_text("utf-8"))
        said["testCases"][0]["input"] = 'say "{x}" \\' * 30_000
        path.write_text(json.dumps(said), "utf-8")
    assert bk.read(folder).means() == bk.read(PEERS / "deepeval").means()


def test_an_eval_without_its_first_line_is_asked_for_it(tmp_path):
    folder = copied(PEERS / "openai_evals", tmp_path)
    for _ in range(2):  # first comes the report, then an event
        path = folder / "large.jsonl"
        path.write_text(path.read_text("utf-8").split("\n", 1)[1], "utf-8")
        assert "specification" in refusal(folder).wrong


def test_a_run_of_helm_without_statistics_is_refused(tmp_path):
    folder = copied(PEERS / "helm", tmp_path)
    (folder / "simple_mcqa_small" / "per_instance_stats.json").unlink()
    assert "simple_mcqa_small" in refusal(folder).where


def test_files_that_programs_write_beside_logs_are_passed_over(tmp_path):
    folder = copied(PEERS / "swe_bench", tmp_path)
    (folder / "report.json").write_text('{"django__django-10": {"patch_successfully_applied": true}}', "utf-8")
    (folder / "preds.json").write_text('[{"instance_id": "a", "model_patch": "-"}]', "utf-8")
    assert bk.read(folder).means() == bk.read(PEERS / "swe_bench").means()
    folder = copied(PEERS / "helm", tmp_path)
    (folder / "groups.json").write_text("[]", "utf-8")
    (folder / "simple_mcqa_small" / "scenario.json").write_text("{}", "utf-8")
    asked = {"measure": "exact_match"}
    assert bk.read(folder, **asked).means() == bk.read(PEERS / "helm", **asked).means()


# --- one measure, one filter, numbers within their range --------------------------------------------------------------


def with_json(path, change):
    """Rewrite the object in a file."""
    said = json.loads(path.read_text("utf-8"))
    change(said)
    path.write_text(json.dumps(said), "utf-8")


def test_models_are_not_compared_by_different_measures(tmp_path):
    def renamed(rows):
        return [{**{name: row[name] for name in row if name != "acc_norm"}, "metrics": ["f1"], "f1": 1} for row in rows]

    folder, path = spoilt(tmp_path, renamed, "tiny")
    for asked in ({"measure": "acc,f1"}, {}):
        error = refusal(folder, dataset="choices", **asked)
        assert all(name in error.wrong for name in ("tiny", "choices", "f1", "acc"))
        assert error.where == str(path)
        assert "acc,f1" not in error.fix


def test_the_measure_of_a_task_is_one_that_all_its_models_have(tmp_path):
    folder, _ = spoilt(tmp_path, lambda rows: [{**row, "metrics": ["acc_norm"]} for row in rows], "tiny")
    assert bk.read(folder, dataset="choices", measure="acc,acc_norm").measure == "acc_norm"
    assert "--measure acc_norm" in refusal(folder, dataset="choices", measure="acc").fix


def test_scorers_and_events_of_one_model_are_not_compared_with_others(tmp_path):
    folder = copied(JSON_LOGS, tmp_path)
    for path in folder.glob("*_sums_small.json"):

        def change(said):
            for sample in said["samples"]:
                sample["scores"] = {"other": sample["scores"].pop("match")}

        with_json(path, change)
    assert "mockllm/small" in refusal(folder, dataset="sums", measure="match,other").wrong
    folder = copied(PEERS / "openai_evals", tmp_path)
    path = folder / "small.jsonl"
    path.write_text(path.read_text("utf-8").replace('"correct"', '"right"'), "utf-8")
    assert "small has no correct" in refusal(folder, measure="correct,right").wrong


def test_a_filter_does_not_drop_tasks(tmp_path):
    error = refusal(HARNESS, measure="acc,exact_match", filter="none")
    assert all(name in error.wrong for name in ("sums", "none", "strict-match"))
    found = bk.read(HARNESS, measure="acc,exact_match", filter=["none", "strict-match"])
    assert found.group_names == ("choices", "sums")
    folder = copied(HARNESS, tmp_path)
    for path in folder.glob("*/samples_choices_*"):
        shutil.copy(path, path.with_name(path.name.replace("choices", "more")))
    said = bk.read(folder, measure="acc,exact_match", filter="strict-match").origin.notes
    assert "the filter of choices and more is none alone" in said


def test_filters_go_before_measures_and_filters_of_other_tasks_are_asked_about():
    found = bk.read(HARNESS, filter="task=choices", measure="acc")
    assert (found.measure, len(found.items)) == ("acc", len(bk.read(HARNESS, dataset="choices", measure="acc").items))
    assert found.means() == bk.read(HARNESS, dataset="choices", measure="acc").means()
    both = bk.read(HARNESS, filter=["task=sums", "strict-match"])
    assert both.means() == bk.read(HARNESS, dataset="sums", filter="strict-match").means()
    assert "sums" not in refusal(HARNESS, filter="task=choices").wrong


TASKS_OF_TWO_WAYS = {"arc": ("acc", True), "gsm": ("exact_match", True), "mmlu": ("acc", True), "wiki": ("ppl", False)}


@pytest.mark.parametrize("said", [None, "acc,exact_match", "acc,ppl", "acc,exact_match,ppl"])
def test_tasks_of_one_direction_are_advised_and_read(tmp_path, said):
    for number, model in enumerate("ab"):
        (tmp_path / model).mkdir()
        log = {
            "results": {task: {f"{name},none": 0.5 + number / 9} for task, (name, _) in TASKS_OF_TWO_WAYS.items()},
            "higher_is_better": {task: {name: up} for task, (name, up) in TASKS_OF_TWO_WAYS.items()},
            "model_name": model,
        }
        (tmp_path / model / f"results_{DATE}.json").write_text(json.dumps(log), "utf-8")
    fix = refusal(tmp_path, measure=said).fix
    kept = ["dataset=arc", "dataset=gsm", "dataset=mmlu"]
    assert "one direction: --filter dataset=NAME" in fix
    found = bk.read(tmp_path, measure="acc,exact_match", filter=kept)
    assert (found.datasets, found.larger_is_better) == (("arc", "gsm", "mmlu"), True)
    assert "nothing to tell chance by" in refusal(tmp_path, dataset="wiki").wrong
    assert refusal(tmp_path, dataset="piqa").fix == "known: arc, gsm, mmlu, wiki."


def test_a_model_without_the_filter_is_named(tmp_path):
    folder = copied(HARNESS, tmp_path)
    (path,) = folder.glob("tiny/samples_sums_*")
    changed(path, lambda rows: [row for row in rows if row["filter"] != "strict-match"])
    error = refusal(folder, dataset="sums", filter="strict-match")
    assert "tiny" in error.wrong
    assert error.where.startswith(str(path))
    assert "--filter flexible-extract" in error.fix
    assert bk.read(folder, dataset="sums", filter="flexible-extract").learners == ("big", "middle", "tiny")
    for path in folder.glob("*g*/samples_sums_*"):
        changed(path, lambda rows: [row for row in rows if row["filter"] == "strict-match"])
    assert "--filter" not in refusal(folder, dataset="sums").fix


def row_3(**said):
    return lambda rows: [{**row, **said} if number == 2 else row for number, row in enumerate(rows)]


def test_a_value_out_of_range_is_refused_with_its_line(tmp_path):
    folder, path = spoilt(tmp_path, row_3(acc=250), "tiny")
    error = refusal(folder, measure="acc,exact_match", filter="strict-match")
    assert error.wrong == "acc is 250."
    assert f"{path}, line 3" in error.where
    folder = copied(JSON_LOGS, tmp_path)
    with_json(
        folder / "2026-01-01_sums_small.json", lambda said: said["samples"][1]["scores"]["match"].update({"value": 7})
    )
    error = refusal(folder, dataset="sums", measure="match")
    assert error.wrong.startswith("match is 7,")
    assert "sums_small.json, sample 2" in error.where


@pytest.mark.parametrize("value", ["yes", [1, 2], "x" * 70_000])
def test_a_value_that_is_no_number_is_said(tmp_path, value):
    folder, path = spoilt(tmp_path, row_3(acc=value), "tiny")
    error = refusal(folder, dataset="choices", measure="acc")
    assert error.wrong.startswith(f"acc is {repr(value)[:5]}")
    assert len(error.wrong) < 80
    assert f"{path}, line 3" in error.where
    assert bk.read(folder, dataset="choices", measure="acc_norm").measure == "acc_norm"
    changed(path, lambda rows: [{name: row[name] for name in row if name != "metrics"} for row in rows])
    assert refusal(folder, dataset="choices", measure="acc").wrong == error.wrong


def test_measures_that_are_all_lists_are_refused_with_a_value(tmp_path):
    folder = copied(PEERS / "lm_eval_flat", tmp_path)
    for path in folder.iterdir():
        changed(
            path, lambda rows: [{**row, "metrics": ["bits", "nats"], "bits": [1, 2], "nats": [3, 4]} for row in rows]
        )
    assert refusal(folder).wrong == "bits is [1, 2], and no number."


def test_parts_of_one_sample_are_no_number(tmp_path):
    folder = copied(JSON_LOGS, tmp_path)
    with_json(
        folder / "2026-01-01_sums_small.json",
        lambda said: said["samples"][1]["scores"]["match"].update({"value": {"a": 1}}),
    )
    error = refusal(folder, dataset="sums", measure="match")
    assert "{'a': 1}" in error.wrong
    assert "sample 2" in error.where


def test_words_in_logs_of_other_programs_are_said(tmp_path):
    folder = copied(PEERS / "openai_evals", tmp_path)
    path = folder / "small.jsonl"
    path.write_text(path.read_text("utf-8").replace('"correct": true', '"correct": "perhaps"', 1), "utf-8")
    error = refusal(folder)
    assert "'perhaps'" in error.wrong
    assert error.where.startswith(f"{path}, line ")
    folder = copied(PEERS / "deepeval", tmp_path)
    with_json(folder / "small.json", lambda said: said["testCases"][1]["metricsData"][0].update({"score": "good"}))
    error = refusal(folder, measure="Right")
    assert "'good'" in error.wrong
    assert "test case 2" in error.where
    assert bk.read(folder).measure == "pass"
    for results in ([], 5, {"results": "x" * 1000}, {"results": [3]}):
        path = tmp_path / "promptfoo.json"
        path.write_text(json.dumps({"evalId": "e", "results": results}), "utf-8")
        error = refusal(path)
        assert "this is not as promptfoo writes it" in error.wrong
        assert len(error.wrong) < 120


# --- tables of programs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", ["runs", "folds", "items"])
def test_trials_are_no_replications_whatever_is_said(tmp_path, rows):
    frame = pd.read_csv(PEERS / "optuna_trials.csv")
    frame[["number", "value", "params_kernel"]].to_csv(tmp_path / "trials.csv", index=False)
    said = {"measure": "value", "larger_is_better": True, "rows": rows}
    for learner in ("params_kernel", "number"):
        assert "Optuna" in refusal(tmp_path / "trials.csv", learner=learner, **said).wrong
    own = frame.assign(arch=["a", "b"] * (len(frame) // 2), params_millions=3)[["arch", "value", "params_millions"]]
    own.to_csv(tmp_path / "own.csv", index=False)  # a table of one's own, whose learner is no column of Optuna
    if rows == "runs":
        assert isinstance(bk.read(tmp_path / "own.csv", learner="arch", **said), Runs)


def test_a_model_of_caret_without_the_measure_is_named(tmp_path):
    path = tmp_path / "caret.csv"
    path.write_text((PEERS / "caret.csv").read_text("utf-8").replace("lda~Accuracy", "lda~F1"), "utf-8")
    error = refusal(path, measure="Accuracy")
    assert error.wrong.startswith("lda has no Accuracy, but F1")
    assert bk.read(path, measure="Accuracy", learners=["knn", "tree"]).learners == ("knn", "tree")


@pytest.mark.parametrize("cell", ["[0.7, 0.6", "0.7, 0.6]", "[0.7, six]"])
def test_a_list_of_openml_that_is_cut_off_is_refused(tmp_path, cell):
    frame = pd.read_csv(PEERS / "openml_evaluations.csv")
    frame.loc[1, "values"] = cell
    frame.to_csv(tmp_path / "evaluations.csv", index=False)
    error = refusal(tmp_path / "evaluations.csv")
    assert repr(cell) in error.wrong
    assert "line 3" in error.where


@pytest.mark.parametrize("name", ["training_duration", "fit-time", "predict_duration", "duration", "models_count"])
def test_any_cost_of_a_benchmark_may_be_the_preference(name):
    verdict = bk.judge(PEERS / "amlb.csv", prior=name, missing="drop-datasets")
    assert verdict.ordering.prior is not None


def test_a_column_of_a_program_is_a_cost_where_somebody_says_so():
    frame = resampled("cv", 5).assign(size=[1] * 5 + [2] * 5, time_train=3.0, nr=7)
    assert bk.read(frame, costs=["size"]).costs["size"] == {"lda": 1, "rpart": 2}
    assert set(bk.read(frame).costs) >= {"fit_time"}
    assert "nr" not in bk.read(frame).costs


PRICES = "model,price,speed\nmockllm/large,$3.00,5\nmockllm/small,$0.15,9\nanother,$1.00,1\n"


def test_prices_of_the_models_come_from_a_table_of_their_own(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_text(PRICES)
    for costs in (path, str(path), {"price": {"mockllm/large": 3.0, "mockllm/small": 0.15}}, pd.read_csv(path)):
        found = bk.read(PEERS / "inspect", measure="match", costs=costs)
        assert found.costs["price"] == {"mockllm/large": 3.0, "mockllm/small": 0.15}
        assert bk.judge(found, prior="price").prior == ("mockllm/small", "mockllm/large")
    assert bk.read(PEERS / "inspect", measure="match", costs=path).origin.reading["costs"] == str(path)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("model,price\nlarge,3\n", "no learner has a cost"),
        ("model,price\nmockllm/large,3\nmockllm/large,4\n", "two rows"),
        ("model,price\nmockllm/large,cheap\n", "no column has amounts"),
        ("model,price\nmockllm/large,3\nmockllm/small,free\n", "price is 'free'"),
    ],
)
def test_a_price_list_that_says_nothing_is_refused(tmp_path, text, wrong):
    path = tmp_path / "prices.csv"
    path.write_text(text)
    assert wrong in refusal(PEERS / "inspect", measure="match", costs=path).wrong


@pytest.mark.parametrize(
    ("text", "wrong", "fix"),
    [
        ("model,price\nmockllm/large,3\nmockllm/small,-1\n", "price of mockllm/small is -1", "correct it"),
        ("model,price\nmockllm/large,3\nMockLLM/small,1\n", "not known for mockllm/small", "says 'MockLLM/small'"),
        ("model,price\nmockllm/large,3\n", "not known for mockllm/small", "every learner's"),
    ],
)
def test_what_a_price_list_lacks_is_said_with_its_file(tmp_path, text, wrong, fix):
    path = tmp_path / "prices.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=wrong) as error:
        bk.judge(bk.read(JSON_LOGS, measure="match", costs=path), prior="price")
    assert error.value.where == f"argument prior, {path}"
    assert fix in error.value.fix


def test_a_cost_that_no_log_has_may_be_in_a_table_of_its_own():
    with pytest.raises(InputError, match="'price'") as error:
        bk.judge(bk.read(JSON_LOGS, measure="match"), prior="price")
    assert "--costs prices.csv" in error.value.fix


def test_a_price_list_that_is_not_there_is_missed():
    assert "no file" in refusal(PEERS / "inspect", measure="match", costs="nowhere.csv").wrong


@pytest.mark.parametrize("kinds", [list("xxyy"), list("wxyz")])
def test_columns_that_may_name_the_learner_of_runs_are_named_as_they_are(kinds):
    columns = {"run_id": list("abcd"), "metrics.accuracy": [0.1, 0.2, 0.3, 0.4], "params.stem": kinds}
    error = refusal(pd.DataFrame(columns | {"params.seed": [1, 2, 1, 2], "params.lr": ["0.1"] * 4}))
    assert "--learner params.stem" in error.fix
    assert "params.seed" not in error.fix
    assert "params.lr" not in error.fix


@pytest.mark.parametrize("other", ["nowhere", "empty"])
def test_a_path_without_a_log_beside_logs_is_refused(tmp_path, other):
    """A model whose path is misspelled was left out, and the others were judged without a word."""
    (tmp_path / "empty").mkdir()
    folders = [PEERS / "lm_eval" / "big", PEERS / "lm_eval" / "tiny", tmp_path / other]
    for source in (folders, {path.name: path for path in folders}):
        with pytest.raises(InputError) as error:
            bk.read(source, dataset="choices", measure="acc")
        assert error.value.where == str(tmp_path / other)


def test_aggregated_scores_of_mlr3_have_no_iterations():
    frame = pd.read_csv(PEERS / "mlr3.csv").assign(resampling_id="bootstrap").query("iteration == 1")
    assert bk.read(frame.drop(columns="iteration")).learners == bk.read(PEERS / "mlr3.csv").learners


@pytest.mark.parametrize("costs", [{}, {"price": 0.15}, {"price": {"a": "cheap"}}, {"price": {"a": np.inf}}])
def test_costs_that_are_no_numbers_by_learner_are_refused(costs):
    with pytest.raises(InputError) as error:
        bk.read(PEERS / "mlr3.csv", costs=costs)
    assert error.value.where == "argument costs"


def test_nothing_is_converted_that_was_guessed(tmp_path):
    found = command("read", PEERS / "lm_eval", "--convert", tmp_path / "out.csv")
    assert found.exit_code == 2
    assert "--filter" in found.stderr
    assert not (tmp_path / "out.csv").exists()
