"""Result files that other programs made: read as they are meant, and judged as those programs judge them."""

from __future__ import annotations

import ast
import json
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import studentized_range

import bestofk as bk
from bestofk import ordering, stats
from bestofk.core.errors import InputError
from bestofk.evidence import Items, Runs, Scores
from bestofk.stats.pairwise.welch import welch_t

PEERS = Path(__file__).parents[1] / "peers"
EXPECTED = json.loads((PEERS / "expected.json").read_text("utf-8"))
REFUSED = (
    *("lm_eval_faulty/item_missing.jsonl", "lm_eval_faulty/no_doc_id.jsonl", "sklearn_unpaired.json"),
    "optuna_trials.csv",
)
READABLE = [name for name in EXPECTED if name not in REFUSED]

#: What a person must say beside the file, by its ``direction`` and ``note`` in expected.json.
SAID = {
    "autorank.csv": {"larger_is_better": True, "rows": "datasets"},
    "autorank_index.csv": {"larger_is_better": True, "rows": "datasets"},
    "mlxtend_bootstrap.csv": {"larger_is_better": True, "rows": "folds"},
    "sklearn_scorers.csv": {"measure": "test_accuracy"},
    "lm_eval/*/samples_choices_*.jsonl": {"measure": "acc"},
    "lm_eval_flat/*.jsonl": {"measure": "acc"},
    "mlflow_runs.csv": {"measure": "log_loss"},
}


def close(value, expected):
    np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-15)


def source_of(name):
    """The file, or the files of all models."""
    paths = sorted(PEERS.glob(name))
    return paths if "*" in name else paths[0]


def kept_filter(path, folder, filter_name):
    copy = folder / path.parent.name / path.name
    copy.parent.mkdir()
    lines = path.read_text("utf-8").splitlines(keepends=True)
    copy.write_text("".join(line for line in lines if json.loads(line)["filter"] == filter_name), "utf-8")
    return copy


def evidence_for(name, conclusion):
    """The evidence that a conclusion is about: its measure, its filter, its data set."""
    said = dict(SAID.get(name, {}))
    if "measure" in conclusion:
        said["measure"] = conclusion["measure"]
    if "accuracy" in conclusion:
        said["measure"] = "accuracy"
    evidence = bk.read(source_of(name), filter=conclusion.get("filter"), **said)
    if "dataset" in conclusion:
        evidence = evidence.without(datasets=[each for each in evidence.datasets if each != conclusion["dataset"]])
    return evidence


def learner_names(name):
    """Names in expected.json → names in the evidence; they differ where a learner is a setting."""
    if name == "sklearn_grid_search.csv":
        return {
            each: " ".join(f"{key}={value}" for key, value in ast.literal_eval(each).items())
            for each in EXPECTED[name]["reading"]["learners"]
        }
    return {each: each for each in EXPECTED[name]["reading"]["learners"]}


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", READABLE)
def test_the_file_is_read_as_it_is_meant(name):
    reading = EXPECTED[name]["reading"]
    found = evidence_for(name, {"filter": reading["filters"][0] if len(reading.get("filters", ())) > 1 else None})
    assert type(found) is {"scores": Scores, "items": Items, "runs": Runs}[reading["kind"]]
    assert set(found.learners) == set(learner_names(name).values())
    assert len(found.learners) == len(reading["learners"])
    assert not found.missing()
    if isinstance(found, Items):
        assert len(found.items) == reading["items"]
        return
    if isinstance(found, Runs):
        assert {name: len(each) for name, each in zip(found.learners, found.runs, strict=True)} == dict(
            zip(reading["learners"], reading["runs"], strict=True)
        )
        return
    datasets = reading["datasets"]
    assert found.datasets == tuple(datasets) if isinstance(datasets, list) else len(found.datasets) == datasets
    assert (len(found.replications), len(found.folds)) == (reading["replications"], reading["folds"])


@pytest.mark.parametrize("name", [name for name in READABLE if "asked for" in EXPECTED[name]["direction"]])
def test_a_direction_that_the_file_does_not_tell_is_asked_for(name):
    said = {key: value for key, value in SAID[name].items() if key == "rows"}
    with pytest.raises(InputError, match=r"direction.*'score'"):
        bk.read(source_of(name), **said)


@pytest.mark.parametrize("name", ["autorank.csv", "autorank_index.csv", "mlxtend_bootstrap.csv"])
def test_rows_that_nothing_names_are_asked_about(name):
    assert "--rows" in refusal(PEERS / name, larger_is_better=True).fix


@pytest.mark.parametrize("name", [name for name in READABLE if name.startswith("sklearn_")])
def test_folds_of_scikit_learn_are_assumed_to_be_one_replication_unless_indices_say_so(name):
    assumed = evidence_for(name, {}).origin.assumed
    assert ("one-replication" in assumed) == ("indices" not in name)


