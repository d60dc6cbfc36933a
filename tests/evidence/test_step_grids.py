"""Data sets whose curves have steps of their own: refused with an offer, or taken as shares of the last step."""

from itertools import product

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence import Origin
from bestofk.evidence.step_grids import SHARES, OneCurve, aligned, curves_by_size, shares_of
from bestofk.stats.curves import randomized_t
from makers import welch_by_hand

SIZES = {"iris": (13, 43, 74, 104, 135), "wine": (16, 52, 88, 124, 160)}  # a tenth to all, cut to whole rows
LEVELS = {"iris": 0.1, "wine": 0.5}


def rows(sizes=None, gap=0.04, runs=4):
    """Error of two learners along the sizes of each data set."""
    rng = np.random.default_rng(0)
    for dataset, steps in (sizes or SIZES).items():
        for learner, extra in (("new", 0.0), ("old", gap)):
            for run in range(1, runs + 1):
                noise = rng.normal(0, 0.005, len(steps))
                for step, off in zip(steps, noise, strict=True):
                    yield (learner, dataset, run, step, LEVELS[dataset] + extra + 1 / (10 + step) + off)


def table(tmp_path, sizes=None, keep=lambda row: True):
    path = tmp_path / "curves.csv"
    lines = [",".join(map(str, row)) for row in rows(sizes) if keep(row)]
    path.write_text("\n".join(["learner,dataset,run,step,error", *lines]) + "\n")
    return path


def test_each_data_set_by_itself_has_its_own_steps_only(tmp_path):
    gate = bk.gate("new", "old", results=table(tmp_path), margin=0.02, by_group=True)
    assert [check.outcome for check in gate.checks] == ["passed", "passed"]
    assert bk.read(table(tmp_path)).without(datasets={"wine"}).steps == SIZES["iris"]


def test_other_steps_of_other_data_sets_are_no_missing_points(tmp_path):
    with pytest.raises(InputError) as error:
        bk.judge(table(tmp_path))
    assert "run iris/1 has no step 16" in error.value.wrong
    assert '--align relative (align="relative")' in error.value.fix
    assert "--align interpolate" in error.value.fix
    assert "--align common" not in error.value.fix  # no step in common


def test_a_point_that_is_missing_within_a_data_set_is_still_named(tmp_path):
    path = table(tmp_path, keep=lambda row: row[:4] != ("old", "wine", 2, 88))
    with pytest.raises(InputError, match="has no step") as error:
        bk.judge(path)
    assert "complete it" in error.value.fix
    with pytest.raises(InputError, match=r"relative.*learner old, run wine/2 has no step 88"):
        bk.read(path, align="relative")


def test_shares_of_the_last_step(tmp_path):
    found = bk.read(table(tmp_path), align="relative")
    assert found.steps == (0.1, 0.325, 0.55, 0.775, 1.0)  # of wine, whose sizes are the finer ones
    values = {row[:4]: row[4] for row in rows()}
    expected = [[values["old", name, run, step] for step in SIZES[name]] for name in SIZES for run in range(1, 5)]
    np.testing.assert_array_equal(found.values[1], expected)  # nothing is drawn between points
    note = "steps are shares of each data set's last step (5 steps, 0.1 to 1): align='relative'"
    assert note in found.origin.notes


def test_the_verdict_is_that_within_data_sets_and_says_how_steps_were_taken(tmp_path):
    found = bk.read(table(tmp_path), align="relative")
    verdict = bk.judge(found, seed=2)
    pair = tuple(found.losses().values())
    level = [each.mean(axis=1) for each in pair]
    assert verdict.comparison.pvalue[0] == pytest.approx(welch_by_hand(*level, blocks=found.datasets)[1])
    shuffled = bk.judge(found, seed=2, test="randomized-t").comparison
    assert shuffled.pvalue[0] == randomized_t(*pair, blocks=found.datasets, rng=2).pvalue < 0.01
    assert verdict.best == "new"
    assert any("align='relative'" in note for note in verdict.provenance.notes)
    assert verdict.comparison.curves.datasets == 2
    assert [(each.better, each.start, each.stop) for each in verdict.comparison.curves.pairs[0].stretches] == [
        ("new", 0.1, 1.0)
    ]


