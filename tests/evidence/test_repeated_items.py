"""The same items in several replications: tested fold by fold, averaged over seeds, or random splits."""

import json

import numpy as np
import pytest
from scipy import stats

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence import Items, Scores
from bestofk.evidence.item_folds import as_tested
from makers_items import HEAD, STRENGTH, TRUTH, cells, chances, folds_of, refused, run


def test_areas_of_repeated_cross_validation(file):
    verdict = bk.judge(file(HEAD, cells()), on="roc")
    assert verdict.evidence.vectors.shape == (3, 1, 2, 5, 1)
    place = folds_of(2) == 3
    found = verdict.evidence
    at = found.replications.index("2"), found.folds.index("f3")
    assert found.values[1, 0, *at] == pytest.approx(bk.stats.roc.auc(TRUTH[place], chances("fair", 2)[place]))
    first, second = (found.values[k, 0] for k in (0, 2))
    alone = bk.stats.pairwise.repeated_cv_t(first, second)
    assert verdict.comparison.pair("good", "poor").pvalue == pytest.approx(alone.pvalue)
    assert (verdict.comparison.test, verdict.comparison.sample.share) == ("repeated-cv-t", 0.2)


def test_rates_of_repeated_cross_validation(file):
    verdict = bk.judge(file(HEAD, cells()), on="tpr,fpr")
    scores, place = verdict.evidence, folds_of(1) == 2
    at = scores.replications.index("1"), scores.folds.index("f2")
    said = chances("poor", 1)[place] > 0.5
    expected = [said[TRUTH[place] == 1].mean(), said[TRUTH[place] == 0].mean()]
    assert verdict.evidence.vectors[2, 0, *at] == pytest.approx(expected)


@pytest.mark.parametrize("wide", [False, True])
def test_one_measure_of_repeated_items_goes_fold_by_fold(file, wide):
    """By a t test of repeated folds on their errors; 200 rows are not 200 independent items."""
    path = file(HEAD, cells())
    if wide:
        lines = [
            (i, r, f"f{folds_of(r)[i]}", TRUTH[i], *(int(chances(name, r)[i] > 0.5) for name in STRENGTH))
            for r in (1, 2)
            for i in range(100)
        ]
        path = file("item,replication,fold,truth," + ",".join(STRENGTH), lines)
    found = bk.read(path)
    assert isinstance(found, Items)
    assert "items in 2 replications" in repr(found)
    verdict = bk.judge(found)
    wrong = [(chances("good", r) > 0.5) != TRUTH for r in (1, 2)]
    errors = [[wrong[r - 1][folds_of(r) == f].mean() for f in range(5)] for r in (1, 2)]
    assert (verdict.evidence.replications, verdict.evidence.folds) == (("1", "2"), ("f0", "f1", "f2", "f3", "f4"))
    assert verdict.evidence.values[0, 0] == pytest.approx(np.array(errors))
    assert verdict.comparison.test == "repeated-cv-t"


def test_outcomes_of_repeated_items_need_no_truth(file):
    lines = [(*line[:4], int((line[5] > 0.5) == (line[4] == "yes"))) for line in cells()]
    verdict = bk.judge(file("learner,item,replication,fold,correct", lines))
    assert verdict.comparison.test == "repeated-cv-t"
    assert verdict.comparison.means["good"] == pytest.approx(
        np.mean([(chances("good", r) > 0.5) == TRUTH for r in (1, 2)])
    )


def test_answers_of_several_seeds_are_averaged_per_item(file):
    """One fixed test set asked three times: an item has one value, the share of right answers."""
    right = np.random.default_rng(0).random((2, 40, 3)) < np.array([0.8, 0.5])[:, None, None]
    lines = [(name, i, s, int(right[k, i, s])) for k, name in enumerate("ab") for i in range(40) for s in range(3)]
    verdict = bk.judge(file("model,question_id,seed,correct", lines))
    assert verdict.evidence.values == pytest.approx(right.mean(axis=2))
    assert verdict.comparison.test == "permutation-t"


def test_folds_in_a_row_are_replications_where_their_items_say_so(file):
    lines = [(name, i, 5 * (r - 1) + folds_of(r)[i] + 1, *rest) for name, i, r, _, *rest in cells()]
    path = file("learner,item,fold,truth,probability", lines)
    found = bk.read(path)
    assert any("2 replications of 5" in note for note in found.origin.notes)
    named = bk.judge(file(HEAD, cells()), on="roc")
    path = file("learner,item,fold,truth,probability", lines)
    for option in ({}, {"replications": 2}):
        again = bk.judge(bk.read(path, on="roc", **option))
        assert again.comparison.pvalue == pytest.approx(named.comparison.pvalue)
    refused(
        path, "--replications", 4, wrong="replications is 4, but by the items there are 2", fix="leave replications out"
    )


def test_random_splits_need_their_share_and_take_it(file):
    lines = [line for line in cells((1, 2, 3, 4)) if line[3] in ("f0", "f1")]
    path = file("learner,item,split,truth,probability", [(a, i, r, t, p) for a, i, r, _, t, p in lines])
    for on in ((), ("--on", "roc"), ("--on", "tpr,fpr")):
        refused(path, *on, wrong="random splits", fix="--test-fraction 0.3")
        answer = run("judge", path, *on, "--test-fraction", "0.4", "--json")
        assert json.loads(answer.stdout)["comparison"]["sample"]["test_fraction"] == 0.4
    refused(path, "--on", "roc", "--test", "delong", "--test-fraction", "0.4", wrong="4 random splits")


