"""Many items: 40 models × 14,000 from a CSV, 10 × 1,000,000 from arrays; seconds and memory of a process of its own.

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
FROM_FILE, FROM_ARRAYS, MEMORY = 3.0, 20.0, 1.5e9
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
kind, path = sys.argv[1:]
if path:
    made = path
else:
    values, names = outcomes(10, 1_000_000, kind), [f"model-{k}" for k in range(10)]
    groups = [f"g{i % 1000}" for i in range(1_000_000)] if "groups" in kind else None
start = time.process_time()
if path:
    made = bk.read(path, larger_is_better=True)
else:
    made = bk.Items(learners=names, values=values, groups=groups, measure="score", larger_is_better=True)
verdict = bk.judge(made)
seconds = time.process_time() - start
peak = 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print(json.dumps({"seconds": seconds, "peak": peak, "test": verdict.test}))
"""


def rows() -> list[Row]:
    """Every kind of outcomes, from a file and from arrays."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            path = Path(folder) / "items.csv"
            subprocess.run([sys.executable, "-c", MAKE + WRITE, kind, path], check=True)
            found.append(_row(f"`read` and `judge`, a CSV of 40 models × 14,000 items, {kind}", kind, path, FROM_FILE))
    of = "`Items` and `judge`, 10 models × 1,000,000 items from arrays"
    return [*found, *(_row(f"{of}, {kind}", kind, "", FROM_ARRAYS) for kind in KINDS)]


WRITE = """
import sys
kind, path = sys.argv[1:]
with open(path, "w", encoding="utf-8") as file:
    file.write("model,item,group,score\\n" if "groups" in kind else "model,item,score\\n")
    for k, row in enumerate(outcomes(40, 14_000, kind)):
        group = [f"g{i % 100}," if "groups" in kind else "" for i in range(len(row))]
        file.writelines(f"model-{k},q{i},{group[i]}{value:g}\\n" for i, value in enumerate(row))
"""


def _row(work: str, kind: str, path: str | Path, limit: float) -> Row:
    answer = subprocess.run(
        [sys.executable, "-c", MAKE + CHILD, kind, path], check=True, capture_output=True, text=True
    )
    found = json.loads(answer.stdout)
    assert found["peak"] <= MEMORY, f"{work}: {found['peak'] / 1e6:,.0f} MB"
    note = f"{found['test']}, peak memory {found['peak'] / 1e6:,.0f} MB"
    return Row(work, f"{limit:g} seconds", found["seconds"], limit, 1.0, ceiling=True, note=note)


if __name__ == "__main__":
    from benchmarks.report import as_text

    print(as_text(rows()))
