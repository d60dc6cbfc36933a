"""The LaTeX report compiles, whatever the learners are called, and nothing in it is wider than its room."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.reporting.formats.latex import latex_table, parts_of
from bestofk.reporting.formats.latex_text import GREEK, em_width, latex
from bestofk.reporting.page import page_of
from bestofk.reporting.report import report_text, write_report
from report_cases import EVIL, EXAMPLES, demo, large, scores, sketched

ENGINES = {
    "pdflatex": ["pdflatex", "-interaction=nonstopmode", "-halt-on-error"],
    "xelatex": ["xelatex", "-interaction=nonstopmode", "-halt-on-error"],
    "tectonic": ["tectonic", "--keep-logs"],
}
#: Long names, one the beginning of another, other alphabets, and what looks like markup.
NAMES = (
    "a" * 110,
    "gradient boosting with four hundred trees of depth six, a learning rate of 0.05, and early stopping at ten rounds"[
        :110
    ],
    *("CNN", "CNN-large", "学习者甲", "決定木のアンサンブル学習器による分類", "αβγ-net λ", "Ωmega κόσμος"),
    *("🚀 rocket", "מודל שפה", "نموذج اللغة", "Метод опорных векторов"),
    *(r"\input{x}", "<b>", "$x_1$", "a & b"),
)


@pytest.fixture(params=ENGINES)
def engine(request):
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return ENGINES[request.param]


def compiled(engine, path):
    """The log of the run; a document that does not compile fails with the end of it."""
    run = subprocess.run(
        [*engine, path.name],
        cwd=path.parent,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-500:]
    pages = path.with_suffix(".pdf")
    assert pages.read_bytes().startswith(b"%PDF")
    log = path.with_suffix(".log").read_text(encoding="utf-8", errors="replace")
    assert "Overfull" not in log, re.findall(r"Overfull[^\n]*", log)[:5]
    return log


def text_of(path):
    """The words of the PDF, line by line."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    found = subprocess.run(["pdftotext", "-layout", path.with_suffix(".pdf"), "-"], capture_output=True, check=True)
    return found.stdout.decode("utf-8", "replace")


def test_the_demo_compiles(engine, tmp_path, monkeypatch):
    sketched(monkeypatch, "order", "pairs")
    log = compiled(engine, write_report(demo(), tmp_path / "verdict.tex"))
    assert "Missing character" not in log
    assert "verdict-order.pdf" in log


def test_names_stay_text(engine, tmp_path, monkeypatch):
    sketched(monkeypatch, "order")
    names = (*EVIL, "[2pt]", "*", "中文 Ω ñ ı ğ “q” – − × ≤ ŉ", "?` !` ,, << >> fi", "é\u0301 \U0001f600")
    verdict = bk.judge(scores(names), prior=names)
    compiled(engine, write_report(verdict, tmp_path / "a b_c.tex"))


