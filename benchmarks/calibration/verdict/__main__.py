"""Judge many draws of every design and write the table."""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from benchmarks.calibration.verdict.study import Counts, cells, figures
from benchmarks.calibration.verdict.table import written

TABLE = Path(__file__).parents[1] / "VERDICTS.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration.verdict", description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000, help="verdicts per cell")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--only", default="", help="part of a design's name")
    parser.add_argument("--into", type=Path, default=TABLE, help="file to write")
    chosen = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # workers share the cores
    started, found = time.perf_counter(), {}
    every = cells(chosen.only)
    with ProcessPoolExecutor(chosen.workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(figures, chosen.only, i, chosen.runs): i for i in range(len(every))}
        for number, future in enumerate(as_completed(waiting), start=1):
            for preference, figures_of in zip((False, True), future.result(), strict=True):
                counts = found[waiting[future], preference] = Counts(every[waiting[future]], preference, *figures_of)
                rates = "  ".join(f"{name} {counts.rate(name):.3f}" for name in counts.broken)
                broken = "" if all(map(counts.holds, counts.broken)) else "  <<<"
                told = f"{counts.cell.name}{', preference' if preference else ''}"
                print(f"[{number}/{len(every)}] {rates}  decided {counts.power:.2f}  {told}{broken}", flush=True)
    chosen.into.write_text(written([found[i] for i in sorted(found)]), encoding="utf-8")
    print(f"{chosen.into.name} written after {time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
