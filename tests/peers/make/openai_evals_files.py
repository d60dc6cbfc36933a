"""Logs of OpenAI's evals: the program is real, run by its own command; the questions and the models are invented.

Runs in an environment with evals. Usage: openai_evals_files.py SCRATCH_FOLDER. The times of events, and in the
specification the names of user and machine, are taken out.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from evals.api import CompletionFn, CompletionResult

PEERS = Path(__file__).resolve().parent.parent
SKILL = {"small": 0.5, "large": 0.9}  # chance to know the answer
MACHINE = ("created_by", "run_config", "created_at")
PAIRS = [(a, b) for a in (2, 3) for b in (4, 5, 6, 7)]


class Answer(CompletionResult):
    """What the model said."""

    def __init__(self, text):
        self.text = text

    def get_completions(self):
        """One answer."""
        return [self.text]


class Invented(CompletionFn):
    """Knows a sum with a given chance."""

    def __init__(self, name, **_):
        self.name = name

    def __call__(self, prompt, **_):
        """Answer a question such as ``2 + 4 =``."""
        a, b = (int(word) for word in prompt.removesuffix(" =").split(" + "))
        knows = random.Random(f"{self.name} {prompt}").random() < SKILL[self.name]
        return Answer(str(a + b if knows else a + b + 1))


def registry(folder):
    """An eval and two models, as evals keeps them."""
    samples = folder / "sums.jsonl"
    rows = [{"input": f"{a} + {b} =", "ideal": str(a + b)} for a, b in PAIRS]
    samples.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "evals").mkdir(exist_ok=True)
    (folder / "completion_fns").mkdir(exist_ok=True)
    evals = f"""
sums:
  id: sums.dev.v0
  metrics: [accuracy]
sums.dev.v0:
  class: evals.elsuite.basic.match:Match
  args: {{samples_jsonl: {samples}}}
"""
    (folder / "evals" / "sums.yaml").write_text(evals, encoding="utf-8")
    models = (f"{name}:\n  class: {Path(__file__).stem}:Invented\n  args: {{name: {name}}}\n" for name in SKILL)
    (folder / "completion_fns" / "models.yaml").write_text("".join(models), encoding="utf-8")


def kept(line):
    """A line without what tells of the machine."""
    line = {**line, "run_id": "r"} if "run_id" in line else line
    if "spec" in line:
        line["spec"] = {key: each for key, each in line["spec"].items() if key not in MACHINE} | {"run_id": "r"}
    return {key: "" if key in ("created_at", "created_by") else each for key, each in line.items()}


if __name__ == "__main__":
    scratch = Path(sys.argv[1]).resolve()
    registry(scratch)
    words = {"OPENAI_API_KEY": "none", "PYTHONPATH": str(Path(__file__).parent), "EVALS_THREADS": "1"}
    for name in SKILL:
        log = scratch / f"{name}.jsonl"
        command = [Path(sys.executable).with_name("oaieval"), name, "sums"]
        options = ["--registry_path", str(scratch), "--record_path", str(log)]
        subprocess.run([*command, *options], env={**os.environ, **words}, check=True)
        lines = map(json.loads, log.read_text("utf-8").splitlines())
        beside = PEERS / "openai_evals" / log.name
        beside.parent.mkdir(exist_ok=True)
        beside.write_text("".join(json.dumps(kept(line)) + "\n" for line in lines), encoding="utf-8")
