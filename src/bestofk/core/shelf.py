"""Shelves: the parts of one kind by name, bestofk's own and those that other packages bring.

Own parts stand on a shelf as plain references (``Shelf("adjust", {"holm": holm, …})``), so editors and mypy follow
them. Other packages bring theirs as entry points of the group ``bestofk.<kind>``.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from functools import cache, cached_property
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, TypeVar

from bestofk.core.errors import BestOfKError
from bestofk.core.names import nearest, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Part = TypeVar("Part")

_GROUPS = "bestofk."
#: The kinds of parts that other packages can bring, as ``bestofk list`` orders them, and where their shelves are.
SHELVES = {
    "pairwise": "bestofk.stats.pairwise:PAIRWISE",
    "omnibus": "bestofk.stats.omnibus:OMNIBUS",
    "ranges": "bestofk.stats.omnibus:RANGES",
    "curves": "bestofk.stats.curves:CURVES",
    "special": "bestofk.comparing.test_choice:SPECIAL",
    "adjust": "bestofk.stats.adjust:ADJUST",
    "ordering": "bestofk.ordering:ORDERINGS",
    "advice": "bestofk.advice.shelf:ADVICE",
    "learners": "bestofk.design.learners.shelf:LEARNERS",
    "datasets": "bestofk.design.datasets.shelf:DATASETS",
    "folds": "bestofk.design.folds.shelf:FOLDS",
    "layouts": "bestofk.evidence.layouts.shelf:LAYOUTS",
    "logs": "bestofk.evidence.logs:LOGS",
    "measures": "bestofk.measures.catalogue:MEASURES",
    "plots": "bestofk.plots.gallery:FIGURES",
    "reports": "bestofk.reporting.report:FORMATS",
    "stores": "bestofk.stores.address:STORES",
    "sharing": "bestofk.sharing.shelf:SHARING",
    "replications": "bestofk.replications.shelf:REPLICATIONS",
}


class Shelf(Mapping[str, Part]):
    """All parts of one kind, for example every pairwise test: own parts in the order given, then those of others.

    A part of another package that cannot be loaded is an error where it is asked for by its name; where all are looked
    through (``values``, ``items``) it is passed over, with one warning.

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

    def owns(self, name: str) -> bool:
        """Whether a part comes with bestofk, and not with another package."""
        return name in self._own

    def __getitem__(self, name: str) -> Part:
        if name not in self:
            raise unknown(name, self, what=f"{self.kind} name", where=f"registry of {self.kind}")
        if name in self._own:
            return self._own[name]
        return self._loaded(self._others[name])

    def _loaded(self, entry: EntryPoint) -> Part:
        try:
            part: Part = entry.load()
        except Exception as error:  # the code of another package can fail in any way
            raise BestOfKError(
                f"{entry.name!r}{_package(entry)} cannot be loaded: {type(error).__name__}: {error}.",
                f"entry point {entry.value} of group {_GROUPS}{self.kind}",
                "mend or update the package that brings it, or remove it.",
            ) from error
        return part

    @cached_property
    def _whole_others(self) -> Mapping[str, Part]:
        found: dict[str, Part] = {}
        for name, entry in self._others.items():
            try:
                found[name] = self._loaded(entry)
            except BestOfKError as error:
                warnings.warn(f"{error.wrong} It is not used ({error.where}).", stacklevel=2)
        return found

    def items(self) -> ItemsView[str, Part]:
        """All parts that can be loaded, by name."""
        return {**self._own, **self._whole_others}.items()

    def values(self) -> ValuesView[Part]:
        """All parts that can be loaded."""
        return {**self._own, **self._whole_others}.values()

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
    if not _may_be_some():
        return {}
    from importlib.metadata import entry_points

    known = entry_points()
    groups = [group for group in known.groups if group.startswith(_GROUPS)]
    found = {group: known.select(group=group) for group in groups}
    brought = {group: tuple(e for e in each if not e.value.startswith("bestofk.")) for group, each in found.items()}
    for group, each in brought.items():
        if each and group.removeprefix(_GROUPS) not in SHELVES:
            _warn_unknown(group, each[0])
    return brought


def _may_be_some() -> bool:
    """Whether entry points of a distribution on the path name a group of ours; importlib.metadata is slow to load."""
    if any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path):
        return True
    for place in dict.fromkeys(sys.path):
        try:
            names = os.listdir(place or ".")
        except NotADirectoryError:
            return True  # an archive: importlib.metadata looks into it
        except OSError:
            continue
        for name in names:
            if name.lower().endswith((".dist-info", ".egg-info", "egg-info")):  # the last one inside an egg
                try:
                    with open(os.path.join(place, name, "entry_points.txt"), "rb") as file:
                        if b"[" + _GROUPS.encode() in file.read():
                            return True
                except OSError:
                    continue  # most bring no entry points
    return False


def _warn_unknown(group: str, entry: EntryPoint) -> None:
    near = nearest(group.removeprefix(_GROUPS), SHELVES)
    hint = f"did you mean {_GROUPS}{near}?" if near else f"the kinds are {', '.join(SHELVES)}."
    warnings.warn(f"{entry.name!r}{_package(entry)} is not used: there is no group {group}; {hint}", stacklevel=2)


def _package(entry: EntryPoint) -> str:
    return "" if entry.dist is None else f" of {entry.dist.name}"
