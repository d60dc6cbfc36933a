"""What the evidence cannot give is refused, and what is offered instead can be done."""

import numpy as np
import pytest

import bestofk as bk
from makers_items import HEAD, cells, refused, run


def test_delong_and_folds_of_one_class_do_not_send_to_each_other(file):
    lines = [[a, i, r, i // 10, "ny"[i // 10 % 2], p] for a, i, r, _, _, p in cells()]
    path = file(HEAD, lines)
    refused(path, "--on", "roc", wrong="20 folds of 20", fix="stratified folds; or, of one replication")
    refused(path, "--on", "roc", "--test", "delong", wrong="2 replications", fix="keep one replication")
    one = file(HEAD, [line for line in lines if line[2] == 1])
    refused(one, "--on", "roc", wrong="10 folds of 10", fix="--test delong")
    assert run("judge", one, "--on", "roc", "--test", "delong").exit_code in (0, 1)


def test_one_class_is_not_sent_to_delong(file):
    lines = [(i % 5, 1, 0.4, 0.6, 0.5, 0.5) for i in range(50)]
    refused(file("fold,truth,a:0,a:1,b:0,b:1", lines), "--on", "roc", wrong="class 1", fix="both")


def test_curves_are_not_asked_for_beside_measures(file):
    path = file(HEAD, cells())
    refused(path, "--on", "roc,tpr,fpr", wrong="roc is asked", fix="--on roc;")
    refused(path, "--on", "auc,tpr", wrong="auc is asked for beside tpr", fix="--on roc;")


def test_outcomes_say_what_vectors_need(file):
    path = file("learner,item,correct", [(name, i, i % 2) for name in "ab" for i in range(10)])
    refused(path, "--on", "tpr,fpr", wrong="true class", fix="a column truth")


def test_what_0_by_0_counts_as_is_a_share(file):
    lines = [(n, f, 8 - f % 2, 2 + f % 2, f % 3, 10 - f % 3) for n in "ab" for f in range(6)]
    path = file("learner,fold,tp,fn,fp,tn", lines)
    refused(path, "--on", "tpr,fpr", "--undefined", "7", wrong="undefined is 7", fix="from 0 to 1")


def test_a_count_beyond_all_others_ends_in_no_traceback(file):
    lines = [[n, f, 8 - f % 2, 2 + f % 2, f % 3, 10 - f % 3] for n in "ab" for f in range(6)]
    lines[2][2] = 1e300
    verdict = bk.judge(file("learner,fold,tp,fn,fp,tn", lines), on="tpr,fpr")
    assert verdict.mistake_costs is None


def test_missing_results_of_vectors_are_not_offered_to_be_kept(file):
    lines = [
        (n, d, f, 8 - (f + d) % 2, 2 + (f + d) % 2, f % 3, 10 - f % 3) for n in "ab" for d in range(7) for f in (0, 1)
    ]
    path = file("learner,dataset,fold,tp,fn,fp,tn", lines[:-1])
    refused(path, "--on", "tpr,fpr", wrong="1 result is missing", fix="--missing drop-datasets")
    assert "--missing keep" not in run("judge", path, "--on", "tpr,fpr").stderr
    refused(path, "--on", "tpr,fpr", "--missing", "keep", wrong="vectors need every result", fix="drop-datasets")
    assert run("judge", path, "--on", "tpr,fpr", "--missing", "drop-datasets").exit_code in (0, 1)


def test_recalls_of_classes_are_columns_of_a_file(file):
    """As docs/reference/measures.md has it; no other column has to stand beside them."""
    rates = np.round(np.random.default_rng(0).uniform(0.6, 0.9, (2, 8, 3)), 3)
    lines = [(name, f, *rates[k, f]) for k, name in enumerate("ab") for f in range(8)]
    verdict = bk.judge(file("learner,fold,recall_x,recall_y,recall_z", lines), on="recalls")
    assert verdict.names == ("recall_x", "recall_y", "recall_z")
    assert verdict.evidence.vectors[:, 0, 0] == pytest.approx(rates)


def test_folds_that_are_filtered_or_have_no_row_numbers_are_refused_with_their_indices():
    halves = [[0, 1], [2, 3], [0, 2], [1, 3]]
    output = {"test_score": [0.5, 0.6, 0.7, 0.8], "indices": {"test": halves}}
    outputs = {"a": output, "b": {**output, "test_score": [0.4, 0.5, 0.7, 0.6]}}
    with pytest.raises(bk.InputError, match="indices of 4 folds"):
        bk.read(outputs, measure="accuracy", filter=["fold=1"])
    outputs["a"]["indices"] = {"test": [[10**25, 1], *halves[1:]]}
    with pytest.raises(bk.InputError, match="indices are"):
        bk.read(outputs, measure="accuracy")


def test_a_table_of_tabarena_without_its_learners_is_refused():
    columns = {"dataset": ["u", "v"], "metric": ["auc"] * 2, "metric_error": [0.1, 0.2], "problem_type": ["binary"] * 2}
    with pytest.raises(bk.InputError, match="no column names the learner"):
        bk.read(columns)
