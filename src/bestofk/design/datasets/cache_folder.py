"""Where downloaded data sets are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bestofk.core.errors import InputError

VARIABLE = "BESTOFK_CACHE"


def cache_folder() -> Path:
    """Return ``BESTOFK_CACHE``, or the folder that the platform has for such things; it need not exist yet."""
    said = os.environ.get(VARIABLE)
    if said:
        return Path(said)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "bestofk"


def keep(path: Path, content: bytes) -> None:
    """Write a file so that it is there completely or not at all."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        raise InputError(
            f"the download cannot be kept: {error}.", str(path), f"make room, or set {VARIABLE} to another folder."
        ) from None
