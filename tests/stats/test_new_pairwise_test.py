"""CONTRIBUTING's promise: a new pairwise test is one file and one line, and everything else knows it."""

import doctest
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.plots.gallery import figures_for
from bestofk.reporting.methods_paragraph import methods_of
from bestofk.stats.method import limits_of
from bestofk.stats.pairwise import PAIRWISE
from bestofk.testing import check_pairwise
from makers import EXAMPLES, ROOT, over_datasets

NAME = "rank-t"


def steps():
    """What CONTRIBUTING says to do: pairs of a file and the code that goes into it."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("### A pairwise test")[2].partition("\n## ")[0]
    return re.findall(r"`(src/[^`]+)`:\n\n(?:<!--[^\n]*-->\n)?```python\n(.*?)```", section, flags=re.S)


@pytest.fixture
def rank_t(monkeypatch):
    """The example of CONTRIBUTING, put on the shelf of this process."""
    (_, code), _ = steps()
    module = {"__name__": "rank_t"}
    exec(compile(code, "CONTRIBUTING.md", "exec"), module)
    monkeypatch.setitem(PAIRWISE._own, NAME, module["rank_t"])
    return module["rank_t"]


USE = """
import sys
from click.testing import CliRunner
from bestofk.cli import main

for command in (["list", "pairwise"], ["judge", sys.argv[1], "--test", "rank-t", "--measure", "error"]):
    print(CliRunner().invoke(main, command).output)
"""


def test_the_steps_of_contributing_are_all_there_is_to_do(tmp_path):
    """Edit a copy of the source as it says; ``make house`` reads how many edits that took."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (file, code), (shelf, line) = steps()
    assert not (tmp_path / file).exists()
    (tmp_path / file).write_text(code, encoding="utf-8")
    text = (tmp_path / shelf).read_text(encoding="utf-8")
    after = "from bestofk.stats.pairwise.permutation_t import permutation_t\n"
    assert after in text
    text = text.replace(after, after + line)
    (tmp_path / shelf).write_text(text, encoding="utf-8")
    table = "dataset,a,b,c\n" + "".join(f"d{i},{0.1 + 0.01 * i},{0.31 + 0.011 * i},0.5\n" for i in range(12))
    (tmp_path / "small.csv").write_text(table, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", USE, str(tmp_path / "small.csv")],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")}, capture_output=True, text=True, check=True
    )  # fmt: skip
    assert NAME in done.stdout.splitlines()
    assert f"{NAME}, holm" in done.stdout
    print(f"edits: {1 + len(line.splitlines())}")


def test_a_result_of_few_degrees_of_freedom_has_no_power(rank_t):
    from bestofk.stats.power import power

    found = power(NAME, 15.0, [2, 3, 4], rng=0).power
    assert found[:2].tolist() == [0.0, 0.0]
    assert found[2] > 0.5


def scores(learners=3, datasets=12, gap=0.08):
    random = np.random.default_rng(3)
    base = random.uniform(0.1, 0.4, size=datasets)
    values = base + gap * np.arange(learners)[:, None] + 0.03 * random.standard_normal((learners, datasets))
    names = tuple("abcdefgh"[:learners])
    return bk.Scores(
        learners=names,
        values=values[:, :, None, None],
        datasets=tuple(f"set-{i}" for i in range(datasets)),
        measure="error",
        larger_is_better=False,
    )


def test_it_passes_the_checks_of_pairwise_tests(rank_t):
    check_pairwise(rank_t)
    (example,) = doctest.DocTestFinder().find(rank_t, "rank_t", module=False, globs={"rank_t": rank_t})
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def test_it_judges_and_is_cited(rank_t):
    verdict = bk.judge(scores(), test=NAME)
    assert verdict.best == "a"
    assert verdict.status == "decided"
    assert not verdict.comparison.bounded  # it has no interval of its own, and none is borrowed
    assert limits_of(rank_t).keys() == {"assumes", "not for"}
    assert "Conover and Iman 1981" in {paper.short for paper in methods_of(verdict).references}


def test_it_is_refused_on_folds_and_listed(rank_t):
    folds = bk.Scores(learners=("a", "b"), values=np.random.default_rng(0).random((2, 1, 10)), measure="error",
                      larger_is_better=False)  # fmt: skip
    with pytest.raises(bk.InputError, match=NAME):
        bk.judge(folds, test=NAME)
    assert {advice.code for advice in bk.judge(folds, test=NAME, force=True).advice} >= {"K101", "K111"}
    assert NAME in CliRunner().invoke(main, ["list", "pairwise"]).output.split()


def test_its_power_is_found(rank_t, tmp_path):
    done = CliRunner().invoke(main, ["power", "--test", NAME, "--effect", "0.8", "--n", "10,30"])
    assert done.exit_code == 0, done.output
    few, many = bk.stats.power.power(NAME, 0.8, [10, 30], runs=400).power
    assert few < many <= 1
    assert bk.judge(scores(gap=0.01), test=NAME).detectable.test == NAME
    table = "dataset,a,b\n" + "".join(f"d{i},{0.2 + 0.01 * i},{0.21 + 0.011 * i + 0.01 * (i % 3)}\n" for i in range(8))
    (tmp_path / "pilot.csv").write_text(table, encoding="utf-8")
    command = ["power", str(tmp_path / "pilot.csv"), "--test", NAME, "--measure", "error", "--json"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert NAME in done.output


def test_advice_and_figures_know_it(rank_t):
    verdict = bk.judge(scores(gap=0.015), test=NAME)
    assert "K119" in {advice.code for advice in verdict.advice}
    assert verdict.sensitivity.test == NAME
    assert {"differences", "influence", "scatter"} <= {figure.name for figure in figures_for(verdict)}


def test_two_data_sets_show_nothing(rank_t):
    """One degree of freedom is no basis, whatever kind of result a test returns."""
    verdict = bk.judge(over_datasets([[0.10, 0.20], [0.15, 0.25]]), test=NAME)
    assert (verdict.status, verdict.best) == ("undecided", None)


@pytest.mark.timeout(120)
@pytest.mark.slow
def test_a_pilot_that_needs_very_many_is_planned_in_time(rank_t):
    """A test whose power is simulated is not asked about millions of results."""
    command = ["power", str(EXAMPLES / "demsar.csv"), "--larger-is-better", "--test", NAME, "--json"]
    assert CliRunner().invoke(main, command).exit_code == 0
