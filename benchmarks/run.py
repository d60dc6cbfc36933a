"""Measure every row of the speed table, print it and write RESULTS.md.

``python -m benchmarks.run`` measures all; names of files in ``benchmarks/speed`` measure those alone and write nothing.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path

import benchmarks.speed  # noqa: F401  holds numpy to one thread, so it comes before everything that loads numpy
from benchmarks import report

ROWS = (
    "hotelling",
    "manova",
    "randomized_anova",
    "curves",
    "curves_study",
    "c45",
    "newman_keuls",
    "wilcoxon",
    "bayes_signed_rank",
    "imports",
    "command",
    "multitest",
    "across",
    "reading",
    "items",
    "stores",
    "collecting",
    "five_by_two_t",
)
RESULTS = Path(__file__).parent / "RESULTS.md"


def main(chosen: list[str]) -> None:
    """Measure the rows of the chosen files, or of all."""
    rows = []
    for name in chosen or ROWS:
        start = time.perf_counter()
        found = import_module(f"benchmarks.speed.{name}").rows()
        print(f"[{name}: {time.perf_counter() - start:.0f} s]\n{report.as_text(found)}\n", flush=True)
        rows += found
    print(report.as_text(rows), report.verdict(rows), sep="\n\n")
    if chosen:
        report.renew(rows, RESULTS)
    else:
        report.write(rows, RESULTS)
    print(f"written to benchmarks/{RESULTS.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