def test_replications_without_folds_take_the_share_that_the_advice_asks_for(file):
    lines = [(a, i, i % 3, t, p) for a, i, _, _, t, p in cells((1,))]
    path = file("learner,item,replication,truth,probability", lines)
    for on in ("roc", "tpr,fpr"):
        refused(path, "--on", on, wrong="3 replications of 1", fix="--test-fraction 0.3")
        assert run("judge", path, "--on", on, "--test-fraction", "0.3").exit_code in (0, 1)
    assert bk.judge(bk.read(path, on="roc", test_fraction=0.3)).comparison.sample.test_fraction == 0.3
    refused(path, "--test-fraction", "0.3", wrong="every item occurs once", fix="--on tpr,fpr")


def test_a_share_that_contradicts_the_folds_is_refused(file):
    refused(file(HEAD, cells()), "--test-fraction", "0.3", wrong="there are 2 replications of 5 folds", fix="leave")


def test_replications_that_test_other_items_are_random_splits(file):
    lines = [(a, i, r, t, p) for a, i, r, f, t, p in cells() if f != "f0"]
    path = file("learner,item,replication,truth,probability", lines)
    refused(path, wrong="occurs in 1 of 2 replications", fix="--test-fraction 0.3")
    assert run("judge", path, "--test-fraction", "0.3").exit_code in (0, 1)


def test_rows_that_nothing_names_are_not_taken_for_other_items(file):
    lines = [(r, f"f{folds_of(r)[i]}", TRUTH[i], *(int(chances(n, r)[i] > 0.5) for n in STRENGTH)) for r in (1, 2)
             for i in range(100)]  # fmt: skip
    assert bk.judge(file("replication,fold,truth,good,fair,poor", lines)).comparison.test == "repeated-cv-t"
    path = file("replication,truth,good,fair,poor", [(r, *rest) for r, _, *rest in lines])
    refused(path, wrong="200 rows of 2 replications may be of the same items", fix="add a column item")


def test_an_item_twice_in_a_replication_is_refused(file):
    path = file(HEAD, [*cells(), cells()[5]])
    for on in ((), ("--on", "tpr,fpr"), ("--on", "roc")):
        refused(path, *on, wrong="item 5 of replication 1 appears twice: first in line 7", where="line 602")


def test_seeds_that_learners_do_not_share_are_named(file):
    lines = [(name, i, s + 10 * k, 1) for k, name in enumerate("ab") for i in range(5) for s in range(2)]
    refused(file("learner,item,seed,correct", lines), wrong="no item is shared", fix="same item and replication")


@pytest.mark.parametrize(("column", "value", "wrong"), [
    (2, "", "the replication is empty"),
    (3, "f9", "the fold is f9, but"),
    (4, "no", "the truth is no, but yes in line 53"),
])  # fmt: skip
def test_a_faulty_cell_of_repeated_items(file, column, value, wrong):
    lines = cells()
    lines[251][column] = value
    for on in ((), ("--on", "roc")):
        refused(file(HEAD, lines), *on, wrong=wrong, where="line 253")


def test_items_that_occur_once_stay_as_they_are(file):
    found = bk.read(file(HEAD, cells((1,))))
    assert as_tested(found) is found
    assert isinstance(as_tested(bk.read(file(HEAD, cells()))), Scores)


def five_by_two():
    half = [np.random.default_rng(r).permutation(30) % 2 + 1 for r in range(5)]
    said = np.random.default_rng(4).integers(0, 2, (2, 5, 30))
    lines = [(i, TRUTH[i], r + 1, half[r][i], said[0, r, i], said[1, r, i]) for r in range(5) for i in range(30)]
    wrong = said != TRUTH[:30]
    errors = [[[wrong[k, r][half[r] == f].mean() for f in (1, 2)] for r in range(5)] for k in (0, 1)]
    return lines, np.array(errors)


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_5x2_of_repeated_items_does_not_depend_on_the_order_of_rows(file, seed):
    lines, errors = five_by_two()
    if seed is not None:
        lines = [lines[at] for at in np.random.default_rng(seed).permutation(len(lines))]
    evidence = bk.read(file("item,truth,replication,fold,a,b", lines))
    differences = errors[0] - errors[1]
    variance = ((differences - differences.mean(axis=1, keepdims=True)) ** 2).sum(axis=1).mean()
    t = differences[0, 0] / np.sqrt(variance)  # Dietterich 1998: the first fold of the first replication above
    assert differences[0, 0] != differences[0, 1]
    assert bk.compare(evidence, test="5x2cv-t").pvalue[0] == pytest.approx(2 * stats.t.sf(abs(t), 5))
    corrected = differences.mean() / np.sqrt((1 / 10 + 1) * differences.var(ddof=1))  # Bouckaert and Frank 2004
    comparison = bk.compare(evidence)
    assert comparison.test == "corrected-t"
    assert comparison.pvalue[0] == pytest.approx(2 * stats.t.sf(abs(corrected), 9))


@pytest.mark.parametrize(("replications", "wrong"), [
    (None, "nothing names its replication"),
    (("1",) * 4 + ("2",) * 4, "item x occurs twice in replication 1"),
])  # fmt: skip
def test_units_need_replications(replications, wrong):
    with pytest.raises(InputError, match=wrong) as caught:
        bk.Items(learners=("a", "b"), values=np.zeros((2, 8)), measure="correct", larger_is_better=True,
                 units=("x", "y") * 4, replications=replications)  # fmt: skip
    assert len(str(caught.value).splitlines()) == 3
