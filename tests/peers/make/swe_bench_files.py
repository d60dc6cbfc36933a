"""Reports of SWE-bench: written by its harness, from outcomes of instances that are invented (no container was run).

Runs in an environment with swebench. Usage: swe_bench_files.py SCRATCH_FOLDER.
"""

import json
import os
import sys
from pathlib import Path

from swebench.harness.reporting import make_run_report

PEERS = Path(__file__).resolve().parent.parent
INSTANCES = [f"django__django-{number}" for number in range(10, 20)]
RESOLVED = {"small": 4, "large": 8}
RUN = "test"


def report(model, resolved):
    """All instances but the last two are run; the one before the last has an empty patch, the last no prediction."""
    for place, name in enumerate(INSTANCES[:-2]):
        folder = Path("logs/run_evaluation") / RUN / model / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").write_text(json.dumps({name: {"resolved": place < resolved}}), encoding="utf-8")
    patches = dict.fromkeys(INSTANCES[:-2], "diff") | {INSTANCES[-2]: ""}
    about = {"model_name_or_path": model}
    predictions = {name: {**about, "instance_id": name, "model_patch": patch} for name, patch in patches.items()}
    make_run_report(predictions, [{"instance_id": name} for name in INSTANCES], RUN, report_dir=PEERS / "swe_bench")


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    for model, resolved in RESOLVED.items():
        report(model, resolved)
