"""Bytes of a file, unpacked where gzip packed them."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from bestofk.core.errors import InputError


def unpacked(path: Path, where: str) -> bytes:
    """Return the content of a file, unpacked where it is packed by gzip."""
    try:
        content = path.read_bytes()
        return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    except FileNotFoundError:
        raise InputError(f"there is no such file: {path}.", where, "complete the folder, or name another.") from None
    except EOFError:
        raise InputError(
            f"the file cannot be read: its gzip stream ends too early, after {len(content):,} bytes.",
            where,
            "copy or pack it again.",
        ) from None
    except (OSError, zlib.error) as error:
        raise InputError(f"the file cannot be read: {error}.", where, "check its rights, or pack it again.") from None
