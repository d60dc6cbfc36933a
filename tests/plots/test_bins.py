"""Bars of histograms: values that are equal up to rounding, or nearly."""

import numpy as np
import pytest

from bestofk.plots.figures.histograms import counts_in, edges_of, edges_of_differences


@pytest.mark.parametrize("values", [[0.05, np.nextafter(0.05, 1)], [-0.3, np.nextafter(-0.3, 0)], [0.0, 5e-324]])
def test_values_equal_up_to_rounding_share_one_bar(values):
    for edges in (edges_of_differences(values, most=16), edges_of(values)):
        assert np.all(np.diff(edges) > 0)
        assert counts_in(values, edges).max() == len(values)


@pytest.mark.parametrize("scale", [1e-290, 1.0, 1e150])
def test_values_that_differ_by_little_have_bars_of_one_sign(scale):
    values = scale * (1.0 + 1e-11 * np.arange(9))
    for sign in (1.0, -1.0):
        edges = edges_of_differences(sign * values, most=16)
        assert np.all(np.diff(edges) > 0)
        assert counts_in(sign * values, edges).sum() == len(values)
        assert np.all(sign * edges >= 0)
