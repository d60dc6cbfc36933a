"""What mypy tells the user of the library."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = """
import bestofk as bk

evidence = bk.read("results.csv")
reveal_type(evidence)  # Evidence
reveal_type(bk.judge(evidence))  # Verdict
reveal_type(bk.judge("results.csv", alpha=0.01))  # Verdict
reveal_type(bk.judge(evidence, on=("tpr", "fpr")))  # MeasuresVerdict
reveal_type(bk.judge(bk.read("results.csv", on="tpr,fpr")))  # MeasuresVerdict
reveal_type(bk.compare(evidence))  # Comparison
reveal_type(bk.order(evidence))  # Ordering
reveal_type(bk.Plan(["lda"], ["iris"]))  # Plan
reveal_type(bk.report(evidence, "verdict.html"))  # Path
bk.jugde("results.csv")  # "jugde"
bk.judge(evidence, alhpa=0.01)  # "alhpa"
"""


def test_a_users_program(tmp_path):
    """One run of mypy: a second after `make lint` has filled its cache, 25 seconds of processor time without it."""
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    answer = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", program],
        env={**os.environ, "MYPYPATH": str(ROOT / "src")}, cwd=ROOT, capture_output=True, text=True, check=False
    )  # fmt: skip
    said = {}
    for line in answer.stdout.splitlines():
        if line.startswith(str(program)):
            said.setdefault(int(line.removeprefix(str(program)).split(":")[1]), line)
    expected = {
        number: line.split("#")[1].strip().strip('"')
        for number, line in enumerate(PROGRAM.splitlines(), start=1)
        if "#" in line
    }
    assert said.keys() == expected.keys(), answer.stdout + answer.stderr
    for number, what in expected.items():
        kind, ending = ("error", f'"{what}"') if what in ("jugde", "alhpa") else ("note", f'{what}"')
        assert f": {kind}: " in said[number], said[number]
        assert (f".{ending}" if kind == "note" else ending) in said[number], said[number]
