"""A command at a terminal of 80 columns."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import pty
import re
import struct
import sys
import termios
from pathlib import Path
from unittest import mock

import bestofk
from bestofk.cli import main

SIZE = {"COLUMNS": "80", "LINES": "40"}
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_terminal(folder: Path, *words: str, columns: int = 80) -> str:
    """All that ``bestofk``, run in a folder, writes to a terminal, without colours."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ.pop("COLUMNS", None)
        os.environ |= {"TERM": "xterm", "PYTHONPATH": str(Path(bestofk.__file__).parents[1])}
        os.execv(sys.executable, [sys.executable, "-m", "bestofk", *words])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    written = b""
    while True:
        try:
            read = os.read(fd, 65536)
        except OSError:  # how Linux tells that the other side has gone
            break
        if not read:
            break
        written += read
    os.close(fd)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    return ANSI.sub("", written.decode()).replace("\r\n", "\n")


class Terminal(io.StringIO):
    """What is written to it is kept, and it says that it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def at_terminal(*words: object) -> str:
    """The same within this process, whatever the exit code, as it is seen at the end."""
    screen = Terminal()
    with (
        mock.patch.dict("os.environ", SIZE),
        contextlib.redirect_stdout(screen),
        contextlib.redirect_stderr(screen),
        contextlib.suppress(SystemExit),
    ):
        main.main(args=[str(word) for word in words], prog_name="bestofk")
    lines = ANSI.sub("", screen.getvalue()).replace("\r\n", "\n").split("\n")
    return "\n".join(map(_seen, lines))


def _seen(line: str) -> str:
    """What is left of a line that was written over."""
    return next(filter(None, reversed(line.split("\r"))), "").rstrip()
