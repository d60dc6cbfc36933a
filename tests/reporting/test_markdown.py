"""Tables of the Markdown report, as a renderer of GitHub's Markdown shows them."""

import html
import re

import pytest
from markdown_it import MarkdownIt

import bestofk as bk
from bestofk.reporting.report import report_text
from report_cases import EVIL, scores, sketched

NAMES = (
    *("a" * 110, "CNN", "CNN-large", "学习者甲", "αβγ-net λ", "🚀 rocket", "מודל שפה", "نموذج اللغة"),
    *(r"\input{x}", "<b>", "$x_1$", "a & b", "a|b", "`x|y`", r"a\|b", "\\", "*", "[2pt]", "~~s~~", "__b__", "&amp;"),
    *("www.x.org", "@me", "#12", "<!-- c -->", "1. one", "- two", "+", "=== x"),
)


def tables_in(page):
    """Every table as rows of cells of plain text."""
    return [
        [
            [html.unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]
            for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
        ]
        for table in re.findall(r"<table>(.*?)</table>", page, re.DOTALL)
    ]


@pytest.mark.parametrize("names", [NAMES, EVIL], ids=["names", "evil"])
def test_every_name_is_the_text_of_one_cell(names, monkeypatch):
    sketched(monkeypatch)
    text = report_text(bk.judge(scores(names, spread=0.01), prior=names), "md")
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    first, *others = tables_in(page)
    assert others
    assert {len(row) for row in first} == {6}
    assert {row[1] for row in first[1:]} == set(names)
    assert all(len({len(row) for row in table}) == 1 for table in others)
    tags = set(re.findall(r"<([a-z]+\d?)", page))
    assert not tags - {*("h1", "h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td"),
                       *("ul", "li", "em", "strong", "a", "pre", "code")}  # fmt: skip
    assert all(link.startswith("https://doi.org/") for link in re.findall(r'href="([^"]*)"', page))
