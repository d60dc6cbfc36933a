"""The card to share: a picture of 1200 × 630 points in which nothing overlaps or is cut."""

from __future__ import annotations

import struct
from itertools import combinations, pairwise

import numpy as np
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.core.errors import InputError, MissingExtra
from bestofk.reporting.document import Request
from bestofk.reporting.first_screen import finding
from bestofk.reporting.report import report_text
from makers import runs
from makers_measures import columns
from report_cases import EVIL, EXAMPLES, demo, large, scores, sketched

pytest.importorskip("matplotlib")
from bestofk.plots.canvas.board import settings
from bestofk.reporting.formats.card import HEIGHT, MOST_ROWS, WIDTH, card_figure

LONG = ("a" * 110, "a" * 109 + "b", "CNN", "CNN-large", "学习者甲", "決定木のアンサンブル学習器による分類モデル")


@pytest.fixture(autouse=True)
def no_drawing(monkeypatch):
    sketched(monkeypatch)


def several():
    return bk.judge(EXAMPLES / "two_class.csv", on="tpr,fpr")


CASES = {
    "two": lambda: bk.judge(scores(("a", "b"))),
    "five": demo,
    "thirty": large,
    "long": lambda: bk.judge(scores(LONG, spread=0.01), prior=LONG),
    "evil": lambda: bk.judge(scores(EVIL), prior=EVIL),
    "equal": lambda: bk.judge(scores(tuple("abcdef"), spread=0.0)),
    "ranks": lambda: bk.judge(scores(tuple("abcde"), datasets=12), test="nemenyi"),
    "measures": several,
    "within": lambda: bk.judge(EXAMPLES / "model_prices.csv", prior="price", within=0.05),
    "infinite": lambda: bk.judge(bk.read(EXAMPLES / "language_models.csv"), prior="price"),
    "runs": lambda: bk.judge(runs(np.random.default_rng(4).normal(0.3, 0.01, (4, 8)))),
}


def drawn(verdict):
    """Every text with its box in points of the picture, from the lower left corner."""
    with settings():
        figure = card_figure(Request(verdict))
        boxes = [(text.get_text(), text.get_window_extent()) for text in figure.texts if text.get_text().strip()]
        lines = [line.get_window_extent() for line in figure.artists]
    assert lines
    return boxes, lines


@pytest.mark.parametrize("case", CASES)
def test_nothing_overlaps_or_is_cut(case):
    boxes, lines = drawn(CASES[case]())
    assert len(boxes) > 6
    for words, box in boxes:
        assert 40 <= box.x0 < box.x1 <= WIDTH - 40, words
        assert 20 <= box.y0 < box.y1 <= HEIGHT - 20, words
    for (one, a), (other, b) in combinations(boxes, 2):
        apart = a.x1 <= b.x0 or b.x1 <= a.x0 or a.y1 <= b.y0 or b.y1 <= a.y0
        assert apart, f"{one!r} and {other!r}"
    assert all(0 < line.x0 <= line.x1 < WIDTH and 0 < line.y0 <= line.y1 < HEIGHT for line in lines)


def test_a_long_title_is_whole():
    words = " ".join(text for text, _ in drawn(CASES["within"]())[0])
    assert "Take large: lowest price of those shown within 0.05 of the best Shown" in words


def test_every_interval_stands_in_the_line_of_its_learner():
    verdict = demo()
    with settings():
        figure = card_figure(Request(verdict))
        bars = [line for line in figure.artists if line.get_linewidth() == 4.0]
        names = {text.get_text(): text.get_position()[1] for text in figure.texts}
        heights = {line.get_ydata()[0]: line.get_xdata() for line in bars}
    others = [name for name in verdict.order if name != "nmc"]
    assert len(bars) == len(others)
    pairs = {name: verdict.comparison.pair(name, "nmc") for name in others}
    found = {name: heights[names[name]] for name in others}
    # one straight scale carries every end of every interval
    ends = sorted((end, place) for name in others for end, place in zip(ends_of(pairs[name]), found[name], strict=True))
    slopes = [(q - p) / (b - a) for (a, p), (b, q) in pairwise(ends)]
    assert np.ptp(slopes) < 2e-2 * np.mean(slopes)  # places are rounded to a hundredth of a per cent


def test_where_all_ranks_are_open_nothing_is_drawn_and_findings_are_whole():
    one, two = np.random.default_rng(0).normal(0.5, 0.02, (2, 10, 2))
    verdict = bk.judge(columns(one, two - 0.2), on="tpr,fpr")
    assert set(verdict.rank_intervals.values()) == {(1, 2)}
    with settings():
        figure = card_figure(Request(verdict))
        assert not [line for line in figure.artists if line.get_linewidth() == 4.0]
        assert {finding(verdict, name) for name in verdict.order} <= {text.get_text() for text in figure.texts}


def test_a_finding_loses_its_p_before_its_middle():
    words = [text for text, _ in drawn(several())[0]]
    assert not [text for text in words if " wor" in text and "…" in text]


def ends_of(pair):
    return pair.low, pair.high


def test_a_sentence_that_begins_with_a_name_from_right_to_left_is_read_from_the_left():
    words = [text for text, _ in drawn(bk.judge(scores(("مصنف الغابة", "lda"), spread=0.1)))[0]]
    begun = [text for text in words if "مصنف" in text]
    assert len(begun) == 3  # the title, a heading and a row
    assert all(text.startswith("\N{LEFT-TO-RIGHT MARK}") for text in begun)
    assert sum("\N{LEFT-TO-RIGHT MARK}" in text for text in words) == len(begun)


def test_of_many_learners_the_first_are_shown():
    verdict = large(k=30, datasets=20)
    words = [text for text, _ in drawn(verdict)[0]]
    assert f"and {30 - MOST_ROWS + 1} more" in words
    assert sum("…" in text and text.startswith("learner-") for text in words) == MOST_ROWS - 1
    assert "learner-29" not in " ".join(words)


def test_the_command_writes_a_png_of_the_size(tmp_path):
    path = tmp_path / "card.png"
    run = CliRunner().invoke(main, ["report", str(EXAMPLES / "five_by_two.csv"), "--card", "-o", str(path)])
    assert run.exit_code == 0, run.output
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    assert struct.unpack(">II", data[16:24]) == (WIDTH, HEIGHT) == (1200, 630)
    other = demo().report(tmp_path / "other.png")
    assert other.read_bytes().startswith(b"\x89PNG\r\n")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["card.png", "other.png"]


@pytest.mark.parametrize("options", [("-o", "card.svg"), ("--format", "html"), ("-o", "-")])
def test_another_kind_of_file_is_refused(options, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(main, ["report", str(EXAMPLES / "five_by_two.csv"), "--card", *options])
    assert run.exit_code == 2
    assert "--card" in run.stderr
    assert not list(tmp_path.iterdir())


def test_a_card_is_no_text_and_needs_matplotlib(monkeypatch):
    with pytest.raises(InputError, match="picture"):
        report_text(demo(), "png")
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingExtra) as caught:
        demo().report("card.png")
    assert "bestofk[plots]" in caught.value.fix


def test_the_card_of_a_gate_heads_its_names_by_what_they_are():
    words = [words for words, _ in drawn(bk.gate("a", "b", results=scores(("a", "b")), margin=0.1))[0]]
    assert ("check" in words, "learner" in words) == (True, False)
