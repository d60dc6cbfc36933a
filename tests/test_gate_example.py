"""The example of a gate in a repository: its workflow, the Action and its tests pass and fail as they should."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import yaml

from makers import EXAMPLES, ROOT, slow

ACTION = ROOT / "action.yml"


@pytest.fixture
def scratch(tmp_path):
    shutil.copytree(EXAMPLES / "gate", tmp_path / "mine")
    return tmp_path / "mine"


def steps_of(text):
    """Names and lines of the steps that run something, but for what installs."""
    page = yaml.safe_load(text)
    steps = page["runs"]["steps"] if "runs" in page else page["jobs"]["gate"]["steps"]
    return {step["name"]: step["run"] for step in steps if "run" in step and step["name"] != "Install"}


def run(lines, folder, **inputs):
    """Run lines as GitHub does, in a folder; return the code that they end with."""
    known = {each.name for each in importlib.metadata.entry_points(group="pytest11")}
    plugin = {} if "bestofk" in known else {"PYTEST_PLUGINS": "bestofk.pytest_plugin"}  # an older install
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    files = {name: str(folder / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    env = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src"), **files, **plugin, **inputs}
    shell = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", lines]
    return subprocess.run(shell, cwd=folder, env=env, capture_output=True, text=True, check=False).returncode


@pytest.mark.slow
def test_the_workflow_passes_and_fails_with_a_worse_model(scratch):
    steps = steps_of((scratch / ".github" / "workflows" / "gate.yml").read_text(encoding="utf-8"))
    assert set(steps) == {"Gate", "Test"}
    assert [run(lines, scratch) for lines in steps.values()] == [0, 0]
    assert (scratch / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8").startswith("# Gate: passed")
    assert "<testcase" in (scratch / "gate.xml").read_text(encoding="utf-8")
    shutil.copy(scratch / "results" / "v3.csv", scratch / "results" / "v2.csv")
    assert [run(lines, scratch) for lines in steps.values()] == [1, 1]
    assert "# Gate: worse" in (scratch / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("inputs", "code", "outcome"),
    [
        ({"NEW": "results/v3.csv", "OPTIONS": "--by-group --seed 1"}, 1, "worse"),
        *slow(
            ({"NEW": "results/v2.csv"}, 0, "passed"),
            ({"NEW": "results/v4_short.jsonl", "AGAINST": "results/v1_short.jsonl"}, 3, "undecided"),
            (
                {"NEW": "results/v4_short.jsonl", "AGAINST": "results/v1_short.jsonl", "FAIL_ON": "worse"},
                0,
                "undecided",
            ),
            ({"NEW": "v2", "AGAINST": "v1", "RESULTS": "results/seeds.csv"}, 0, "passed"),
            ({"NEW": "results/v9.csv"}, 2, None),
        ),
    ],
)
def test_the_action_ends_as_the_gate_does(inputs, code, outcome, scratch):
    given = {"AGAINST": "results/v1.csv", "MARGIN": "0.03", "FAIL_ON": "undecided", "RESULTS": "", "OPTIONS": ""}
    assert run(steps_of(ACTION.read_text(encoding="utf-8"))["Gate"], scratch, **{**given, **inputs}) == code
    if outcome is None:
        assert not (scratch / "GITHUB_STEP_SUMMARY").exists()
    else:
        assert (scratch / "GITHUB_OUTPUT").read_text() == f"outcome={outcome}\n"


def test_the_inputs_of_the_action_are_those_of_its_step():
    page = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    (env,) = (step["env"] for step in page["runs"]["steps"] if "env" in step)
    assert {value.strip("${} ").removeprefix("inputs.") for value in env.values()} == set(page["inputs"])


def test_the_results_are_those_of_the_script(scratch):
    kept = {path.name: path.read_bytes() for path in (scratch / "results").iterdir()}
    subprocess.run([sys.executable, scratch / "make_results.py"], check=True)
    assert {path.name: path.read_bytes() for path in (scratch / "results").iterdir()} == kept


def test_the_plug_in_is_declared_and_loads_nothing_heavy():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    module = declared["pytest11"]["bestofk"]
    code = f"import sys, {module}; print(sorted({{'numpy', 'scipy', 'click', 'bestofk.verbs'}} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_assertion_says_the_answer_of_the_gate():
    from bestofk.testing import assert_not_worse

    rng = np.random.default_rng(1)
    old, options = rng.normal(0.8, 0.01, size=10), {"measure": "accuracy", "rows": "runs"}
    assert assert_not_worse(old + 0.01, old, margin=0.02, **options).outcome == "passed"
    with pytest.raises(AssertionError, match=r"^Worse: .*\n"):
        assert_not_worse(old - 0.1, old, margin=0.02, **options)
    with pytest.raises(AssertionError, match=r"^Undecided: "):
        assert_not_worse(old[:4], old, margin=0.001, **options)
    assert assert_not_worse(old[:4], old, margin=0.001, fail_on="worse", **options).outcome == "undecided"
