"""Reading a CSV of 15 million folds into evidence: seconds, and memory, which must not grow with the file's text.

``python -m benchmarks.speed.reading 1_000_000`` tries another number of rows.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.speed.measure import Row

ROWS = 15_000_000
LEARNERS, FOLDS, REPLICATIONS = 30, 10, 10
# VmHWM is the peak of this program; ru_maxrss would remember how large the process was that started it.
CHILD = """
import json, re, sys, time
import bestofk
start = time.process_time()
evidence = bestofk.read(sys.argv[1])
seconds = time.process_time() - start
peak = 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print(json.dumps({"seconds": seconds, "peak": peak, "evidence": repr(evidence)}))
"""


def rows(number: int = ROWS) -> list[Row]:
    """Write the file, read it in a process of its own, whose largest memory is the peak."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.csv"
        _write(path, number)
        answer = subprocess.run([sys.executable, "-c", CHILD, path], check=True, capture_output=True, text=True)
        size = path.stat().st_size
    found = json.loads(answer.stdout)
    assert f"{LEARNERS} learners" in found["evidence"]
    peak = found["peak"]
    note = f"a file of {size / 1e6:,.0f} MB, peak memory {peak / 1e6:,.0f} MB: {peak / number:.0f} bytes a row"
    return [Row(f"`bestofk.read`, a CSV of {number:,} folds", "", found["seconds"], note=note)]


def _write(path: Path, number: int) -> None:
    """Rows of learners on data sets, with scores that hardly repeat."""
    with path.open("w", encoding="utf-8") as file:
        file.write("learner,dataset,replication,fold,error\n")
        for start in range(0, number, 100_000):
            file.writelines(map(_row, range(start, min(start + 100_000, number))))


def _row(number: int) -> str:
    rest, fold = divmod(number, FOLDS)
    rest, replication = divmod(rest, REPLICATIONS)
    dataset, learner = divmod(rest, LEARNERS)
    score = number * 7919 % 1_000_003 / 1_000_003
    return f"learner-{learner},data set {dataset},{replication + 1},{fold + 1},{score:.6f}\n"


if __name__ == "__main__":
    from benchmarks.report import as_text

    print(as_text(rows(int(sys.argv[1].replace("_", "")) if len(sys.argv) > 1 else ROWS)))
