"""The site has a page for every test, command, code of advice, figure and public name, and builds without a warning."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib import import_module
from types import ModuleType

import numpy as np
import pytest

from bestofk.advice.shelf import ADVICE
from bestofk.cli import COMMANDS
from bestofk.plots.gallery import FIGURES
from bestofk.stats.pairwise import PAIRWISE
from makers import ROOT

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def made_pages() -> ModuleType:
    sys.path.insert(0, str(DOCS))
    try:
        return import_module("made_pages")
    finally:
        sys.path.remove(str(DOCS))


@pytest.fixture(scope="module")
def pages(made_pages) -> dict[str, str]:
    return made_pages.pages()


def test_every_public_name_has_a_page(made_pages, pages):
    for module in made_pages.MODULES:
        for name in import_module(module).__all__:
            assert (
                f"[{name}]({made_pages.page_of(module, name).rpartition('/')[2]})"
                in pages[f"reference/api/{module}.md"]
            )
            assert made_pages.page_of(module, name) in pages, f"{module}.{name}"


def test_every_registered_test_has_a_page_with_its_papers(made_pages, pages):
    table = pages["reference/api/tests.md"]
    assert {"pairwise", "omnibus", "ranges", "curves", "special", "adjust", "ordering"} == made_pages.TESTS.keys()
    for kind in made_pages.TESTS:
        for name, part in made_pages.parts_of(kind).items():
            file = re.search(rf"^\| \[{re.escape(name)}\]\((.*?)\)", table, re.M)[1]
            page = pages[f"reference/api/{file}"]
            assert page.startswith(f"# {name}\n")
            assert "## Papers" in page or not made_pages.papers_of(part), name
            for said in ("\n| assumes | ", "\n| not for | ", "\n## Measured size and power\n"):
                assert said in page, f"{name}: {said.strip()}"
            assert "Examples\n" in part.__doc__, name


def test_a_test_on_the_shelf_has_a_page_though_no_list_of_names_has_it(made_pages, monkeypatch):
    def own_test(first, second, *, alternative="two-sided"):
        """Test as nobody has."""

    monkeypatch.setattr("bestofk.stats.pairwise.own_test", own_test, raising=False)
    monkeypatch.setitem(PAIRWISE._own, "own-test", own_test)
    assert made_pages.public("bestofk.stats.pairwise")["own_test"] is own_test


def test_the_page_of_a_test_says_how_its_interval_is_made(made_pages, pages):
    first, second = np.random.default_rng(0).random((2, 5, 2))
    for name, test in made_pages.parts_of("pairwise").items():
        design = test.method.design
        one, two = (side.round() if design == "items" else side for side in (first, second))
        found = test(one, two) if test.method.axes == 2 else test(one.ravel(), two.ravel())
        page = pages[made_pages.page_of("bestofk.stats.pairwise", test.__name__)]
        assert ("## Interval" in page) is hasattr(found, "confidence_interval"), name
    assert "McNemarResult.confidence_interval" in pages["reference/api/bestofk.stats.pairwise.mcnemar.md"]


@pytest.mark.parametrize(
    ("table", "cell", "page"),
    [
        ("TABLE", "`pairwise.wilcoxon`", "pairwise.wilcoxon"),
        ("TABLE", "`pairwise.stratified_t`", "pairwise.stratified_t"),
        ("FOLDS", "repeated-cv-t", "pairwise.repeated_cv_t"),
        ("FOLDS", "**repeated-cv-t**", "pairwise.repeated_cv_t"),
        ("FOLD_POWER", "`repeated-cv-t`", "pairwise.repeated_cv_t"),
    ],
)
def test_the_page_of_a_test_has_its_size_as_it_was_measured(pages, table, cell, page):
    text = (ROOT / f"benchmarks/calibration/{table}.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if re.match(rf"\|.*{re.escape(cell)}[, ]", line) and line.count("|") > 4]
    assert rows
    assert [row for row in rows if row not in pages[f"reference/api/bestofk.stats.{page}.md"]] == []


def test_a_test_that_no_table_has_links_to_where_it_was_measured_or_says_that_it_was_not(pages):
    battles = pages["reference/api/bestofk.stats.battles.bradley_terry.md"]
    assert "(../statistics.md#battles)" in battles.partition("## Measured")[2]
    assert "No size was measured." in pages["reference/api/bestofk.stats.curves.clusters.md"]
    silent = [path for path, page in pages.items() if re.search(r"## Measured size and power\n*(#|$)", page)]
    assert silent == []


def test_no_heading_comes_twice_on_the_page_of_a_name(pages):
    """Nor a line in bold, which says of which population a table is."""
    for path, page in pages.items():
        if path.startswith("reference/api/"):
            headings = re.findall(r"^(?:#+ .*|\*\*.*\*\*)$", page, re.M)
            assert len(headings) == len({*headings}), path


def test_every_paper_that_a_docstring_names_has_its_reference():
    """In the report and on the page of its test (`Paper`), or in the list of docs/reference/statistics.md."""
    texts = [path.read_text("utf-8") for path in (ROOT / "src" / "bestofk").rglob("*.py")]
    known = [paper for text in texts for paper in re.findall(r'Paper\(\s*"(\w+).*? (\d{4})"', text)]
    page = (DOCS / "reference" / "statistics.md").read_text("utf-8")
    known += re.findall(r"^- ([\w']+), .*? (\d{4})\. ", page.partition("## Papers")[2], re.M)
    parts = [part for text in texts for part in re.findall(r"References\n +---+\n(.*?)(?:\n *\n|\"\"\")", text, re.S)]
    others = r"(?:, [\w'-]+)*(?: and (?:ter )?[\w'-]+)?(?: et al\.)?"
    named = {paper for part in parts for paper in re.findall(rf"([^\W\d_][\w'-]+){others}\s(\d{{4}})\b", part)}
    assert len(named) > 90
    assert named <= {*known}, named - {*known}


def test_every_command_has_a_page_with_every_option(pages):
    import click

    from bestofk.cli import main

    root = click.Context(main, info_name="bestofk")
    for verb in COMMANDS:
        command = main.get_command(root, verb)
        for each in (command, *getattr(command, "commands", {}).values()):
            for option in (param for param in each.params if isinstance(param, click.Option) and not param.hidden):
                assert option.opts[0] in pages[f"reference/commands/{verb}.md"], f"{verb} {option.opts[0]}"


def test_every_code_of_advice_has_its_paragraph():
    page = (DOCS / "reference" / "advice.md").read_text("utf-8")
    assert re.findall(r"^## (K\d+)$", page, re.M) == sorted(ADVICE)


def test_every_figure_has_its_line():
    page = (DOCS / "reference" / "figures.md").read_text("utf-8")
    assert [name for name in FIGURES if f"| `{name}` |" not in page] == []


def test_every_page_is_in_a_table_of_contents(pages):
    """Sphinx says so of the whole site; this says it of the pages that git has, in no time."""
    for folder in ("tutorials", "howto", "reference", "explanation"):
        listed = (DOCS / folder / "index.md").read_text("utf-8").split()
        lost = [page.stem for page in (DOCS / folder).glob("*.md") if page.stem not in ("index", *listed)]
        assert lost == [], folder
    assert {path for path in pages if path.startswith(("measured/", "project/"))} == {
        f"{each.removeprefix('../')}.md"
        for folder in ("reference", "explanation")
        for each in (DOCS / folder / "index.md").read_text("utf-8").split()
        if each.startswith("../")
    }


#: Lines of code that have 80 letters or fewer and need scrolling all the same.
CUT = """() => [...document.querySelectorAll("article pre")].filter(
    (each) => each.scrollWidth > each.clientWidth + 1 && each.innerText.split("\\n").every((line) => line.length <= 80)
).map((each) => each.innerText)"""
#: Words of the commands of the first table that stand on two lines, other than after a hyphen, and its width.
BROKEN = """() => [...document.querySelectorAll("article table")].slice(0, 1).map((table) => [
    table.scrollWidth - table.parentElement.clientWidth,
    [...table.querySelectorAll("code .pre")].flatMap((each) => {
        const text = each.firstChild, range = document.createRange();
        return [...text.data.matchAll(/[^\\s-]+/g)].filter((word) => {
            range.setStart(text, word.index), range.setEnd(text, word.index + word[0].length);
            return range.getClientRects().length > 1;
        }).map((word) => word[0]);
    }),
])"""
#: Names outside of tables and blocks of code that end beyond the screen, where nobody can scroll to.
BEYOND = """() => [...document.querySelectorAll("article :is(h1, dt, code, em)")].filter(
    (each) => !each.closest("pre, table") && Math.max(
        each.getBoundingClientRect().right, each.getBoundingClientRect().left + each.scrollWidth
    ) > document.documentElement.clientWidth + 1
).map((each) => each.textContent)"""


def words_on_screens(site):
    """On a small laptop 80 letters stand side by side, and what an option does needs no scrolling.

    On a phone the commands of the front page are whole words, and no name is cut off.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        return
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        for path in [*(site / "tutorials").glob("*.html"), site / "explanation" / "architecture.html"]:
            page.goto(path.as_uri())
            assert page.evaluate(CUT) == [], path.name
        page.goto((site / "reference" / "commands" / "judge.html").as_uri())
        wider = "(table) => table.scrollWidth > table.parentElement.clientWidth + 1"
        assert not page.evaluate(f"() => [...document.querySelectorAll('article table')].some({wider})")
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto((site / "index.html").as_uri())
        assert page.evaluate(BROKEN) == [[0, []]]
        for path in ("reference/api/bestofk.stats.pairwise.wilcoxon", "reference/figures", "explanation/curves"):
            page.goto((site / f"{path}.html").as_uri())
            assert page.evaluate(BEYOND) == [], path
        browser.close()


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("sphinx")
    pytest.importorskip("pydata_sphinx_theme")
    call = [sys.executable, "-m", "sphinx", "-W", "-q", "-d", tmp_path / "doctrees", DOCS, tmp_path / "site"]
    built = subprocess.run(call, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    words_on_screens(tmp_path / "site")
    figures = (tmp_path / "site" / "reference" / "figures.html").read_text("utf-8")
    without = {"acceptance", "null-histogram-interaction"}  # other forms of pairs and of null-histogram
    assert [name for name in FIGURES if name not in without and f'id="{name}"' not in figures] == []
    for page in (tmp_path / "site").rglob("*.html"):
        assert not re.search(r'<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?//', page.read_text("utf-8")), page
