"""Figures and the first screen as readers saw them: nothing covers anything else, zeros stand at 0, axes keep sides."""

from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.plots.canvas.bins import counts_in, edges_of, edges_of_differences
from bestofk.plots.canvas.themes import LIGHT
from bestofk.plots.figures.error_histograms import ErrorHistogramsInfo
from bestofk.plots.figures.roc_hull import RocHullInfo, ring_of_each
from bestofk.plots.gallery import figure, figures_for
from bestofk.reporting.report import write_report
from browser_probe import CHROMIUM, asked
from test_measures_verdict import columns, counts_of

TWO_CLASS = Path(__file__).parent.parent / "examples" / "two_class.csv"
FOLDED = 0.1 + 0.01 * np.arange(10)


@pytest.fixture(autouse=True)
def drawn():
    """All of it needs the plots."""
    pytest.importorskip("matplotlib")


def stairs(info, panel):
    """Counts and edges of the first bars in a panel, and the limits of its axis."""
    ax = info.draw().child_axes[panel]
    values, edges, _ = ax.patches[0].get_data()
    return np.asarray(values), np.asarray(edges), ax.get_xlim()


# ---- the first screen --------------------------------------------------------------------------------------------

#: Of every place: are the values right of or below the name, how tall is the name, does anything leave the list?
PLACES = """[...document.querySelectorAll('.places li')].map((row) => {
  const [name, mean, all] = [row.querySelector('.name'), row.querySelector('.mean'), row].map(
    (each) => each.getBoundingClientRect());
  const inside = [name, mean].every((each) => each.left >= all.left && each.right <= all.right + 0.5);
  return {apart: mean.left >= name.right || mean.top >= name.bottom - 1, beside: mean.top < name.bottom - 1,
    tall: name.height, inside, words: row.querySelector('.mean').textContent}})"""


