"""Run every study and write the table."""

from __future__ import annotations

import argparse
import time
from datetime import date
from pathlib import Path

from benchmarks.calibration.parallel import run_all
from benchmarks.calibration.study import Row
from benchmarks.calibration.table import written
from benchmarks.calibration.topics import STUDIES

TABLE = Path(__file__).with_name("TABLE.md")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("--effort", type=float, default=1.0, help="share of the runs; 1 for the table")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--into", type=Path, default=TABLE, help="file to write")
    chosen = parser.parse_args()
    started = time.perf_counter()
    results: dict[str, list[Row]] = {}
    for rows, seconds in run_all(chosen.effort, chosen.workers):
        results[rows[0].study.name] = rows
        contradicted = sum(not row.holds for row in rows)
        remark = f", {contradicted} CONTRADICTED" if contradicted else ""
        print(f"[{len(results):2}/{len(STUDIES)}] {seconds:6.1f} s  {rows[0].study.name}{remark}", flush=True)
    chosen.into.write_text(written(results, date.today().isoformat()), encoding="utf-8")
    print(f"{chosen.into.name} written after {time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