@pytest.mark.parametrize("name", [name for name in READABLE if "must be chosen among" in EXPECTED[name]["direction"]])
def test_a_measure_is_asked_for_where_there_are_several(name):
    with pytest.raises(InputError, match="2 measures: acc, acc_norm"):
        bk.read(source_of(name))


def test_all_forms_of_the_same_scores_are_read_alike():
    first, second = bk.read(PEERS / "sklearn_indices.csv"), bk.read(PEERS / "sklearn_indices.json")
    np.testing.assert_array_equal(first.values, second.values)
    assert first.origin.assumed == second.origin.assumed == ()  # the indices tell that all rows are covered once
    for found in (first, second):
        assert (found.larger_is_better, found.fingerprints.shape) == (True, (1, 1, 5))
        assert len(set(found.fingerprints.ravel())) == 5
    assert second.origin.source == str(PEERS / "sklearn_indices.json")
    assert len(second.origin.sha256) == 64


# --- refusals ---------------------------------------------------------------------------------------------------------


def refusal(source, **said):
    with pytest.raises(InputError) as error:
        bk.read(source, **said)
    return error.value


def test_an_item_that_one_model_lacks_is_named():
    faulty = PEERS / "lm_eval_faulty" / "item_missing.jsonl"
    found = bk.read([*sorted(PEERS.glob("lm_eval_flat/*.jsonl")), faulty], measure="acc")
    with pytest.raises(InputError, match="learner item_missing, item 17"):
        bk.judge(found)


def test_a_line_without_an_item_is_named_with_its_file_only():
    faulty = PEERS / "lm_eval_faulty" / "no_doc_id.jsonl"
    error = refusal([*sorted(PEERS.glob("lm_eval_flat/*.jsonl")), faulty], measure="acc")
    assert (error.wrong, error.where) == ("the item is empty.", f"{faulty}, line 3, column doc_id")


def test_a_model_that_saw_other_folds_is_named_with_the_fold():
    path = PEERS / "sklearn_unpaired.json"
    error = refusal(path)
    assert "learner logistic, fold 1" in error.wrong
    assert error.where == f"{path}, learner tree, fold 1, column fingerprint"


def test_trials_of_a_study_are_no_replications():
    path = PEERS / "optuna_trials.csv"
    error = refusal(path, larger_is_better=True)
    assert "Optuna's table of trials" in error.wrong
    assert "params_C" in error.wrong
    assert error.where == str(path)
    assert "study did not see" in error.fix


@pytest.mark.parametrize(
    ("header", "instead"),
    [
        (",number,value,datetime_start,datetime_complete,duration,params,params,state", "study did not see"),
        (",number,values,values,datetime_start,datetime_complete,duration,params,state", "study did not see"),
        ("q,[a] Say {{q}},Status,Score,Grader Reason,[b] Say {{q}},Status,Score,Grader Reason", "-o results.json"),
        ("model,fold,accuracy,accuracy", "rename one"),
    ],
)
def test_a_header_of_several_levels_is_answered_by_what_its_program_has_instead(tmp_path, header, instead):
    path = tmp_path / "table.csv"
    path.write_text(f"{header}\n{',' * header.count(',')}\n")
    error = refusal(path)
    assert "appears twice" in error.wrong
    assert instead in error.fix


def test_trials_are_refused_whatever_they_are_read_from(tmp_path):
    frame = pd.read_csv(PEERS / "optuna_trials.csv", index_col=0, parse_dates=["datetime_start", "datetime_complete"])
    frame["duration"] = pd.to_timedelta(frame["duration"])
    frame.to_json(tmp_path / "rows.json", orient="records", date_format="iso")
    frame.to_parquet(tmp_path / "trials.parquet")
    frame.to_csv(tmp_path / "plain.csv", index=False)
    sources = [frame, frame.to_dict("list"), frame.to_dict("records"), *sorted(tmp_path.iterdir())]
    assert len(sources) == 6
    for source in sources:
        assert "Optuna" in refusal(source, larger_is_better=True).wrong
        with pytest.raises(InputError, match="Optuna"):
            bk.judge(source, on=("value", "params_C"))


@pytest.mark.parametrize(
    "columns",
    [
        "number,values_0,values_1,datetime_start,datetime_complete,duration,params_x,state",  # several objectives
        "number,value_accuracy,datetime_start,datetime_complete,duration,params_x,state",  # set_metric_names
        "number,value,datetime_start,datetime_complete,duration,state",  # a study without parameters
        "number,value,params_x",  # trials_dataframe(attrs=...)
        "value,params_x",
        "model,number,value,params_x,state",  # the studies of several models, joined
    ],
)
def test_trials_are_known_by_a_few_of_their_columns(columns):
    rows = {name: [0.5, 0.25, 0.75] for name in columns.split(",")}
    assert "Optuna" in refusal(rows, larger_is_better=True).wrong


