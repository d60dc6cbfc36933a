"""Judge many draws of every design and write the table. Cells that are measured are kept: run again to go on."""

from __future__ import annotations

import argparse
import resource
import time
from functools import partial
from pathlib import Path

from benchmarks.calibration.verdict.study import Counts, Figures, cells, figures, kept
from benchmarks.calibration.verdict.table import written

TABLE = Path(__file__).parents[1] / "VERDICTS.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration.verdict", description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000, help="verdicts per cell")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--only", default="", help="part of a design's name")
    parser.add_argument("--into", type=Path, default=TABLE, help="file to write; beside it .jsonl, with what is kept")
    chosen = parser.parse_args()
    started, every, found = time.perf_counter(), cells(chosen.only), {}
    file = chosen.into.with_suffix(".jsonl")
    of_cell = partial(figures, chosen.only)
    for position, result in kept(file, [cell.name for cell in every], of_cell, chosen.runs, chosen.workers):
        cell, found[position] = every[position], result
        for counts in _counts(cell, result):
            rates = "  ".join(f"{name} {counts.rate(name):.3f}" for name in counts.broken)
            broken = "" if all(map(counts.holds, counts.broken)) else "  <<<"
            told = f"{cell.name}{', preference' if counts.preference else ''}"
            print(f"[{len(found)}/{len(every)}] {rates}  decided {counts.power:.2f}  {told}{broken}", flush=True)
    before = chosen.into.read_text("utf-8") if chosen.into.exists() else ""
    counted = [each for i, cell in enumerate(every) for each in _counts(cell, found[i])]
    chosen.into.write_text(written(counted, before), "utf-8")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{chosen.into.name} written after {time.perf_counter() - started:.0f} s, "
        f"{used.ru_utime + used.ru_stime:.0f} s of processor time"
    )
    file.unlink()
    return 0


def _counts(cell: object, result: tuple[Figures, ...]) -> list[Counts]:
    return [Counts(cell, preference, *each) for preference, each in zip((False, True), result, strict=True)]


if __name__ == "__main__":
    raise SystemExit(main())