def test_shares_that_differ_are_met_on_lines():
    grids = {"a": np.array([10.0, 50.0, 100.0]), "b": np.array([200.0, 400.0, 800.0, 1000.0])}
    found = shares_of(grids)
    assert found.lines
    assert found.steps.tolist() == [0.5, 1.0]  # of a, which has the fewest between 0.2 and 1
    curves = [
        OneCurve("x", "a/1", grids["a"], np.array([9.0, 5.0, 1.0]), "a"),
        OneCurve("y", "b/1", grids["b"], np.array([8.0, 6.0, 4.0, 2.0]), "b"),
    ]
    _, values, note = aligned(curves, "relative")
    np.testing.assert_allclose(values[1], [5.5, 2.0])  # half of 1000 lies a quarter of the way from 400 to 800
    assert "2 steps, 0.5 to 1, by lines between points" in note


@pytest.mark.parametrize(
    ("grids", "why"),
    [
        ({"a": [1.0, 2.0]}, "one data set"),
        ({"a": [-1.0, 2.0], "b": [1.0, 2.0]}, "a step below 0"),
        ({"a": [0.0, 0.0], "b": [1.0, 2.0]}, "no last step"),
        ({"a": [1.0], "b": [1.0, 2.0]}, "a point"),
    ],
)
def test_what_has_no_shares(grids, why):
    assert shares_of({name: np.array(steps) for name, steps in grids.items()}) is None, why


def test_a_size_is_cut_to_whole_rows_and_no_more():
    assert not shares_of({"a": np.array([13.0, 135.0]), "b": np.array([16.0, 160.0])}).lines
    assert shares_of({"a": np.array([13.0, 135.0]), "b": np.array([40.0, 160.0])}).lines


def test_relative_is_for_several_data_sets(tmp_path):
    curves = [
        OneCurve("x", "1", np.array([1.0, 2.0]), np.array([1.0, 2.0])),
        OneCurve("y", "1", np.array([1.0, 4.0]), np.array([1.0, 2.0])),
    ]
    with pytest.raises(InputError, match="'relative', which leaves no two steps"):
        aligned(curves, "relative")
    path = table(tmp_path, keep=lambda row: row[1] == "iris")
    assert bk.read(path, align="relative").steps == SIZES["iris"]  # equal steps are left alone


# --- collected folds --------------------------------------------------------------------------------------------------

FACTS = {
    "learners": ("a", "b"),
    "measure": "error",
    "larger_is_better": False,
    "origin": Origin(source="store", notes=("locked",)),
}


def test_sizes_of_several_data_sets_become_shares():
    values = np.arange(2 * 2 * 1 * 10, dtype=float).reshape(2, 2, 1, 10)  # two folds of five sizes on two data sets
    sizes = {name: np.array(own) for name, own in SIZES.items()}
    found = curves_by_size(values, sizes, FACTS, "store")
    assert (found.steps, found.runs[0]) == (
        (0.1, 0.325, 0.55, 0.775, 1.0),
        ("iris/1.1", "iris/1.2", "wine/1.1", "wine/1.2"),
    )
    assert found.datasets[1] == ("iris", "iris", "wine", "wine")
    np.testing.assert_array_equal(found.values[1], values[1].reshape(4, 5))
    assert found.origin.notes == ("locked", SHARES)


def test_sizes_of_one_data_set_stay_sizes():
    values = np.arange(2 * 1 * 2 * 4, dtype=float).reshape(2, 1, 2, 4)
    found = curves_by_size(values, {"iris": np.array([10, 20])}, FACTS, "store")
    assert (found.steps, found.datasets, found.runs[0]) == ((10, 20), (), ("1.1", "1.2", "2.1", "2.2"))
    assert found.origin.notes == ("locked",)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"a": [1, 2], "b": [1, 2, 3]}, "4 folds do not fit 3 training sizes on b"),
        ({"a": [1, 2], "b": []}, "4 folds do not fit 0 training sizes on b"),
        ({"a": [10, 100], "b": [500, 1000]}, "no equal shares"),
    ],
)
def test_sizes_that_do_not_fit(sizes, words):
    values = np.zeros((2, 2, 1, 4))
    with pytest.raises(InputError, match=words):
        curves_by_size(values, {name: np.array(own) for name, own in sizes.items()}, FACTS, "store")


