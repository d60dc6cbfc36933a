"""Why a fold failed, in a few lines that are the same on every machine."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

from bestofk.core.errors import BestOfKError
from bestofk.core.escapes import without_escapes

#: Rooms that every fold comes through.
OWN = tuple(Path(__file__).parents[1] / room for room in ("collecting", "sharing"))
LONGEST, FRAMES = 400, 3
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
FOLDERS = re.compile(r"(?:[A-Za-z]:)?(?:[\\/][\w.\-+ ]+)+[\\/](?=[\w.\-+]+)")


def reason_of(error: BaseException) -> str:
    """List the last places an exception came through, by file name alone, then its type and message in one line.

    Examples
    --------
    >>> reason_of(ValueError("no file /home/someone/data/x.csv"))
    'ValueError: no file x.csv'
    """
    said = f"{error.wrong} ({error.where}) {error.fix}" if isinstance(error, BestOfKError) else str(error)
    message = shortened(portable(" ".join(said.split())))
    places = "".join(
        f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}\n" for frame in _frames_of_others(error)[-FRAMES:]
    )
    return places + f"{type(error).__name__}: {message}".removesuffix(": ")


def _frames_of_others(error: BaseException) -> list[traceback.FrameSummary]:
    """Where it came through, without the way here, which is the same for every fold."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if not any(room in Path(frame.filename).parents for room in OWN)]


def portable(text: str) -> str:
    """Leave out what differs from machine to machine: folders, addresses of objects, colours of a terminal."""
    return FOLDERS.sub("", ADDRESS.sub("", without_escapes(text)))


def shortened(text: str) -> str:
    """Cut a long text in the middle: what went wrong stands at its ends."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} … {text[-half:]}"
