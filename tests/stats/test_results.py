"""Results are frozen, read as one line, and turn into plain data."""

import dataclasses
import json

import numpy as np
import pytest

from bestofk import stats
from bestofk.core.errors import InputError

A = np.array([80.0, 73, 85, 68, 82, 75, 73, 64, 75, 69])
B = np.array([85.0, 70, 85, 74, 71, 65, 77, 73, 75, 76])


def test_one_test_gives_plain_numbers_and_a_batch_arrays():
    one = stats.pairwise.paired_t(A, B)
    assert type(one.statistic) is float
    assert type(one.pvalue) is float
    batch = stats.pairwise.paired_t([A, B], [B, A])
    assert batch.statistic.shape == (2,)
    assert batch.rejects().tolist() == [False, False]


def test_results_are_frozen_and_leave_the_input_alone():
    result = stats.pairwise.paired_t(A, B)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.pvalue = 0.0
    with pytest.raises(ValueError, match="read-only"):
        result.differences[0] = 1.0
    assert A.flags.writeable


def test_repr_says_test_statistic_df_p_and_decision():
    line = repr(stats.pairwise.paired_t(B, A))
    assert line == "paired-t (two-sided): t = 0.3195, df = 9, p = 0.7567: does not reject at 0.05"
    batch = repr(stats.pairwise.paired_t([A, B + 9], [B, A]))
    assert batch == "paired-t (two-sided), batch of shape (2,): p <= 0.05 in 50.0% of 2 tests"


def test_json_and_html():
    result = stats.multivariate.manova(np.random.default_rng(0).normal(size=(3, 6, 2)))
    data = json.loads(json.dumps(result.to_dict()))
    assert data["statistic"] == result.statistic
    assert data["pillai"]["pvalue"] == result.pillai.pvalue
    assert "Wilks" in result._repr_html_()
    assert "<script" not in stats.omnibus.tukey({"<script>": [1, 2, 3], "b": [2, 3, 4]})._repr_html_()


def test_seven_steps_of_bramer():
    steps = stats.pairwise.paired_t(B, A).steps()
    printed = [round(value, 2) for value in steps.to_dict().values()]
    assert printed == [0.7, 4.9, 432.1, 48.01, 6.93, 2.19, 0.32]
    with pytest.raises(InputError, match="one test"):
        stats.pairwise.paired_t([A, B], [B, A]).steps()


def test_interval_is_the_test_turned_round():
    for alternative in ("two-sided", "greater", "less"):
        result = stats.pairwise.paired_t(B, A, alternative=alternative)
        interval = result.confidence_interval(0.9)
        for edge in (interval.low, interval.high):
            if np.isfinite(edge):
                moved = stats.pairwise.paired_t(B - edge, A, alternative=alternative)
                assert moved.pvalue == pytest.approx(0.1, rel=1e-9)


def test_zero_variance_rulings():
    t = stats.pairwise.paired_t
    assert t(A, A).pvalue == 1.0
    assert t(A, A, alternative="greater").pvalue == 0.5
    assert t(A + 1, A).statistic == np.inf
    assert t(A + 1, A).pvalue == 0.0
    assert t(A + 1, A).careful_pvalue == 2.0**-9  # of ten signs
    assert t(A + 1, A, alternative="less").pvalue == 1.0
    assert t(A, A + 1).statistic == -np.inf
    # 0.3 − 0.2 and 0.2 − 0.1 differ in the last bit: rounding, not spread.
    assert t([0.3, 0.2, 1.1], [0.2, 0.1, 1.0]).statistic == np.inf
    f = stats.pairwise.five_by_two_f
    assert f(np.ones((5, 2)), np.ones((5, 2))).statistic == 0.0
    assert f(np.ones((5, 2)), np.zeros((5, 2))).pvalue == 0.0
    assert t(A + 1, A).confidence_interval().to_dict() == {"low": 1.0, "high": 1.0, "level": 0.95}
