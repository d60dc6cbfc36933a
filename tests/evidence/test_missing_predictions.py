"""Missing predictions of items: named with their line, or left out for all learners."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence.item_folds import as_tested, completed_as_tested
from makers_items import HEAD, STRENGTH, TRUTH, cells, chances, class_file, folds_of, refused


def test_a_missing_outcome_of_a_repeated_item_is_named(file):
    lines = cells()
    lines[250][5] = ""
    refused(file(HEAD, lines), "--on", "roc", wrong="learner fair, item 50 of replication 1 (line 252)")


def one_missing(row=150):
    lines = cells()
    lines[row][5] = ""  # good, item 50 of replication 2
    return lines


def test_a_missing_prediction_of_a_repeated_item_can_be_found(file):
    path = file(HEAD, one_missing())
    wrong = "learner good, item 50 of replication 2 (line 152)"
    for on in ("roc", "tpr,fpr", "tpr@0.3,fpr@0.3"):
        refused(path, "--on", on, wrong=wrong, fix="--missing drop-items")
    with pytest.raises(InputError, match=r"learner good, item 50 of replication 2 \(line 152\)"):
        completed_as_tested(bk.read(path), "refuse")


def test_a_row_that_is_not_there_has_no_line(file):
    lines = cells()
    del lines[150]
    refused(file(HEAD, lines), "--on", "roc", wrong="learner good, item 50 of replication 2 (no row)")


def test_a_missing_prediction_of_a_wide_table_can_be_found(file):
    lines = [[i, r, folds_of(r)[i], TRUTH[i], TRUTH[i], 1 - TRUTH[i]] for r in (1, 2) for i in range(100)]
    lines[41][5] = ""
    path = file("item,replication,fold,truth,a,b", lines)
    refused(path, "--on", "tpr,fpr", wrong="learner b, item 41 of replication 1 (line 43)", fix="--missing drop-items")
    outcomes = file("item,replication,fold,a,b", [(*line[:3], 1, line[5]) for line in lines])
    refused(outcomes, "--measure", "error", wrong="1 result is missing")
    with pytest.raises(InputError, match=r"learner b, item 41 of replication 1 \(line 43\)"):
        completed_as_tested(bk.read(outcomes, measure="error"), "refuse")


def test_items_are_left_out_before_folds_are_made(file):
    path = file(HEAD, one_missing())
    used, left_out = completed_as_tested(bk.read(path), "drop-items")
    assert len(left_out.items) == 1
    place = folds_of(2) == folds_of(2)[50]
    place[50] = False
    at = used.replications.index("2"), used.folds.index(f"f{folds_of(2)[50]}")
    for k, name in enumerate(STRENGTH):
        assert used.values[k, 0, *at] == pytest.approx(((chances(name, 2) > 0.5) != TRUTH)[place].mean())


def test_items_are_left_out_of_areas_and_rates(file):
    path = file(HEAD, one_missing())
    place = folds_of(2) == folds_of(2)[50]
    place[50] = False
    for on in ("roc", "tpr,fpr", "tpr@0.3,fpr@0.3"):
        verdict = bk.judge(path, on=on, missing="drop-items")
        scores = verdict.evidence
        at = scores.replications.index("2"), scores.folds.index(f"f{folds_of(2)[50]}")
        given, truth = chances("fair", 2)[place], TRUTH[place] == 1
        expected = {"roc": roc_auc_score(truth, given), "tpr,fpr": (given[truth] > 0.5).mean()}
        assert scores.values[1, 0, *at] == pytest.approx(expected.get(on, (given[truth] >= 0.3).mean()))
        assert len(verdict.comparison.left_out.items) == 1
    once = bk.judge(file(HEAD, [line for line in one_missing() if line[2] == 2]), on="roc", missing="drop-items")
    assert len(once.comparison.left_out.items) == 1
    verdict = bk.judge(file(HEAD, one_missing()), on="roc", missing="drop-learners")
    assert set(verdict.order) == {"fair", "poor"}


def test_an_answer_that_is_missing_of_one_seed_leaves_its_item_out(file):
    right = np.random.default_rng(0).integers(0, 2, (2, 40, 3))
    lines = [[name, i, s, right[k, i, s]] for k, name in enumerate("ab") for i in range(40) for s in range(3)]
    lines[3 * 7 + 1][3] = ""  # a, item 7, seed 1
    path = file("model,question_id,seed,correct", lines)
    refused(path, wrong="1 result is missing: learner a, item 7 (line 24)", fix="--missing drop-items")
    used = bk.judge(path, missing="drop-items").evidence
    assert used.values == pytest.approx(np.delete(right.mean(axis=2), 7, axis=1))
    also, _ = completed_as_tested(bk.read(path), "drop-items")
    assert np.array_equal(also.values, used.values)


def test_complete_items_are_tested_as_before(file):
    for replications in ((1,), (1, 2)):
        found = bk.read(file(HEAD, cells(replications)))
        used, left_out = completed_as_tested(found, "refuse")
        assert not left_out
        assert type(used) is type(as_tested(found))
        assert np.array_equal(used.values, as_tested(found).values)


def test_a_missing_prediction_is_named_by_its_item(tmp_path):
    path = class_file(tmp_path, "xyz", constant=False)
    text = path.read_text().split("\n")
    text[6] = text[6].rpartition(",")[0] + ","
    path.write_text("\n".join(text))
    with pytest.raises(bk.InputError, match=r"1 result.*item 5") as caught:
        bk.judge(path, on="mcc,kappa")
    assert "missing='drop-items'" in caught.value.fix
    assert "bestofk collect" not in caught.value.fix
    assert bk.judge(path, on="mcc,kappa", missing="drop-items").comparison.left_out.items
    with pytest.raises(bk.InputError, match=r"1 result.*item 5"):
        bk.judge(path, on="tpr,fpr", positive="each")
