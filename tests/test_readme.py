"""The README says nothing that is not so."""

import re
from pathlib import Path

from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_printed_verdict_is_what_the_demo_prints():
    demo = re.search(r"^demo:.*\n\t\$\(BIN\)/bestofk (.*)$", (ROOT / "Makefile").read_text(), re.M)[1].split()
    demo[1] = str(ROOT / demo[1])
    printed = CliRunner().invoke(main, demo).output.strip()
    assert printed in README


def test_the_python_lines_give_what_they_say():
    verdict = bk.judge(bk.read(ROOT / "examples" / "five_by_two.csv"), prior=["max", "nmc", "lgc", "tree", "nn"])
    said = re.search(r"verdict\.best, verdict\.status, verdict\.rivals +# (.*)$", README, re.M)[1]
    assert repr((verdict.best, verdict.status, verdict.rivals)) == said


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_public_statistic_is_on_the_help_page():
    page = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
    for room in bk.stats.__all__:
        for name in getattr(bk.stats, room).__all__:
            assert f"`{name}" in page, f"docs/statistics.md does not mention {room}.{name}"
