"""The pages on threats and on reliability name tests that are there, and every dependency."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ("explanation/threat_model.md", "reference/reliability.md")
THREATS = (ROOT / "docs" / PAGES[0]).read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("page", PAGES)
def test_the_tests_that_a_page_names_are_there(page):
    named = set(re.findall(r"\btests/[\w/]+\.py", (ROOT / "docs" / page).read_text("utf-8")))
    assert named
    assert [each for each in named if not (ROOT / each).is_file()] == []


def test_every_line_on_what_is_not_trusted_names_a_test():
    lines = THREATS.partition("## Not trusted")[2].partition("\n## ")[0].splitlines()
    rows = [line for line in lines if line.startswith("| ")][1:]
    assert len(rows) > 5
    assert [row for row in rows if "`tests/" not in row] == []


def test_the_table_has_every_dependency_with_its_bound():
    table = THREATS.partition("## Dependencies")[2]
    optional = (each for name, group in PROJECT["optional-dependencies"].items() if name != "all" for each in group)
    for each in (*PROJECT["dependencies"], *optional):
        name, bound = re.match(r"([\w-]+)[^>]*>=([\d.]+)", each).groups()
        line = next(line for line in table.splitlines() if re.match(rf"\|[^|]*\b{name}\b", line))
        assert f"≥ {bound}" in line
