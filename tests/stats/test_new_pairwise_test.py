"""CONTRIBUTING's promise: a new pairwise test is one file and one line, and everything else knows it."""

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.plots.gallery import figures_for
from bestofk.reporting.methods import methods_of
from bestofk.stats.pairwise import PAIRWISE
from bestofk.testing import check_pairwise

NAME = "rank-t"


@pytest.fixture
def rank_t(monkeypatch):
    """The example of CONTRIBUTING, put on the shelf as its one line does."""
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = next(each for each in re.findall(r"```python\n(.*?)```", text, flags=re.S) if "def rank_t" in each)
    module = {"__name__": "rank_t"}
    exec(compile(code, "CONTRIBUTING.md", "exec"), module)
    monkeypatch.setitem(PAIRWISE._own, NAME, module["rank_t"])
    return module["rank_t"]


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


def test_it_judges_and_is_cited(rank_t):
    verdict = bk.judge(scores(), test=NAME)
    assert verdict.best == "a"
    assert verdict.status == "decided"
    assert verdict.comparison.interval_from == "paired-t"  # that of a test with an interval of means
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
