"""Many items: 40 models × 14,000 and 150 × 500 from a CSV, 10 × 1,000,000 from arrays; seconds and memory of a process.

``python -m benchmarks.speed.items`` measures these rows alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.speed.measure import Row

KINDS = ("right or wrong", "graded", "right or wrong, in groups")
#: At most so many seconds, and so much memory.
FROM_FILE, RANKED, FROM_ARRAYS, FROM_LOGS, MEMORY = 3.0, 2.0, 20.0, 20.0, 1.5e9
MAKE = """
import numpy as np

def outcomes(learners, items, kind):
    rng = np.random.default_rng(0)
    raw = rng.normal(size=(learners, items))
    raw += rng.normal(size=items) + np.linspace(-0.2, 0.2, learners)[:, None]
    return np.round(1.0 / (1.0 + np.exp(-raw)), 3) if kind == "graded" else (raw > 0).astype(float)
"""
CHILD = """
import json, re, sys, time
import bestofk as bk
kind, path, verb = sys.argv[1:]
if not path:
    values, names = outcomes(10, 1_000_000, kind), [f"model-{k}" for k in range(10)]
    groups = [f"g{i % 1000}" for i in range(1_000_000)] if "groups" in kind else None
start = time.process_time()
if path:
    made = bk.read(path, larger_is_better=True)
else:
    made = bk.Items(learners=names, values=values, groups=groups, measure="score", larger_is_better=True)
verdict = getattr(bk, verb)(made)
seconds = time.process_time() - start
peak = 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print(json.dumps({"seconds": seconds, "peak": peak, "test": verdict.test}))
"""


#: A folder for every model, lines of about 6,000 characters, as those of long prompts are.
LOGS = """
import json, sys
from pathlib import Path

text = 'a question "of many" words\\n ' * 100
for place, row in enumerate(outcomes(5, 14_000, "right or wrong").tolist()):
    path = Path(sys.argv[1]) / f"model-{place}" / "samples_long_2026-01-01T00-00-00.000000.jsonl"
    path.parent.mkdir(parents=True)
    with path.open("w") as file:
        for item, value in enumerate(row):
            asked = {f"gen_args_{k}": {"arg_0": text[:600], "arg_1": k} for k in range(4)}
            line = {"doc_id": item, "doc": {"question": text, "choices": [1, 2, 3, 4]}, "target": "1"}
            line |= {"arguments": asked, "resps": [[["-1.5", "False"]]] * 4, "filter": "none", "metrics": ["acc"]}
            line |= {"doc_hash": f"{item:064}", "prompt_hash": f"{item:064}", "acc": value}
            file.write(json.dumps(line) + "\\n")
"""


def rows() -> list[Row]:
    """Every kind of outcomes, from a file and from arrays."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            path = Path(folder) / "items.csv"
            _write(kind, path, 40, 14_000)
            found.append(_row(f"`read` and `judge`, a CSV of 40 models × 14,000 items, {kind}", kind, path, FROM_FILE))
        logs = Path(folder) / "logs"
        subprocess.run([sys.executable, "-c", MAKE + LOGS, logs], check=True)
        size = sum(path.stat().st_size for path in logs.rglob("*.jsonl"))
        what = f"`read` and `judge`, lm-eval logs of 5 models × 14,000 items, {size / 1e6:,.0f} MB"
        found.append(_row(what, "right or wrong", logs, FROM_LOGS))
        _write(KINDS[0], path, 150, 500)
        ranked = f"`read` and `rank`, a CSV of 150 models × 500 items, {KINDS[0]}"
        found.append(_row(ranked, KINDS[0], path, RANKED, "rank"))
    of = "`Items` and `judge`, 10 models × 1,000,000 items from arrays"
    return [*found, *(_row(f"{of}, {kind}", kind, "", FROM_ARRAYS) for kind in KINDS)]


WRITE = """
import sys
kind, path, models, items = sys.argv[1:]
with open(path, "w", encoding="utf-8") as file:
    file.write("model,item,group,score\\n" if "groups" in kind else "model,item,score\\n")
    for k, row in enumerate(outcomes(int(models), int(items), kind)):
        group = [f"g{i % 100}," if "groups" in kind else "" for i in range(len(row))]
        file.writelines(f"model-{k},q{i},{group[i]}{value:g}\\n" for i, value in enumerate(row))
"""


def _write(kind: str, path: Path, models: int, items: int) -> None:
    subprocess.run([sys.executable, "-c", MAKE + WRITE, kind, path, str(models), str(items)], check=True)


def _row(work: str, kind: str, path: str | Path, limit: float, verb: str = "judge") -> Row:
    answer = subprocess.run(
        [sys.executable, "-c", MAKE + CHILD, kind, path, verb], check=True, capture_output=True, text=True
    )
    found = json.loads(answer.stdout)
    assert found["peak"] <= MEMORY, f"{work}: {found['peak'] / 1e6:,.0f} MB"
    note = f"{found['test']}, peak memory {found['peak'] / 1e6:,.0f} MB"
    return Row(work, f"{limit:g} seconds", found["seconds"], limit, 1.0, ceiling=True, note=note)


if __name__ == "__main__":
    from benchmarks.report import as_text

    print(as_text(rows()))
