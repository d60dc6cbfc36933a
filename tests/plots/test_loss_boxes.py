"""The values that boxes and histograms show are in units of the measure, whatever the tests add up."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.plots.figures.loss_boxes import LossBoxesInfo
from makers import items


def info(evidence):
    return LossBoxesInfo.of(bk.judge(evidence))


@pytest.mark.parametrize("graded", [False, True])
def test_values_of_groups_are_their_means_and_weights_do_not_show(graded):
    rng = np.random.default_rng(0)
    values = rng.random((2, 60)) if graded else rng.integers(0, 2, (2, 60)).astype(float)
    groups = [f"g{i}" for i in np.sort(rng.integers(0, 7, 60))]
    drawn = info(items(values, groups=groups))
    means = [[row[[group == name for group in groups]].mean() for name in sorted(set(groups))] for row in values]
    np.testing.assert_allclose(drawn.values, [means["ab".index(name)] for name in drawn.learners])
    assert drawn.unit == "group"
    drawn = info(items(values, weights=rng.random(60)))
    np.testing.assert_allclose(drawn.values, [values["ab".index(name)] for name in drawn.learners])
    assert drawn.unit == "item"
