"""One data set as ``index.json`` describes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bestofk.core.errors import InputError

#: A long row of equal types is written n*5469.
REPEATED = re.compile(r"([nc])\*(\d+)")
#: The paper's own error rates are met without this column only, though its definition file counts it.
LEFT_OUT = {"segment": ("hue_mean",)}


@dataclass(frozen=True)
class AuthorsForm:
    """How the papers' authors used a set: its first ``rows``, a type per column, classes in their order with counts.

    ``left_out`` are columns of the file that they most likely did not use.
    """

    rows: int
    types: str
    classes: Mapping[str, int]
    left_out: tuple[str, ...] = ()

    @property
    def columns(self) -> int:
        """Number of inputs that are used."""
        return len(self.types) - len(self.left_out)


@dataclass(frozen=True)
class Entry:
    """A data set of the index: ``types`` has n (numeric) or c (nominal) per column, ``classes`` counts by name.

    ``authors`` is None where the papers' authors left no definition.
    """

    name: str
    file: str
    rows: int
    columns: tuple[str, ...]
    types: str
    classes: Mapping[str, int]
    sha256: str | None = None
    aliases: tuple[str, ...] = ()
    missing: int | None = None
    notes: str = ""
    licence: str | None = None
    origin: str | None = None
    source: str | None = None
    openml_id: int | None = None
    uci_id: int | None = None
    authors: AuthorsForm | None = None


def entry_of(name: str, described: Any, aliases: tuple[str, ...], where: str) -> Entry:
    """Return the entry of a set, or say which part of its description cannot be used."""
    where = f"{where}, sets.{name}"
    try:
        return _read(name, described, aliases)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        told = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"the entry {name} cannot be used: {told}.",
            where,
            "give N, columns.names, columns.types (n or c each) and classes with their counts.",
        ) from None


def _read(name: str, described: Any, aliases: tuple[str, ...]) -> Entry:
    columns, types = _names(described["columns"]["names"]), _types(described["columns"]["types"])
    if len(set(columns)) != len(columns):
        raise ValueError("it names a column twice")
    if len(columns) != len(types):
        raise ValueError(f"it names {len(columns)} columns and {len(types)} types")
    return Entry(
        name=name,
        file=_file(described.get("file", f"{name}.csv.gz")),
        rows=int(described["N"]),
        columns=columns,
        types=types,
        classes=_counts(described["classes"]),
        sha256=described.get("sha256_csv"),
        aliases=aliases,
        missing=described.get("missing_values"),
        notes=described.get("note") or "",
        licence=described.get("licence"),
        origin=described.get("origin"),
        source=described.get("source"),
        openml_id=described.get("openml_id"),
        uci_id=described.get("uci_id"),
        authors=_authors(name, described.get("authors"), columns),
    )


def _authors(name: str, described: Any, columns: tuple[str, ...]) -> AuthorsForm | None:
    if not described:
        return None
    left_out = tuple(column for column in LEFT_OUT.get(name, ()) if column in columns)
    types = _types(described["types"])
    if len(types) != len(columns):
        raise ValueError(f"authors.types has {len(types)} letters for {len(columns)} columns")
    return AuthorsForm(int(described["N"]), types, _counts(described["classes"]), left_out)


def _names(described: Any) -> tuple[str, ...]:
    """Names as a list, or as prefix, from and to where they are numbered through."""
    if isinstance(described, Mapping):
        numbers = range(int(described["from"]), int(described["to"]) + 1)
        return tuple(f"{described['prefix']}{number}" for number in numbers)
    return tuple(str(name) for name in described)


def _types(described: str) -> str:
    repeated = REPEATED.fullmatch(described)
    types = repeated[1] * int(repeated[2]) if repeated else described
    if set(types) - {"n", "c"}:
        raise ValueError(f"types are n and c, not {described[:40]!r}")
    return types


def _counts(described: Mapping[str, Any]) -> Mapping[str, int]:
    return MappingProxyType({str(name): int(count) for name, count in described.items()})


def _file(name: str) -> str:
    """A file beside the index, never one elsewhere."""
    if not name or "/" in name or "\\" in name or name in (".", ".."):
        raise ValueError(f"the file {name!r} does not lie beside index.json")
    return name
