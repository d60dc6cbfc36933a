"""Folds of items: their names and order, folds that are not known, numbers of items that start again."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.evidence.item_folds import item_folds
from bestofk.evidence.natural_order import natural
from makers_items import STRENGTH, TRUTH, cells, chances, file_of, folds_of, refused, run


@pytest.mark.parametrize("value", ["", "f9"])
def test_a_faulty_fold_does_not_turn_folds_into_one_test_set(file, value):
    """Of all learners, or of one: the refusal says the line and the value; tests of items do not use folds."""
    lines = [[a, i, f, t, p] for a, i, _, f, t, p in cells((1,))]
    everywhere = [[*line[:2], value, *line[3:]] if line[1] == 7 else line for line in lines]
    alone = [[*line[:2], value, *line[3:]] if (line[0], line[1]) == ("fair", 7) else line for line in lines]
    wrong = "the fold of item 7 is empty" if not value else f"the fold is f9, but f{folds_of(1)[7]} in line 9"
    path = file("learner,item,fold,truth,probability", everywhere if not value else alone)
    for on in ("roc", "tpr,fpr", "tpr@0.3,fpr@0.3"):
        refused(path, "--on", on, wrong=wrong, where="line 9," if not value else "line 109,", fix="remove it")
    assert bk.judge(path).comparison.test == "mcnemar-auto"


def test_an_empty_fold_is_filled_from_other_learners(file):
    lines = [[a, i, f, t, p] for a, i, _, f, t, p in cells((1,))]
    whole = bk.judge(file("learner,item,fold,truth,probability", lines), on="roc")
    lines[7][2] = ""
    verdict = bk.judge(file("learner,item,fold,truth,probability", lines), on="roc")
    assert sorted(verdict.comparison.pvalue) == pytest.approx(sorted(whole.comparison.pvalue))


@pytest.mark.parametrize("replications", [(1,), (1, 2)])
def test_folds_of_several_data_sets_are_not_pooled(file, replications):
    lines = [(a, i % 50, f"d{i // 50}", *rest) for a, i, *rest in cells(replications)]
    path = file("learner,item,dataset,replication,fold,truth,probability", lines)
    refused(path, "--on", "roc", wrong="items of 2 data sets, d0 and d1", where="items.csv", fix="--dataset d0")
    refused(path, "--on", "tpr,fpr", wrong="2 data sets cannot carry 2", where="2 data sets", fix="--dataset")
    path = file("learner,item,dataset,replication,fold,truth,probability", [line for line in lines if line[2] == "d0"])
    assert run("judge", path, "--on", "tpr,fpr").exit_code in (0, 1)


def test_folds_of_items_stand_in_the_order_of_their_names():
    names = ("f10", "f2", "f1", "f10", "f2", "f1")
    items = bk.Items(learners=("a", "b"), values=np.zeros((2, 6)), measure="error", larger_is_better=False,
                     folds=names, replications=("10", "10", "10", "9", "9", "9"))  # fmt: skip
    found = item_folds(items)
    assert (found.replications, found.folds) == (("9", "10"), ("f1", "f2", "f10"))
    assert [each.tolist() for each in found.places] == [[5], [4], [3], [2], [1], [0]]


def test_rows_of_folds_without_names_say_what_they_are_taken_for(file):
    lines = [(5 * (r - 1) + folds_of(r)[i], TRUTH[i], *(int(chances(n, r)[i] > 0.5) for n in STRENGTH))
             for r in (1, 2, 3) for i in range(100)]  # fmt: skip
    note = "rows of different folds are taken for different items"
    path = file("fold,truth," + ",".join(STRENGTH), lines)
    for on in (None, "tpr,fpr"):
        assert any(note in each for each in bk.judge(path, on=on).provenance.notes)
    named = file("item,fold,truth," + ",".join(STRENGTH), [(at % 100, *line) for at, line in enumerate(lines)])
    notes = bk.judge(named).provenance.notes
    assert not any(note in each for each in notes)
    assert any("3 replications of 5" in note for note in notes)


def test_digits_inside_words_sort_as_numbers():
    names = ["fold10", "fold2", "fold", "10", "9.5", "-1", "nan", "r2f10", "r10f1", "r2f9", "fold02b"]
    expected = ["-1", "9.5", "10", "fold", "fold2", "fold02b", "fold10", "nan", "r2f9", "r2f10", "r10f1"]
    assert sorted(names, key=natural) == expected
    names.reverse()
    assert sorted(names, key=natural) == expected
    assert sorted(["a" + "9" * 5000, "a1"], key=natural)[0] == "a1"


@pytest.mark.parametrize("name", ["{n}", "fold{n}", "f{f}r{r}", "r{r}f{f}", "rep{r}_fold{f}"])
def test_folds_in_a_row_are_replications_under_any_names(file, name):
    lines = [(a, i, name.format(n=5 * (r - 1) + folds_of(r)[i] + 1, f=folds_of(r)[i], r=r), t, p)
             for a, i, r, _, t, p in cells(range(1, 12))]  # fmt: skip
    path = file("learner,item,fold,truth,probability", lines)
    found = bk.read(path, replications=11)
    assert any("11 replications of 5" in note for note in found.origin.notes)
    errors = [[((chances("fair", r) > 0.5) != TRUTH)[folds_of(r) == f].mean() for f in range(5)] for r in range(1, 12)]
    assert bk.judge(found).evidence.values[1, 0] == pytest.approx(np.array(errors))


def test_an_item_in_two_folds_is_refused(file):
    lines = [(i, i % 5 + 1, TRUTH[i], TRUTH[i], 1 - TRUTH[i]) for i in range(40)]
    path = file("item,fold,truth,a,b", [*lines[:5], (0, 3, *lines[0][2:]), *lines[5:]])
    for option in ((), ("--replications", "2"), ("--on", "tpr,fpr")):
        refused(path, *option, wrong="do not cover the rows in turn", fix="every row once in each replication")


def restarted(sizes=(20,) * 5, seed=0):
    rng = np.random.default_rng(seed)
    return [
        (n, i, f, int(rng.random() < (0.8 if n == "a" else 0.7)))
        for n in "ab"
        for f, size in enumerate(sizes)
        for i in range(size)
    ]


@pytest.mark.parametrize("sizes", [(20,) * 5, (21, 20, 20, 20, 19), (34, 33)])
def test_items_that_start_again_in_every_fold_are_asked_about(tmp_path, sizes):
    path = file_of(tmp_path, "learner,item,fold,correct", restarted(sizes))
    with pytest.raises(bk.InputError, match="item 0") as caught:
        bk.read(path)
    assert "column replication" in caught.value.fix
    assert "names of their own" in caught.value.fix
    assert f"line {sizes[0] + 2}" in caught.value.where


def test_both_ways_out_of_items_that_start_again_are_read(tmp_path):
    lines = restarted()
    rounds = bk.read(file_of(tmp_path, "learner,item,replication,correct", lines))
    assert bk.judge(rounds).comparison.test == "permutation-t"
    named = bk.read(file_of(tmp_path, "learner,item,fold,correct", [(n, f"{f}.{i}", f, c) for n, i, f, c in lines]))
    assert len(named.items) == 100
    assert bk.judge(named).comparison.test == "mcnemar-auto"


def test_rounds_that_are_said_to_be_some_are_read(tmp_path):
    path = file_of(tmp_path, "learner,item,fold,correct", restarted())
    assert len(set(bk.read(path, replications=5).units)) == 20