def test_a_plan_of_two_data_sets_is_judged(tmp_path):
    plan = bk.Plan(learners=["nmc", "max"], datasets=["iris", "wine"], folds="learning-curve-5-fold-3", seed=1)
    bk.collect(plan, tmp_path / "two.db", engine="serial", progress=False)
    found = bk.read(tmp_path / "two.db")
    assert "10 curves each" in repr(found)
    assert found.steps == pytest.approx((0.1, 0.55, 1.0), abs=0.01)
    verdict = bk.judge(found)
    assert verdict.best == "nmc"
    assert SHARES in verdict.provenance.notes


def test_data_sets_may_be_left_out(tmp_path):
    found = bk.read(table(tmp_path), align="relative")
    only = found.without(datasets=["wine"])
    assert (only.datasets, only.runs[0]) == ((), ("iris/1", "iris/2", "iris/3", "iris/4"))
    np.testing.assert_array_equal(only.values[1], found.values[1][:4])
    lacking = bk.read(table(tmp_path, keep=lambda row: row[:2] != ("old", "iris")), align="relative")
    with pytest.raises(InputError, match="learner old"):
        lacking.without(datasets=["wine"])


def test_steps_that_are_no_whole_numbers_are_not_taken_for_rounded_ones():
    found = shares_of({"a": np.array([0.1, 0.2, 0.3, 1.0]), "b": np.array([0.1, 0.7, 0.9, 1.0])})
    assert found.lines  # other shares: values on lines between points, and the note says so
    same = shares_of({"a": np.array([0.1, 0.2, 1.0]), "b": np.array([0.2, 0.4, 2.0])})
    assert not same.lines


def test_align_is_not_for_stores():
    with pytest.raises(InputError, match="align is 'common'"):  # said before it is opened
        bk.read("postgresql://127.0.0.1:1/none", align="common")


# --- runs that stop early, and runs that fail -------------------------------------------------------------------------

LOSSES = {  # b, seed 2 has fewer epochs
    ("a", 1): [0.9, 0.5, 0.6],
    ("a", 2): [0.8, 0.7, 0.4],
    ("a", 3): [0.8, 0.6, 0.5],
    ("b", 1): [0.9, 0.9, 0.8],
    ("b", 2): [0.7, 0.95],
    ("b", 3): [0.9, 0.8, 0.9],
}


def log(tmp_path, losses=LOSSES):
    rows = [f"{m},{s},{e},{v}" for (m, s), each in losses.items() for e, v in enumerate(each)]
    path = tmp_path / "log.csv"
    path.write_text("\n".join(["model,seed,epoch,val_loss", *rows]) + "\n")
    return path


@pytest.mark.parametrize(("curve", "choose"), [("final", lambda each: each[-1]), ("best", min)])
def test_runs_that_stop_early_have_a_last_and_a_best_value(tmp_path, curve, choose):
    used = bk.judge(log(tmp_path), curve=curve).evidence
    expected = [[choose(each) for (name, _), each in LOSSES.items() if name == learner] for learner in "ab"]
    assert [each.ravel().tolist() for each in used.values] == expected
    with pytest.raises(InputError, match="learner b, run 2") as error:
        bk.judge(log(tmp_path), curve="mean")
    assert "--curve final" in error.value.fix
    assert "2 to 3 steps" in repr(bk.read(log(tmp_path)))


DIVERGED = {**LOSSES, ("b", 2): [0.7, "", ""]}


