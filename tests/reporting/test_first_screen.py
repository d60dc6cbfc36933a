"""The page's first screen: headline, sentence, table, figure, one caution; links lead somewhere, names stay whole."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import bestofk as bk
from bestofk.reporting.first_screen import finding, first_table
from bestofk.reporting.page import page_of
from bestofk.reporting.report import report_text
from bestofk.reporting.sections.datasets import criteria_table
from bestofk.reporting.tables import comparison_table
from bestofk.reporting.words import best_set_sentence, headline
from makers import over_datasets
from makers_measures import counts_of, probability_lines, saved
from report_cases import EXAMPLES, demo, evil, scores, sketched

LONG = "pipeline-of-" + "very_long.steps" * 8


class Links(HTMLParser):
    """Where links lead to, which names there are, and how rows of the first table are to be seen."""

    def __init__(self, text):
        super().__init__()
        self.links, self.names, self.states, self._table = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.names += [found["id"]] if "id" in found else []
        self.links += [found["href"][1:]] if tag == "a" and found["href"].startswith("#") else []
        self._table = found.get("id", "") if tag == "table" else self._table
        self.states += [found["class"]] if tag == "tr" and self._table == "learners" and "class" in found else []


@pytest.fixture
def drawn(monkeypatch):
    sketched(monkeypatch, "pareto", "order")


def test_the_first_screen_has_words_table_figure_and_caution(drawn):
    verdict = demo()
    page = page_of(verdict)
    assert headline(verdict).startswith(page.title)
    assert [row[1] for row in page.table.rows if row[0] == ">"] == [verdict.best]
    assert page.figure.name == "pareto"
    assert page.careful == verdict.advice[0]
    states = dict(zip([row[1] for row in page.table.rows], Links(report_text(verdict, "html")).states, strict=True))
    assert states == {"nmc": "chosen", "lgc": "open", "nn": "open", "tree": "open", "max": "worse"}


def test_what_is_said_is_said_once(drawn):
    verdict = demo()
    text = " ".join(
        re.sub(r"<(style|script)\b.*?</\1>|<[^>]+>", " ", report_text(verdict, "html"), flags=re.DOTALL).split()
    )
    text = text.partition("<script")[0].replace("\N{NO-BREAK SPACE}", " ")
    for fact in (page_of(verdict).lines[0], "The best is among"):
        assert text.count(fact) == 1


def test_a_page_lists_every_learner(drawn):
    names = tuple(f"n{i}" for i in range(12))
    assert len(page_of(bk.judge(scores(names))).table.rows) == 12


def test_codes_of_the_first_screen_lead_to_their_paragraphs(drawn):
    verdict = demo()
    found = Links(report_text(verdict, "html"))
    assert f"advice-{verdict.advice[0].code}" in found.links
    assert {f"advice-{each.code}" for each in verdict.advice} <= set(found.names)
    assert len(found.names) == len(set(found.names))
    assert set(found.links) <= set(found.names)


def test_long_names_are_whole_in_the_table(drawn):
    names = (LONG + "-one", LONG + "-two")
    verdict = bk.judge(scores(names), prior=names)
    text = report_text(verdict, "html")
    cells = re.findall(r'<th scope="row">(.*?)</th>', text)
    assert names[0] in {cell.replace("<wbr>", "") for cell in cells}


def test_long_words_may_break_in_tables_and_stay_text(drawn):
    names = ("<script>" + "x" * 60, "b")
    text = report_text(bk.judge(scores(names), prior=names), "html")
    cells = re.findall(r'<th scope="row">(.*?)</th>', text)
    assert any("<wbr>" in cell and cell.replace("<wbr>", "") == "&lt;script&gt;" + "x" * 60 for cell in cells)
    assert "<script>x" not in text
    longest = max(len(word) for cell in cells for word in re.split(r"<wbr>|\s", cell))
    assert longest <= 20 + 3 * len("&lt;")


def test_names_stay_text(drawn):
    assert "<img" not in report_text(evil(), "html")


@pytest.mark.parametrize(
    ("name", "options", "figure"),
    [
        ("curves.csv", {}, "curves"),
        ("language_models.csv", {"prior": "price"}, "pareto"),
        ("five_by_two.csv", {}, None),
    ],
)
def test_the_figure_beside_the_table_is_that_of_the_evidence(name, options, figure):
    pytest.importorskip("matplotlib")
    beside = page_of(bk.judge(bk.read(EXAMPLES / name), **options)).figure
    assert figure == (None if beside is None else beside.name)


@pytest.mark.parametrize("on", ["roc", "tpr,fpr"])
def test_several_measures_have_the_same_page(tmp_path, on):
    pytest.importorskip("matplotlib")
    path = saved(tmp_path, probability_lines(groups=True)[2])
    verdict = bk.judge(path, on=on, prior=("poor", "fair", "good"))
    page = page_of(verdict)
    assert page.figure is not None
    assert {"pairs-of-learners", "roc", "methods", "provenance"} <= {section.anchor for section in page.sections}
    assert ("each-measure" in {section.anchor for section in page.sections}) == (on != "roc")
    shown = {row[1] for row in page.table.rows}
    assert shown == set(verdict.order)


def test_a_column_keeps_the_digits_that_its_numbers_have():
    """Prices with the same number of decimals: none is rounded first and then filled up."""
    evidence = replace(scores(("a", "b", "c"), spread=0.0), costs={"price": {"a": 12.34, "b": 0.123, "c": 3.0}})
    table = first_table(bk.judge(evidence, prior="price"))
    shown = {row[1]: row[table.columns.index("price")] for row in table.rows}
    assert shown == {"a": "12.340", "b": "0.123", "c": "3.000"}


def test_prices_stand_beside_a_margin_without_a_preference():
    """The one cost there is; empty where it is not known."""
    evidence = replace(scores(("a", "b", "c"), spread=0.0), costs={"price": {"a": 12.34, "b": 0.123, "c": np.nan}})
    table = first_table(bk.judge(evidence, within=0.2))
    shown = {row[1]: row[table.columns.index("price")] for row in table.rows}
    assert shown == {"a": "12.340", "b": "0.123", "c": ""}
    assert "price" not in first_table(bk.judge(evidence)).columns


def decimals_of(table):
    """How many decimals the numbers of every column have, but p values."""
    columns = zip(table.columns, zip(*table.rows, strict=True), strict=True)
    return {
        column: {len(cell.partition(".")[2]) for cell in cells}
        for column, cells in columns
        if column in table.numeric and not column.endswith("p")
    }


def test_tables_of_pairs_and_of_costs_have_one_number_of_decimals_in_a_column():
    tables = [comparison_table(bk.compare(EXAMPLES / name)) for name in ("five_by_two.csv", "classifiers.csv")]
    tables.append(criteria_table(bk.judge(EXAMPLES / "model_prices.csv", prior="price").pareto_front))
    found = [each for table in tables for each in decimals_of(table).items()]
    assert {"difference", "low", "high", "d", "A12", "correct", "price"} <= {column for column, _ in found}
    assert [column for column, decimals in found if len(decimals) > 1] == []


@pytest.mark.parametrize("measure", ["rank", "finding", "learner"])
def test_a_measure_may_be_called_like_a_column(measure):
    evidence = bk.Scores(
        learners=("a", "b"),
        values=np.random.default_rng(0).random((2, 1, 10)),
        measure=measure,
        larger_is_better=False,
    )
    table = first_table(bk.judge(evidence))
    assert len(set(table.columns)) == len(table.columns)
    assert f"mean {measure}" in table.columns
    assert report_text(bk.judge(evidence), "html").count('id="learners"') == 1


#: c is worse than b in both rates, and trades with a, which has the smallest error; d is like a.
RATES = {"a": (0.95, 0.06), "b": (0.85, 0.02), "c": (0.80, 0.04), "d": (0.949, 0.062)}


@pytest.mark.parametrize("prior", [None, list("badc")])
def test_rows_of_several_measures_agree_with_the_set_and_name_whom_they_are_beside(prior):
    verdict = bk.judge(counts_of(RATES, folds=20, positives=2000, negatives=2000), on="tpr,fpr", prior=prior)
    table, comparison = first_table(verdict), verdict.comparison
    found = {row[1]: (state, row[-1]) for row, state in zip(table.rows, table.states, strict=True)}
    assert set(verdict.best_set) == {"a", "b", "d"}
    assert {name for name, (state, _) in found.items() if state == "worse"} == {"c"}
    first, other = ("a", "b") if prior is None else ("b", "a")
    assert comparison.pair(first, "c").relation == ("trade-off" if prior is None else "first")
    assert found["c"][1].startswith("worse than b" if prior is None else "worse,")
    assert table.columns[-1] == f"beside {first}"
    assert all(f"{word} " in found[other][1] for word in ("better", "worse"))
    assert "both tpr and fpr" in best_set_sentence(verdict)


def test_a_learner_that_differs_from_another_than_the_first_says_so():
    verdict = bk.judge(EXAMPLES / "two_class.csv", on="tpr,fpr")
    found = {row[1]: row[-1] for row in first_table(verdict).rows}
    assert [name for name, words in found.items() if "lda" in words] == ["tree"]
    assert verdict.comparison.pair("lda", "tree").relation == "differ"
    caution = next(each.seen for each in verdict.advice if each.code == "K104")
    assert {"qda", "lda", "tree"} <= set(re.findall(r"\w+", caution))


def test_names_from_right_to_left_stand_apart_from_the_words_around_them(drawn, monkeypatch):
    """Texts of the page have such a name between U+2068 and U+2069; code to copy, and the terminal, have it bare."""
    names = ("שכן 3", "عربي", "lda")
    monkeypatch.setattr("report_cases.Sketch.words", f"{names[0]} – {names[1]}")
    verdict = bk.judge(scores(names, spread=0.001))
    page = report_text(verdict, "html")
    texts = re.sub(r"<(style|pre)\b.*?</\1>", "", page, flags=re.DOTALL)
    for name in names[:2]:
        assert texts.count(f"\u2068{name}\u2069") == texts.count(name) > 3
        assert name in repr(verdict)
        assert name in verdict._repr_html_().split("\u2068", 1)[1]
    assert "\u2068lda" not in page
    assert "\u2068" not in repr(verdict) + "".join(re.findall(r"<pre\b.*?</pre>", page, flags=re.DOTALL))


@pytest.mark.parametrize("asked", [{"rope": 0.1}, {"within": 0.1}])
def test_a_pair_that_differs_by_less_than_what_matters_is_equivalent(asked):
    values = 0.2 + 0.02 * np.random.default_rng(0).normal(size=(3, 30))
    verdict = bk.judge(over_datasets(values), **asked)
    assert verdict.comparison.equivalent.all()
    assert {finding(verdict, name) for name in verdict.order[1:]} == {"equivalent"}
    alone = bk.judge(over_datasets(values))
    assert {finding(alone, name) for name in alone.order[1:]} == {"not significant"}
