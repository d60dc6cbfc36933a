"""What mypy tells the user of the library."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = """
import bestofk as bk
from bestofk.stats.method import method
from bestofk.stats.results import Result

evidence = bk.read("results.csv")
reveal_type(evidence)  # .Evidence"
reveal_type(bk.judge(evidence))  # .Verdict"
reveal_type(bk.judge("results.csv", alpha=0.01))  # .Verdict"
reveal_type(bk.judge(evidence, on=("tpr", "fpr")))  # .Verdict"
reveal_type(bk.judge(bk.read("results.csv", on="tpr,fpr")))  # .Verdict"
reveal_type(bk.compare_estimators({}, [], []))  # .Verdict"
reveal_type(bk.gate("new.csv", "old.csv", margin=0.01, measure="accuracy"))  # .Gate"
reveal_type(bk.compare(evidence))  # .Comparison"
reveal_type(bk.order(evidence))  # .Ordering"
reveal_type(bk.Plan(["lda"], ["iris"]))  # .Plan"
reveal_type(bk.report(evidence, "verdict.html"))  # .Path"
bk.jugde("results.csv")  # error: Module has no attribute "jugde"
bk.judge(evidence, alhpa=0.01)  # error: Unexpected keyword argument "alhpa"
@method("values", name="mine")  # error: Value of type variable "Pairwise"
def one_learner(first: float) -> Result: raise NotImplementedError
method("values", nmae="mine")  # error: Unexpected keyword argument "nmae"
"""


def test_a_users_program(tmp_path):
    """One run of mypy: a second after `make lint` has filled its cache, 25 seconds of processor time without it."""
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", str(program)]
    answer = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    said: dict[int, str] = {}
    for number, text in re.findall(r"program\.py:(\d+): (.*)", answer.stdout):  # the folder may be that of a cached run
        said.setdefault(int(number), text)  # what follows for the same line explains it
    lines = enumerate(PROGRAM.splitlines(), start=1)
    expected = {number: line.split("  # ")[1] for number, line in lines if "  # " in line}
    assert said.keys() == expected.keys(), answer.stdout + answer.stderr
    for number, what in expected.items():
        assert what in said[number]
