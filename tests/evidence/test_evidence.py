"""Evidence made by hand: checked once when it is put together, and closed to writing afterwards."""

from __future__ import annotations

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.evidence import Curves, Items, Scores
from bestofk.evidence.reading import read_evidence

PAIR = {"learners": ("a", "b"), "measure": "error", "larger_is_better": False}


def scores(**more):
    return Scores(**PAIR | {"values": np.arange(12.0).reshape(2, 1, 2, 3) / 12} | more)


def items(**more):
    return Items(**PAIR | {"values": [[0, 1, 0], [1, 1, 0]]} | more)


def curves(**more):
    return Curves(**PAIR | {"values": ([[0.5, 0.6], [0.4, 0.7]], [[0.3, 0.6]])} | more)


FAULTS = {
    "planned": (scores, {"planned": np.ones((2, 3))}, "planned has the shape (2, 3), values ask for (1, 2, 3)"),
    "others": (scores, {"others": {"auc": np.ones((2, 1, 2, 2))}}, "others['auc'] has the shape (2, 1, 2, 2)"),
    "words in others": (scores, {"others": {"auc": ["x"]}}, "others['auc'] is ['x']"),
    "counts": (scores, {"counts": np.ones((2, 1, 2, 3))}, "counts has the shape (2, 1, 2, 3)"),
    "fingerprints": (scores, {"fingerprints": [["x"]]}, "fingerprints has the shape (1, 1)"),
    "replications": (scores, {"replications": ("1",)}, "replications has 1 entries, values ask for 2"),
    "folds": (scores, {"folds": ("1", "2")}, "folds has 2 entries, values ask for 3"),
    "same folds": (scores, {"folds": ("1", "2", "1")}, "fold '1' is named twice"),
    "same data sets": (
        scores,
        {"datasets": ("u", "u"), "values": np.ones((2, 2, 1, 1))},
        "data set 'u' is named twice",
    ),
    "words": (scores, {"values": [["x"], ["y"]]}, "values is [['x'], ['y']]"),
    "infinite": (scores, {"values": [[[np.inf]], [[1]]]}, "values are infinite"),
    "share": (scores, {"test_fraction": 1.0}, "test_fraction is 1.0"),
    "same items": (items, {"items": ("p", "q", "p")}, "item 'p' is named twice"),
    "too few items": (items, {"items": ("p", "q")}, "items has 2 entries, values ask for 3"),
    "groups": (items, {"groups": ("g",)}, "groups has 1 entries, values ask for 3"),
    "truth": (items, {"truth": ("x", "y")}, "truth has 2 entries, values ask for 3"),
    "predictions": (items, {"predictions": {"a": ("x",) * 3, "b": ("x",)}}, "predictions of b has 1 entries"),
    "predictions of one": (items, {"predictions": {"a": ("x",) * 3}}, "predictions does not have 'b'"),
    "predictions of others": (
        items,
        {"predictions": dict.fromkeys(("a", "b", "c"), ("x",) * 3)},
        "predictions has 'c'",
    ),
    "probabilities": (
        items,
        {"classes": ("x", "y"), "probabilities": {"a": np.ones((3, 2)), "b": np.ones((3, 1))}},
        "probabilities of b has the shape (3, 1), values ask for (3, 2)",
    ),
    "one number for all items": (items, {"decisions": {"a": 0.5, "b": 0.5}}, "decisions of a has the shape ()"),
    "steps": (curves, {"steps": (1.0,)}, "steps has 1 entries, values ask for 2"),
    "steps backwards": (curves, {"steps": (2.0, 1.0)}, "step 1 comes after step 2"),
    "steps twice": (curves, {"steps": (1.0, 1.0)}, "step 1 comes after step 1"),
    "no step": (curves, {"steps": (1.0, np.nan)}, "step nan comes after step 1"),
    "runs": (curves, {"runs": (("1", "2"), ("1", "2"))}, "runs has 2 entries, values ask for 1"),
    "runs of one learner": (curves, {"runs": (("1", "2"),)}, "runs has 1 entries, values ask for 2"),
    "same runs": (curves, {"runs": (("1", "1"), ("1",))}, "run '1' is named twice"),
    "infinite curve": (curves, {"values": ([[np.inf]], [[1.0]])}, "values are infinite"),
    "curve without points": (
        curves,
        {"values": (np.ones((0, 2)), [[1.0, 2.0]])},
        "the shapes (0, 2), (1, 2)",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_does_not_fit_together_is_refused(fault):
    make, more, message = FAULTS[fault]
    with pytest.raises(InputError) as error:
        make(**more)
    assert message in error.value.wrong
    assert error.value.where.startswith("arrays")
    assert str(error.value).count("\n") == 2


@pytest.mark.parametrize("make", [scores, items, curves])
@pytest.mark.parametrize("name", ["a\nb", "a\tb", "\x1b[31mred", "", " ", 3])
def test_names_of_learners_are_printable(make, name):
    with pytest.raises(InputError) as error:
        make(learners=("a", name))
    assert f"learner is called {name!r}" in error.value.wrong
    assert str(error.value).count("\n") == 2


def test_arrays_are_copies_that_nobody_can_write_to():
    given = {
        "values": np.ones((2, 1, 2, 3)),
        "planned": np.ones((1, 2, 3), dtype=bool),
        "counts": np.ones((2, 1, 2, 3, 4)),
        "fingerprints": np.zeros((1, 2, 3), dtype=int),
    }
    others = {"auc": np.ones((2, 1, 2, 3))}
    found = scores(**given, others=others)
    for array in (*given.values(), others["auc"]):
        array[...] = 7
    others["late"] = others["auc"]
    assert set(found.others) == {"auc"}
    kept = {"others": found.others["auc"]} | {name: getattr(found, name) for name in given}
    for array in kept.values():
        assert not (array == 7).any()
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1


def test_probabilities_are_copies_that_nobody_can_write_to():
    chances = np.full((3, 2), 0.5)
    found = items(classes=("x", "y"), probabilities={"a": chances, "b": chances})
    chances[...] = 7
    assert found.probabilities["a"].max() == 0.5
    with pytest.raises(ValueError, match="read-only"):
        found.probabilities["a"][0] = 1


# --- random splits ----------------------------------------------------------------------------------------------------


def test_random_splits_say_so_and_stay_so():
    values = np.arange(40.0).reshape(2, 2, 10, 1) / 40
    found = scores(values=values, datasets=("u", "v"), test_fraction=0.5, others={"mae": values})
    text = "2 learners on 2 data sets, each 10 random splits with 50 % test data, measure error: smaller is better"
    assert repr(found) == text
    alone = found.without(datasets=["v"])
    assert repr(alone) == (
        "2 learners on 1 data set, 10 random splits with 50 % test data, measure error: smaller is better"
    )
    assert (alone.test_fraction, found.on("mae", larger_is_better=False).test_fraction) == (0.5, 0.5)
    assert "33.3 % test data" in repr(scores(values=values, datasets=("u", "v"), test_fraction=1 / 3))


def test_a_random_split_that_failed_keeps_its_reason():
    columns = {"learner": ["a", "a", "b", "b"], "fold": ["p", "q"] * 2, "error": [0.1, None, 0.2, 0.3]}
    columns["failure"] = ["", "slow", "", ""]
    found = read_evidence(columns, test_fraction=0.2)
    assert found.missing() == ("learner a, replication q (failed: slow)",)
    repeated = read_evidence(columns, replications=2)
    assert repeated.missing() == ("learner a, replication 2 (failed: slow)",)


SHAPES = {Scores: [[[0.1, 0.2]], [[0.2, 0.3]]], Items: [[0, 1], [1, 1]], Curves: [[[0.1, 0.2]], [[0.2, 0.3]]]}


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        *((kind, "learners", value) for kind in SHAPES for value in (5, "ab")),
        *((kind, "costs", value) for kind in SHAPES for value in (5, {"fit_time": 5})),
        *((Items, name, 5) for name in ("items", "groups", "truth", "classes", "predictions", "probabilities")),
        *((Items, "predictions", {"a": each, "b": ["x", "y"]}) for each in (5, "xy")),
        (Items, "predictions", {"a": 5}),
        *((Scores, name, 5) for name in ("datasets", "folds", "others", "measured_costs", "failures")),
        *((Curves, name, value) for name in ("runs", "datasets") for value in (5, (5, 6))),
        *((Curves, "steps", value) for value in (5, ("x", "y"))),
        (Curves, "values", 5),
    ],
)
def test_a_field_that_is_no_list_or_dict_gets_three_lines(kind, field, value):
    with pytest.raises(InputError) as error:
        kind(**{"values": SHAPES[kind], **PAIR, field: value})
    assert field in error.value.where
    assert str(error.value).count("\n") == 2
