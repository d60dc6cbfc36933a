"""ARFF, the format of Weka and OpenML: numbers and nominal attributes, dense rows."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.tables.cells import Purpose, as_number
from bestofk.tables.columns import Words
from bestofk.tables.table import Column, Numbers, Table, assembled, column_names
from bestofk.tables.text_files import opened, whole_text

NUMERIC = ("numeric", "real", "integer")
ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(.+)""", re.IGNORECASE)
# a quoted value, or one up to the next comma
VALUE = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,]*?))\s*(?:,|$)""")


@frozen
class Attribute:
    """A column: ``kind`` is numeric, nominal, or the word of another type (string, date, relational)."""

    name: str
    kind: str
    values: frozenset[str] = frozenset()


def table_from_arff(path: Path, purpose: Purpose) -> Table:
    """Read an ARFF file; ``?`` is missing. Sparse rows and weights are refused."""
    with opened(path) as file:
        text = whole_text(file, str(path))
    return table_of_arff(text, str(path), purpose, sha256=file.sha256)


def table_of_arff(text: str, source: str, purpose: Purpose, *, sha256: str = "") -> Table:
    """Return the table of an ARFF text. Texts and dates are words among results, and no data to learn from."""
    attributes, rows = _parsed(text, source)
    if not attributes or not rows:
        missing = "attributes" if not attributes else "rows"
        fix = f"give @attribute lines, @data and one row per {purpose.row}."
        raise InputError(f"the file has no {missing}.", source, fix)
    names = column_names([attribute.name for attribute in attributes], source, purpose)
    lines = [line for line, _ in rows]
    columns = (
        (name, _column(attribute, [row[i] for _, row in rows], lines, source, purpose))
        for i, (name, attribute) in enumerate(zip(names, attributes, strict=True))
    )
    return assembled(columns, source, sha256, lambda row: f"line {lines[row]}")


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
        raise InputError(
            f"the row has {len(values)} values and there are {width} attributes.",
            where,
            "give one value per attribute and no weight; quote values with commas.",
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


def _column(
    attribute: Attribute, cells: list[str | None], lines: list[int], source: str, purpose: Purpose
) -> Column | str:
    if attribute.kind not in ("numeric", "nominal") and not purpose.dates:
        return f"{attribute.kind} values"
    if attribute.kind == "numeric" and not purpose.is_key(attribute.name):
        return Numbers(np.array([_number(*cell, attribute, source) for cell in zip(cells, lines, strict=True)]))
    for value, line in zip(cells, lines, strict=True):
        if attribute.kind == "nominal" and value is not None and value not in attribute.values:
            raise InputError(
                f"{value!r} is not among the values of {attribute.name}.",
                f"{source}, line {line}",
                f"write one of {', '.join(sorted(attribute.values))[:200]}, or declare it.",
            )
    return Words().column([value or "" for value in cells])  # what is declared is a value, whatever its name


def _number(value: str | None, line: int, attribute: Attribute, source: str) -> float:
    number = float("nan") if value is None else as_number(value, frozenset())
    if number is None:
        raise InputError(
            f"{value!r} is no number, as {attribute.name} needs.", f"{source}, line {line}", "correct it, or write ?."
        )
    return number
