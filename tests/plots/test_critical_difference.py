"""The critical-difference diagram as it is drawn: bars, stems, numbers and the critical difference keep apart."""

from itertools import combinations, product

import numpy as np
import pytest

import bestofk as bk
from bestofk.plots.canvas.board import COLUMN, PAGE, settings, sheet
from bestofk.plots.canvas.themes import LIGHT
from bestofk.plots.figures.critical_difference import CriticalDifferenceInfo
from makers import over_datasets, slow
from plot_cases import names_of

pytest.importorskip("matplotlib")
DOT = 25.4 / 72  # millimetres of a point


def diagram(number):
    """A diagram of so many groups of two."""
    groups = tuple((f"m{i}", f"m{i + 1}") for i in range(number))
    names = tuple(f"m{i}" for i in range(number + 1))
    return CriticalDifferenceInfo(names, tuple(range(number + 1)), "mean rank", False, groups, "wilcoxon")


def test_groups_that_are_not_drawn_are_said_to_be_left_out():
    assert "30 of 31" in diagram(31).title
    assert "first 30" in diagram(31).alt
    assert "first 30" not in diagram(30).title + diagram(30).alt


def compared(k, kind, *, test="nemenyi", spread=0.02, datasets=30):
    rng = np.random.default_rng(k)
    values = 0.2 + rng.normal(0, spread, (k, 1)) + rng.normal(0, 0.008, (k, datasets))
    return bk.compare(over_datasets(values, learners=names_of(k, kind)), test=test)


def drawn(info, width):
    """The axes, and rectangles (left, top, right, bottom) in millimetres of every bar, by group, with its dots."""
    with settings():
        ax = sheet(width, info.height(width), LIGHT)
        info.draw(ax=ax)
        ax.figure.canvas.draw()
    bars = []
    for line in (line for line in ax.lines if line.get_color() == LIGHT.accent):
        x, y = np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)
        dots = line.get_marker() == "o"
        half = DOT * (line.get_markersize() if dots else line.get_linewidth()) / 2
        upright = np.ptp(x) == 0
        across, down = (half, half if dots else 0.0) if upright else (half if dots else 0.0, half)
        box = (x.min() - across, y.min() - down, x.max() + across, y.max() + down)
        if dots:  # the members of the bar before it
            bars[-1] = tuple(f(a, b) for f, a, b in zip((min, min, max, max), bars[-1], box, strict=True))
        else:
            bars.append(box)
    return ax, bars


PAIRS = [
    *[(2, "plain", COLUMN), (2, "wide", PAGE), (5, "plain", PAGE), (5, "long", COLUMN), (5, "wide", COLUMN)],
    *[(30, "plain", COLUMN), (30, "long", PAGE), (30, "wide", COLUMN)],
]
EVERY = product((2, 5, 30), ("plain", "long", "wide"), (COLUMN, PAGE))
CASES = [*PAIRS, *slow(*(case for case in EVERY if case not in PAIRS))]


@pytest.mark.parametrize(("k", "names", "width"), CASES)
@pytest.mark.parametrize("spread", [0.02, *slow(0.004)])
def test_bars_of_different_groups_never_touch(k, names, width, spread):
    info = CriticalDifferenceInfo.of(compared(k, names, test="wilcoxon", spread=spread, datasets=100))
    ax, bars = drawn(info, width)
    assert len(bars) == len(info.drawn)
    for a, b in combinations(bars, 2):
        apart = max(a[0], b[0]) - min(a[2], b[2]), max(a[1], b[1]) - min(a[3], b[3])
        assert max(apart) > 0.2, (a, b)
    across, down = ax.get_xlim()[1], ax.get_ylim()[0]
    assert all(0 <= box[0] < box[2] <= across and 0 <= box[1] < box[3] <= down for box in bars)


@pytest.mark.parametrize(("k", "width"), [(5, COLUMN), (6, PAGE), (7, PAGE), (8, COLUMN), (10, PAGE)])
def test_a_bar_covers_the_stems_of_its_members_alone(k, width):
    comparison = compared(k, "plain", test="wilcoxon")
    info = CriticalDifferenceInfo.of(comparison)
    assert info.classic(width)
    ax, bars = drawn(info, width)
    stems = [line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 3]
    for group, (left, _, right, _) in zip(info.drawn, bars, strict=True):
        inside = {name for name, x in zip(info.learners, stems, strict=True) if left <= x <= right}
        assert set(group) <= inside
        assert inside == set(group) or not info.whole(group)
        for a, b in combinations(group, 2):
            assert not comparison.differs(a, b)


@pytest.mark.parametrize(("k", "names", "width"), CASES)
def test_no_stem_runs_through_a_number(k, names, width):
    info = CriticalDifferenceInfo.of(compared(k, names))
    ax, _ = drawn(info, width)
    stems = [line for line in ax.lines if len(line.get_xdata()) == 3]
    assert bool(stems) is info.classic(width)
    boxes = [text.get_window_extent().transformed(ax.transData.inverted()) for text in ax.texts]
    for line in stems:
        x, y = line.get_xdata()[0], line.get_ydata()
        for box in boxes:
            low, high = sorted((box.y0, box.y1))
            crosses = box.x0 < x < box.x1 and low < y[1] - 0.1 and high > y[0] + 0.1
            assert not crosses


@pytest.mark.parametrize(("k", "names", "width"), CASES)
def test_the_critical_difference_is_drawn_whole(k, names, width):
    info = CriticalDifferenceInfo.of(compared(k, names, spread=0.001))
    ax, _ = drawn(info, width)
    plot = ax if info.classic(width) else ax.child_axes[0]
    (ruler,) = [line for line in plot.lines if line.get_color() == LIGHT.against]
    ends = plot.transData.transform(np.column_stack([ruler.get_xdata(), ruler.get_ydata()]))
    frame = ax.get_window_extent()
    assert frame.x0 <= ends[:, 0].min() <= ends[:, 0].max() <= frame.x1
    if info.classic(width):
        axis = ax.lines[0].get_xdata()
        share = np.ptp(ruler.get_xdata()) / np.ptp(axis)
        assert share == pytest.approx(info.critical_difference / (info.reach[1] - info.reach[0]))
    else:
        assert np.ptp(ruler.get_xdata()) == pytest.approx(info.critical_difference)
        assert plot.get_xlim()[0] <= min(ruler.get_xdata())
        assert max(ruler.get_xdata()) <= plot.get_xlim()[1]
