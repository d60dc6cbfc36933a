"""Every kind of store that a URL can name, by its scheme; files and memory need none."""

from __future__ import annotations

from typing import Protocol

from bestofk.core.shelf import Shelf
from bestofk.stores.store import Store


class StoreMaker(Protocol):
    """Opens the store of a URL."""

    def __call__(self, url: str, *, create: bool) -> Store:
        """Open the store, making it where there is none if ``create``."""
        ...


def _stores() -> dict[str, StoreMaker]:
    from bestofk.stores.postgresql import PostgreSQLStore

    return {"postgresql": PostgreSQLStore}


STORES: Shelf[StoreMaker] = Shelf("stores", _stores)
