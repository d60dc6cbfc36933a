"""Start-up: ``import bestofk`` beside ``import numpy``, each in fresh processes that take turns."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.speed.measure import Row

TURNS = 25
SCRIPT = """
import time
start = time.process_time()
import {modules}
print(time.process_time() - start)
"""
#: What is imported → the demand on it.
OURS = {"bestofk": 1.5, "bestofk.stats, bestofk.ordering": None}


def rows() -> list[Row]:
    best = dict.fromkeys(["numpy", *OURS], float("inf"))
    for turn in range(TURNS + 1):
        for modules in best:
            seconds = _seconds(modules)
            if turn:  # the first turn writes the byte code
                best[modules] = min(best[modules], seconds)
    return [
        Row(f"`import {modules}`", "`import numpy`", best[modules], best["numpy"], demanded, ceiling=True)
        for modules, demanded in OURS.items()
    ]


def _seconds(modules: str) -> float:
    command = [sys.executable, "-c", SCRIPT.format(modules=modules)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
