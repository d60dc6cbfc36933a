"""The default store: one SQLite file."""

from bestofk.stores.sqlite.store import SQLiteStore

__all__ = ["SQLiteStore"]
