"""Files written whole or not at all: under another name first, then put in place."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from bestofk.core.errors import InputError
from bestofk.reporting.document import Document


def write_whole(target: Path, document: Document) -> None:
    """Write what belongs beside the text first, the text last, so that no text names a file that is not there."""
    if not os.path.isdir(target.parent):  # which never raises, whatever the name
        raise InputError(f"there is no folder {target.parent}.", f"report, path {target}", "make it, or name another.")
    if os.path.isdir(target):
        raise InputError(f"{target} is a folder.", "report, path", "name a file in it.")
    waiting: dict[Path, Path] = {}
    try:
        for name, save in document.beside.items():
            place = target.parent / name
            waiting[place] = _aside(place)
            save(waiting[place])
        waiting[target] = _aside(target)
        waiting[target].write_text(document.text, encoding="utf-8", newline="\n")
        for place, aside in waiting.items():
            os.replace(aside, place)
    except OSError as error:
        raise InputError(
            f"the report cannot be written: {error.strerror or error}.",
            f"report, path {target}",
            "choose a folder where files may be made and that has room.",
        ) from None
    finally:
        for aside in waiting.values():
            with suppress(OSError):  # where nothing can be removed, nothing was written
                aside.unlink(missing_ok=True)


def _aside(place: Path) -> Path:
    """A name of its own in the same folder, with the same suffix: it says the kind of a picture."""
    return place.with_name(f".{place.stem}.{os.getpid()}.part{place.suffix}")
