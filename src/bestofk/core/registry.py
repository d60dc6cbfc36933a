"""Named parts, found through entry points and loaded when first used.

Built-in parts are declared as entry points (``bestofk.<kind>`` in pyproject.toml) exactly as a plug-in's are:
a new part is a new file and one line of registration.
"""

from __future__ import annotations

from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from bestofk.core.errors import BestOfKError
from bestofk.core.names import unknown


class Registry:
    """All parts of one kind, for example every pairwise test.

    Examples
    --------
    >>> registry("adjust").load("holm")([0.01, 0.04])
    array([0.02, 0.04])
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind

    @cached_property
    def _entries(self) -> dict[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        for entry in entry_points(group=f"bestofk.{self.kind}"):
            # The same distribution can be seen twice (an editable install and its build): same target, no clash.
            if entry.name in found and found[entry.name].value != entry.value:
                raise BestOfKError(
                    f"two {self.kind} parts are called {entry.name!r}: {found[entry.name].value} and {entry.value}.",
                    f"entry points of group bestofk.{self.kind}",
                    "rename one of them, or remove one of the two packages.",
                )
            found[entry.name] = entry
        return dict(sorted(found.items()))

    def names(self) -> tuple[str, ...]:
        """Return the registered names in alphabetical order; loads nothing."""
        return tuple(self._entries)

    def load(self, name: str) -> Any:
        """Return the part of that name, importing its module now."""
        entries = self._entries
        if not isinstance(name, str) or name not in entries:
            raise unknown(name, entries, what=f"{self.kind} name", where=f"registry of {self.kind}")
        return entries[name].load()


@cache
def registry(kind: str) -> Registry:
    """Return the registry of one kind: ``pairwise``, ``omnibus``, ``ranges``, ``adjust``."""
    return Registry(kind)
