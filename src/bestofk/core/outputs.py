"""What is written never takes the place of what it was made from, and is there as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bestofk.core.endings import IN_FOLDERS, ends
from bestofk.core.errors import InputError


def refuse_source(output: str | os.PathLike[str], sources: Iterable[object], *, where: str) -> None:
    """Refuse to write over a file that is one of the sources, by whatever name, or one of those in a folder of them.

    Sources that are no paths of files or folders, such as the address of a database, are passed over.
    """
    path = Path(output)
    if not _exists(path):
        return
    for source in sources:
        if isinstance(source, str | os.PathLike) and _exists(source) and _holds(Path(source), path):
            raise InputError(
                f"{path} is what is read{'' if os.path.isfile(source) else f', as a part of {source}'}: writing would "
                "replace it.",
                where,
                "write to another file.",
            )


ROOM = "choose a folder where files may be made and that has room."


@contextmanager
def written_whole(path: Path, what: str, fix: str = ROOM) -> Iterator[Path]:
    """Give a name to write under, which the path takes when all is written: a full disk leaves the old one, or none."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield aside
        os.replace(aside, path)
    except OSError as error:
        raise InputError(f"{what} cannot be written: {error.strerror or error}.", str(path), fix) from None
    finally:
        with suppress(OSError):  # where nothing can be removed, nothing was written
            aside.unlink(missing_ok=True)


def _exists(path: str | os.PathLike[str]) -> bool:
    return os.path.exists(path)  # which never raises, whatever the name


def _holds(source: Path, path: Path) -> bool:
    if not source.is_dir():
        return os.path.samefile(source, path)
    inside = source.resolve() in path.resolve().parents
    return inside and ends(path.name, IN_FOLDERS)
