"""The LaTeX report compiles, whatever the learners are called."""

import ast
import shutil
import subprocess
from pathlib import Path

import pytest

import bestofk as bk
from bestofk.reporting.formats.rendering import _GREEK, latex
from bestofk.reporting.report import write_report
from report_cases import EVIL, demo, large, scores, sketched

ENGINES = {
    "pdflatex": ["pdflatex", "-interaction=nonstopmode", "-halt-on-error"],
    "xelatex": ["xelatex", "-interaction=nonstopmode", "-halt-on-error"],
    "tectonic": ["tectonic", "--keep-logs"],
}


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
    return path.with_suffix(".log").read_text(encoding="utf-8", errors="replace")


def test_the_demo_compiles(engine, tmp_path, monkeypatch):
    sketched(monkeypatch, "order", "pairs")
    log = compiled(engine, write_report(demo(), tmp_path / "verdict.tex"))
    assert "Missing character" not in log
    assert "verdict-order.pdf" in log


def test_names_stay_text(engine, tmp_path, monkeypatch):
    sketched(monkeypatch, "order")
    names = (*EVIL, "中文 Ω ñ ı ğ “q” – − × ≤ ŉ", "?` !` ,, << >> fi", "é\u0301 \U0001f600")
    verdict = bk.judge(scores(names), prior=names)
    compiled(engine, write_report(verdict, tmp_path / "a b_c.tex"))


def test_letters_of_formulas_are_set_in_every_engine(engine, tmp_path, monkeypatch):
    sketched(monkeypatch, "order")
    names = (_GREEK, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ ₀₁₂₃₄₅₆₇₈₉", "≠≈∞√→←↑↓◆○●✕½±µ")
    log = compiled(engine, write_report(bk.judge(scores(names), prior=names), tmp_path / "letters.tex"))
    assert "Missing character" not in log


def test_a_large_report_compiles_without_overfull_tables(engine, tmp_path, monkeypatch):
    sketched(monkeypatch, "order")
    log = compiled(engine, write_report(large(k=14, datasets=20), tmp_path / "large.tex"))
    assert "in alignment" not in log  # what TeX says of a table that is too wide


def test_real_figures_are_included(engine, tmp_path):
    pytest.importorskip("matplotlib")
    path = write_report(demo(), tmp_path / "verdict.tex")
    log = compiled(engine, path)
    pictures = [each.name for each in tmp_path.glob("verdict-*.pdf")]
    assert len(pictures) >= 3
    assert all(name in log for name in pictures)


def test_no_letter_of_text_is_a_command():
    for letter in map(chr, range(0x20, 0x7F)):
        escaped = latex(letter * 2)
        if letter in "\\{}$&#%_^~<>|\"'`":
            assert escaped.startswith("\\")
        elif letter == "-":
            assert "--" not in escaped
        else:
            assert escaped == (letter * 2).strip()


def test_letters_of_our_own_words_are_never_shown_by_their_number():
    """Every letter of the sentences, not of docstrings and comments, in the rooms whose words come into reports."""
    letters = set()
    for room in ("advice", "comparing", "evidence", "judging", "ordering", "plots", "replications", "reporting"):
        for path in (Path(bk.__file__).parent / room).rglob("*.py"):
            letters |= {letter for text in _texts(ast.parse(path.read_text())) for letter in text if ord(letter) > 0x7F}
    letters.discard("\ufeff")  # the mark at the beginning of files, not a letter
    assert {"Λ", "²", "×"} <= letters
    assert not [letter for letter in sorted(letters) if "otherletter" in latex(letter)]


def _texts(tree):
    """Texts of a file but for those that stand alone, which are docstrings."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value
