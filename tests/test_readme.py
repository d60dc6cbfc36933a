"""The README says nothing that is not so."""

from __future__ import annotations

import re

import bestofk as bk
from makers import EXAMPLES, ROOT, command

README = (ROOT / "README.md").read_text(encoding="utf-8")


EXAMPLE = EXAMPLES / "five_by_two.csv"


def test_the_printed_verdict_is_what_the_demo_says():
    demo = re.search(r"^\t\$\(BIN\)/bestofk (judge examples/.*)$", (ROOT / "Makefile").read_text(), re.M)[1].split()
    demo[1] = str(ROOT / demo[1])
    verdict = bk.judge(bk.read(demo[1]), prior=demo[demo.index("--prior") + 1].split(","))
    assert verdict.text() in README
    headline = " ".join(verdict.text().partition("\n\n")[0].split())
    assert " ".join(command(*demo).output.split()).startswith(headline)


def test_every_command_of_the_readme_runs(tmp_path, monkeypatch):
    """Whole lines, as they stand; results.csv is the example under the name that the reader will use."""
    monkeypatch.chdir(ROOT)
    commands = re.findall(r"^\.venv/bin/bestofk (.*?)(?: +#.*)?$", README, re.M)
    assert len(commands) >= 6
    for line in commands:
        names = {"results.csv": str(EXAMPLE), "results.db": str(tmp_path / "results.db")}
        names["verdict.html"] = str(tmp_path / "verdict.html")  # the demo's page is the reader's
        arguments = [names.get(word, word) for word in line.split()]
        answer = command(*arguments)
        assert answer.exit_code in (0, 1), (line, answer.output)
        assert answer.exception is None or isinstance(answer.exception, SystemExit)


def test_the_python_lines_give_what_they_say():
    verdict = bk.judge(bk.read(EXAMPLES / "five_by_two.csv"), prior=["max", "nmc", "lgc", "tree", "nn"])
    said = re.search(r"verdict\.best, verdict\.status, verdict\.rivals +# (.*)$", README, re.M)[1]
    assert repr((verdict.best, verdict.status, verdict.rivals)) == said


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_what_contributing_names_is_there():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shelves = re.findall(r"`([A-Z]+)` in `([^`]+)`", page)
    assert len(shelves) > 10
    for name, file in shelves:
        assert re.search(rf"^{name}\b", (ROOT / "src" / "bestofk" / file).read_text("utf-8"), re.M), f"{name} in {file}"
    for path in re.findall(r"`((?:tests|docs|stats)/[^`]+)`", page):
        assert (ROOT / path).exists() or (ROOT / "src" / "bestofk" / path).exists(), path


def test_every_public_statistic_is_on_the_help_page():
    page = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
    for room in bk.stats.__all__:
        for name in getattr(bk.stats, room).__all__:
            assert f"`{name}" in page, f"docs/statistics.md does not mention {room}.{name}"


def test_every_row_of_the_speed_table_is_there_once_and_says_where_nothing_is_demanded() -> None:
    text = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][2:]
    works = [(row[0].casefold(), row[1]) for row in rows]
    assert len(works) == len(set(works))
    loops = [row for row in rows if row[1] == "the bare loop of fit and predict"]
    assert len(loops) == 5
    assert all(row[-1].startswith("no demand: ") for row in loops)
    assert "bestofk's" not in text
