"""The README says nothing that is not so.

``PYTHONPATH=src:tests python tests/test_readme.py`` puts today's answers into it.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from makers import EXAMPLES, ROOT, command
from terminal import on_terminal

PAGE = ROOT / "README.md"
README = PAGE.read_text(encoding="utf-8")
ANSWERS = re.compile(r"(?<=```console\n)\$ (bestofk .*)\n((?:(?!```).*\n)*)")
CELLS = [
    line.split(" | ")[-1].rstrip(" |").strip("`")
    for line in README.splitlines()
    if re.match(r"\| .*`\S* ?.*` \|$", line)
]


def answer_to(line: str) -> str:
    """What a command line of the README prints at a terminal."""
    return on_terminal(ROOT, *shlex.split(line)[1:])


def test_two_examples_are_answered():
    assert len(ANSWERS.findall(README)) == 2


@pytest.mark.parametrize(("line", "printed"), ANSWERS.findall(README))
def test_the_printed_answers_are_those_of_the_command(line, printed):
    assert printed == answer_to(line)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files that the table names, under those names."""
    for name, example in {
        "table": "demsar",
        "folds": "classifiers",
        "answers": "model_prices",
        "curves": "curves",
    }.items():
        shutil.copy(EXAMPLES / f"{example}.csv", tmp_path / f"{name}.csv")
    rng = np.random.default_rng(1)
    rows = [
        f"{model},{seed},{rng.normal(mean, 0.01):.4f}" for model, mean in (("a", 0.8), ("b", 0.9)) for seed in range(8)
    ]
    (tmp_path / "seeds.csv").write_text("\n".join(["model,seed,accuracy", *rows]))
    for log in (ROOT / "tests" / "peers" / "lm_eval").glob("*/samples_choices_*.jsonl"):
        (tmp_path / "logs" / log.parent.name).mkdir(parents=True)
        shutil.copy(log, tmp_path / "logs" / log.parent.name / log.name.replace("choices", "hellaswag"))
    (tmp_path / "runs").mkdir()
    for name, high in (("resnet", 0.8), ("vit", 0.9)):
        for seed in range(6):
            lines = [f"{epoch},{high - 0.5 / epoch + rng.normal(0, 0.01):.4f}" for epoch in range(1, 6)]
            (tmp_path / "runs" / f"{name}_seed{seed}.csv").write_text("\n".join(["epoch,val_accuracy", *lines]))
    (tmp_path / "plan.toml").write_text("folds = '3-fold'\nlearners = ['max', 'nmc']\ndatasets = ['iris']\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("cell", CELLS)
def test_what_the_table_says_to_type_gives_a_verdict(cell, folder):
    if cell.startswith("bk."):
        verdict = eval(cell, _in_python())
        assert verdict.status in ("decided", "tied")
        return
    words = [
        name
        for word in shlex.split(cell)[1:]
        for name in (sorted(map(str, Path().glob(word))) if "*" in word else [word])
    ]
    answer = command(*words)
    assert answer.exit_code == 0, answer.output
    said = ("is best", "The best is among", "of the best")
    assert any(each in answer.stdout for each in said) == (words[0] == "judge")


def test_the_table_has_every_kind_of_source():
    assert len(CELLS) == 10
    assert sum(cell.startswith("bk.") for cell in CELLS) == 2


def _in_python() -> dict[str, object]:
    from sklearn.datasets import load_iris
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import GridSearchCV, cross_validate
    from sklearn.svm import SVC

    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(SVC(), {"C": [0.001, 1.0]}, cv=5).fit(X, y)
    learners = {"lda": LinearDiscriminantAnalysis(), "svm": SVC()}
    return {"bk": bk, "cross_validate": cross_validate, "X": X, "y": y, "search": search, **learners}


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
    assert (refused.exit_code, refused.stderr.count("--missing")) == (2, 3)
    folds = ("judge", EXAMPLES / "classifiers.csv", "--dataset", "car")
    assert "corrected-t" in command(*folds).stdout
    assert command(*folds, "--test", "wilcoxon").exit_code == 2
    models = bk.judge(bk.read(EXAMPLES / "model_prices.csv"), prior="price")
    assert (models.best, set(models.best_set)) == ("large", {"large", "frontier"})


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


if __name__ == "__main__":
    PAGE.write_text(ANSWERS.sub(lambda found: f"$ {found[1]}\n{answer_to(found[1])}", README), encoding="utf-8")
