"""What the README and CONTRIBUTING say of bestofk is so; their code and links are asked by docs/test_pages.py."""

from __future__ import annotations

import json
import re
import tomllib

import bestofk as bk
from makers import EXAMPLES, ROOT, command

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_has_every_kind_of_source():
    cells = re.findall(r"\| `((?:bestofk |bk\.)[^`]+)` \|$", README, re.M)
    assert len(cells) == 12
    assert sum(cell.startswith("bk.") for cell in cells) == 3


def test_every_row_of_the_first_table_leads_to_its_page():
    rows = README.partition("| I have | I type |\n|---|---|\n")[2].partition("\n\n")[0].splitlines()
    assert [row for row in rows if not re.match(r"\| \[.+?\]\(docs/(howto|tutorials)/", row)] == []
    assert len(rows) > 9


def test_what_a_verdict_is_said_to_have_is_there():
    line = re.search(r"a verdict has (.*)\.$", README, re.M)[1]
    verdict = bk.judge(bk.read(EXAMPLES / "five_by_two.csv"))
    for name in re.findall(r"`\.(\w+)", line):
        assert hasattr(verdict, name), name


def test_the_lines_of_the_shell_name_extras_and_verbs_that_are_there():
    shell = re.search(r"```sh\n(.*?)```", README, re.S)[1]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = re.findall(r"`(\w+)`", re.search(r"^Extras: (.*)\. MIT", README, re.M)[1])
    assert {*re.search(r"\[(.*)\]", shell)[1].split(","), *named} <= set(extras)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for verb in re.findall(r"^make (\w+)", shell, re.M):
        assert re.search(rf"^{verb}:", makefile, re.M), verb


def test_the_commands_of_the_demo_run_and_the_page_is_named_last(tmp_path):
    recipe = re.search(r"^demo:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)[1]
    lines = re.findall(r"^\t\$\(BIN\)/bestofk (.*)$", recipe, re.M)
    assert recipe.splitlines()[-1] == "\t@echo verdict.html"
    assert [line.split()[0] for line in lines] == ["judge", "collect", "judge", "report"]
    assert command("plan", "check", ROOT / "examples" / "plan.toml").exit_code == 0  # to run it takes a minute
    first = command("judge", ROOT / lines[0].split()[1], *lines[0].split()[2:])
    assert first.stdout.startswith("Take large")


def test_every_section_of_what_other_libraries_answer_has_its_command():
    page = (ROOT / "benchmarks" / "PEERS.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## .*\n\n`python -m benchmarks\.peers (\w+)`$", page, re.M)
    assert sections == ["datasets", "gap", "folds", "questions", "price", "mlxtend"]
    assert len(sections) == len(re.findall(r"^## ", page, re.M))


def test_what_is_said_of_bestofk_beside_others_is_so(tmp_path):
    """The last line of the table of libraries."""
    table = (EXAMPLES / "demsar.csv").read_text(encoding="utf-8")
    verdict = json.loads(command("judge", EXAMPLES / "demsar.csv", "--larger-is-better", "--json").stdout)
    assert len(verdict["best_set"]) == 3
    apart = [(pair["first"], pair["second"]) for pair in verdict["comparison"]["pairs"] if pair["significant"]]
    assert apart == [("C4.5", "C4.5+m")]
    gap = tmp_path / "gap.csv"
    gap.write_text(table.replace("0.628", "", 1))
    refused = command("judge", gap, "--larger-is-better")
    assert (refused.exit_code, refused.stderr.count("--missing")) == (2, 4)
    folds = ("judge", EXAMPLES / "classifiers.csv", "--dataset", "car")
    assert "corrected-t" in command(*folds).stdout
    assert command(*folds, "--test", "wilcoxon").exit_code == 2
    models = bk.judge(bk.read(EXAMPLES / "model_prices.csv"), prior="price")
    assert (models.best, set(models.best_set)) == ("large", {"large", "frontier"})


def test_what_contributing_names_is_there():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shelves = re.findall(r"`([A-Z]+)` in `([^`]+)`", page)
    assert len(shelves) > 10
    for name, file in shelves:
        assert re.search(rf"^{name}\b", (ROOT / "src" / "bestofk" / file).read_text("utf-8"), re.M), f"{name} in {file}"
    for path in re.findall(r"`((?:tests|docs|stats)/[^`]+)`", page):
        assert (ROOT / path).exists() or (ROOT / "src" / "bestofk" / path).exists(), path


def test_every_row_of_the_speed_table_is_there_once_and_says_where_nothing_is_demanded() -> None:
    text = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][2:]
    works = [(row[0].casefold(), row[1]) for row in rows]
    assert len(works) == len(set(works))
    loops = [row for row in rows if row[1] == "the bare loop of fit and predict"]
    assert len(loops) == 5
    assert all(row[-1].startswith("no demand: ") for row in loops)
    assert "bestofk's" not in text
