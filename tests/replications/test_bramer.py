"""Chapter 15 of Bramer: every printed figure beside ours, to the printed digit, and the report of it."""

import json

import pytest

from bestofk.replications.bramer.published import CONTESTS, EXERCISE, T_VALUES
from bestofk.replications.bramer.replicate import Beside, recomputed, replicate
from bestofk.stats.pairwise import paired_t

BY_FIGURE = {each.figure: recomputed(each) for each in CONTESTS}


@pytest.mark.parametrize("figure", list(BY_FIGURE))
def test_every_figure_is_equal_to_the_printed_digit_or_known_to_be_misprinted(figure):
    made = BY_FIGURE[figure]
    assert {each.name for each in made.figures if not each.equal} == set(made.contest.excused)


def test_misprints_come_from_what_is_said_of_them():
    # 15.7: the column of A sums to 744; the intervals are those of standard errors rounded to two decimals
    assert sum(BY_FIGURE["15.7"].contest.first.values()) == 744
    assert (f"{2.365 * 1.45:.3f}", f"{3.250 * 1.18:.3f}") == ("3.429", "3.835")
    low_high = {
        name: [each.ours for each in BY_FIGURE[name].figures if each.name in ("low", "high")] for name in BY_FIGURE
    }
    # STATISTICS of this project, errata: unrounded intervals
    assert [f"{value:.4f}" for value in low_high["15.6"]] == ["0.0675", "6.9325"]
    assert [f"{value:.4f}" for value in low_high["15.7"]] == ["0.0716", "7.7284"]


@pytest.mark.parametrize("figure", [name for name, each in BY_FIGURE.items() if each.contest.level is not None])
def test_conclusions_are_the_chapters(figure):
    assert BY_FIGURE[figure].concluded_alike is True


def test_equal_means_to_the_printed_digit():
    assert Beside("t", 2.4149, "2.41").equal
    assert not Beside("t", 2.4151, "2.41").equal
    assert Beside("total", 744.0, "744").rounded == "744"


def test_the_exercise():
    test = paired_t(EXERCISE[1], EXERCISE[0])
    interval = test.confidence_interval(0.95)
    # 56/20 by hand; the others are those of the errata page
    assert test.estimate == pytest.approx(2.8)
    numbers = (test.standard_error, test.statistic, test.pvalue, interval.low, interval.high)
    assert [f"{value:.4f}" for value in numbers] == ["1.2367", "2.2641", "0.0355", "0.2115", "5.3885"]


def test_the_replication_says_what_was_reached_and_what_was_not_used(tmp_path):
    heard = []
    made = replicate(runs=5, progress=lambda *step: heard.append(step))
    assert heard == [(1, 1, "chapter 15")]
    assert "108 of 116 printed" in made.headline
    assert [line.what for line in made.agreement if line.met is False] == [
        "Fig. 15.6: figures equal to the printed digit",
        "Fig. 15.7: figures equal to the printed digit",
    ]
    assert made.left_out[0].startswith("Not used: runs")
    answer = json.loads(json.dumps(made.to_dict()))
    values = next(each for each in answer["sections"] if each["anchor"] == "figure-15-4")["blocks"][0]
    assert [tuple(row[1:]) for row in values["rows"]] == list(T_VALUES)


def test_figures_have_the_tails_of_every_table():
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    section = next(each for each in replicate().sections if each.anchor == "figure-15-3")
    infos = [figure.info for figure in section.blocks[1].figures]
    assert len({figure.name for figure in section.blocks[1].figures}) == 5  # a report writes a file for each
    assert [(info.df, round(info.t, 2)) for info in infos] == [(9, 1.83), (9, 0.32), (9, 2.69), (7, 2.41), (9, 3.31)]


def test_a_report_without_figure_and_order_has_one_column(tmp_path):
    text = replicate().report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert '<div class="screen' not in text
