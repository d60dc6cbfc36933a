"""Reports: every format says the same, names stay text, files are whole or not there, and the recipe works."""

import json
import os
import re
import shlex
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

import bestofk as bk
from bestofk import verbs
from bestofk.cli import main
from bestofk.core.errors import InputError, UnknownName
from bestofk.reporting.document import Request
from bestofk.reporting.formats.json_document import document_of
from bestofk.reporting.formats.rendering import _environment
from bestofk.reporting.page import page_of, recipe_of
from bestofk.reporting.report import report_text, write_report
from bestofk.reporting.tables import mean_text
from report_cases import EVIL, EXAMPLES, PRIOR, Sketch, demo, evil, large, scores, sketched

FORMATS = ("html", "md", "tex", "json", "txt")


@pytest.fixture(autouse=True)
def no_drawing(monkeypatch):
    sketched(monkeypatch, "order", "pairs")


class Outline(HTMLParser):
    """Headings, tags with attributes, and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.headings, self.words, self.stack = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.stack.append(tag)

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop() != tag:
            pass

    def handle_data(self, data):
        if self.stack and self.stack[-1] in ("h1", "h2", "h3"):
            self.headings.append((self.stack[-1], data))
        if "script" not in self.stack and "style" not in self.stack:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def command(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


# ---- what a report says ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["html", "md", "tex", "txt"])
def test_every_part_is_there_in_every_format(format):
    text = " ".join(report_text(demo(), format).replace(r"\allowbreak{}", "").split())
    parts = (
        "Take nmc: most preferred of those not shown to be worse",
        "Every pair",
        "Advice",
        "Methods",
        "Make it again",
        "Nadeau",
    )
    for part in parts:
        assert part in text, f"{part} is missing in {format}"
    for plain in ("preferred, and not shown to be worse", "1a6eec79486148e806b540de35b0038d2"):
        assert plain in text


def test_the_verdict_stands_before_everything_else_in_html():
    page = Outline(report_text(demo(), "html"))
    parts = ("verdict", "learners", "advice", "pairs-of-learners", "figure-order", "methods", "provenance")
    anchors = [attrs["id"] for _, attrs in page.tags if attrs.get("id") in parts]
    assert anchors == list(parts)


def test_every_pair_has_its_reason():
    verdict = demo()
    pairs = next(each for each in page_of(verdict).sections if each.anchor == "pairs-of-learners")
    rows = pairs.blocks[-1].table.rows
    assert [row[:2] for row in rows] == [(reason.better, reason.worse) for reason in verdict.reasons]
    assert all(row[2] for row in rows)


def test_methods_name_every_paper_that_the_paragraph_cites():
    for name, options in {
        "five_by_two.csv": {"prior": PRIOR},
        "demsar.csv": {"adjust": "holm"},
        "curves.csv": {},
        "predictions.csv": {},
        "language_models.csv": {"prior": "price"},
    }.items():
        evidence = bk.read(EXAMPLES / name, larger_is_better=True if name == "demsar.csv" else None)
        methods = next(each for each in page_of(bk.judge(evidence, **options)).sections if each.anchor == "methods")
        paragraph, listed = " ".join(methods.blocks[0].lines), methods.blocks[1].papers
        cited = re.findall(r"[A-ZÀ-ž][\w-]+(?: and (?:ter )?[A-ZÀ-ž]\w+| et al\.)? (?:18|19|20)\d\d", paragraph)
        assert {paper.short for paper in listed} == set(cited), name


def test_every_registered_name_has_its_paper():
    from bestofk.ordering import ORDERINGS
    from bestofk.reporting.papers import references_of
    from bestofk.stats.adjust import ADJUST
    from bestofk.stats.curves import CURVES
    from bestofk.stats.pairwise import PAIRWISE

    own = {"none", "ranges", "cliques"}
    names = {*PAIRWISE, *ADJUST, *ORDERINGS, *CURVES}
    assert {name for name in names - own if not references_of(name)} == set()


def test_advice_is_shown_where_there_is_any():
    warned = bk.judge(bk.read(EXAMPLES / "demsar.csv", larger_is_better=True))
    assert warned.advice
    clear = bk.judge(scores(("a", "b")))
    for advice in warned.advice:
        assert advice.code in report_text(warned, "html")
    assert page_of(warned).careful == warned.advice[0]  # on the first screen already
    assert page_of(clear).careful is None
    assert "advice" not in {section.anchor for section in page_of(clear).sections}


def test_scores_per_data_set_are_shown():
    from bestofk.reporting.tables import scores_table

    evidence = bk.read(EXAMPLES / "demsar.csv", larger_is_better=True)
    table = scores_table(evidence.datasets, evidence.learners, evidence.by_dataset())
    assert table.columns == ("data set", *evidence.learners)
    assert len(table.rows) == len(evidence.datasets)
    assert table.rows[0][1] == f"{evidence.by_dataset()[0, 0]:.4f}"
    verdict = bk.judge(evidence)
    assert f"Mean {evidence.measure} on every data set" in report_text(verdict, "html")
    assert "evidence" not in document_of(verdict)


# ---- HTML -------------------------------------------------------------------------------------------------------


def test_html_is_in_order_for_a_screen_reader():
    page = Outline(report_text(demo(), "html"))
    levels = [int(tag[1]) for tag, _ in page.headings]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert {"header", "main", "footer"} <= {tag for tag, _ in page.tags}
    assert page.all("html")[0]["lang"] == "en"
    assert all(attrs.get("scope") in ("col", "row") for attrs in page.all("th"))
    tables = page.all("table")
    assert len(tables) >= 3
    assert len(page.all("caption")) + sum("aria-label" in attrs for attrs in tables) == len(tables)
    anchors = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(anchors) == len(set(anchors))
    links = [attrs["href"][1:] for attrs in page.all("a") if attrs["href"].startswith("#")]
    assert set(links) <= set(anchors)


def test_every_figure_has_a_title_and_a_caption():
    page = Outline(report_text(demo(), "html"))
    pictures = [attrs for attrs in page.all("svg") if "aria-hidden" not in attrs]
    assert len(pictures) == 2
    ids = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    for attrs in pictures:
        assert attrs["role"] == "img"
        assert {attrs["aria-labelledby"], attrs["aria-describedby"]} <= ids
    assert page.text.count(Sketch("order").alt) == 2  # one caption for each figure
    assert "The order & its <title>." in page.text
    assert {attrs["href"] for attrs in page.all("use")} == {"#order-0", "#pairs-0"}


def test_html_asks_the_network_for_nothing():
    text = report_text(evil(), "html")
    page = Outline(text)
    for tag, attrs in page.tags:
        for name in ("src", "href", "xlink:href", "srcset", "action", "poster", "data"):
            address = attrs.get(name) or "#"
            assert address.startswith("#") or (tag == "a" and address.startswith("https://doi.org/"))
    assert not re.search(r"@import|url\((?!#)", text)
    policy = next(attrs["content"] for attrs in page.all("meta") if "http-equiv" in attrs)
    assert policy.startswith("default-src 'none'")
    assert "unsafe-inline" not in policy.split("script-src")[1]


def test_names_stay_text_in_html():
    page = Outline(report_text(evil(), "html"))
    assert len(page.all("script")) == 2
    assert page.all("img") == []
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    for name in EVIL:
        assert " ".join(name.split()) in page.text


def test_a_large_report_is_light():
    text = report_text(large(), "html")
    assert len(text.encode()) < 700_000  # figures come on top; the whole is measured in the browser
    assert text.count("<tr>") > 435


# ---- Markdown, LaTeX, text ---------------------------------------------------------------------------------------


def test_names_stay_text_in_markdown():
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(report_text(evil(), "md"))
    page = Outline(html)
    assert page.all("script") == page.all("img") == []
    assert {attrs["href"].split("/")[2] for attrs in page.all("a")} == {"doi.org"}
    assert len(page.all("h1")) == 1
    for name in EVIL:
        assert " ".join(name.split()) in page.text
    told = page_of(evil())
    blocks = (block for section in told.sections for block in section.blocks if block.kind == "table")
    tables = [told.table, *(block.table for block in blocks)]
    assert len(tables) >= 3
    assert len(page.all("tr")) == sum(1 + len(each.rows) for each in tables)  # no bar made one more


def test_figures_of_markdown_and_latex_stand_beside(tmp_path):
    for suffix, kind in (("md", "svg"), ("tex", "pdf")):
        path = write_report(demo(), tmp_path / f"my verdict.{suffix}")
        text = path.read_text(encoding="utf-8")
        made = sorted(each.name for each in tmp_path.glob(f"*.{kind}"))
        assert len(made) == 2
        assert all(name in text for name in made)
    assert report_text(demo(), "tex").count("includegraphics") == 0  # in a pipe there is no beside


def test_text_is_plain_and_narrow():
    text = report_text(demo(), "txt")
    prose = text[: text.index("Make it again")].split("\n\n")  # tables and code are as wide as they are
    prose = "\n".join(part for part in prose if "  " not in part)
    assert max(len(line) for line in prose.splitlines()) <= 100
    assert "<" not in text.replace("p < ", "").replace("<title>", "")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_text_fits_a_terminal_and_breaks_no_number(width):
    """At 80 columns tables were as wide as they are: the terminal broke words and numbers."""
    verdict = bk.judge(bk.read(EXAMPLES / "classifiers.csv"))
    text = report_text(verdict, "txt", width=width)
    lines = text[: text.index("Make it again")].splitlines()  # code is copied whole
    assert max(map(len, lines)) <= width
    means = verdict.evidence.by_dataset().ravel().tolist()
    assert {mean_text(mean) for mean in means} <= set(text.split())


def test_text_has_advice_after_the_first_screen_and_no_figures():
    text = report_text(bk.judge(bk.read(EXAMPLES / "classifiers.csv")), "txt")
    headings = re.findall(r"^(.+)\n-+$", text, re.MULTILINE)
    assert headings[:2] == ["Advice", "Every pair"]
    assert "Figures" not in headings


# ---- JSON --------------------------------------------------------------------------------------------------------


def test_json_is_the_verdict_under_a_schema():
    verdict = demo()
    data = json.loads(report_text(verdict, "json"))
    assert data["schema"] == 2
    assert {name: value for name, value in data.items() if name != "schema"} == verdict.to_dict()


# ---- files and errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_the_suffix_or_the_name_says_the_format(tmp_path, format):
    verdict = demo()
    by_suffix = write_report(verdict, tmp_path / f"same.{format}")
    by_name = write_report(verdict, tmp_path / "same.out", format=format)
    assert by_suffix.read_text(encoding="utf-8") == by_name.read_text(encoding="utf-8")


def test_wrong_paths_and_formats_get_three_lines(tmp_path):
    verdict = demo()
    with pytest.raises(InputError, match=r"\.docx is no format"):
        write_report(verdict, tmp_path / "a.docx")
    with pytest.raises(InputError, match="has no suffix"):
        write_report(verdict, tmp_path / "a")
    with pytest.raises(UnknownName, match="htlm"):
        write_report(verdict, tmp_path / "a", format="htlm")
    with pytest.raises(InputError, match="there is no folder"):
        write_report(verdict, tmp_path / "no" / "a.html")
    (tmp_path / "d.html").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write_report(verdict, tmp_path / "d.html")
    with pytest.raises(InputError, match="no report of"):
        write_report("verdict", tmp_path / "a.html")
    assert [each.name for each in tmp_path.iterdir()] == ["d.html"]


def test_a_failure_leaves_the_old_report_whole(tmp_path, monkeypatch):
    path = tmp_path / "verdict.tex"
    path.write_text("the old one", encoding="utf-8")

    def full(self, target):
        target.write_text("half", encoding="utf-8")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Sketch, "save", full)
    with pytest.raises(InputError, match="No space left"):
        write_report(demo(), path)
    assert path.read_text(encoding="utf-8") == "the old one"
    assert [each.name for each in tmp_path.iterdir()] == ["verdict.tex"]


def test_without_matplotlib_the_report_says_so_in_one_line(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr("bestofk.reporting.page.available", lambda package: False)
    text = report_text(demo(), "html")
    assert text.count("matplotlib is not installed") == 1
    assert 'role="img"' not in text
    assert 'id="learners"' in text


def test_a_verdict_reports_itself(tmp_path):
    verdict = demo()
    assert verdict.report(tmp_path / "v.html").read_text(encoding="utf-8") == report_text(verdict, "html")


# ---- the recipe --------------------------------------------------------------------------------------------------

RECIPES = [
    ("five_by_two.csv", {"prior": list(PRIOR)}),
    ("five_by_two.csv", {"control": "nn", "adjust": "holm", "alpha": 0.1}),
    ("demsar.csv", {"larger": True, "test": "nemenyi"}),
    ("language_models.csv", {"prior": ["price"]}),
    ("curves.csv", {"seed": 3}),
    ("bramer_15_2.csv", {"larger": True, "test": "sign"}),
]


@pytest.mark.parametrize(("name", "options"), RECIPES)
def test_command_and_code_make_the_same_verdict_again(name, options, monkeypatch):
    monkeypatch.chdir(EXAMPLES.parent)
    settings = {key: value for key, value in options.items() if key != "larger"}
    verdict = bk.judge(bk.read(f"examples/{name}", larger_is_better=options.get("larger")), **settings)
    recipe = recipe_of(verdict)
    again = json.loads(command(*shlex.split(recipe.command)[1:], "--json").stdout)
    assert again["order"] == list(verdict.order)
    assert [each["pvalue"] for each in again["reasons"]] == [each.pvalue for each in verdict.reasons]
    room = {}
    exec(recipe.code, room)  # the lines that the report prints
    assert room["verdict"].to_dict()["reasons"] == verdict.to_dict()["reasons"]


def test_results_in_memory_have_code_but_no_command():
    recipe = recipe_of(evil())
    assert recipe.command == ""
    assert "bk.judge(evidence, prior=" in recipe.code
    assert "The results were in memory" in report_text(evil(), "txt")


def test_names_with_commas_and_quotes_survive_the_command(tmp_path):
    names = ("a, b", "c", 'd "e"')
    path = tmp_path / "my results.csv"
    rows = ["learner,replication,fold,error"]
    for i, name in enumerate(names):
        quoted = '"' + name.replace('"', '""') + '"'
        rows += [
            f"{quoted},{r},{f},{0.2 + 0.1 * i + 0.01 * ((7 * r + 3 * f + i) % 5)}" for r in range(5) for f in (0, 1)
        ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    recipe = recipe_of(bk.judge(bk.read(path), prior=names[::-1]))
    again = json.loads(command(*shlex.split(recipe.command)[1:], "--json").stdout)
    assert again["ordering"]["prior"] == list(names[::-1])


def test_passwords_do_not_reach_a_report():
    recipe = recipe_of(demo(), {"source": "postgresql://ann:secret@host/results"})
    assert "secret" not in recipe.command + recipe.code
    assert "postgresql://ann@host/results" in recipe.command


# ---- verb and command --------------------------------------------------------------------------------------------


def test_the_verb_judges_first_where_it_must(tmp_path):
    path = verbs.report(EXAMPLES / "five_by_two.csv", tmp_path / "v.json", prior=PRIOR)
    assert json.loads(path.read_text(encoding="utf-8"))["best"] == "nmc"
    assert verbs.report(scores(("a", "b")), tmp_path / "w.txt").read_text(encoding="utf-8").startswith("a is best")
    with pytest.raises(InputError, match="there is a verdict already"):
        verbs.report(demo(), tmp_path / "x.html", prior=PRIOR)
    with pytest.raises(InputError, match="no format"):
        verbs.report(EXAMPLES / "does not matter.csv", tmp_path / "x.doc")


@pytest.mark.parametrize("format", FORMATS)
def test_the_command_writes_every_format(tmp_path, format):
    path = tmp_path / f"v.{format}"
    answer = command("report", EXAMPLES / "five_by_two.csv", "--prior", ",".join(PRIOR), "-o", path)
    assert answer.exit_code == 0, answer.output
    assert "nmc" in answer.stdout
    assert str(path) in answer.stdout
    printed = command(
        "report", EXAMPLES / "five_by_two.csv", "--prior", ",".join(PRIOR), "-o", "-", "--format", format
    ).stdout
    assert "nmc" in printed
    if format not in ("md", "tex"):  # these have their figures beside them
        assert printed == path.read_text(encoding="utf-8")


def test_the_command_ends_like_judge_and_errors_write_nothing(tmp_path):
    tied = command("report", EXAMPLES / "five_by_two.csv", "-o", tmp_path / "v.html")
    assert tied.exit_code == 0
    assert (tmp_path / "v.html").exists()
    said = command("report", EXAMPLES / "five_by_two.csv", "-o", tmp_path / "w.html", "--json")
    assert json.loads(said.stdout) == {
        "reports": [{"report": str(tmp_path / "w.html"), "format": "html"}],
        "best": None,
        "status": "tied",
    }
    both = command("report", EXAMPLES / "five_by_two.csv", "-o", "-", "--json")
    assert both.exit_code == 2
    assert "--json" in json.loads(both.stdout)["wrong"]
    wrong = command("report", EXAMPLES / "five_by_two.csv", "--prior", "lda", "-o", tmp_path / "x.html")
    assert wrong.exit_code == 2
    assert len(wrong.stderr.splitlines()) == 3
    docx = command("report", EXAMPLES / "five_by_two.csv", "-o", tmp_path / "x.docx", "--json")
    assert docx.exit_code == 2
    assert set(json.loads(docx.stdout)) == {"wrong", "where", "fix"}
    assert sorted(each.name for each in tmp_path.iterdir()) == ["v.html", "w.html"]


def test_the_recipe_of_the_command_has_its_own_options(tmp_path):
    path = tmp_path / "v.txt"
    arguments = ["--larger-is-better", "--test", "nemenyi", "--learners", "C4.5,C4.5+m,C4.5+cf"]
    known = bk.read(EXAMPLES / "demsar.csv", larger_is_better=True).learners[:3]
    arguments[-1] = ",".join(known)
    assert command("report", EXAMPLES / "demsar.csv", *arguments, "-o", path).exit_code in (0, 1)
    line = next(each for each in path.read_text(encoding="utf-8").splitlines() if "bestofk judge" in each)
    again = json.loads(command(*shlex.split(line)[1:], "--json").stdout)
    assert set(again["order"]) == set(known)
    assert again["comparison"]["choice"]["test"] == "nemenyi"


def test_a_store_is_reported_too(tmp_path):
    plan = bk.Plan(learners={"nmc": "nmc", "tree": "tree"}, datasets=["iris"], folds="5x2", seed=1)
    bk.collect(plan, tmp_path / "results.db", engine="serial", progress=False)
    path = tmp_path / "v.html"
    answer = command("report", tmp_path / "results.db", "-o", path)
    assert answer.exit_code in (0, 1), answer.output
    assert "results.db" in path.read_text(encoding="utf-8")
    verdict = bk.judge(bk.read(tmp_path / "results.db"))
    recipe = recipe_of(verdict)
    assert recipe.reading["plan"] == plan.fingerprint[:12]
    again = json.loads(command(*shlex.split(recipe.command)[1:], "--json").stdout)
    assert again["order"] == list(verdict.order)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_said(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="cannot be written"):
        write_report(demo(), tmp_path / "a.html")
    tmp_path.chmod(0o700)


def test_a_plugged_in_format_gets_the_page():
    request = Request(demo())
    assert request.page is request.page
    assert request.page.title.endswith("not shown to be worse")


def test_a_number_and_its_per_cent_sign_stay_together_but_not_in_code():
    def rendered_text(template, text):
        return _environment("html").from_string(template).render(text=text)

    assert rendered_text("{{ text }}", text="held at 5 %.") == "held at 5\N{NO-BREAK SPACE}%."
    assert rendered_text("{{ text|escape }}", text="a % b") == "a % b"


def test_a_report_made_in_python_knows_how_the_results_were_read(tmp_path):
    file = tmp_path / "points.csv"
    file.write_text("dataset,a,b\n" + "".join(f"d{i},{i % 5},{i % 3 + 1}\n" for i in range(12)))
    verdict = bk.judge(bk.read(file, larger_is_better=True, rows="datasets"))
    assert verdict.provenance.reading == {"source": str(file), "larger_is_better": True, "rows": "datasets"}
    verdict.report(tmp_path / "v.md")
    assert f"bestofk judge {file} --larger-is-better --rows datasets" in (tmp_path / "v.md").read_text()
    again = bk.judge(bk.read({"a": [1.0, 2.0, 3.0], "b": [2.0, 3.0, 5.0]}, measure="error"))
    assert again.provenance.reading == {"measure": "error"}
    assert recipe_of(again).files == ()
