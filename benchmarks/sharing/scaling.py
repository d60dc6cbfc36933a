"""How collecting with shared work scales: two workers against one, cost in the number of runs, memory.

``python -m benchmarks.sharing.scaling`` measures all, prints the table and writes SCALING.md beside this file; names of
rows (``workers runs memory``) measure those and write nothing. Every row is a function that runs alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import benchmarks.sharing  # noqa: F401  holds numpy to one thread
from benchmarks.sharing.sets import folder

RESULTS = Path(__file__).parent / "SCALING.md"
LEARNERS = ("max", "nmc", "nn", "lda", "naive-bayes")
SETS = ("wine", "glass", "pima", "segment", "wave")
#: Runs of 5 × 2 folds; a run is five replications.
RUNS, MORE = 100, 4
#: The paper's own number of runs: the start of the workers, seconds each, is then as small a part as it is in practice.
PAPER = 1000
#: Times that one worker and two take turns: wall seconds follow whatever else the machine does.
TURNS = 3
HEAD = "| what | measured | demanded | |\n|---|---|---|---|"
WORDS = """# Scaling of collecting with shared work

{learners} on {sets} ({runs:,} runs of 5 × 2 and {more} times as many; {paper:,} for the workers), into an
SQLite file, wall seconds of the whole command with the start of the workers. Load of the machine's {cores} cores
before the first row: {load}.

"""


@dataclass(frozen=True)
class Row:
    """One line of the table; ``met`` says whether the demand is."""

    what: str
    measured: str
    demanded: str
    met: bool

    def __str__(self) -> str:
        return f"| {self.what} | {self.measured} | {self.demanded} | {'met' if self.met else '**missed**'} |"


def workers_row(runs: int = PAPER) -> Row:
    """Wall seconds of one worker and of two over the same plan, in turns: the middle one of several ratios."""
    turns = [tuple(_collected(runs, f"local:{workers}").seconds for workers in (1, 2)) for _ in range(TURNS)]
    ratios = sorted(one / two for one, two in turns)
    shown = ", ".join(f"{one:.1f} s and {two:.1f} s" for one, two in turns)
    middle = ratios[TURNS // 2]
    return Row("2 workers against 1", f"{middle:.2f}×, the middle one of {shown}", "≥ 1.8×", middle >= 1.8)


def runs_row(runs: int = RUNS) -> Row:
    """CPU seconds of one process for so many runs and for several times as many."""
    few, many = (_collected(each, "serial").cpu for each in (runs, MORE * runs))
    shown = f"{MORE} times the runs cost {many / few:.2f} times the CPU ({few:.1f} s, {many:.1f} s)"
    return Row("cost in runs", shown, f"≤ {1.1 * MORE:.1f} times", many / few <= 1.1 * MORE)


def memory_row(runs: int = RUNS) -> Row:
    """Peak memory of one process for so many runs and for several times as many."""
    few, many = (_collected(each, "serial").peak for each in (runs, MORE * runs))
    shown = f"{few:,.0f} MB; {many:,.0f} MB with {MORE} times the runs"
    return Row("peak memory", shown, "within 10 %", many <= 1.1 * few)


ROWS = {"workers": workers_row, "runs": runs_row, "memory": memory_row}


@dataclass(frozen=True)
class Collected:
    """What a command took: wall and CPU seconds, and the peak of its memory in megabytes."""

    seconds: float
    cpu: float
    peak: float


def _collected(runs: int, engine: str) -> Collected:
    """Collect in a process of its own, so that its memory and time are its own too."""
    code = f"from benchmarks.sharing.scaling import collect; collect({runs}, {engine!r})"
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    cpu, peak = map(float, done.stdout.split())
    return Collected(time.perf_counter() - start, cpu, peak)


def collect(runs: int, engine: str) -> None:
    """Collect the plan, and print CPU seconds of this process and the peak of its memory in megabytes."""
    import resource
    import tempfile

    import bestofk as bk
    from bestofk.design.datasets.files import looking_in

    with looking_in(str(folder())), tempfile.TemporaryDirectory() as room:
        plan = bk.Plan(list(LEARNERS), list(SETS), folds=f"{5 * runs}x2", seed=1)
        bk.collect(plan, Path(room) / "r.db", engine=engine, progress=False)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1000)


def main(chosen: list[str]) -> None:
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    _collected(10, "serial")  # loops are compiled and on disk
    found = []
    for name in chosen or ROWS:
        found.append(ROWS[name]())
        print(found[-1], flush=True)
    if not chosen:
        words = {"learners": ", ".join(LEARNERS), "sets": ", ".join(SETS), "runs": RUNS, "more": MORE, "paper": PAPER}
        head = WORDS.format(**words, cores=os.cpu_count(), load=load)
        RESULTS.write_text(head + "\n".join([HEAD, *map(str, found)]) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
