"""Figures of several measures: which there are, what they show, and that they say what p is of."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.plots.figures.acceptance import AcceptanceInfo
from bestofk.plots.figures.contours import MeasureContoursInfo
from bestofk.plots.figures.histograms import ErrorHistogramsInfo
from bestofk.plots.figures.roc_hull import RocHullInfo
from bestofk.plots.gallery import figure, figure_of, figures_for
from makers_measures import TWO_CLASS, class_frame, columns, counts_frame, counts_of, over

OF_MEASURES = {"contours", "difference-contours", "error-histograms", "acceptance", "roc"}


def test_the_p_of_a_figure_is_said_to_be_that_of_all_measures():
    three = bk.judge(TWO_CLASS, on="tpr,fpr,precision")
    info = figure("difference-contours", three).info
    assert info.pvalue == three.comparison.pair(*three.telling).adjusted
    assert "of tpr, fpr, precision" in info.alt
    assert "(all)" in figure("difference-contours", three).svg()
    two = figure("difference-contours", bk.judge(TWO_CLASS, on="tpr,fpr")).info
    assert "hotelling-corrected that both are 0" in two.alt


def test_figures_over_data_sets_say_data_sets():
    verdict = bk.judge(over(), on=("fpr", "fnr"))
    difference, contours = (figure(name, verdict).info for name in ("difference-contours", "contours"))
    assert "of 12 data sets" in difference.alt
    assert "hotelling-over-datasets" in difference.alt
    assert "fold" not in difference.alt + contours.alt + contours.title


def test_no_figure_takes_errors_for_values_of_the_first_measure():
    names = {each.name for each in figures_for(bk.judge(over(), on=("fpr", "fnr")))}
    assert "contours" in names
    assert not names & {"scatter", "losses"}


def test_numbers_of_learners_stand_before_names_and_apart_from_them():
    """Also before names from right to left; a space at the end of a text is nothing in a browser."""
    names = ("net", "נייבור עמוק")
    ax = AcceptanceInfo(names, (("tpr, fpr", np.eye(2, dtype=bool)),)).draw()
    ax.figure.canvas.draw()
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts[:4]}
    assert all(boxes[number].x1 + 1 <= boxes[name].x0 for number, name in zip("12", names, strict=True))


def test_a_map_of_pairs_names_an_effect_where_it_draws_one(verdict):
    assert figure("pairs", verdict).info.title == "Every pair: adjusted p"
    assert figure("pairs", bk.judge(TWO_CLASS)).info.title == "Every pair: adjusted p and effect"


def test_contours_show_measures_that_vary():
    table = class_frame()
    table.loc[table.truth == "x", "prediction"] = "x"
    assert MeasureContoursInfo.of(bk.judge(table, on="recalls")).measures == ("recall of y", "recall of z")


def test_one_pair_is_adjusted_for_nothing():
    two, three = counts_frame(), counts_frame(("a", "b", "c"), positives=(40, 40, 40))
    assert "adjusted" not in figure("difference-contours", bk.judge(two, on="tpr,fpr")).alt
    assert "adjusted for all pairs" in figure("difference-contours", bk.judge(three, on="tpr,fpr")).alt
    for name in ("pairs", "differences"):
        assert "adjusted" not in figure(name, bk.judge(two)).alt
        assert "adjusted" in figure(name, bk.judge(three)).alt
        assert "adjusted" not in figure(name, bk.judge(three, adjust="none")).alt


def test_differences_that_are_rounding_are_none():
    values = np.array([0.1, 0.2, 0.3, 0.7])
    info = ErrorHistogramsInfo("a", "b", values + 0.1 - 0.1, values[[1, 0, 2, 3]], "error")
    assert "mean 0, 1 below and 1 above 0" in info.alt


@pytest.fixture(scope="module")
def verdict():
    return bk.judge(TWO_CLASS, on=("tpr", "fpr"))


def test_figures_of_the_verdict(verdict):
    found = {each.name: each for each in figures_for(verdict)}
    assert set(found) >= OF_MEASURES
    assert found["contours"].info.learners == verdict.order
    difference = found["difference-contours"].info
    pair = verdict.comparison.pair(*verdict.telling)
    assert {difference.first, difference.second} == {pair.first, pair.second}
    assert difference.pvalue == pair.adjusted
    assert "5 learners" in found["roc"].alt
    for name in OF_MEASURES:
        assert found[name].svg() == found[name].svg()


def test_acceptance_shows_the_pairs_that_differ(verdict):
    drawn = figure("acceptance", verdict).info
    for i, one in enumerate(verdict.order):
        for j, two in enumerate(verdict.order):
            assert i == j or drawn.tables[0][1][i, j] == (not verdict.comparison.differs(one, two))


def test_figures_of_counts_show_no_copies():
    four = bk.judge(TWO_CLASS, on="confusion")
    assert figure("contours", four).info.measures == ("tp", "fp")


def test_without_counts_there_is_no_roc():
    table = {"a": {"test_accuracy": [0.9, 0.8, 0.85, 0.9], "test_f1": [0.9, 0.7, 0.8, 0.8], "fit_time": [1, 2, 1, 2]}}
    table["b"] = {"test_accuracy": [0.8, 0.8, 0.82, 0.7], "test_f1": [0.7, 0.7, 0.9, 0.8], "fit_time": [3, 2, 4, 2]}
    found = bk.judge(bk.read(table, measure="accuracy"), on=("accuracy", "f1"))
    assert {each.name for each in figures_for(found)} & OF_MEASURES == OF_MEASURES - {"roc", "acceptance"}


def test_many_learners_are_drawn_without_numbers():
    names = tuple(f"learner {i}" for i in range(30))
    accepted = np.random.default_rng(0).random((30, 30)) < 0.5
    drawn = figure_of(AcceptanceInfo(names, (("tpr, fpr", accepted | accepted.T),))).svg()
    few = figure_of(AcceptanceInfo(names[:3], (("tpr, fpr", np.ones((3, 3), dtype=bool)),))).svg()
    assert ("filled: " in drawn, "1: " in drawn) == (True, False)
    assert ("filled: " in few, "1: " in few) == (False, True)


def marks(info):
    """Markers in the plot as (colour, marker, size, filled)."""
    lines = info.draw().child_axes[0].lines[2:]  # after the diagonal and the hull
    return [(each.get_color(), each.get_marker(), each.get_markersize(), each.get_mfc() != "none") for each in lines]


def test_points_at_one_place_are_all_seen():
    info = figure("roc", bk.judge(TWO_CLASS, on="tpr,fpr")).info
    drawn = marks(info)
    assert len({marker for _, marker, _, _ in drawn}) == len(drawn) == 5
    assert not any(filled for *_, filled in drawn)


def test_every_point_of_many_learners_is_drawn():
    info = RocHullInfo.from_points({f"learner {i}": (0.2, 0.7) for i in range(11)} | {"inside": (0.6, 0.61)})
    drawn = marks(info)
    assert len(drawn) == 12
    assert all(marker != "None" for _, marker, _, _ in drawn)


def test_the_key_of_points_has_no_lines_and_that_of_curves_has():
    points = RocHullInfo.from_points({"a": (0.1, 0.6), "b": (0.3, 0.65)}).draw()
    assert all(len(each.get_xdata()) == 1 for each in points.lines)
    curves = RocHullInfo.from_points({"a": [(0.1, 0.6), (0.2, 0.8)], "b": (0.3, 0.65)}).draw()
    assert sum(len(each.get_xdata()) == 2 for each in curves.lines) == 1
    assert sum(len(each.get_xdata()) == 1 for each in curves.lines) == 2


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


@pytest.mark.parametrize(("learners", "folds"), [(2, 3), (2, 10), (12, 3), (12, 10)])
def test_figures_of_few_and_many_learners_and_folds(learners, folds):
    rates = {f"learner {i}": (0.7 + 0.02 * i, 0.1 + 0.02 * (i % 3)) for i in range(learners)}
    verdict = bk.judge(counts_of(rates, folds=folds), on="tpr,fpr")
    made = {each.name: each for each in figures_for(verdict)}
    assert made.keys() >= OF_MEASURES - {"acceptance"}
    assert ("acceptance" in made) is bool(verdict.comparison.significant.any())
    assert len(marks(made["roc"].info)) == learners
    assert all("<svg" in each.svg() for each in made.values())


@pytest.mark.parametrize(("points", "reach"), [({"a": (0.1, 0.97), "b": (0.16, 0.99)}, 0.2), ({"a": (0.1, 0.4)}, 1.0)])
def test_rates_near_the_corner_have_the_whole_picture(points, reach):
    plot = RocHullInfo.from_points(points).draw().child_axes[0]
    assert plot.get_xlim()[1] == pytest.approx(reach, rel=0.02)
    assert plot.get_ylim()[0] == pytest.approx(1 - reach, abs=0.02)
    inside = [plot.get_xlim()[0] <= x <= plot.get_xlim()[1] and y >= plot.get_ylim()[0] for x, y in points.values()]
    assert all(inside)
