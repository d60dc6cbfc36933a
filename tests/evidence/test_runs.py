"""Runs as evidence: what they hold, what is missing, and how curves are reduced to them."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence.missing_results import completed


def runs(values=([0.5, 0.6, 0.7], [0.4, 0.7]), **more):
    facts = {"measure": "accuracy", "larger_is_better": True, "learners": tuple("abcdef"[: len(values)])}
    return bk.Runs(values=values, **(facts | more))


def in_tasks(**more):
    """Learner a has tasks x and y, b has x only."""
    facts = {"runs": (("1", "2", "1", "2"), ("1", "2")), "datasets": (("x", "x", "y", "y"), ("x", "x"))}
    return runs(([0.1, 0.2, 0.5, 0.6], [0.3, 0.4]), **(facts | more))


def curves(**more):
    values = ([[0.1, 0.6, 0.4], [0.2, 0.3, 0.9]], [[0.5, 0.2, 0.3], [0.1, 0.1, 0.1]])
    facts = {"measure": "accuracy", "larger_is_better": True, "steps": (1, 2, 6), "learners": ("a", "b")}
    return bk.Curves(values=values, **(facts | more))


def test_runs_are_curves_of_one_step():
    found = runs()
    assert isinstance(found, bk.Curves)
    assert [each.shape for each in found.values] == [(3, 1), (2, 1)]
    assert (len(found.steps), found.runs) == (1, (("1", "2", "3"), ("1", "2")))
    assert runs(tuple(found.values)).means() == found.means()
    np.testing.assert_array_equal(found.losses()["b"], [[-0.4], [-0.7]])


def test_what_they_are_is_said_in_one_line():
    assert repr(runs()) == "2 learners, 3 and 2 runs, measure accuracy: larger is better"
    assert repr(runs(([1, 2], [3, 4]))).startswith("2 learners, 2 runs each,")
    assert repr(in_tasks()).startswith("2 learners on 2 tasks, 4 and 2 runs,")
    assert "4 and 2 runs" in in_tasks()._repr_html_()


@pytest.mark.parametrize("values", [([[0.1, 0.2]], [[0.3, 0.4]]), ([[[0.1]]], [[[0.2]]]), (0.5, 0.6), ([], [0.1])])
def test_values_that_are_no_lists_of_numbers_are_refused(values):
    with pytest.raises(InputError, match="shapes") as error:
        runs(values)
    assert "a number per run" in error.value.fix


def test_a_seed_may_occur_in_several_tasks_and_only_once_in_each():
    assert in_tasks().runs == (("x/1", "x/2", "y/1", "y/2"), ("x/1", "x/2"))
    with pytest.raises(InputError, match="run 'x/1' is named twice"):
        in_tasks(runs=(("1", "1", "1", "2"), ("1", "2")))
    with pytest.raises(InputError, match="named twice"):
        runs(([1, 2], [3, 4]), runs=(("1", "1"), ("1", "2")))


def test_missing_runs_and_tasks_are_named():
    failed = {("b", "2", 1.0): "diverged"}
    assert runs(([0.5, 0.6], [0.4, np.nan]), failures=failed).missing() == ("learner b, run 2 (failed: diverged)",)
    assert "1 of 4 runs failed" in repr(runs(([0.5, 0.6], [0.4, np.nan]), failures=failed))
    assert in_tasks().missing() == ("learner b, task y (no run)",)
    assert (in_tasks().lacking_datasets(), in_tasks().shared_datasets()) == ((("b", "y"),), ("x",))


def test_means_are_over_shared_tasks_each_of_which_counts_once():
    assert in_tasks().means() == pytest.approx({"a": 0.15, "b": 0.35})
    uneven = runs(
        ([0.0, 0.0, 0.6, 0.6, 0.6], [0.2, 0.2, 0.4, 0.4]),
        datasets=(("x", "x", "y", "y", "y"), ("x", "x", "y", "y")),
    )
    assert uneven.means() == pytest.approx({"a": 0.3, "b": 0.3})


def test_learners_and_tasks_are_left_out():
    found = in_tasks().without(datasets=["y"])
    assert type(found) is bk.Runs
    assert (found.runs, found.datasets) == ((("x/1", "x/2"), ("x/1", "x/2")), ())
    three = runs(([1, 2], [3, 4], [5, 6, 7])).without(["b"])
    assert (three.learners, [len(each) for each in three.values]) == (("a", "c"), [2, 3])
    with pytest.raises(InputError, match="learner b has no run"):
        in_tasks().without(datasets=["x"])


def test_pairs_go_by_the_name_of_the_seed():
    found = runs(([1, 2], [3, 4]), runs=(("7", "9"), ("9", "7")))
    np.testing.assert_array_equal(found.paired_losses()["b"], [[-4], [-3]])
    with pytest.raises(InputError, match="runs are not paired"):
        runs().paired_losses()


def test_a_task_that_a_learner_lacks_is_refused_or_dropped():
    with pytest.raises(InputError, match="learner b, task y") as error:
        completed(in_tasks(), "refuse")
    assert "drop-datasets" in error.value.fix
    kept, gone = completed(in_tasks(), "drop-datasets")
    assert (gone.datasets, kept.missing(), kept.means()) == (("y",), (), pytest.approx({"a": 0.15, "b": 0.35}))


def test_a_run_without_a_value_is_refused_or_its_learner_dropped():
    found = runs(([1, 2], [3, np.nan, 4], [5, 6]))
    with pytest.raises(InputError, match="learner b, run 2") as error:
        completed(found, "refuse")
    assert "drop-learners" in error.value.fix
    assert completed(found, "drop-learners")[0].learners == ("a", "c")
    with pytest.raises(InputError, match="does not apply"):
        completed(found, "drop-datasets")


def test_a_learner_with_one_run_is_not_judged():
    with pytest.raises(InputError, match="learner b has one run:"):
        completed(runs(([1, 2], [3])), "refuse")
    with pytest.raises(InputError, match="learner b has one run of task y"):
        completed(runs(([1, 2, 3, 4], [5, 6, 7]), datasets=(("x", "x", "y", "y"), ("x", "x", "y"))), "refuse")


# --- curves reduced ---------------------------------------------------------------------------------------------------

#: By hand: trapezoids on steps 1, 2, 6 have the widths 1 and 4.
REDUCED = {
    "final": ([0.4, 0.9], [0.3, 0.1]),
    "best": ([0.6, 0.9], [0.5, 0.1]),
    "mean": ([1.1 / 3, 1.4 / 3], [1.0 / 3, 0.1]),
    "area": ([(0.35 + 2.0) / 5, (0.25 + 2.4) / 5], [(0.35 + 1.0) / 5, 0.1]),
}


@pytest.mark.parametrize("quantity", REDUCED)
def test_every_curve_becomes_one_number(quantity):
    found = curves(runs=(("s1", "s2"), ("s1", "s3")), costs={"price": {"a": 1.0, "b": 2.0}}).reduced(quantity)
    assert type(found) is bk.Runs
    for ours, expected in zip(found.values, REDUCED[quantity], strict=True):
        np.testing.assert_allclose(ours.ravel(), expected, rtol=1e-12)
    assert (found.measure, found.runs, found.costs["price"]) == (
        "accuracy",
        (("s1", "s2"), ("s1", "s3")),
        {"a": 1, "b": 2},
    )


def test_the_best_of_a_loss_is_its_smallest_value():
    found = curves(measure="loss", larger_is_better=False).reduced("best")
    assert [each.ravel().tolist() for each in found.values] == [[0.1, 0.2], [0.2, 0.1]]


def test_tasks_and_failures_stay_with_the_runs():
    values = ([[0.1, np.nan], [0.2, 0.3]], [[0.5, 0.2], [0.1, 0.1]])
    found = bk.Curves(
        learners=("a", "b"),
        values=values,
        measure="accuracy",
        larger_is_better=True,
        datasets=(("x", "y"), ("x", "y")),
        failures={("a", "1", 2.0): "diverged"},
    )
    assert found.reduced("final").missing() == ("learner a, run 1 (failed: diverged)",)
    assert found.reduced("final").datasets == (("x", "y"), ("x", "y"))


def test_another_quantity_is_refused():
    with pytest.raises(InputError, match="unknown quantity 'last'") as error:
        curves().reduced("last")
    assert "final" in error.value.fix
