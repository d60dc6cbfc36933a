"""Figures of several measures: which there are, what they show, and that they say what p is of."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.plots.figures.acceptance import AcceptanceInfo
from bestofk.plots.figures.error_histograms import ErrorHistogramsInfo
from bestofk.plots.figures.measure_contours import MeasureContoursInfo
from bestofk.plots.gallery import figure, figure_of, figures_for
from makers_measures import TWO_CLASS, class_frame, counts_frame, over

OF_MEASURES = {"contours", "difference-contours", "error-histograms", "acceptance", "roc"}


def test_the_p_of_a_figure_is_said_to_be_that_of_all_measures():
    three = bk.judge(TWO_CLASS, on="tpr,fpr,precision")
    info = figure("difference-contours", three).info
    assert info.pvalue == three.comparison.pair(*three.telling).adjusted
    assert "all of tpr, fpr, precision" in info.alt
    assert "(all measures)" in figure("difference-contours", three).svg()
    two = figure("difference-contours", bk.judge(TWO_CLASS, on="tpr,fpr")).info
    assert "hotelling-corrected that both are 0" in two.alt


def test_figures_over_data_sets_say_data_sets():
    verdict = bk.judge(over(), on=("fpr", "fnr"))
    difference, contours = (figure(name, verdict).info for name in ("difference-contours", "contours"))
    assert "of 12 data sets" in difference.alt
    assert "hotelling-over-datasets" in difference.alt
    assert "fold" not in difference.alt + contours.alt + contours.title


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
    assert "mean +0, 1 below and 1 above 0" in info.alt


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
    assert {each.name for each in figures_for(found)} & OF_MEASURES == OF_MEASURES - {"roc"}


def test_many_learners_are_drawn_without_numbers():
    names = tuple(f"learner {i}" for i in range(15))
    accepted = np.random.default_rng(0).random((15, 15)) < 0.5
    drawn = figure_of(AcceptanceInfo(names, (("tpr, fpr", accepted | accepted.T),))).svg()
    few = figure_of(AcceptanceInfo(names[:3], (("tpr, fpr", np.ones((3, 3), dtype=bool)),))).svg()
    assert ("filled: " in drawn, "1: " in drawn) == (True, False)
    assert ("filled: " in few, "1: " in few) == (False, True)
