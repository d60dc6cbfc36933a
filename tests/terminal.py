"""A command at a terminal of 80 columns."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from pathlib import Path

import bestofk

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
