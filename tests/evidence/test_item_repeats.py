"""Repeated samples of one item: their outcomes are averaged when they are read."""

import json

import numpy as np
import pytest

import bestofk as bk
from bestofk.evidence import Curves, Items
from makers_items import refused
from makers_tables import written

RIGHT = (np.random.default_rng(0).random((2, 30, 3)) < np.array([0.8, 0.5])[:, None, None]).astype(int)


def lines(right=RIGHT, items=None):
    """One line per model, item and repeat."""
    names = range(right.shape[1]) if items is None else items
    return [
        (model, name, number + 1, right[k, i, number])
        for k, model in enumerate("ab")
        for i, name in enumerate(names)
        for number in range(right.shape[2])
    ]


@pytest.mark.parametrize("item", ["question_id", "id", "question"])
@pytest.mark.parametrize("repeat", ["epoch", "attempt", "sample", "repeat", "sample_id", "repetition", "trial", "run"])
def test_a_column_that_tells_repeats_apart_averages_them(file, item, repeat):
    found = bk.read(file(f"model,{item},{repeat},correct", lines()))
    assert isinstance(found, Items)
    assert found.items == tuple(map(str, range(30)))
    assert found.values == pytest.approx(RIGHT.mean(axis=2))
    assert "3 repeats per item were averaged" in found.origin.notes
    assert not found.binary
    assert bk.judge(found).test == "permutation-t"


def test_the_wide_form_has_repeats_too(file):
    rows = [(i, e, *RIGHT[:, i, e]) for i in range(30) for e in range(3)]
    found = bk.read(file("item,epoch,a,b", rows), larger_is_better=True)
    assert found.learners == ("a", "b")
    assert found.values == pytest.approx(RIGHT.mean(axis=2))


def test_numbers_of_repeats_may_differ(file):
    kept = [line for place, line in enumerate(lines()) if place % 3 == 0 or place % 7 < 4]
    found = bk.read(file("model,item,epoch,correct", kept))
    for k, model in enumerate("ab"):
        for i in range(30):
            expected = np.mean([each[3] for each in kept if each[:2] == (model, i)])
            assert found.values[k, i] == pytest.approx(expected)
    assert "1 to 3 repeats per item were averaged" in found.origin.notes


def test_runs_of_unequal_number_are_repeats_unless_they_have_test_sets(file):
    rows = [row for row in lines() if not (row[0] == "a" and row[2] == 3)]
    found = bk.read(file("model,item,run,correct", rows))
    assert found.values[0] == pytest.approx(RIGHT[0, :, :2].mean(axis=1))
    split = [(model, item, run, "y", "y" if right else "n") for model, item, run, right in lines()]
    assert bk.read(file("model,item,run,truth,prediction", split)).replications is not None


def test_a_single_epoch_is_neither_a_repeat_nor_a_step(file):
    rows = [line for line in lines() if line[2] == 1]
    found = bk.read(file("model,item,epoch,correct", rows))
    assert found.values.tolist() == RIGHT[:, :, 0].tolist()
    assert found.binary
    assert not any("averaged" in note for note in found.origin.notes)


def test_steps_beside_items_are_still_asked_about(file):
    refused(file("model,item,step,correct", lines()), wrong="two ways", fix="rename")


def test_epochs_without_items_are_steps(file):
    rows = [(model, seed, epoch, 0.1 * epoch) for model in "ab" for seed in range(3) for epoch in range(4)]
    assert isinstance(bk.read(file("model,seed,epoch,accuracy", rows)), Curves)


def test_files_of_a_harness_with_epochs(tmp_path):
    """As Inspect names them: an id that starts again with every epoch, and an identifier of every row."""
    paths = []
    for k, model in enumerate(("org/run-1", "org/run-2")):
        rows = [
            {"sample_id": f"{k}-{i}-{e}", "id": i, "epoch": e + 1, "acc": int(RIGHT[k, i, e]), "scores": {"acc": 1}}
            for e in range(3)
            for i in range(30)
        ]
        text = "\n".join(json.dumps(row) for row in rows)
        paths.append(written(tmp_path, f"{model.replace('/', '-')}.jsonl", text))
    found = bk.read(paths)
    assert found.learners == ("org-run-1", "org-run-2")  # the files are models, not runs of one
    assert found.values == pytest.approx(RIGHT.mean(axis=2))


def test_outcomes_of_predictions_are_averaged_and_nothing_else_is_kept(file):
    truth = np.arange(30) % 2
    rows = [(model, i, e, truth[i], abs(truth[i] - 1 + right)) for model, i, e, right in lines()]
    path = file("model,item,attempt,truth,prediction", rows)
    found = bk.read(path)
    assert found.values == pytest.approx(1 - RIGHT.mean(axis=2))
    assert (found.measure, found.predictions) == ("error", None)
    refused(path, "--on", "tpr,fpr", wrong="3 repeats of an item", where="column attempt", fix="one repeat")


def test_repeats_beside_folds_are_replications(file):
    rows = [(m, i, e, (i + e) % 2, right) for m, i, e, right in lines()]
    verdict = bk.judge(file("model,item,repeat,fold,correct", rows))
    assert verdict.comparison.sample.replications_and_folds == (3, 2)
    epochs = bk.read(file("model,item,epoch,fold,correct", [(m, i, e, i % 2, right) for m, i, e, right in lines()]))
    assert epochs.values == pytest.approx(RIGHT.mean(axis=2))


def test_repeats_of_random_splits_stay_replications(file):
    path = file("model,item,repeat,correct", lines())
    assert bk.read(path, test_fraction=0.3).replications == tuple(np.repeat(["1", "2", "3"], 30))


def test_items_that_start_again_in_every_group_have_repeats_of_their_own(file):
    rows = [(m, i % 15, "ab"[i // 15], e, right) for m, i, e, right in lines()]
    found = bk.read(file("model,item,task,epoch,correct", rows))
    assert len(found.items) == 30
    by_task = {(group, name.split("/")[-1]): column for name, group, column in
               zip(found.items, found.groups, found.values.T, strict=True)}  # fmt: skip
    assert by_task["b", "3"] == pytest.approx(RIGHT[:, 18].mean(axis=1))


def test_what_nothing_tells_apart_is_refused(file):
    rows = lines()
    path = file("model,item,correct", [(m, i, right) for m, i, _, right in rows])
    refused(path, wrong="item 0 appears twice", where="line 3")
    refused(file("model,item,epoch,correct", [*rows, rows[4]]), wrong="repeat 2 appears twice", where="line 182")


def test_a_missing_repeat_leaves_the_item_missing(file):
    rows = lines()
    rows[4] = (*rows[4][:3], "")
    path = file("model,item,epoch,correct", rows)
    refused(path, wrong="learner a, item 1 (line 6)")
    assert bk.judge(path, missing="drop-items").comparison.left_out.items == ("1",)


def test_a_number_of_the_sample_that_no_model_repeats_is_the_item(file):
    """Beside the words of a question, some of which are asked twice."""
    rows = [(model, f"q{i // 2}", i, RIGHT[k, i, 0]) for k, model in enumerate("ab") for i in range(30)]
    assert len(bk.read(file("model,question,sample_id,correct", rows)).items) == 30
