"""The first screen of a report cannot be misread: the order is no ranking where it is none, and says so."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from bestofk.reporting.briefly import short_names
from bestofk.reporting.certainty import answers
from bestofk.reporting.means import ordinal, ranks_by_mean
from bestofk.reporting.measures_page import measures_page
from bestofk.reporting.places import order_note, order_title, places_of

import bestofk as bk
from bestofk.plots.order_graph import OrderGraphInfo
from bestofk.plots.pair_map import PairMapInfo
from bestofk.plots.underlined_order import UnderlinedOrderInfo
from bestofk.reporting.page import page_of
from bestofk.reporting.report import report_text
from bestofk.reporting.words import headline
from report_cases import EXAMPLES, PRIOR, demo, evil, scores, sketched
from test_words import random_case

FORMATS = ("html", "md", "tex", "txt")
LONG = "pipeline-of-" + "very_long.steps" * 8


class Links(HTMLParser):
    """Where links lead to, and which names there are."""

    def __init__(self, text):
        super().__init__()
        self.links, self.names = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.names += [found["id"]] if "id" in found else []
        self.links += [found["href"][1:]] if tag == "a" and found["href"].startswith("#") else []


def over_datasets(prior=("bad", "mid", "good"), **options):
    """Multi²Test keeps a learner of bad mean in second place: no data set separates it from the others."""
    rng = np.random.default_rng(4)
    level = {"good": 0.10, "mid": 0.12, "bad": 0.30}
    names = tuple(level)
    values = np.stack([rng.normal(level[name], 0.2, (3, 5, 2)) for name in names])
    data = bk.Scores(learners=names, values=values, measure="error", larger_is_better=False, datasets=("x", "y", "z"))
    return bk.judge(data, prior=prior, **options)


# ---- the order ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_an_order_by_preference_is_never_called_best_first(format, monkeypatch):
    sketched(monkeypatch, "order")
    text = " ".join(report_text(demo(), format).split())
    assert "best first" not in text
    assert "Order: preference corrected by tests" in text
    assert "No ranking by mean error" in text
    assert "worst mean" in text
    assert "by preference, not by mean" in text
    tied = " ".join(report_text(bk.judge(bk.read(EXAMPLES / "five_by_two.csv")), format).split())
    assert "Order, best first" in tied
    assert "No ranking" not in tied


@pytest.mark.parametrize("seed", range(60))
def test_ranks_and_reasons_of_the_order_agree_with_the_fields(seed):
    evidence, options = random_case(np.random.default_rng(5000 + seed))
    verdict = bk.judge(evidence, **options)
    sign = -1.0 if verdict.comparison.larger_is_better else 1.0
    losses = [sign * value for value in verdict.means.values()]
    in_order = all(above <= below + 1e-12 * max(abs(above), abs(below)) for above, below in pairwise(losses))
    ranks = ranks_by_mean(verdict)
    assert (ranks == {}) == in_order
    for (name, rank), loss in zip(ranks.items(), losses, strict=bool(ranks)):
        ahead = sum(each < loss for each in losses)
        worst = loss == max(losses)
        assert rank == ("best mean" if ahead == 0 else "worst mean" if worst else f"{ordinal(ahead + 1)} by mean"), name
    places = places_of(verdict)
    for (above, loss), (below, next_loss) in pairwise(zip(places, losses, strict=True)):
        ground = verdict.reason(above.learner, below.learner).ground
        assert ("by preference" in above.because) == (ground == "preferred" and order_note(verdict) != "")
        if "not by mean" in above.because:
            assert next_loss < loss
    assert (order_title(verdict) == "Order, best first") == (verdict.prior is None and verdict.status != "undecided")


def test_a_notebook_says_it_too():
    assert "No ranking by mean error" in demo()._repr_html_()
    assert "No ranking" not in bk.judge(bk.read(EXAMPLES / "five_by_two.csv"))._repr_html_()


def test_how_many_of_the_others_are_shown_to_be_worse():
    assert "Shown for 1 of 4 others: nmc is better than max" in answers(demo())[2].sentence


# ---- the preference ----------------------------------------------------------------------------------------------


def test_a_name_at_the_head_of_a_sentence_stays_as_it_is():
    verdict = bk.judge(bk.read(EXAMPLES / "five_by_two.csv"), control="max", prior=PRIOR)
    assert answers(verdict)[1].sentence.startswith("lgc, tree and nn were, like nmc, compared with max only")
    assert answers(demo())[1].sentence.startswith("The data do not separate")


# ---- advice and headline -----------------------------------------------------------------------------------------


def test_codes_of_the_first_screen_lead_to_their_paragraphs(monkeypatch):
    sketched(monkeypatch, "order")
    verdict = demo()
    found = Links(report_text(verdict, "html"))
    codes = [f"advice-{each.code}" for each in verdict.advice]
    assert len(codes) >= 2
    assert set(codes) <= set(found.links)
    assert set(codes) <= set(found.names)
    assert len(found.names) == len(set(found.names))
    few = bk.judge(scores(("a", "b"), datasets=4), prior=("a", "b"), test="wilcoxon")
    assert any(each.code == "K102" for each in few.advice)  # said in the answer to why, too
    known = Links(report_text(few, "html"))
    assert known.links.count("advice-K102") == 2
    assert set(known.links) <= set(known.names)


@pytest.mark.parametrize("format", FORMATS)
def test_what_the_answers_say_is_not_said_again(format, monkeypatch):
    sketched(monkeypatch, "order")
    verdict = demo()
    said = headline(verdict).split(". Order")[0]
    assert said not in " ".join(report_text(verdict, format).split())
    assert page_of(verdict).lead == ""
    assert page_of(verdict).headline == headline(verdict)  # for a format that has a line only


def test_a_page_whose_headline_says_more_keeps_it():
    page = page_of(demo())
    kept = type(page)(**{**page.__dict__, "answered": False})
    assert kept.lead == page.headline


# ---- names -------------------------------------------------------------------------------------------------------


def test_long_names_are_short_in_the_heading_and_whole_in_the_order(monkeypatch):
    sketched(monkeypatch, "order")
    names = (LONG + "-one", LONG + "-two")
    text = report_text(bk.judge(scores(names), prior=names), "html")
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", text)[1]
    assert len(heading) < 60
    assert heading.startswith("pipeline-of-")
    assert "-one is" in heading
    assert f'<span class="name">{names[0]}</span>' in text
    assert names[1] in report_text(bk.judge(scores(names), prior=names), "txt").split("\n\n")[2]
    alike = ("a" * 30 + "x" + "b" * 30, "a" * 30 + "y" + "b" * 30)
    assert short_names(alike) == {}


def test_long_words_may_break_in_tables_and_stay_text(monkeypatch):
    sketched(monkeypatch, "order")
    names = ("<script>" + "x" * 60, "b")
    text = report_text(bk.judge(scores(names), prior=names), "html")
    cells = re.findall(r'<th scope="row">(.*?)</th>', text)
    assert any("<wbr>" in cell and cell.replace("<wbr>", "") == "&lt;script&gt;" + "x" * 60 for cell in cells)
    assert "<script>x" not in text
    longest = max(len(word) for cell in cells for word in re.split(r"<wbr>|\s", cell))
    assert longest <= 20 + 3 * len("&lt;")


def test_p_values_stay_in_one_line_and_names_stay_text(monkeypatch):
    sketched(monkeypatch, "order")
    text = report_text(evil(), "html")
    assert re.search(r'<span class="p">p = \d\.\de-\d\d</span>', text)
    assert "<img" not in text


# ---- figures -----------------------------------------------------------------------------------------------------


def test_the_order_graph_has_a_key():
    pytest.importorskip("matplotlib")
    from bestofk.plots import figure

    svg = figure("order", demo()).svg()
    for words in ("place in the preference", "to its place in the order", "first of the order", "not overruled"):
        assert words in svg
    assert "from a learner to a less preferred one that is shown to beat it" in svg
    plain = figure("order", bk.judge(bk.read(EXAMPLES / "five_by_two.csv"))).svg()
    assert "from a learner to one that is shown to beat it" in plain
    assert "place in the preference" not in plain
    equal = figure("order", bk.judge(scores(("a", "b"), spread=0.0), prior=("a", "b"))).svg()
    assert "no arrow: no preference is overruled" in equal
    assert ">overruled<" not in equal


@pytest.mark.parametrize("count", [2, 5, 30])
def test_the_key_stands_below_all_learners_and_within_the_sheet(count):
    pytest.importorskip("matplotlib")
    names = tuple(f"learner {i}" for i in range(count))
    edges = ((names[0], names[1]),)
    info = OrderGraphInfo(names, edges, (names[1], names[0], *names[2:]), names[1], True)
    ax = info.draw()
    ax.figure.canvas.draw()
    sheet = ax.get_window_extent()
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
    assert all(box.x0 >= sheet.x0 - 1 and box.x1 <= sheet.x1 + 1 for box in boxes.values())
    assert all(box.y0 >= sheet.y0 - 1 for box in boxes.values())
    assert boxes["first of the order"].y1 < min(boxes[name].y0 for name in names)


def test_the_first_figure_shows_something_where_every_pair_is_told_apart():
    pytest.importorskip("matplotlib")
    apart = bk.judge(bk.read(EXAMPLES / "curves.csv"))
    assert UnderlinedOrderInfo.of(apart).groups == ()
    assert page_of(apart).figure.name == "order"
    assert page_of(bk.judge(bk.read(EXAMPLES / "five_by_two.csv"))).figure.name == "underlined-order"


def test_words_of_figures_call_no_preference_best_first():
    verdict = demo()
    for kind in (OrderGraphInfo, UnderlinedOrderInfo, PairMapInfo):
        assert "best first" not in kind.of(verdict).alt, kind
    tied = bk.judge(bk.read(EXAMPLES / "five_by_two.csv"))
    assert "best first" in UnderlinedOrderInfo.of(tied).alt
    few = OrderGraphInfo(("a", "b"), (("a", "b"),), ("b", "a"), "b", True)
    assert "in 1 pair (a is beaten by b)" in few.alt
    none = OrderGraphInfo(("a", "b"), (), ("a", "b"), "a", True)
    assert "override the preference nowhere" in none.alt


# ---- several measures --------------------------------------------------------------------------------------------


def test_the_order_of_several_measures_says_what_it_is():
    evidence = bk.read(EXAMPLES / "two_class.csv", on="tpr,fpr")
    listed = measures_page(bk.judge(evidence))
    assert listed.order_title.startswith("Listed by mean ")
    assert listed.order_note == ""
    preferred = measures_page(bk.judge(evidence, prior=("tree", "lda", "qda", "nb", "knn")))
    assert preferred.order_title == "Order: preference corrected by tests"
    assert "until one is shown to dominate it" in preferred.order_note
    why = {each.question: each.sentence for each in preferred.answers}["Why this one?"]
    assert "the choice of whoever judged" in why
    assert preferred.lead == listed.lead == ""
    by_error = bk.judge(evidence).by_measure("error").order
    assert {place.learner: place.because for place in preferred.places} == {
        name: f"{ordinal(place)} of 5 by mean error" for place, name in enumerate(by_error, 1)
    }
    assert all(place.because == "" for place in listed.places)


def test_areas_show_their_curves_first_and_do_not_dominate(tmp_path):
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 120)
    lines = ["learner,item,truth,prediction,probability"]
    for name, strength in (("lda", 1.2), ("svm", 1.6), ("knn", 0.3)):
        chance = 1 / (1 + np.exp(-(strength * (2 * truth - 1) + rng.normal(0, 1.3, 120))))
        lines += [f"{name},{i},{truth[i]},{int(p > 0.5)},{p:.4f}" for i, p in enumerate(chance)]
    file = tmp_path / "roc.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    evidence = bk.read(file, on="roc", positive="1")
    page = measures_page(bk.judge(evidence, prior=("knn", "lda", "svm")))
    assert page.figure.name == "roc"
    assert page.status_means == "chosen by preference: nobody is shown to have a larger area"
    assert "until one is shown to have a larger area" in page.order_note
    assert [(place.learner, place.because) for place in page.places] == [
        ("lda", "2nd of 3 by mean auc"),
        ("svm", "1st of 3 by mean auc"),
        ("knn", "3rd of 3 by mean auc"),
    ]
