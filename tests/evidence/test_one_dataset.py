"""Items of several data sets: one of them can be chosen, and none of them is a fold."""

import json

import numpy as np
import pytest

import bestofk as bk
from makers_items import refused, run

CLASSES = {"iris": ("setosa", "versicolor", "virginica"), "spam": ("no", "yes")}
RIGHT = {"good": 0.9, "fair": 0.7, "poor": 0.5}
HEAD = "learner,dataset,item,fold,truth,prediction"


def lines(datasets=("iris", "spam"), items=40):
    """One line per learner, data set and item, which is numbered from 0 in both; classes are those of the data set."""
    made = []
    for d, name in enumerate(CLASSES):
        classes = CLASSES[name]
        for k, (learner, share) in enumerate(RIGHT.items()):
            random = np.random.default_rng([d, k]).random(items)
            for i in range(items):
                said = classes[(i + (random[i] > share)) % len(classes)]
                made.append((learner, name, i, f"f{i // 2 % 5}", classes[i % len(classes)], said))
    return [line for line in made if line[1] in datasets]


def without(column, head, rows):
    at = head.split(",").index(column)
    return ",".join(part for part in head.split(",") if part != column), [r[:at] + r[at + 1 :] for r in rows]


def compared(*words):
    return json.loads(run(*words, "--json").stdout)["comparison"]


# ---- one data set of several ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("command", ["judge", "compare"])
def test_one_data_set_is_judged_as_if_it_stood_alone(file, command, name):
    head, rows = without("fold", HEAD, lines())
    both, alone = file(head, rows), file(head, [row for row in rows if row[1] == name], "alone.csv")
    one, other = (json.loads(run(command, *words, "--json").stdout) for words in ((both, "--dataset", name), (alone,)))
    if command == "judge":
        assert one["provenance"]["reading"]["dataset"] == name
        one, other = one["comparison"], other["comparison"]
    assert one == other
    assert one["sample"]["units"] == 40


def test_a_learner_without_the_data_set_is_not_left_out_unseen(file):
    head, rows = without("fold", HEAD, lines())
    table = file(head, [row for row in rows if row[:2] != ("poor", "iris")])
    with pytest.raises(bk.InputError, match="poor has no results on iris"):
        bk.read(table, dataset="iris")
    assert bk.read(table, dataset="iris", learners=["good", "fair"]).learners == ("good", "fair")


def test_classes_and_names_of_items_are_those_of_the_data_set_alone(file):
    head, rows = without("fold", HEAD, lines())
    found = bk.read(file(head, rows), dataset="spam")
    assert set(found.truth) == {"no", "yes"}
    assert found.items == tuple(map(str, range(40)))
    assert found.groups is None  # one data set is no group of its items


@pytest.mark.parametrize("on", ["tpr,fpr", "recalls"])
def test_folds_of_one_data_set_of_several_carry_several_measures(file, on):
    both, alone = file(HEAD, lines()), file(HEAD, lines(("spam",)), "alone.csv")
    assert compared("judge", both, "--on", on, "--dataset", "spam") == compared("judge", alone, "--on", on)
    assert "--dataset iris" in refused(both, "--on", on)[2]


def test_wide_tables_and_tasks(file):
    wide = [(name, i, CLASSES[name][i % 2], CLASSES[name][0], CLASSES[name][1]) for name in CLASSES for i in range(10)]
    for role in ("dataset", "task"):
        found = bk.read(file(f"{role},item,truth,a,b", wide), dataset="spam")
        assert found.items == tuple(map(str, range(10)))
        assert found.values.tolist() == [[0.0, 1.0] * 5, [1.0, 0.0] * 5]  # the measure is the error
    unnamed = [(row[0], *row[2:]) for row in wide]
    assert len(bk.read(file("dataset,truth,a,b", unnamed), dataset="iris").items) == 10


def test_an_unknown_data_set_gets_the_nearest_name(file):
    wrong, where, fix = refused(file(*without("fold", HEAD, lines())), "--dataset", "irsi")
    assert wrong == "unknown data set 'irsi'."
    assert where == "  where: argument dataset"
    assert "did you mean 'iris'?" in fix


@pytest.mark.parametrize("more", [(), ("group",)])
def test_items_without_data_sets_have_none_to_choose(file, more):
    head, rows = without("dataset", *without("fold", HEAD, lines(("spam",))))
    path = file(",".join([head, *more]), [(*row, *("g" for _ in more)) for row in rows])
    assert refused(path, "--dataset", "spam")[0] == "dataset is 'spam', and there are no data sets."


def test_items_that_were_read_already_are_not_chosen_from(file):
    items = bk.read(file(*without("fold", HEAD, lines())))
    with pytest.raises(bk.InputError, match="items were read already") as error:
        bk.read(items, dataset="spam")
    assert "bk.read(source, dataset='spam')" in error.value.fix


def test_a_fault_is_found_in_its_own_line(file):
    head, rows = without("fold", HEAD, lines())
    at = next(i for i, row in enumerate(rows) if row[1] == "spam") + 7
    rows[at] = (*rows[at][:3], "", rows[at][4])
    path = file(head, rows)
    assert f"line {at + 2}," in refused(path, "--dataset", "spam")[1]
    assert run("judge", path, "--dataset", "iris").exit_code in (0, 1)  # whose rows are whole


# ---- data sets are no folds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("on", ["tpr,fpr", "recalls", "accuracy,kappa"])
def test_data_sets_are_not_taken_for_folds(file, on):
    head, rows = without("fold", HEAD, lines())
    binary = [(*row[:3], "ab"[i % 2], "ab"[i // 3 % 2]) for i, row in enumerate(rows)]
    binary = [(*row[:3], "ab"[row[2] % 2], row[4]) for row in binary]  # the same truth for every learner
    more = [(row[0], f"{row[1]}{copy}", *row[2:]) for copy in range(2) for row in binary]
    verdict = bk.judge(file(head, more), on=on)
    assert verdict.comparison.kind == "datasets"  # every one has a test set, and counts once
    assert verdict.comparison.sample.units == 4
    items = bk.read(file(head, binary))
    with pytest.raises(bk.InputError, match=r"2 data.*iris.*spam"):
        bk.judge(items, on=on)


def test_groups_of_items_still_stand_for_folds(file):
    head, rows = without("dataset", HEAD, lines(("spam",)))
    verdict = bk.judge(file(head.replace("fold", "group"), rows), on="tpr,fpr")
    assert (verdict.comparison.kind, verdict.comparison.sample.units) == ("folds", 5)


def test_tests_of_items_one_by_one_take_the_items_of_all_data_sets(file):
    path = file(*without("fold", HEAD, lines()))
    verdict = bk.judge(path, groups="fixed")
    assert verdict.test == "mcnemar-auto"
    assert len(verdict.evidence.items) == 80
    assert "K106" in {advice.code for advice in verdict.advice}
    assert bk.judge(path).status == "undecided"  # two data sets are two groups
