"""The release is tested like everything else: ``assert_not_worse`` comes with bestofk, as a fixture of pytest."""

from pathlib import Path

import pytest

RESULTS = Path(__file__).parents[1] / "results"


def test_version_2_may_be_released(assert_not_worse):
    """Passed."""
    gate = assert_not_worse(RESULTS / "v2.csv", RESULTS / "v1.csv", margin=0.03)
    assert gate.outcome == "passed"


def test_seeds_of_one_table(assert_not_worse):
    """Two names in one table."""
    assert_not_worse("v2", "v1", results=RESULTS / "seeds.csv", margin=0.01)


def test_version_3_may_not(assert_not_worse):
    """Worse: the message is the answer of the gate."""
    with pytest.raises(AssertionError, match="Worse"):
        assert_not_worse(RESULTS / "v3.csv", RESULTS / "v1.csv", margin=0.03)
