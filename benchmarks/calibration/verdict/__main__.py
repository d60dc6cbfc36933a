"""Judge many draws of every design and write the table. Cells that are measured are kept: run again to go on."""

from __future__ import annotations

import argparse
import json
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from benchmarks.calibration.verdict.study import Counts, Figures, cells, figures
from benchmarks.calibration.verdict.table import written

TABLE = Path(__file__).parents[1] / "VERDICTS.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration.verdict", description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000, help="verdicts per cell")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--only", default="", help="part of a design's name")
    parser.add_argument("--into", type=Path, default=TABLE, help="file to write; beside it .jsonl, with what is kept")
    chosen = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # workers share the cores
    started, every = time.perf_counter(), cells(chosen.only)
    kept = chosen.into.with_suffix(".jsonl")
    found = _known(kept, chosen.runs)
    with ProcessPoolExecutor(chosen.workers, mp_context=get_context("spawn")) as pool, kept.open("a") as file:
        waiting = {
            pool.submit(figures, chosen.only, i, chosen.runs): i
            for i, cell in enumerate(every)
            if cell.name not in found
        }
        for number, future in enumerate(as_completed(waiting), start=1):
            cell, result = every[waiting[future]], future.result()
            found[cell.name] = result
            file.write(json.dumps([cell.name, chosen.runs, result]) + "\n")
            file.flush()
            for counts in _counts(cell, result):
                rates = "  ".join(f"{name} {counts.rate(name):.3f}" for name in counts.broken)
                broken = "" if all(map(counts.holds, counts.broken)) else "  <<<"
                told = f"{cell.name}{', preference' if counts.preference else ''}"
                print(f"[{number}/{len(waiting)}] {rates}  decided {counts.power:.2f}  {told}{broken}", flush=True)
    chosen.into.write_text(written([each for cell in every for each in _counts(cell, found[cell.name])]), "utf-8")
    print(f"{chosen.into.name} written after {time.perf_counter() - started:.0f} s")
    kept.unlink()
    return 0


def _counts(cell: object, result: tuple[Figures, ...]) -> list[Counts]:
    return [Counts(cell, preference, *each) for preference, each in zip((False, True), result, strict=True)]


def _known(kept: Path, runs: int) -> dict[str, tuple[Figures, ...]]:
    """Figures of cells that were measured before, with as many verdicts."""
    lines = kept.read_text().splitlines() if kept.exists() else []
    return {name: result for name, number, result in map(json.loads, lines) if number == runs}


if __name__ == "__main__":
    raise SystemExit(main())