def test_a_run_that_diverged_is_not_hidden_by_cutting_steps(tmp_path):
    path = log(tmp_path, {**DIVERGED, ("b", 2): [0.7, 0.9, ""]})
    with pytest.raises(InputError, match="learner b, run 2, step 2") as error:
        bk.judge(path)
    assert "missing='drop-runs'" in error.value.fix
    for align, options in product(("common", "interpolate"), ({}, {"curve": "final"}, {"curve": "best"})):
        with pytest.raises(InputError, match="learner b, run 2"):
            bk.judge(path, align=align, **options)
        verdict = bk.judge(path, align=align, missing="drop-runs", **options)
        assert verdict.comparison.left_out.runs == (("b", "2"),)
        assert verdict.advice[0].code == "K122"


def broken_off(tmp_path, steps=10, last=4):
    """A log of three runs each, one of which ended early."""
    losses = {(name, seed): [1 / (e + seed) for e in range(1, steps + 1)] for name in "ab" for seed in (1, 2, 3)}
    return log(tmp_path, {**losses, ("b", 2): losses["b", 2][:last]})


def test_runs_without_all_steps_are_left_out_where_that_is_asked_for(tmp_path):
    path = broken_off(tmp_path)
    with pytest.raises(InputError, match="learner b, run 2") as error:
        bk.judge(path)
    assert "missing='drop-runs'" in error.value.fix
    assert "--align interpolate" in error.value.fix
    for curve in (None, "mean", "area", "final", "best"):
        verdict = bk.judge(path, curve=curve, missing="drop-runs")
        assert "K146" not in {each.code for each in verdict.advice}
        assert verdict.comparison.left_out.runs == (("b", "2"),)
        assert verdict.evidence.runs == (("1", "2", "3"), ("1", "3"))
        assert "b 2 (ended at step 3 of 9)" in next(each.seen for each in verdict.advice if each.code == "K122")
    few = {(name, seed): each for (name, seed), each in LOSSES.items() if (name, seed) != ("b", 3)}
    with pytest.raises(InputError, match="learner b, run 2") as error:
        bk.judge(log(tmp_path, few))
    assert "drop-runs" not in error.value.fix


@pytest.mark.parametrize(
    "options", [{"align": "common"}, {"align": "interpolate"}, {"curve": "final"}, {"curve": "best"}]
)
def test_runs_that_ended_in_the_first_half_are_named(tmp_path, options):
    seen = {each.code: each.seen for each in bk.judge(broken_off(tmp_path), **options).advice}
    assert "b 2 ended at step 3 of 9" in seen["K146"]
    assert ("left out" in seen["K146"]) == ("align" in options)
    later = {each.code: each.seen for each in bk.judge(broken_off(tmp_path, last=8), **options).advice}
    assert "as if they were whole: b 2 ended at step 7 of 9" in later["K146"]


def ending_at(*ends):
    """A log of runs of as many learners that end at these steps, of 20 or fewer."""
    names = [(name, seed, last) for name, own in zip("abc", ends, strict=False) for seed, last in enumerate(own)]
    return {(name, seed): [1 / (e + seed + 1) for e in range(last + 1)] for name, seed, last in names}


@pytest.mark.parametrize(
    ("ends", "stopped"),
    [
        (([20, 20, 20], [20, 20, 17]), [("b", "2")]),
        (([20, 20, 20], [20, 20, 18]), []),  # a tenth
        (([20, 20, 20], [20, 20, 11, 17]), [("b", "2"), ("b", "3")]),
        (([20, 12, 17], [20, 11, 16]), []),  # none is usual where each stops by itself
        (([20, 20, 20], [20, 20, 20], [10, 10, 10]), []),  # a shorter training
        (([20, 20, 20], [20, 20, 20], [10, 10, 4]), [("c", "2")]),
    ],
)
def test_runs_that_stopped_early_are_left_out_at_their_last_and_best_step(tmp_path, ends, stopped):
    path = log(tmp_path, ending_at(*ends))
    assert list(bk.read(path).stopped) == stopped
    for curve in ("final", "best"):
        seen = {each.code: each.seen for each in bk.judge(path, curve=curve).advice}
        assert ("stopped early" in seen.get("K146", "")) == bool(stopped)
        assert list(bk.judge(path, curve=curve, missing="drop-runs").comparison.left_out.runs) == stopped


