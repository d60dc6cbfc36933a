"""Why folds failed, warnings and missing measures, in a few lines that are the same on every machine."""

from __future__ import annotations

import platform
import re
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bestofk.core.errors import BestOfKError, message_of
from bestofk.core.escapes import without_escapes
from bestofk.stores.notes import Notes, few

#: Rooms that every fold comes through.
OWN = tuple(Path(__file__).parents[2] / room for room in ("collecting", "sharing"))
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
    said = f"{error.wrong} ({error.where}) {error.fix}" if isinstance(error, BestOfKError) else message_of(error)
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


#: Packages whose version may change a result.
PACKAGES = ("bestofk", "numpy", "scipy", "scikit-learn")
#: Meant for authors of packages, as Python's own filters have it.
FOR_AUTHORS = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)


class Remarks:
    """Counts warnings of a learner, and reasons why measures could not be taken."""

    def __init__(self) -> None:
        self.warnings: Counter[str] = Counter()
        self.unscored: dict[str, Counter[str]] = {}

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Count warnings instead of showing them: there would be one per fold."""
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            for kind in FOR_AUTHORS:
                warnings.simplefilter("ignore", kind)
            warnings.showwarning = self._hear
            yield

    def _hear(self, message: Any, category: type[Warning], *place: Any, **rest: Any) -> None:
        first = next(iter(str(message).strip().splitlines()), "")
        self.warnings[shortened(portable(f"{category.__name__}: {first}"))] += 1

    def missing(self, reasons: Mapping[str, str]) -> None:
        """Count measures of one fold that could not be taken, by name."""
        for name, reason in reasons.items():
            self.unscored.setdefault(name, Counter())[reason] += 1

    def notes(self) -> Notes:
        """All of it, few of a kind."""
        return Notes(versions(), few(self.warnings), {name: few(each) for name, each in self.unscored.items()})


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
