"""Wrong input of gaps, items, curves, effects and relations: every fault in three lines."""

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.ordering.possible_best import possible_best, possible_best_adjusted
from bestofk.stats.curves.randomized_t import randomized_t
from bestofk.stats.effects import a12, cohens_d, rank_biserial
from bestofk.stats.omnibus.skillings_mack import skillings_mack
from bestofk.stats.pairwise.mcnemar import mcnemar_exact_losses, mcnemar_mid_p_losses

GOOD = np.random.default_rng(16).random((2, 6))

CURVES = [np.random.default_rng(0).normal(size=(size, 6)).cumsum(axis=1) for size in (5, 4)]

ZERO_ONE = np.random.default_rng(17).integers(0, 2, (2, 9))

RIGHT = {
    "skillings_mack": (skillings_mack, [np.random.default_rng(18).random((6, 3))]),
    "mcnemar_exact_losses": (mcnemar_exact_losses, [*ZERO_ONE]),
    "mcnemar_mid_p_losses": (mcnemar_mid_p_losses, [*ZERO_ONE]),
    "randomized_t": (randomized_t, [*CURVES]),
    "cohens_d": (cohens_d, [*GOOD]),
    "a12": (a12, [*GOOD]),
    "rank_biserial": (rank_biserial, [*GOOD]),
    "possible_best": (possible_best, [np.zeros((3, 3))]),
    "possible_best_adjusted": (lambda p: possible_best_adjusted(p, "holm"), [np.full((3, 3), 0.5)]),
}


def put(value):
    def change(array):
        array[..., 0, -1] = value
        return array

    return change


FAULTS = {
    "NaN": put(float("nan")),
    "infinity": put(np.inf),
    "minus infinity": put(-np.inf),
    "empty": lambda array: [],
    "empty in its last axis": lambda array: array[..., :0],
    "text": lambda array: "many",
    "text in an array": lambda array: np.full(array.shape, "0.5"),
    "text in a list of lists": lambda array: [["0.1", 0.2], [0.1, None]],
    "None": lambda array: None,
    "None inside": lambda array: [None, *array[1:].tolist()],
    "a bare number": lambda array: 0.5,
    "complex": lambda array: array + 1j,
    "a date": lambda array: np.full(array.shape, np.datetime64("2026-01-01")),
    "masked": lambda array: np.ma.masked_array(array, mask=np.ones(array.shape, dtype=bool)),
    "ragged": lambda array: [[1.0, 2.0], [[3.0], 4.0]],
    "one value": lambda array: array.reshape(-1)[:1],
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", RIGHT)
def test_fault_is_refused(name, fault):
    function, args = RIGHT[name]
    assert function(*args) is not None
    first = np.array(args[0], dtype=float)
    broken = FAULTS[fault](first[None])
    broken = broken[0] if isinstance(broken, np.ndarray) and broken.ndim > 1 else broken
    if (name, fault) == ("skillings_mack", "NaN"):
        assert function(broken).counts.tolist() == [6, 6, 5]  # the one function that takes gaps
        return
    with pytest.raises(InputError) as caught:
        function(broken, *args[1:])
    assert caught.value.wrong
    assert caught.value.where
    assert caught.value.fix
    assert str(caught.value).count("\n") == 2


WRONG_CALLS = {
    "unequal lengths, cohens_d": lambda: cohens_d(GOOD[0][:-1], GOOD[1]),
    "unequal lengths, rank_biserial": lambda: rank_biserial(GOOD[0][:-1], GOOD[1]),
    "unequal lengths, mcnemar": lambda: mcnemar_exact_losses(ZERO_ONE[0][:-1], ZERO_ONE[1]),
    "batches, a12": lambda: a12(np.ones((2, 3)), np.ones((3, 3))),
    "one value, a12": lambda: a12([0.1], [0.1, 0.2]),
    "too large, a12": lambda: a12([1e200, 1], [1, 2]),
    "points differ": lambda: randomized_t(CURVES[0], CURVES[1][:, :-1]),
    "one curve each": lambda: randomized_t(CURVES[0][:1], CURVES[1][:1]),
    "one point": lambda: randomized_t(CURVES[0][:, :1], CURVES[1][:, :1]),
    "alternative": lambda: randomized_t(*CURVES, alternative="more"),
    "shuffles": lambda: randomized_t(*CURVES, shuffles=0),
    "rng": lambda: randomized_t(*CURVES, rng="seed"),
    "exact": lambda: randomized_t(*CURVES, exact="yes"),
    "exact as an array": lambda: randomized_t(*CURVES, exact=np.ones(2)),
    "exact of too many": lambda: randomized_t(np.ones((30, 2)), np.ones((30, 2)), exact=True),
    "one learner": lambda: skillings_mack([[0.1], [0.2]]),
    "one data set": lambda: skillings_mack([[0.1, 0.2]]),
    "one data set of use": lambda: skillings_mack([[0.1, 0.2], [0.1, float("nan")]]),
    "nothing there": lambda: skillings_mack([[float("nan"), float("nan")], [float("nan"), float("nan")]]),
    "unequal columns": lambda: skillings_mack({"a": [0.1, float("nan")], "b": [0.1]}),
    "text in a column": lambda: skillings_mack({"a": [0.1, 0.2], "b": ["x", 0.1]}),
    "empty dict": lambda: skillings_mack({}),
    "worse than itself": lambda: possible_best(np.eye(3)),
    "not square": lambda: possible_best(np.zeros((2, 3))),
    "one learner, possible_best": lambda: possible_best([[0]]),
    "neither true nor false": lambda: possible_best([[0, 2], [0, 0]]),
    "p above 1": lambda: possible_best_adjusted([[1, 1.5], [0.2, 1]], "holm"),
    "p not square": lambda: possible_best_adjusted(np.full((2, 3), 0.5), "holm"),
    "alpha": lambda: possible_best_adjusted(np.full((2, 2), 0.5), "holm", alpha=1),
    "unknown adjustment": lambda: possible_best_adjusted(np.full((2, 2), 0.5), "holms"),
}


@pytest.mark.parametrize("fault", WRONG_CALLS)
def test_wrong_call_is_refused(fault):
    with pytest.raises(InputError) as caught:
        WRONG_CALLS[fault]()
    assert str(caught.value).count("\n") == 2