def test_a_column_of_parameters_makes_no_trial():
    rows = {
        "model": ["a", "a", "a", "b", "b", "b"],
        "fold": [1, 2, 3] * 2,
        "value": [0.5, 0.6, 0.7, 0.4, 0.5, 0.7],
        "params_millions": [7.0] * 3 + [13.0] * 3,
    }
    assert bk.read(rows, measure="value", larger_is_better=True).learners == ("a", "b")


def test_several_filters_are_named():
    paths = sorted(PEERS.glob("lm_eval/*/samples_sums_*.jsonl"))
    error = refusal(paths)
    assert "filters: strict-match and flexible-extract." in error.wrong
    assert error.where == f"{paths[0]}, line 31"
    assert "--filter strict-match" in error.fix


def test_filters_that_differ_between_models_are_refused(tmp_path):
    names = ("strict-match", "flexible-extract", "strict-match")
    paths = sorted(PEERS.glob("lm_eval/*/samples_sums_*.jsonl"))
    copies = [kept_filter(path, tmp_path, name) for path, name in zip(paths, names, strict=True)]
    assert "middle has no outcomes of the filter strict-match" in refusal(copies).wrong


def test_the_file_of_one_model_asks_for_the_others():
    one = bk.read(PEERS / "lm_eval_flat" / "tiny.jsonl", measure="acc")
    with pytest.raises(bk.InputError, match="one learner: tiny") as error:
        bk.judge(one)
    assert "several files" in error.value.fix


def test_an_iteration_beside_a_split_may_be_read_two_ways(tmp_path):
    path = tmp_path / "scores.csv"
    text = (PEERS / "mlxtend_5x2.csv").read_text("utf-8")
    path.write_text(text.replace("repetition,fold", "iteration,split"), "utf-8")
    error = refusal(path)
    assert "curves of 5 steps in 2 folds, or 5 replications of 2 folds" in error.wrong
    assert "iteration to step (training)" in error.fix


# --- judging ----------------------------------------------------------------------------------------------------------


def by_pair(evidence, test, names):
    """Statistic, p value, and which is shown to be better, for pairs written ``first / second``."""
    found = bk.compare(evidence, test=test, adjust="none")
    pairs = [(f"{a} / {b}", found.pair(names[a], names[b])) for a, b in combinations(names, 2)]
    return {name: (pair.statistic, pair.pvalue, winner(pair)) for name, pair in pairs}


def winner(pair):
    return pair.better if pair.significant else None


def check_pairs(found, statistic, pvalue):
    assert set(pvalue) == set(found)
    for pair, (ours, p, _) in found.items():
        if pvalue[pair] is None:  # 0/0: two settings that agree on every fold
            assert p == 1.0
            continue
        close(p, pvalue[pair])
        if statistic is not None:
            close(ours, statistic[pair])


def same_mean(evidence, names, conclusion):
    mean = conclusion.get("mean") or conclusion.get("mean_accuracy") or conclusion["accuracy"]
    ours = evidence.means()
    close([ours[names[each]] for each in mean], list(mean.values()))


def same_corrected_t(evidence, names, conclusion):
    expected = conclusion["corrected_t"]
    statistic, pvalue = ({pair: each[key] for pair, each in expected.items()} for key in ("statistic", "pvalue"))
    check_pairs(by_pair(evidence, "corrected-t", names), statistic, pvalue)


def same_weka_pairs(evidence, names, conclusion):
    found = by_pair(evidence, "corrected-t", names)
    check_pairs(found, None, {pair: each["pvalue"] for pair, each in conclusion["pairs"].items()})
    for pair, each in conclusion["pairs"].items():
        first, second = pair.split(" / ")
        assert found[pair][2] == {1: first, -1: second, 0: None}[each["significance"]]


def same_weka_table(evidence, names, conclusion):
    """Weka's last line: on how many data sets each other scheme is better, alike, worse."""
    base = conclusion["base"]
    alone = [evidence.without(datasets=set(evidence.datasets) - {dataset}) for dataset in evidence.datasets]
    compared = [bk.compare(each, test="corrected-t", adjust="none") for each in alone]
    counts = []
    for other in [name for name in names if name != base]:
        better = [winner(each.pair(other, base)) for each in compared]
        counts.append(tuple(str(better.count(who)) for who in (other, None, base)))
    line = next(each for each in conclusion["text"] if "(v/ /*)" in each)
    assert re.findall(r"\((\d+)/(\d+)/(\d+)\)", line) == counts


