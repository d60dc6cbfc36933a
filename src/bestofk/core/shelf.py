"""Shelves: the parts of one kind by name, bestofk's own and those that other packages bring.

Own parts stand on a shelf as plain references (``Shelf("adjust", {"holm": holm, …})``), so editors and mypy follow
them. Other packages bring theirs as entry points of the group ``bestofk.<kind>``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeVar

from bestofk.core.errors import BestOfKError
from bestofk.core.names import nearest, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Part = TypeVar("Part")

_GROUPS = "bestofk."
#: The kinds of parts that other packages can bring: ``bestofk list``.
KINDS = (
    *("pairwise", "omnibus", "ranges", "curves", "adjust", "ordering", "advice", "learners", "datasets", "folds"),
    *("layouts", "measures", "plots", "reports", "stores", "sharing", "replications"),
)


class Shelf(Mapping[str, Part]):
    """All parts of one kind, for example every pairwise test: own parts in the order given, then those of others.

    Where the modules of the parts are many, ``parts`` is a function that imports them, called at the first use.

    Examples
    --------
    >>> import math
    >>> shelf = Shelf("roundings", {"up": math.ceil, "down": math.floor})
    >>> shelf["up"](1.5), "sideways" in shelf, shelf.names()
    (2, False, ('up', 'down'))
    """

    def __init__(self, kind: str, parts: Mapping[str, Part] | Callable[[], Mapping[str, Part]]) -> None:
        self.kind = kind
        self._given = parts

    @cached_property
    def _own(self) -> Mapping[str, Part]:
        return self._given() if callable(self._given) else self._given

    @cached_property
    def _others(self) -> Mapping[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        for entry in _plug_ins().get(_GROUPS + self.kind, ()):
            # The same distribution can be seen twice (an editable install and its build): same target, no clash.
            before = found[entry.name].value if entry.name in found else entry.value
            if entry.name in self._own or before != entry.value:
                first = "bestofk's own" if entry.name in self._own else before
                raise BestOfKError(
                    f"two {self.kind} parts are called {entry.name!r}: {first} and {entry.value}.",
                    f"entry points of group {_GROUPS}{self.kind}",
                    "rename one of them, or remove the package that brings it.",
                )
            found[entry.name] = entry
        return dict(sorted(found.items()))

    def names(self) -> tuple[str, ...]:
        """Return all names; loads no part of another package."""
        return tuple(self)

    def __getitem__(self, name: str) -> Part:
        if name not in self:
            raise unknown(name, self, what=f"{self.kind} name", where=f"registry of {self.kind}")
        if name in self._own:
            return self._own[name]
        part: Part = self._others[name].load()
        return part

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._own or name in self._others)

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._others

    def __len__(self) -> int:
        return len(self._own) + len(self._others)


@cache
def _plug_ins() -> Mapping[str, tuple[EntryPoint, ...]]:
    """Entry points of other packages by group, looked for once in a process.

    Versions before the shelves registered their own parts: metadata of such an install may lie beside newer source.
    """
    from importlib.metadata import entry_points  # a twentieth of a second

    known = entry_points()
    groups = [group for group in known.groups if group.startswith(_GROUPS)]
    found = {group: known.select(group=group) for group in groups}
    brought = {group: tuple(e for e in each if not e.value.startswith("bestofk.")) for group, each in found.items()}
    for group, each in brought.items():
        if each and group.removeprefix(_GROUPS) not in KINDS:
            _warn_unknown(group, each[0])
    return brought


def _warn_unknown(group: str, entry: EntryPoint) -> None:
    near = nearest(group.removeprefix(_GROUPS), KINDS)
    hint = f"did you mean {_GROUPS}{near}?" if near else f"the kinds are {', '.join(KINDS)}."
    package = "" if entry.dist is None else f" of {entry.dist.name}"
    warnings.warn(f"{entry.name!r}{package} is not used: there is no group {group}; {hint}", stacklevel=2)