def test_letters_of_formulas_are_set_in_every_engine(engine, tmp_path, monkeypatch):
    sketched(monkeypatch, "order")
    names = (GREEK, "ΑΒΕΖΗΙΚΜΝΟΡΤΧ ός ΐ", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ ₀₁₂₃₄₅₆₇₈₉", "≠≈∞√→←↑↓◆○●✕½±µ")
    log = compiled(engine, write_report(bk.judge(scores(names), prior=names), tmp_path / "letters.tex"))
    assert "Missing character" not in log


@pytest.mark.slow
def test_no_name_is_wider_than_its_room(engine, tmp_path, monkeypatch):
    sketched(monkeypatch, "order")
    for folds in (scores(NAMES, spread=0.01), scores(NAMES[:9], spread=0.004, datasets=12)):
        path = write_report(bk.judge(folds, prior=folds.learners), tmp_path / "names.tex")
        assert "Missing character" not in compiled(engine, path)
        words = text_of(path)
        assert "CNN-large" in words
        assert "学" in words or "U+5B66" in words  # shown by its number where no font has it
        assert r"\input{x}" in words or len(folds.learners) < 13


@pytest.mark.slow
@pytest.mark.parametrize("case", ["demsar", "curves", "predictions", "language_models"])
def test_every_kind_of_evidence_compiles_without_lonely_headings(engine, tmp_path, monkeypatch, case):
    sketched(monkeypatch, "order", "pairs")
    evidence = bk.read(EXAMPLES / f"{case}.csv", larger_is_better=True if case == "demsar" else None)
    verdict = bk.judge(evidence, prior="price" if case == "language_models" else None)
    path = write_report(verdict, tmp_path / "verdict.tex")
    compiled(engine, path)
    _no_heading_ends_a_page(text_of(path), verdict)


@pytest.mark.slow
def test_a_large_report_compiles(engine, tmp_path, monkeypatch):
    sketched(monkeypatch, "order")
    verdict = large(k=14, datasets=20)
    path = write_report(verdict, tmp_path / "large.tex")
    compiled(engine, path)
    _no_heading_ends_a_page(text_of(path), verdict)


def _no_heading_ends_a_page(words, verdict):
    headings = {section.heading for section in page_of(verdict).sections} | {"References"}
    lines = [[line.strip() for line in page.splitlines() if line.strip()] for page in words.split("\f")]
    assert len(headings & {line for page in lines for line in page}) >= 4
    assert not [page[-2] for page in lines if len(page) > 1 and page[-2] in headings]  # the last is the page's number


@pytest.mark.slow
def test_real_figures_are_included(engine, tmp_path):
    pytest.importorskip("matplotlib")
    path = write_report(demo(), tmp_path / "verdict.tex")
    log = compiled(engine, path)
    pictures = [each.name for each in tmp_path.glob("verdict-*.pdf")]
    assert len(pictures) >= 3
    assert all(name in log for name in pictures)


def paper(table):
    """A paper that takes the table as it is."""
    packages = r"\usepackage{array,booktabs,tabularx}"
    head, foot = r"\begin{document}\begin{table}\centering", r"\end{table}\end{document}"
    return "\n".join((r"\documentclass{article}", packages, head, table, foot, ""))


@pytest.mark.parametrize("names", [("nmc", "lgc", "tree"), NAMES[1::2]], ids=["short", "all"])
def test_a_paper_takes_the_first_table_alone(engine, tmp_path, monkeypatch, names):
    sketched(monkeypatch)
    table = latex_table(page_of(bk.judge(scores(names, spread=0.01), prior=names)).table)
    path = tmp_path / "paper.tex"
    path.write_text(paper(table), encoding="utf-8")
    compiled(engine, path)


# ---- without LaTeX ----------------------------------------------------------------------------------------------


def test_no_letter_of_text_is_a_command():
    for letter in map(chr, range(0x20, 0x7F)):
        escaped = latex(letter * 2)
        if letter in "\\{}$&#%_^~<>|\"'`":
            assert escaped.startswith("\\")
        elif letter == "-":
            assert "--" not in escaped
        else:
            assert escaped == (letter * 2).strip()


def test_words_break_after_signs_before_letters_and_numbers_never():
    names = ("anthropic/claude-3-5-haiku-20241022", "a.b_c:d" * 5, "loss-1e-05-at-0.0625", "Qwen__Qwen2.5-7B-Instruct")
    for name in names:
        pieces = latex(name, room=8.0).split(r"\allowbreak{}")
        assert len(pieces) > 1
        assert all(piece.removesuffix("{}")[-1] in "-_/.:" for piece in pieces[:-1])
        assert all(re.sub(r"[{}\\]", "", piece) in name for piece in pieces)
    text = latex("loss-1e-05-at-0.0625-of-2.5", room=4.0)
    assert all(number in text.replace("-{}", "-") for number in ("1e-05", "0.0625", "2.5"))
    assert "$-$0.25" in latex("difference:−0.25", room=3.2)
    assert latex(names[0], room=em_width(names[0])).count("allowbreak") == 0
    assert latex("abcdefgh1234", room=3.0).endswith("1234")
    assert latex("1" * 60, room=8.0).count("allowbreak") == 59


def test_letters_of_our_own_words_are_never_shown_by_their_number():
    """Every letter of the sentences, not of docstrings and comments, in the rooms whose words come into reports."""
    letters = set()
    for room in ("advice", "comparing", "evidence", "judging", "ordering", "plots", "replications", "reporting"):
        for path in (Path(bk.__file__).parent / room).rglob("*.py"):
            letters |= {letter for text in _texts(ast.parse(path.read_text())) for letter in text if ord(letter) > 0x7F}
    letters -= {"\ufeff", "\u0301", "\u0308"}  # the mark at the beginning of files, and accents of Greek letters
    letters -= {"\u200e", "\u2068", "\u2069"}  # beside names, on the card and the page alone
    assert {"Λ", "²", "×"} <= letters
    assert not [letter for letter in sorted(letters) if "otherletters" in latex(letter)]


def _texts(tree):
    """Texts of a file but for those that stand alone, which are docstrings."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def test_other_letters_are_kept_with_what_stands_for_them():
    assert latex("学") == r"\otherletters{5B66}{学}{U+5B66}"
    assert latex("🚀") == r"\otherletters{1F680}{🚀}{[rocket]}"
    assert latex("Да нет") == r"\otherletters{0414}{Да}{U+0414 U+0430} \otherletters{043D}{нет}{U+043D U+0435 U+0442}"
    hebrew = latex("a מודל שפה b")  # words that are read to the left are one run, so that they keep their order
    assert hebrew.startswith(r"a \rightletters{05DE}{מודל שפה}{U+05DE")
    assert hebrew.endswith("} b")


@pytest.mark.parametrize("names", [NAMES, EVIL, ("a", "b")], ids=["all", "evil", "short"])
def test_every_part_of_a_table_fits_the_page(names, monkeypatch):
    sketched(monkeypatch)
    page = page_of(bk.judge(scores(names, spread=0.01), prior=names))
    blocks = [block for section in page.sections for block in section.blocks if block.kind == "table"]
    assert blocks
    for part in (part for block in blocks for part in parts_of(block)):
        widths = [float(width) for width in re.findall(r"[LR]\{([\d.]+)pt\}", part.letters)]
        columns = len(re.sub(r"\{[^}]*\}", "", part.letters))
        assert len(widths) <= columns == part.head.count(" & ") + 1
        assert sum(widths) + 2 * part.size.gap * (columns - 1) < part.size.points + 0.5 < 472  # a4 less its margins
        assert {row.count(" & ") for row in part.rows} == {columns - 1}


def test_no_number_of_a_table_may_be_broken(monkeypatch):
    sketched(monkeypatch)
    names = ("anthropic/claude-3-5-haiku-20241022", "openai/gpt-4o-mini-of-the-summer", "c")
    page = page_of(bk.judge(scores(names, spread=0.01), prior=names))
    blocks = [block for section in page.sections for block in section.blocks if block.kind == "table"]
    cells = [cell for block in blocks for part in parts_of(block) for row in part.rows for cell in row.split(" & ")]
    assert any("allowbreak" in cell for cell in cells)
    assert any(cell.startswith("$-$0.") for cell in cells)
    assert not [cell for cell in cells if re.search(r"[$.\d]\\allowbreak\{\}[.\d]", cell)]


def test_a_wide_table_is_cut_and_names_its_rows_in_every_part(monkeypatch):
    sketched(monkeypatch)
    page = page_of(large(k=14, datasets=8))
    block = next(
        block
        for section in page.sections
        for block in section.blocks
        if block.kind == "table" and block.table.columns[0] == "data set"
    )
    parts = list(parts_of(block))
    assert len(parts) > 1
    assert all(part.head.startswith("data set") and part.rows[0].startswith("d0 ") for part in parts)
    assert sum(part.head.count(" & ") for part in parts) == len(block.table.columns) - 1


def test_the_first_table_alone_marks_the_choice_and_sets_numbers_to_the_right(monkeypatch):
    sketched(monkeypatch)
    verdict = demo()
    text = latex_table(page_of(verdict).table)
    assert r"\textbf{nmc}" in text
    assert re.search(r"\\begin\{tabularx?\}.*@\{\}lr", text)
    for rule in ("toprule", "midrule", "bottomrule"):
        assert text.count(rf"\{rule}") == 1
    assert "otherletters" not in text
    assert text.count("\\\\\n") + text.count(r"\addlinespace") >= len(verdict.order) + 1
    assert "otherletters" not in report_text(verdict, "tex")  # fonts are looked for only where they are needed


def test_widths_are_not_too_narrow():
    pytest.importorskip("matplotlib")
    from matplotlib.textpath import TextPath

    for text in ("0.1234", "+0.0625 [−0.0367, +0.0492]", "not significant", "WMWM", "gradient boosting", "m" * 20):
        drawn = TextPath((0, 0), text, size=1.0, usetex=False, prop={"family": "cmr10"}).get_extents().width
        assert em_width(text) > drawn


def test_the_command_writes_the_first_table_alone(tmp_path):
    def report(*words):
        return CliRunner().invoke(main, ["report", str(EXAMPLES / "five_by_two.csv"), "--table", *map(str, words)])

    verdict = bk.judge(EXAMPLES / "five_by_two.csv")
    assert report("-o", "-").stdout == latex_table(page_of(verdict).table) + "\n"
    run = report("-o", tmp_path / "a.tex", "-o", tmp_path / "a.md")
    assert run.exit_code == 0, run.output
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.md", "a.tex"]  # and no figures
    assert (tmp_path / "a.tex").read_text(encoding="utf-8") == report("-o", "-").stdout
    lines = (tmp_path / "a.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 + len(verdict.order)
    assert all(line.startswith("|") for line in lines)
    written = verdict.report(tmp_path / "b.tex", table=True)
    assert written.read_bytes() == (tmp_path / "a.tex").read_bytes()


@pytest.mark.parametrize("words", [("-o", "a.html"), ("--format", "json"), ("--card",)])
def test_the_first_table_alone_is_no_page(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(main, ["report", str(EXAMPLES / "five_by_two.csv"), "--table", *words])
    assert run.exit_code == 2
    assert "the table alone is LaTeX or Markdown" in run.stderr
    assert len(run.stderr.splitlines()) == 3
    assert not list(tmp_path.iterdir())