def same_paired_t(evidence, names, conclusion):
    check_pairs(by_pair(evidence, "paired-t", names), conclusion["statistic"], conclusion["pvalue"])


def same_five_by_two(evidence, names, conclusion):
    statistic, p, _ = by_pair(evidence, "5x2cv-t", names)[conclusion["pair"]]
    close((statistic, p), (conclusion["statistic"], conclusion["pvalue"]))


def same_mcnemar(evidence, names, conclusion):
    exact = conclusion.get("exact_pvalue", conclusion["pvalue"])
    close(by_pair(evidence, "mcnemar-exact", names)[conclusion["pair"]][1], exact)
    if "chi2" in conclusion:
        first, second = conclusion["pair"].split(" / ")
        pair = bk.compare(evidence, test="mcnemar").pair(names[first], names[second])
        close((pair.statistic, pair.pvalue), (conclusion["chi2"], conclusion["pvalue"]))


def same_cochran(evidence, names, conclusion):
    del names
    omnibus = bk.compare(evidence, test="mcnemar-exact").omnibus
    assert omnibus.test == "cochran-q"
    close((omnibus.statistic, omnibus.pvalue), (conclusion["statistic"], conclusion["pvalue"]))


def losses_by_learner(evidence):
    return dict(zip(evidence.learners, evidence.losses()[:, :, 0, 0], strict=True))


def same_friedman(evidence, names, conclusion):
    found = stats.omnibus.friedman(losses_by_learner(evidence))
    close(found.pvalue, conclusion["pvalue"])
    ranks = stats.omnibus.nemenyi(losses_by_learner(evidence)).mean_ranks
    close(ranks, [conclusion["mean_rank"][name] for name in names])


def same_autorank(evidence, names, conclusion):
    same_friedman(evidence, names, conclusion)
    found = stats.omnibus.nemenyi(losses_by_learner(evidence))
    exact = studentized_range.ppf(0.95, len(names), np.inf) * np.sqrt(len(names) * (len(names) + 1) / (12 * 50))
    close(found.critical_difference, exact)
    # autorank takes the quantile from statsmodels' qsturng, a fit that is off by 1.3e-5 here
    np.testing.assert_allclose(found.critical_difference, conclusion["critical_difference"], rtol=2e-5)
    groups = ordering.cliques(found.pvalue > 0.05, names=evidence.learners)
    assert {frozenset(group) for group in groups} == {frozenset(group) for group in conclusion["groups"]}


def same_wilcoxon(evidence, names, conclusion):
    losses = losses_by_learner(evidence)
    for pair in combinations(names, 2):
        p = stats.pairwise.wilcoxon(*(losses[each] for each in pair), method="normal").pvalue
        close(p, conclusion["pvalue"][" / ".join(pair)])


def same_welch(evidence, names, conclusion):
    del names
    values = dict(zip(evidence.learners, evidence.values, strict=True))
    found = welch_t(*(values[name].ravel() for name in conclusion["pair"].split(" / ")))
    close((found.statistic, found.pvalue), (conclusion["statistic"], conclusion["pvalue"]))


#: Which check a conclusion gets: the first whose words are in its call or among its fields.
CHECKS = {
    "multiResultsetFull": same_weka_table,
    "corrected_t": same_corrected_t,
    "PairedStatsCorrected": same_weka_pairs,
    "autorank(": same_autorank,
    "friedmanchisquare": same_friedman,
    "wilcoxon(": same_wilcoxon,
    "ttest_rel": same_paired_t,
    "ttest_ind": same_welch,
    "5x2cv": same_five_by_two,
    "mcnemar(": same_mcnemar,
    "cochrans_q": same_cochran,
    "mean": same_mean,
    "simple_evaluate": same_mean,
    "best_params_": same_mean,
    "accuracy": same_mean,
}
CONCLUSIONS = [
    pytest.param(name, each, id=f"{name}-{i}-{each['program']}")
    for name in READABLE
    for i, each in enumerate(EXPECTED[name]["conclusions"])
]


@pytest.mark.parametrize(("name", "conclusion"), CONCLUSIONS)
def test_the_other_program_concludes_the_same(name, conclusion):
    check = next(check for words, check in CHECKS.items() if words in conclusion["call"] or words in conclusion)
    evidence = evidence_for(name, conclusion)
    check(evidence, learner_names(name), conclusion)


def test_every_readable_file_has_a_conclusion():
    assert {name for name in READABLE if EXPECTED[name]["conclusions"]} == set(READABLE)
    assert set(REFUSED) < set(EXPECTED)
