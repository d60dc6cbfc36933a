"""Start-up of the command: whole processes beside ``python -c "import numpy"``, taking turns."""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.speed.measure import Row

TURNS = 25
NUMPY = ("-c", "import numpy")
#: Arguments of the command → at most so many times numpy's start-up, and what is timed. A shelf is Python that imports
#: its parts, so that types and imports are checked: who lists all names loads all parts.
COMMANDS = {
    ("-m", "bestofk", "--help"): (2.0, "whole process"),
    ("-m", "bestofk", "list"): (2.0, "whole process, which loads every part of every shelf"),
}


def rows() -> list[Row]:
    best = dict.fromkeys([NUMPY, *COMMANDS], float("inf"))
    for turn in range(TURNS + 1):
        for arguments in best:
            seconds = _seconds(arguments)
            if turn:  # the first turn writes the byte code
                best[arguments] = min(best[arguments], seconds)
    return [
        Row(
            f"`bestofk {arguments[-1]}`",
            '`python -c "import numpy"`',
            best[arguments],
            best[NUMPY],
            demanded,
            ceiling=True,
            note=note,
        )
        for arguments, (demanded, note) in COMMANDS.items()
    ]


def _seconds(arguments: tuple[str, ...]) -> float:
    """CPU seconds of one process from start to end."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime
