"""How long reading a table takes and how much memory: ``python -m benchmarks.reading --rows 15_000_000``.

The file is made in a temporary folder and read in a process of its own, whose largest memory is the peak.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LEARNERS, FOLDS, REPLICATIONS = 30, 10, 10
HEADER = "| rows | file | seconds | rows per second | peak memory | kept per row |\n|---|---|---|---|---|---|"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=lambda text: int(text.replace("_", "")), default=15_000_000)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measured(options.child)))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.csv"
        write_table(path, options.rows)
        command = [sys.executable, "-m", "benchmarks.reading", "--child", str(path)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(HEADER)
        print(as_row(found, path.stat().st_size))


def write_table(path: Path, rows: int) -> None:
    """Write rows of learners on data sets, with scores that hardly repeat."""
    with path.open("w", encoding="utf-8") as file:
        file.write("learner,dataset,replication,fold,error\n")
        for start in range(0, rows, 100_000):
            file.writelines(map(one_row, range(start, min(start + 100_000, rows))))


def one_row(number: int) -> str:
    rest, fold = divmod(number, FOLDS)
    rest, replication = divmod(rest, REPLICATIONS)
    dataset, learner = divmod(rest, LEARNERS)
    score = number * 7919 % 1_000_003 / 1_000_003
    return f"learner-{learner},data set {dataset},{replication + 1},{fold + 1},{score:.6f}\n"


def measured(path: Path) -> dict[str, float]:
    from bestofk.evidence.readers import table_from_file
    from bestofk.evidence.table import Text

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    table = table_from_file(path)
    seconds = time.perf_counter() - start
    kept = sum(each.codes.nbytes if isinstance(each, Text) else each.values.nbytes for each in table.columns.values())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"rows": len(table), "seconds": seconds, "kept": kept, "peak": peak * 1024, "before": before * 1024}


def as_row(found: dict[str, float], size: int) -> str:
    rows, seconds = int(found["rows"]), found["seconds"]
    return (
        f"| {rows:,} | {size / 1e6:,.0f} MB | {seconds:.1f} | {rows / seconds:,.0f} "
        f"| {found['peak'] / 1e6:,.0f} MB ({found['before'] / 1e6:,.0f} MB before) | {found['kept'] / rows:.0f} bytes |"
    )


if __name__ == "__main__":
    main()
