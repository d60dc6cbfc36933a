"""Bars of values and of differences: visible, every value in one, zeros at 0, no bar of both signs."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.plots.figures.histograms import (
    ErrorHistogramsInfo,
    counts_in,
    edges_of,
    edges_of_differences,
)
from bestofk.plots.gallery import figure
from makers_measures import TWO_CLASS

pytest.importorskip("matplotlib")
FOLDED = 0.1 + 0.01 * np.arange(10)


def stairs(info, panel):
    """Counts and edges of the first bars in a panel, and the limits of its axis."""
    ax = info.draw().child_axes[panel]
    values, edges, _ = ax.patches[0].get_data()
    return np.asarray(values), np.asarray(edges), ax.get_xlim()


def test_identical_learners_have_one_visible_bar_at_zero():
    values, edges, (low, high) = stairs(ErrorHistogramsInfo("a", "b", FOLDED, FOLDED, "error"), 1)
    assert values.tolist() == [10]
    assert edges[0] == pytest.approx(-edges[1])
    assert 0.08 < (edges[1] - edges[0]) / (high - low) < 0.5
    assert edges[1] < FOLDED.max()  # in units of the values, not of 1


@pytest.mark.parametrize("spread", [0.0, 1e-13, 1e-9, 1e-5, 1e-4])
@pytest.mark.parametrize("shift", [0.05, -0.05])
def test_differences_that_hardly_vary_are_a_visible_bar_around_them(spread, shift):
    noise = spread * np.linspace(-1, 1, 10)
    values, edges, (low, high) = stairs(ErrorHistogramsInfo("a", "b", FOLDED + shift + noise, FOLDED, "error"), 1)
    assert values.tolist() == [10]
    assert np.mean(edges) == pytest.approx(shift, rel=1e-3)
    assert (edges[1] - edges[0]) / (high - low) > 0.02
    assert low < edges[0]
    assert edges[1] < high


def test_zero_differences_stand_at_zero_and_the_rest_below():
    info = figure("error-histograms", bk.judge(TWO_CLASS, on="tpr,fpr")).info
    assert "4 below and 0 above 0" in info.alt
    values, edges, _ = stairs(info, 1)
    middle = int(np.searchsorted(edges, 0.0)) - 1
    assert edges[middle] == pytest.approx(-edges[middle + 1])
    assert (values[middle], values[:middle].sum(), values[middle + 1 :].sum()) == (6, 4, 0)


@pytest.mark.parametrize("seed", range(6))
def test_bars_of_differences_hold_every_value_and_one_sign(seed):
    rng = np.random.default_rng(seed)
    steps = rng.integers(-5, 7, 20) / 57 if seed % 2 else rng.normal(0.01, 0.05, 20)
    given = np.concatenate([steps, np.zeros(seed % 3)])
    edges = edges_of_differences(given, most=16)
    counts = counts_in(given, edges)
    assert np.all(np.diff(edges) > 0)
    assert counts.sum() == len(given)
    assert len(counts) <= 18
    crossing = (edges[:-1] < -1e-12) & (edges[1:] > 1e-12)
    assert crossing.sum() == int((given == 0).any())
    if seed % 2 and crossing.any():  # values that come in steps: nothing but zeros at 0
        assert counts[crossing] == (given == 0).sum()


def test_a_constant_value_has_a_bar_in_its_own_size():
    assert edges_of([0.02, 0.02]) == pytest.approx([0.019, 0.021])
    values, edges, (low, high) = stairs(ErrorHistogramsInfo("a", "b", np.full(5, 0.02), np.full(5, 0.02), "error"), 0)
    assert values.tolist() == [5]
    assert 0.08 < (edges[1] - edges[0]) / (high - low) < 0.5


@pytest.mark.parametrize(
    "values", [[-0.3, -0.2, 0.01], [0.2, 0.21, 0.4], [-4.0, -3.9], [0.0, 0.0], [-1e-9, 5.0], [0, 2]]
)
def test_no_bar_of_differences_holds_both_signs(values):
    edges = edges_of_differences(values, most=16)
    assert np.all(np.diff(edges) > 0)
    assert counts_in(values, edges).sum() == len(values)
    assert not np.any((edges[:-1] < -1e-12) & (edges[1:] > 1e-12)) or 0 in values
