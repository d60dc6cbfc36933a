"""The oldest and the newest scikit-learn that are allowed: the same fingerprints, and a locked plan goes on."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALLOWED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
OLDEST = next(re.sub(r">=(.+)", r"==\1.*", each) for each in ALLOWED if each.startswith("scikit-learn>="))
PLAN = """
seed = 1
folds = "5-fold"
datasets = ["iris"]
learners = ["max", "lgc", "svm", "qda", "knn", "c45"]
"""
PRINTS = """
import json, warnings
import sklearn
from sklearn.utils import all_estimators
from bestofk import InputError
from bestofk.design.learners import learner_of
from bestofk.design.learners.shelf import LEARNERS

warnings.simplefilter("ignore")
found = {name: learner_of(name).fingerprint for name in LEARNERS}
for name, kind in all_estimators(type_filter=["classifier", "regressor"]):
    try:
        found[f"{name}()"] = learner_of(kind()).fingerprint
    except (TypeError, InputError):  # it needs another estimator
        pass
print(json.dumps([sklearn.__version__, found]))
"""


@pytest.mark.slow
def test_fingerprints_and_locks_of_the_oldest_and_the_newest_scikit_learn(tmp_path):
    environments = [environment(tmp_path / "oldest", OLDEST), environment(tmp_path / "newest")]
    (old, before), (new, after) = (json.loads(run(each, "-c", PRINTS, folder=tmp_path)) for each in environments)
    assert old != new
    both = before.keys() & after.keys()
    assert sum(not name.endswith("()") for name in both) == len([name for name in before if not name.endswith("()")])
    assert len(both) > 80
    assert {name for name in both if before[name] != after[name]} == set()
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN, encoding="utf-8")
    run(environments[0], "-m", "bestofk", "plan", "lock", plan, folder=tmp_path)
    words = ("-m", "bestofk", "collect", plan, "--into", "results.db", "--engine", "serial", "--json")
    first, second = (json.loads(run(each, *words, folder=tmp_path)) for each in environments)
    assert (first["folds"], second["folds"], second["resumed"]) == (30, 0, 30)


def environment(folder, *pinned, python=sys.executable):
    """The Python of an empty environment with what bestofk needs."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    words = [python, "-m", "pip", "install", "--quiet", *ALLOWED, *pinned]
    answer = subprocess.run(words, capture_output=True, text=True)
    if answer.returncode:
        pytest.skip(f"packages cannot be had: {answer.stderr.strip().splitlines()[-1]}")
    return python


def run(python, *words, folder):
    """What a program prints with the source of this checkout."""
    source = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    line = [str(word) for word in (python, *words)]
    return subprocess.run(line, cwd=folder, env=source, capture_output=True, text=True, check=True).stdout
