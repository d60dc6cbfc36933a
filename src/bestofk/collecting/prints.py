"""What learners print goes to stderr: stdout is for the answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress


def print_to_stderr() -> None:
    """Let all that this process prints go to stderr, also what compiled libraries print."""
    with suppress(OSError):  # a process without one of them has nothing to mend
        os.dup2(2, 1)


@contextmanager
def printing_to_stderr() -> Iterator[None]:
    """Let what is printed inside go to stderr, and stdout be as it was afterwards."""
    _flush()
    try:
        before = os.dup(1)
    except OSError:
        before = None
    if before is not None:
        print_to_stderr()
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _flush()
        if before is not None:
            os.dup2(before, 1)
            os.close(before)


def _flush() -> None:
    """Hand over what was printed so far, also by compiled libraries, which hold it back until a buffer is full."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
    with suppress(Exception):
        import ctypes

        ctypes.CDLL(None).fflush(None)
