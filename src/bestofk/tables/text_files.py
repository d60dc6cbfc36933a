"""Files of any size: hashed while they are read, unpacked where they are gzipped, and text in blocks of whole lines.

Memory is bounded, and every fault of the bytes is named by its line.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from bestofk.core.errors import InputError
from bestofk.core.names import nearest

BLOCK = 1 << 16  # bytes; small blocks stay in the cache of the processor
MOST_CHARACTERS = 100_000  # in one line of a table

_GZIP = b"\x1f\x8b"
_SQLITE = b"SQLite format 3\0"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
#: How files begin that came in the place of others, what they are, and what to do.
_OTHERS = {
    b"<!doctype html": ("a page of HTML", "download the file itself, or export CSV or JSON."),
    b"<html": ("a page of HTML", "download the file itself, or export CSV or JSON."),
    b"evalid:": ("promptfoo's YAML", "write JSON: promptfoo eval -o results.json."),
    b"<?xml": ("a file of XML", "export CSV or JSON."),
    b"version https://git-lfs": ("a pointer of Git LFS, and not the file itself", "get the file: git lfs pull."),
}


class HashedFile:
    """Bytes of an open file, unpacked, and the SHA-256 of the bytes on disk read so far."""

    def __init__(self, file: BinaryIO, *, packed: bool) -> None:
        self._raw = _Hashing(file)
        self._file = gzip.GzipFile(fileobj=self._raw, mode="rb") if packed else self._raw  # type: ignore[call-overload]

    def read(self, size: int = -1) -> bytes:
        """Read at most ``size`` bytes; all of them when it is negative."""
        return bytes(self._file.read(size))

    @property
    def sha256(self) -> str:
        """Hash of what has been read: of the whole file once it is at its end."""
        return self._raw.digest.hexdigest()


class _Hashing:
    def __init__(self, file: BinaryIO) -> None:
        self.digest = hashlib.sha256()
        self._file = file

    def read(self, size: int = -1) -> bytes:
        block = self._file.read(size)
        self.digest.update(block)
        return block


#: Copies of pipes by path and number, deleted when they are forgotten or the process ends.
_COPIES: dict[tuple[str, int], IO[bytes]] = {}
#: Where a system shows open files, of which those without a name can be opened once more.
_OPEN_FILES = Path("/proc/self/fd")
#: Where the pipes are that nobody can feed again, such as the standard input.
_OF_PROCESS = ("/dev/", "/proc/")
#: Seconds until a program must have opened a pipe that it is to write to.
PATIENCE = 60.0


def _is_pipe(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):  # who opens it says why
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def first_bytes(path: Path, most: int) -> bytes:
    """The first bytes of a file, or of a pipe, of which no more is read."""
    if not _is_pipe(path):
        with path.open("rb") as file:
            return file.read(most)
    found = bytearray()
    for block in _blocks(path):
        found += block
        if len(found) >= most:
            break
    return bytes(found[:most])


def on_disk(path: Path) -> Path:
    """A path that can be read more than once: that of a copy where it is a pipe, which gives its bytes only once."""
    if not _is_pipe(path):
        return path
    key = (str(path), path.stat().st_ino)
    if key not in _COPIES:
        _COPIES[key] = _copied(path)
    return _place(_COPIES[key])


@contextmanager
def pipes_read_once() -> Iterator[None]:
    """Read every pipe once, however often it is asked for; what pipes gave that may be fed again is then forgotten."""
    try:
        yield
    finally:
        for key in [each for each in _COPIES if not each[0].startswith(_OF_PROCESS)]:
            _COPIES.pop(key).close()


def _copied(path: Path) -> IO[bytes]:
    """A copy of what a pipe gives, which may take half of the room on the disk."""
    import shutil
    from tempfile import NamedTemporaryFile, TemporaryFile, gettempdir

    # Open as long as it is there; one without a name is gone with the process, however that ends.
    copy: IO[bytes] = TemporaryFile() if _OPEN_FILES.is_dir() else NamedTemporaryFile(prefix="bestofk-")  # noqa: SIM115
    try:
        _copy(path, copy, shutil.disk_usage(gettempdir()).free // 2, gettempdir())
    except BaseException:
        copy.close()
        raise
    return copy


def _copy(path: Path, copy: IO[bytes], most: int, folder: str) -> None:
    taken = 0
    for block in _blocks(path):
        taken += len(block)
        if taken > most:
            wrong = f"more than {most / 1e9:,.1f} GB come, half of what is free in {folder}."
            raise InputError(wrong, str(path), "write it to a file, and name that.")
        copy.write(block)
    copy.flush()


def _blocks(path: Path) -> Iterator[bytes]:
    """What a pipe gives. One with a name waits for a program that opens it, which may then take its time."""
    named, end = not str(path).startswith(_OF_PROCESS), time.monotonic() + PATIENCE
    with open(os.open(path, os.O_RDONLY | (os.O_NONBLOCK if named else 0)), "rb", buffering=0) as pipe:
        if named:
            while (first := pipe.read(BLOCK)) == b"":  # None, where a program has opened it and not written yet
                if time.monotonic() > end:
                    wrong = f"no program has written to this pipe in {PATIENCE:g} seconds."
                    raise InputError(wrong, str(path), "start the program that writes to it, and run this again.")
                time.sleep(0.05)
            os.set_blocking(pipe.fileno(), True)
            yield first or b""
        while block := pipe.read(BLOCK):
            yield block


def _place(copy: IO[bytes]) -> Path:
    return Path(copy.name) if isinstance(copy.name, str) else _OPEN_FILES / str(copy.fileno())


@contextmanager
def opened(path: Path) -> Iterator[HashedFile]:
    """Open a file to read its bytes, or say in three lines why that cannot be."""
    where = str(path)
    try:
        with open(on_disk(path), "rb") as file:
            yield HashedFile(file, packed=path.suffix.lower() == ".gz" or file.peek(2)[:2] == _GZIP)
    except FileNotFoundError:
        raise InputError("there is no such file.", where, _other_path(path)) from None
    except IsADirectoryError:
        raise InputError("this is a folder.", where, "name a file in it.") from None
    except PermissionError:
        raise InputError("the file may not be read.", where, "give yourself the right to read it.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"the gzip file is damaged: {error}.", where, "pack it again, or give it unpacked.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"the file cannot be read: {reason}.", where, "check the path and the disk.") from None


def _other_path(path: Path) -> str:
    folder = path.parent
    near = nearest(path.name, [each.name for each in folder.iterdir()]) if folder.is_dir() else None
    return f"check the path; did you mean {near!r}?" if near else "check the path."


def text_blocks(file: HashedFile, source: str, *, longest: int = MOST_CHARACTERS) -> Iterator[str]:
    """Yield the text of a file in blocks that end with a line; the last line gets an end where it has none."""
    line, offset = 1, 0
    for block in _blocks_of_lines(file, source, longest):
        _refuse_other_encodings(block, source, line, first=offset == 0)
        text = _decoded(block, source, line, offset)
        if len(text) > longest:
            _refuse_long_lines(text, source, line, longest)
        offset += len(block)
        line += _line_ends(text)
        text = text.removeprefix("\ufeff") if offset == len(block) else text
        if text:
            yield text if text.endswith(("\n", "\r")) else text + "\n"


def whole_text(file: HashedFile, source: str) -> str:
    """Return the text of a whole file, its encoding checked like that of a table."""
    block = file.read()
    _refuse_other_encodings(block, source, 1, first=True)
    return _decoded(block, source, 1, 0).removeprefix("\ufeff")


def _blocks_of_lines(file: HashedFile, source: str, longest: int) -> Iterator[bytes]:
    rest = b""
    lines = 1
    while block := file.read(BLOCK):
        rest += block
        # A carriage return at the very end may be half of a line end: it waits for the next block.
        cut = max(rest.rfind(b"\n"), rest.rfind(b"\r", 0, len(rest) - 1)) + 1
        if cut:
            lines += rest.count(b"\n", 0, cut)
            yield rest[:cut]
            rest = rest[cut:]
        if len(rest) > 4 * longest:  # a character has at most four bytes
            raise _long_line(f"more than {longest:,}", source, lines)
    if rest:
        yield rest


def _refuse_other_encodings(block: bytes, source: str, line: int, *, first: bool) -> None:
    if first and block.startswith(_UTF16):
        raise InputError("the file is in UTF-16.", source, "save it as UTF-8.")
    if first and block.startswith(_SQLITE):
        raise InputError(
            "it is a database of SQLite, and no store of results.",
            source,
            "give a store that bestofk collect made, or export the table to CSV.",
        )
    start = block[:64].removeprefix(b"\xef\xbb\xbf").lstrip().lower() if first else b""
    for begin, (what, fix) in _OTHERS.items():
        if start.startswith(begin):
            raise InputError(f"this is {what}.", source, fix)
    if b"\0" in block:
        at = line + _line_ends(block[: block.index(b"\0")].decode("latin-1"))
        raise InputError(
            "the file is binary: it has a NUL byte.",
            f"{source}, line {at}",
            "give a text file in UTF-8, or name the file by its kind: .parquet, .xlsx, .gz.",
        )


def _decoded(block: bytes, source: str, line: int, offset: int) -> str:
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        at = line + _line_ends(block[: error.start].decode("latin-1"))
        raise InputError(
            f"byte {offset + error.start:,} is 0x{block[error.start]:02x}, which is not UTF-8.",
            f"{source}, line {at}",
            "save the file as UTF-8.",
        ) from None


def _refuse_long_lines(text: str, source: str, line: int, longest: int) -> None:
    for number, each in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=line):
        if len(each) > longest:
            raise _long_line(f"{len(each):,}", source, number)


def _long_line(characters: str, source: str, line: int) -> InputError:
    return InputError(
        f"a line has {characters} characters.", f"{source}, line {line}", "give a table with one row per result."
    )


def _line_ends(text: str) -> int:
    if "\r" not in text:
        return text.count("\n")
    return text.count("\n") + text.count("\r") - text.count("\r\n")
