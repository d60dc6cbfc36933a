"""A store by its address: a path, ``memory:``, or a URL."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Protocol

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.passwords import remember
from bestofk.core.shelf import Shelf
from bestofk.stores.store import SQLITE_APPLICATION, Store

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]+)://")
#: How libpq writes an address otherwise.
_KEYWORDS = re.compile(r"(?:.*\s)?(?:host|hostaddr|port|user|password|dbname|service)\s*=", re.DOTALL)
_ALIASES = {"postgres": "postgresql"}


class StoreMaker(Protocol):
    """Opens the store of a URL."""

    def __call__(self, url: str, *, create: bool) -> Store:
        """Open the store, making it where there is none if ``create``."""
        ...


def _stores() -> dict[str, StoreMaker]:
    from bestofk.stores.postgresql import PostgreSQLStore

    return {"postgresql": PostgreSQLStore}


STORES: Shelf[StoreMaker] = Shelf("stores", _stores)


def open_store(url: str | Path, *, create: bool = True) -> Store:
    """Open a store, making it where there is none unless ``create`` is False.

    ``memory:`` is a new one in memory; ``postgresql://user@host/database`` a PostgreSQL database; ``name://…`` a store
    of another package (entry points ``bestofk.stores``: a function of url and create); everything else is the
    path of an SQLite file.

    Examples
    --------
    >>> open_store("memory:").url
    'memory:'
    """
    text = str(url).strip() if isinstance(url, str | Path) else ""
    if not text:
        raise InputError(f"the store is {url!r}.", "open_store, argument url", "give a path such as results.db.")
    remember(text)
    scheme = _SCHEME.match(text) if isinstance(url, str) else None
    if isinstance(url, str) and text in ("memory:", ":memory:"):
        from bestofk.stores.memory import MemoryStore

        return MemoryStore()
    if scheme is not None:
        return _by_scheme(scheme[1].lower(), text, create)
    if _KEYWORDS.match(text):
        raise InputError(f"the store is {text}.", "opening a store", "write postgresql://user@host:5432/database.")
    from bestofk.stores.sqlite.store import SQLiteStore

    return SQLiteStore(Path(os.path.expanduser(text)), create=create)


def is_store(source: object) -> bool:
    """Whether a source of results names a store that is there: the file of one, or the URL of a database.

    Examples
    --------
    >>> is_store("postgresql://localhost/results"), is_store("results.csv")
    (True, False)
    """
    if not isinstance(source, str | Path):
        return False
    scheme = _SCHEME.match(source) if isinstance(source, str) else None
    if scheme is not None:
        name = scheme[1].lower()
        return _ALIASES.get(name, name) in STORES
    path = os.path.expanduser(source)
    if not os.path.isfile(path):
        return False  # a pipe gives its first bytes only once
    try:
        with open(path, "rb") as file:
            start = file.read(72)  # nothing is opened as a database, or locked
    except OSError:
        return False
    return start.startswith(b"SQLite format 3\0") and start[68:] == SQLITE_APPLICATION.to_bytes(4, "big")


def _by_scheme(scheme: str, url: str, create: bool) -> Store:
    scheme = _ALIASES.get(scheme, scheme)
    if scheme not in STORES:
        raise unknown(scheme, STORES, what="kind of store", where=f"{scheme}://…")
    return STORES[scheme](url, create=create)
