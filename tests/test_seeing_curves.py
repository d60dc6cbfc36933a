"""Whether differences of many curves could have been seen: p values must be able to be as small as the level."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.advice.seeing import seeing
from bestofk.comparing import sample_of
from bestofk.judging.judge import ordering_from


@pytest.mark.parametrize("learners", [3, 8])
def test_large_differences_of_many_curves_can_be_seen(learners):
    rng = np.random.default_rng(0)
    names = tuple(f"l{i}" for i in range(learners))
    values = tuple(rng.normal(0.3, 0.02, (10, 4)) for _ in names)
    curves = bk.Curves(learners=names, values=values, steps=(1, 2, 3, 4), measure="error", larger_is_better=False)
    used, comparison, _ = ordering_from(curves)
    found = seeing(sample_of(used), comparison)
    assert found.level == pytest.approx(0.05 / len(comparison.pairs))
    smallest = found.smallest(0.8) / found.spread
    assert (smallest > 1.0).all()
    assert (smallest < 3.0).all()  # so many standard deviations; with 28 pairs it was infinite