def test_what_is_in_the_verdict_is_said_before_what_was_left_out(tmp_path):
    losses = ending_at([20] * 5, [20] * 6)
    losses["b", 4][-1], losses["b", 5][-1] = 9.0, ""
    codes = [each.code for each in bk.judge(log(tmp_path, losses), curve="final", missing="drop-runs").advice]
    assert codes[:2] == ["K141", "K122"]
    losses = ending_at([20] * 5, [20] * 6, [20, 20, 20, 11])
    losses["b", 4][-1] = 9.0
    assert bk.judge(log(tmp_path, losses), curve="final").advice[0].code == "K141"  # before one that stopped early


def test_steps_are_those_of_runs_that_did_not_fail(tmp_path):
    losses = {
        ("a", 1): [9, 8, 7, 6],
        ("a", 2): [9, 7, 6],
        ("b", 1): [8, 8, 8, 7],
        ("b", 2): [9, ""],
        ("b", 3): [8, 7, 7],
    }
    found = bk.read(log(tmp_path, losses), align="common")
    assert found.steps == (0, 1, 2)
    assert found.missing() == ("learner b, run 2, step 1", "learner b, run 2, step 2")
    late = {**losses, ("b", 2): [8, 8, 8, ""]}  # no curve is compared at the step at which it failed
    with pytest.raises(InputError, match="learner b, run 2"):
        bk.judge(log(tmp_path, late), align="common", curve="final")


@pytest.mark.parametrize("align", ["common", "interpolate"])
def test_a_run_that_failed_after_all_steps_that_are_compared_is_named_by_its_last_step(tmp_path, align):
    whole = [0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
    losses = {(name, seed): whole for name in "ab" for seed in (1, 2, 3)}
    losses |= {("b", 1): [*whole[:4], "", ""], ("b", 2): whole[:2]}
    found = bk.read(log(tmp_path, losses), align=align)
    assert (found.steps, found.missing()) == ((0, 1), ("learner b, run 1, after step 3",))
    assert found.ended == {("b", "1"): (3, 5), ("b", "2"): (1, 5)}


def test_a_gate_does_not_pass_by_cutting_the_steps_at_which_runs_failed(tmp_path):
    whole = {(name, seed): [3 + seed / 100, 2.0, 1 + seed / 100] for name in "ab" for seed in range(20)}
    failed = {**whole, ("b", 3): [3.0, 2.0, ""]}
    options = {"results": log(tmp_path, failed), "margin": 0.5, "align": "common", "curve": "final"}
    with pytest.raises(InputError, match="learner b, run 3"):
        bk.gate("b", "a", **options)
    assert bk.gate("b", "a", missing="drop-runs", **options).runs_left_out == {"b": ("3",)}


def test_a_value_that_no_curve_has_is_no_failure(tmp_path):
    losses = {run: [each[0], "", each[-1]] for run, each in LOSSES.items()}
    found = bk.read(log(tmp_path, losses), align="common")
    assert (found.steps, found.missing()) == ((0, 2), ())


def test_runs_that_failed_are_left_out_by_name(tmp_path):
    path = log(tmp_path, DIVERGED)
    for options in ({}, {"curve": "final"}, {"curve": "best"}):
        with pytest.raises(InputError, match="learner b, run 2"):
            bk.judge(path, **options)
        verdict = bk.judge(path, missing="drop-runs", **options)
        assert verdict.comparison.left_out.runs == (("b", "2"),)
        assert verdict.evidence.runs == (("1", "2", "3"), ("1", "3"))
        advice = {each.code: each.seen for each in verdict.advice}
        assert "b 2" in advice["K122"]
        assert "K110" not in advice


def test_runs_are_left_out_only_where_enough_are_left(tmp_path):
    few = {run: each for run, each in DIVERGED.items() if run != ("b", 3)}
    with pytest.raises(InputError, match="learner b, run 2") as error:
        bk.judge(log(tmp_path, few), curve="final")
    assert "drop-runs" not in error.value.fix
    with pytest.raises(InputError, match="learner b has one run"):
        bk.judge(log(tmp_path, few), curve="final", missing="drop-runs")
