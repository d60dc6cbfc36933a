"""A store in memory that stands for a table."""

from __future__ import annotations

from bestofk.stores.memory import MemoryStore


class TableStore(MemoryStore):
    """The cells of a table; ``plain`` where it is not a complete one, so that its cells can only be imported."""

    def __init__(self, *, plain: bool) -> None:
        super().__init__()
        self.plain = plain