def report_of(folder, name, verdict):
    return write_report(verdict, folder / f"{name}.html")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Four values per learner, values and names that are long, and two values that fit."""
    folder = tmp_path_factory.mktemp("pages")
    long = {"a-learner-with-quite-a-long-name": (0.9, 0.1), "an_" + "unbroken" * 8: (0.85, 0.14), "c": (0.8, 0.2)}
    names = ("recall_" + "of_a_class" * 6, "recall_second", "recall_third", "recall_fourth")
    rng = np.random.default_rng(0)
    wide = columns(*rng.uniform(0.6, 0.9, (2, 10, 4)), names=names, larger=(True,) * 4)
    return {
        "counts": report_of(folder, "counts", bk.judge(TWO_CLASS, on="confusion")),
        "long": report_of(folder, "long", bk.judge(counts_of(long), on="tpr,fpr,precision,accuracy")),
        "wide": report_of(folder, "wide", bk.judge(wide, on=",".join(names))),
        "rates": report_of(folder, "rates", bk.judge(TWO_CLASS, on="tpr,fpr")),
    }


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
@pytest.mark.parametrize("width", [1200, 700, 380])
@pytest.mark.parametrize("name", ["counts", "long", "wide"])
def test_values_of_many_measures_stand_clear_of_the_names(pages, name, width):
    script = f"(document.body.style.width = '{width - 15}px', [{PLACES}, document.documentElement.scrollWidth])"
    rows, reach = asked(pages[name], script, size=(max(width, 500), 900))  # no window is narrower than 500
    assert rows
    assert reach <= max(width, 500)
    for row in rows:
        assert row["apart"], row
        assert row["inside"], row
        assert name != "counts" or row["tall"] < 30  # a short name is one line


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_values_that_fit_stay_beside_the_name(pages):
    rows = asked(pages["rates"], PLACES, size=(1200, 900))
    assert all(row["beside"] and row["apart"] for row in rows)
    assert rows[0]["words"] == "tpr 0.9718, fpr 0.0989"


# ---- histograms of differences -----------------------------------------------------------------------------------


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


@pytest.mark.parametrize("seed", range(30))
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


# ---- ROC points --------------------------------------------------------------------------------------------------


def marks(info):
    """Markers in the plot as (colour, marker, size, filled)."""
    lines = info.draw().child_axes[0].lines[2:]  # after the diagonal and the hull
    return [(each.get_color(), each.get_marker(), each.get_markersize(), each.get_mfc() != "none") for each in lines]


def test_points_at_one_place_are_rings_around_each_other():
    info = figure("roc", bk.judge(TWO_CLASS, on="tpr,fpr")).info
    seen = {colour: (size, filled) for colour, _, size, filled in marks(info)}
    assert len(seen) == 5
    of = {name: seen[LIGHT.style(i).colour] for i, name in enumerate(info.learners)}
    assert of["qda"][1]
    assert not of["knn"][1]
    assert of["knn"][0] > of["qda"][0] + 2
    assert ring_of_each({0: (0.1, 0.9), 1: (0.5, 0.9), 2: (0.1, 0.91)}, 0.02) == {0: 0, 1: 0, 2: 1}


def test_every_point_of_many_learners_is_drawn_with_its_own_size_where_they_meet():
    info = RocHullInfo.from_points({f"learner {i}": (0.2, 0.7) for i in range(11)} | {"inside": (0.6, 0.61)})
    drawn = marks(info)
    assert len(drawn) == 12
    assert all(marker != "None" for _, marker, _, _ in drawn)
    assert len({size for _, _, size, _ in drawn}) == 11
    assert [filled for *_, filled in drawn].count(True) == 2  # the first of those that meet, and the one apart


def test_the_key_of_points_has_no_lines_and_that_of_curves_has():
    points = RocHullInfo.from_points({"a": (0.1, 0.6), "b": (0.3, 0.65)}).draw()
    assert all(len(each.get_xdata()) == 1 for each in points.lines)
    curves = RocHullInfo.from_points({"a": [(0.1, 0.6), (0.2, 0.8)], "b": (0.3, 0.65)}).draw()
    assert sum(len(each.get_xdata()) == 2 for each in curves.lines) == 1
    assert sum(len(each.get_xdata()) == 1 for each in curves.lines) == 2


# ---- two of several measures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("constant", [0, 1])
@pytest.mark.parametrize("names", [("tpr", "fpr"), ("fpr", "tpr")])
def test_measures_keep_the_order_in_which_they_were_named(names, constant):
    rng = np.random.default_rng(1)
    both = rng.uniform(0.1, 0.4, (2, 10, 2))
    both[:, :, constant] = 0.5
    verdict = bk.judge(columns(*both, names=names, larger=tuple(n == "tpr" for n in names)), on=",".join(names))
    for kind in ("contours", "difference-contours"):
        assert figure(kind, verdict).info.measures == names
    points = figure("contours", verdict).info.points
    assert all(np.all(each[:, constant] == 0.5) for each in points)


def test_the_two_that_vary_of_three_keep_their_order():
    both = np.random.default_rng(2).uniform(0.1, 0.4, (2, 10, 3))
    both[:, :, 0] = 0.5
    names = ("recall", "precision", "fpr")
    verdict = bk.judge(columns(*both, names=names, larger=(True, True, False)), on=",".join(names))
    assert figure("contours", verdict).info.measures == ("precision", "fpr")


# ---- few and many ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("learners", "folds"), [(2, 3), (2, 10), (12, 3), (12, 10)])
def test_figures_of_few_and_many_learners_and_folds(learners, folds):
    rates = {f"learner {i}": (0.7 + 0.02 * i, 0.1 + 0.02 * (i % 3)) for i in range(learners)}
    verdict = bk.judge(counts_of(rates, folds=folds), on="tpr,fpr")
    made = {each.name: each for each in figures_for(verdict)}
    assert {"contours", "difference-contours", "error-histograms", "acceptance", "roc"} <= set(made)
    assert len(marks(made["roc"].info)) == learners
    assert all("<svg" in each.svg() for each in made.values())
