"""Runs of HELM: the program and its scenario simple_mcqa are real, run by its own command; the two models are invented.

Runs in an environment with crfm-helm. Usage: helm_files.py SCRATCH_FOLDER. Questions are asked as they are and in small
letters. Of the statistics a few are kept, without what follows from mean and count, and of times nothing.
"""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

from helm.clients.simple_client import SimpleClient

PEERS = Path(__file__).resolve().parent.parent
SKILL = {"small": 0.4, "large": 0.9}  # chance to know the answer
KEPT = ("exact_match", "prefix_exact_match", "num_prompt_tokens", "num_completion_tokens", "num_output_tokens")
KEPT += ("inference_runtime", "training_co2_cost", "logprob")
OF_STAT = ("name", "count", "mean")


class Invented(SimpleClient):
    """Knows with a given chance whether a number is even."""

    def invoke_model(self, raw_request):
        """Answer A for even and B for odd."""
        asked = re.findall(r"is (\d+) even", raw_request["prompt"], re.IGNORECASE)
        name, number = raw_request["engine"], int(asked[-1])
        knows = random.Random(f"{name} {number}").random() < SKILL[name]
        return {"completions": ["AB"[(number + (not knows)) % 2]] * raw_request["num_completions"]}


def deployments(folder):
    """The models, as HELM is told of them."""
    models = [{"name": f"org/{name}", "display_name": name, "description": "", "access": "open"} for name in SKILL]
    more = {"creator_organization_name": "org", "release_date": None, "tags": ["TEXT_MODEL_TAG"]}
    client = {"class_name": f"{Path(__file__).stem}.Invented"}
    runs = {"tokenizer_name": "simple/tokenizer1", "max_sequence_length": 2048, "client_spec": client}
    told = {
        "model_metadata": {"models": [each | more for each in models]},
        "model_deployments": {
            "model_deployments": [{"name": f"org/{n}", "model_name": f"org/{n}"} | runs for n in SKILL]
        },
    }
    for name, content in told.items():  # JSON is YAML
        (folder / f"{name}.yaml").write_text(json.dumps(content), encoding="utf-8")


def keep(folder, name):
    """Copy the two files that are read; folders of HELM have colons in their names."""
    kept = PEERS / "helm" / f"simple_mcqa_{name}"
    kept.mkdir(parents=True, exist_ok=True)
    rows = json.loads((folder / "per_instance_stats.json").read_text("utf-8"))
    for row in rows:
        stats = [stat for stat in row["stats"] if stat["name"]["name"] in KEPT]
        row["stats"] = [{key: stat[key] for key in OF_STAT if key in stat} for stat in stats]
        for stat in row["stats"]:
            stat |= {"mean": 0.5} if stat["name"]["name"] == "inference_runtime" else {}
    lines = ",\n".join(map(json.dumps, rows))
    (kept / "per_instance_stats.json").write_text(f"[{lines}]\n", encoding="utf-8")
    (kept / "run_spec.json").write_text((folder / "run_spec.json").read_text("utf-8"), encoding="utf-8")


if __name__ == "__main__":
    scratch = Path(sys.argv[1]).resolve()
    deployments(scratch)
    entries = [f"simple_mcqa:model=org/{name},data_augmentation=lower" for name in SKILL]
    command = [Path(sys.executable).with_name("helm-run"), "--suite", "s", "--max-eval-instances", "10"]
    options = ["--local-path", str(scratch), "--output-path", str(scratch / "out"), "--run-entries", *entries]
    words = {"PYTHONPATH": str(Path(__file__).parent)}
    subprocess.run([*command, *options], env={**os.environ, **words}, check=True)
    for name in SKILL:
        keep(next(scratch.glob(f"out/runs/s/*model=org_{name}*")), name)
