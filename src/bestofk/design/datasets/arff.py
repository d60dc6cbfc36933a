"""ARFF, the format of Weka and OpenML: numbers and nominal attributes, dense rows."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.datasets.delimited import NUMBER
from bestofk.design.datasets.table import Cells, Table, distinct

NUMERIC = ("numeric", "real", "integer")
ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(.+)""", re.IGNORECASE)
# a quoted value, or one up to the next comma
VALUE = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,]*?))\s*(?:,|$)""")


@dataclass(frozen=True)
class Attribute:
    """A column: ``kind`` is numeric, nominal, or what cannot be learnt from (string, date, relational)."""

    name: str
    kind: str
    values: frozenset[str] = frozenset()


def table_of_arff(text: str, name: str, source: str) -> Table:
    """Return the columns of an ARFF text; ``?`` is missing. Sparse rows and weights are refused."""
    where = f"data set {name}, {source}"
    attributes, rows = _parsed(text, where)
    if not attributes or not rows:
        missing = "attributes" if not attributes else "rows"
        raise InputError(f"the file has no {missing}.", where, "give @attribute lines, @data and one row per example.")
    distinct([attribute.name for attribute in attributes], where)
    columns: dict[str, Cells] = {}
    for position, attribute in enumerate(attributes):
        cells = [(line, row[position]) for line, row in rows]
        columns[attribute.name] = _cells(attribute, cells, where)
    refused = {each.name: f"{each.kind} values" for each in attributes if each.kind not in ("numeric", "nominal")}
    return Table(name, source, columns, refused=refused)


def _parsed(text: str, where: str) -> tuple[list[Attribute], list[tuple[int, list[str | None]]]]:
    attributes: list[Attribute] = []
    rows: list[tuple[int, list[str | None]]] = []
    in_data = False
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if in_data:
            rows.append((number, _row(line, len(attributes), f"{where}, line {number}")))
        elif line.lower().startswith("@attribute"):
            attributes.append(_attribute(line, f"{where}, line {number}"))
        elif line.lower().startswith("@data"):
            in_data = True
        elif not line.lower().startswith("@relation"):
            raise InputError(
                f"{line[:40]!r} is not understood.", f"{where}, line {number}", "mend it, or put % before it."
            )
    return attributes, rows


def _attribute(line: str, where: str) -> Attribute:
    found = ATTRIBUTE.fullmatch(line)
    if not found:
        raise InputError(f"this attribute has no name or type: {line[:40]}.", where, "write @attribute NAME TYPE.")
    name, kind = _unquoted(found[1]), found[2].strip()
    if kind.startswith("{"):
        if not kind.endswith("}"):
            raise InputError(f"the values of {name} have no closing brace.", where, "write {first, second, ...}.")
        return Attribute(name, "nominal", frozenset(value or "?" for value in _values(kind[1:-1])))
    word = kind.split()[0].lower()
    return Attribute(name, "numeric" if word in NUMERIC else word)


def _row(line: str, width: int, where: str) -> list[str | None]:
    if line.startswith("{"):
        raise InputError("the row is sparse.", where, "save the data dense (Weka: filter SparseToNonSparse).")
    quoted = "'" in line or '"' in line
    values = _values(line) if quoted else [_known(value.strip()) for value in line.split(",")]
    if len(values) != width:
        weighted = len(values) == width + 1 and (values[-1] or "").startswith("{")
        raise InputError(
            f"the row has {'a weight' if weighted else f'{len(values)} values'} and there are {width} attributes.",
            where,
            "take the weight out." if weighted else "give one value per attribute; quote values with commas.",
        )
    return values


def _values(text: str) -> list[str | None]:
    """Values between commas, without their quotes; a quoted question mark is a value, a bare one a gap."""
    values: list[str | None] = []
    position = 0
    while position <= len(text):
        found = VALUE.match(text, position)
        if found is None:
            return [*values, text[position:]]
        quoted = found[1] if found[1] is not None else found[2]
        values.append(_known(found[3]) if quoted is None else _plain(quoted))
        if not found[0].endswith(","):
            return values
        position = found.end()
    return values


def _known(text: str) -> str | None:
    return None if text == "?" else text


def _unquoted(text: str) -> str:
    return _plain(text[1:-1]) if text[0] in "'\"" else text


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _cells(attribute: Attribute, cells: list[tuple[int, str | None]], where: str) -> Cells:
    if attribute.kind == "numeric":
        return np.array([_number(value, attribute, f"{where}, line {line}") for line, value in cells])
    for line, value in cells:
        if attribute.kind == "nominal" and value is not None and value not in attribute.values:
            raise InputError(
                f"{value!r} is not among the values of {attribute.name}.",
                f"{where}, line {line}",
                f"write one of {', '.join(sorted(attribute.values))[:200]}, or declare it.",
            )
    return [value for _, value in cells]


def _number(value: str | None, attribute: Attribute, where: str) -> float:
    if value is None:
        return np.nan
    if not NUMBER.fullmatch(value):
        raise InputError(f"{value!r} is no number, as {attribute.name} needs.", where, "correct it, or write ?.")
    return float(value)
