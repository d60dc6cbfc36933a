"""Opening a file of any size: hashed while it is read, unpacked where it is gzipped, its faults in three lines."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bestofk.core.errors import InputError
from bestofk.core.names import nearest


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


@contextmanager
def opened(path: Path) -> Iterator[HashedFile]:
    """Open a file to read its bytes, or say in three lines why that cannot be."""
    where = str(path)
    try:
        with open(path, "rb") as file:
            yield HashedFile(file, packed=path.suffix.lower() == ".gz")
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
