"""Printing answers and errors: words and a table on a terminal, tabs in a pipe, JSON when asked for."""

from __future__ import annotations

import errno
import json
import os
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

import click

from bestofk.core.errors import glimpse
from bestofk.core.escapes import without_escapes
from bestofk.core.passwords import shown_address, without_passwords

if TYPE_CHECKING:
    from bestofk.reporting.tables import PlainTable


def as_argument(path: str) -> str:
    """A path or address as it can be typed, without a password; a dash at the begin would be taken for an option's.

    Examples
    --------
    >>> as_argument("-mine.toml"), as_argument("plan.toml")
    ('./-mine.toml', 'plan.toml')
    """
    return f"./{path}" if path.startswith("-") else shown_address(path)


def say(text: str, *, err: bool = False, nl: bool = True, styled: bool = False) -> None:
    """Print a text as every command does: nothing in it moves the terminal unless ``styled``."""
    click.echo(text if styled else without_escapes(text), err=err, nl=nl)


def show_json(answer: dict[str, Any]) -> None:
    """Print the answer as JSON."""
    say(json.dumps(answer, indent=2, ensure_ascii=False))


def show_error(parts: dict[str, str], *, as_json: bool) -> None:
    """Three lines on stderr, or one JSON object on stdout; words of the command may be in them, and so a password."""
    parts = {name: without_passwords(text) for name, text in parts.items()}
    if as_json:
        show_json(parts)
    else:
        said = f"{parts['wrong']}\n  where: {parts['where']}\n  to do: {parts['fix']}"
        say(said, err=True)


def cannot_write(error: Exception) -> bool:
    """Whether an error is that of a stream: all that is shown goes through click's echo."""
    from traceback import walk_tb

    *_, (frame, _) = walk_tb(error.__traceback__)
    return isinstance(error, OSError) and frame.f_code is click.echo.__code__


def show_unwritten(error: OSError) -> None:
    """Say on stderr that an answer could not be shown; a program that reads no more is told nothing."""
    if error.errno != errno.EPIPE:
        with suppress(OSError):  # stderr may be full as well
            show_error(
                {
                    "wrong": f"the answer cannot be written: {error.strerror}.",
                    "where": "the standard output",
                    "fix": "make room on the disk, or send the answer elsewhere, then run this again.",
                },
                as_json=False,
            )


def unusable(error: OSError) -> dict[str, str]:
    """What the system does not do with a file or folder, such as one whose name is too long."""
    wrong = f"{glimpse(error.filename)} cannot be used: {error.strerror}."
    return {"wrong": wrong, "where": "a file or folder", "fix": "check the name, the rights and the disk."}


def bug_report(error: Exception, words: Sequence[str]) -> dict[str, str]:
    """What is wrong with bestofk itself; how it came is written to a file, or to stderr where no file can be."""
    import traceback
    from tempfile import NamedTemporaryFile

    told = f"bestofk {' '.join(words)}\n\n{''.join(traceback.format_exception(error))}"
    try:
        with NamedTemporaryFile("w", prefix="bestofk-", suffix=".txt", delete=False, encoding="utf-8") as file:
            file.write(without_passwords(told))
        where = file.name
    except OSError:
        say(without_passwords(told), err=True)
        where = "above"
    return {
        "wrong": f"bestofk has a bug ({type(error).__name__}).",
        "where": where,
        "fix": "please report it to the project with what is written there.",
    }


def show_table(table: PlainTable) -> None:
    """Columns that fit a terminal, tab-separated lines in a pipe."""
    from bestofk.reporting.tables import aligned, tab_separated, wider_sentence

    if not sys.stdout.isatty():
        say(tab_separated(table))
        return
    shown = with_room(table)
    head, _, rows = aligned(shown).partition("\n")
    say(f"{head if NO_COLOR in os.environ else click.style(head, bold=True)}\n{rows}", styled=True)
    if out := [column for column in table.columns if column not in shown.columns]:
        say(f"\n{wider_sentence(out, terminal_width())}")


def with_room(table: PlainTable) -> PlainTable:
    """The table with the columns that the terminal has room for; in a pipe it has room for all."""
    from bestofk.reporting.tables import narrowed

    return narrowed(table, terminal_width(most=sys.maxsize)) if sys.stdout.isatty() else table


#: Set by people who want no colour: https://no-color.org.
NO_COLOR = "NO_COLOR"
#: The widest lines that are easily read.
WIDEST = 120


def terminal_width(most: int = WIDEST) -> int:
    """Columns of the terminal, as far as lines are easily read."""
    from shutil import get_terminal_size  # half a dozen kinds of archives are loaded with it

    return min(most, get_terminal_size().columns)


def wrapped(text: str, stream: TextIO, begin: str = "") -> str:
    """A text in lines that fit the terminal, or as one line in a pipe; words and paths stay whole."""
    if not stream.isatty():
        return begin + text
    indent = " " * len(begin or text[: len(text) - len(text.lstrip())])
    whole = textwrap.TextWrapper(terminal_width(), begin or indent, indent, break_on_hyphens=False)
    whole.break_long_words = False
    return whole.fill(text.strip())


def styled() -> Callable[[str, str], str] | None:
    """How a row is set by its state: the chosen one bold, worse ones dim; None where no colour is wanted."""
    if NO_COLOR in os.environ:
        return None
    return lambda row, state: click.style(row, bold=state == "chosen" or None, dim=state == "worse" or None)


def show_words(lines: list[str], *, beside_table: bool) -> None:
    """Words before a table; in a pipe the words of a mere table go to stderr, so that stdout stays tabs."""
    say("\n".join(lines), err=beside_table and not sys.stdout.isatty())


class Waiting:
    """A line on stderr for who watches a terminal and has waited two seconds: what is done, and for how long.

    It is written by a thread of its own, as one step of the work may take long.
    """

    AFTER, EVERY = 2.0, 1.0

    def __init__(self, text: str) -> None:
        self._text = text
        self._width = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._write, daemon=True)

    def __enter__(self) -> Waiting:
        if sys.stderr.isatty():
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._width:
            click.echo(f"\r{' ' * self._width}\r", nl=False, err=True)

    def at(self, done: int, total: int, what: str) -> None:
        """Say how far the work is."""
        self._text = f"{done:,} of {total:,}, {what}"

    def _write(self) -> None:
        begun = time.monotonic()
        pause = self.AFTER
        while not self._ended.wait(pause):
            line = f"{self._text}: {time.monotonic() - begun:.0f} s"
            click.echo(f"\r{line.ljust(self._width)}", nl=False, err=True)
            self._width, pause = max(self._width, len(line)), self.EVERY
