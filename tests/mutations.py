"""Valid files of results changed a little: cells, columns, rows, values of JSON and TOML, tables of SQLite, bytes."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.evidence.programs.inspect_ai import _member
from bestofk.stores.cell_format import pack, unpack
from bestofk.stores.packed_store import KEY_COLUMNS, key_of_row

Rows = list[list[str]]

#: What a cell of a table may become.
CELLS = (
    *("", " ", "0", "1", "-1", "1e308", "-1e308", "1e-320", "9" * 400, "nan", "inf", "-Infinity", "NA", "n/a", "null"),
    *(
        "50%",
        "0,5",
        "1,500",
        "0.5±0.1",
        "0x10",
        "1_000",
        "١",
        "½",
        "true",
        "False",
        "a",
        "A ",
        "é",
        "e\u0301",
        "\u200b",
    ),
    *(
        "\x1b[31mred",
        "\x07",
        "\u202e",
        "=1+1",
        "'quoted'",
        '"',
        "a\nb",
        "a\tb",
        "#",
        "[1, 2]",
        "{}",
        "2026-01-01",
        "\ud7ff",
    ),
    *("x" * 5000, "../../etc/passwd", "http://localhost", "%s", "{0}", "$HOME", "\\", "b'1'", "-0", "1e5", "00", "+1"),
)
#: Names that columns go by, so that a column gets another role.
NAMES = (
    *("learner", "model", "dataset", "task", "rep", "replication", "fold", "seed", "item", "id", "truth", "prediction"),
    *(
        "epoch",
        "step",
        "group",
        "failure",
        "weight",
        "accuracy",
        "error",
        "score",
        "metric",
        "value",
        "price",
        "fit_time",
    ),
    *("split", "winner", "model_a", "model_b", "tp", "fn", "fp", "tn", "", " ", "a:x", "unnamed", "test_score", "rank"),
    *("split0_test_score", "param_C", "Key_Scheme", "fingerprint", "n", "tie", "label", "probability", "mean", "std"),
)
#: What a value of JSON may become.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 0.5, 10**25, -(10**400), 1e308, float("nan"), float("inf"), float("-inf"), 2**63),
    *("", "a", "1", "0.5", "nan", "é", "\x1b[2J", "\u202e", "\x00", "\ud800", "x" * 5000, "learner", "model"),
    *([], [[]], [1, 2], ["a", None], {}, {"a": 1}, {"": {}}, [[[[1]]]], [{"a": 1}], {"score": [0.1, 0.2]}),
)
#: What a value of a plan may become.
TOML = (
    *(
        "0",
        "-1",
        "1",
        "3.5",
        "nan",
        "-inf",
        '""',
        '"a"',
        '"iris"',
        "[]",
        "{}",
        "true",
        "2026-01-01",
        "9223372036854775807",
    ),
    *(
        '"1000000x1000000"',
        '"10-fold"',
        '"5x2"',
        '["iris", "iris"]',
        '"../../etc/passwd"',
        '"os:system"',
        "1e400",
        "'\\'",
    ),
    *(
        '"0-fold"',
        '"999999999999-fold"',
        '"knn"',
        '["knn", 1]',
        '[["knn"]]',
        '{ learner = "knn" }',
        '"\\u0000"',
        "9" * 30,
    ),
    *(
        '"leave-one-out"',
        '"http://localhost/data"',
        '{ learner = "os:system", params = { command = "true" } }',
        '"-x-"',
    ),
)


#: Values that some keys of a plan may well have.
SENSIBLE = {
    "seed": ("0", "1", "12", "9223372036854775807"),
    "folds": ('"5x2"', '"10-fold"', '"3-fold"', '"2x5-stratified"', '"holdout-0.3x4"', '"bootstrap-10"', '"forward-3"'),
    "learners": ('["max", "nmc"]', '["tree", "lda", "naive-bayes"]', '["knn", "max", "nn", "qda"]'),
    "learner": ('"max"', '"tree"', '"lda"', '"naive-bayes"'),
    "datasets": ('["iris"]', '["wine", "iris"]'),
    "measures": ('["error"]', '["auc"]', '["log_loss", "brier"]', "[]"),
    "prior": ('"complexity"', '"fit-time"', '"size"'),
    "keep_predictions": ("true", "false"),
    "target": ('"label"', '"x"', '"y"'),
    "params": ("{ n_neighbors = 1 }", '{ weights = "distance" }', "{}"),
    "file": ('"mine.csv"',),
    "iris": ("{}", '{ dataset = "wine" }', '{ dataset = "iris" }'),
}
LEARNER = (
    '{ learner = "max" }',
    '{ learner = "tree" }',
    '{ learner = "knn", params = { n_neighbors = 2 } }',
    '{ learner = "lda" }',
)


def picked(chance: Random, things: Any) -> Any:
    return things[chance.randrange(len(things))]


def changed_rows(chance: Random, rows: Rows) -> Rows:
    """Change a cell, a row, a column, or the name of one."""
    rows = [list(row) for row in rows]
    row, other = picked(chance, rows), picked(chance, rows)
    first = chance.randrange(max(1, min(map(len, rows))))
    second = chance.randrange(max(1, min(map(len, rows))))
    body = rows[1:] or rows

    def cell() -> None:
        picked(chance, body)[first] = picked(chance, CELLS)

    def copied_cell() -> None:
        picked(chance, body)[first] = picked(chance, body)[first]

    def column() -> None:
        value = picked(chance, CELLS)
        for each in body:
            each[first] = value

    def renamed() -> None:
        rows[0][first] = picked(chance, NAMES)

    def dropped_column() -> None:
        for each in rows:
            del each[first]

    def doubled_column() -> None:
        for each in rows:
            each.append(each[first])
        rows[0][-1] = picked(chance, (rows[0][first], *NAMES))

    def swapped_columns() -> None:
        for each in body:
            each[first], each[second] = each[second], each[first]

    def dropped_rows() -> None:
        start = chance.randrange(len(rows))
        del rows[start : start + picked(chance, (1, 1, 2, len(rows) // 2 + 1))]

    def doubled_row() -> None:
        rows.insert(chance.randrange(len(rows)), list(row))

    def swapped_rows() -> None:
        row[:], other[:] = other[:], row[:]

    def ragged() -> None:
        if chance.random() < 0.7:
            return
        row.append("1") if chance.random() < 0.5 else row.pop()

    changes = (cell, cell, *(copied_cell,) * 4, column, renamed, renamed, dropped_column, doubled_column)
    with suppress(IndexError):
        picked(chance, (*changes, swapped_columns, dropped_rows, doubled_row, swapped_rows, ragged))()
    return rows or [[""]]


def likely_rows(chance: Random, rows: Rows) -> Rows:
    """Change what the rows say and not what they are: another number, name, order or selection."""
    rows = [list(row) for row in rows]
    body, width = rows[1:], min(map(len, rows))
    if not body or not width:
        return rows
    numbers = [place for place in range(width) if all(_is_number(row[place]) for row in body)]
    numbers = [place for place in numbers if any("." in row[place] for row in body)] or numbers  # not those of folds
    words = [place for place in range(width) if not any(_is_number(row[place]) for row in body)]
    column = picked(chance, words or range(width))
    values = [row[column] for row in body]
    name = picked(chance, ("another", "z", picked(chance, CELLS), picked(chance, NAMES)))

    def number() -> None:
        place, row = picked(chance, numbers), picked(chance, body)
        near = repr(float(row[place]) * chance.uniform(0.8, 1.0))
        row[place] = picked(chance, (near, near, near, picked(chance, body)[place], "0", "1", "-1", "1e-300", "1e300"))

    def gap() -> None:
        picked(chance, body)[picked(chance, numbers)] = picked(chance, ("", "NA", "nan"))

    def constant() -> None:
        place = picked(chance, numbers)
        for row in body:
            row[place] = body[0][place]

    def scaled() -> None:
        place, factor = picked(chance, numbers), picked(chance, (1e-12, 0.01, 0.5, 0.9))
        for row in body:
            row[place] = repr(float(row[place]) * factor)

    def renamed() -> None:
        old = picked(chance, values)
        for row in body:
            row[column] = name if row[column] == old else row[column]

    def without() -> None:
        old = picked(chance, values)
        rows[1:] = [row for row in body if row[column] != old] or body

    def repeated() -> None:
        old = picked(chance, values)
        rows.extend([*row[:column], name, *row[column + 1 :]] for row in body if row[column] == old)

    def shuffled() -> None:
        chance.shuffle(body)
        rows[1:] = body

    def moved() -> None:
        place = chance.randrange(width)
        for row in rows:
            row.insert(place, row.pop(column))

    changes = (number, number, number, gap, constant, scaled, renamed, without, repeated, shuffled, moved)
    picked(chance, changes if numbers else changes[6:] if words else changes[-2:])()
    return rows


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def likely_value(chance: Random, value: Any) -> Any:
    """Change a number, a word or a flag of JSON into another of its kind; at times leave out or repeat an entry."""
    places = [(where, key) for where, key in _places(value) if not isinstance(where[key], dict)]
    if not places:
        return value
    where, key = picked(chance, places)
    before = where[key]
    alike = [there[other] for there, other in places if other == key and type(there[other]) is type(before)]
    if isinstance(before, bool):
        where[key] = not before
    elif isinstance(before, int | float):
        third = before // 3 if isinstance(before, int) else before / 3  # an integer may be larger than any float
        where[key] = picked(chance, (0, 1, 0.5, -1, before * 2, third, *[picked(chance, alike)] * 3))
    elif isinstance(before, str):
        where[key] = picked(chance, (picked(chance, alike), picked(chance, alike), f"{before} ", picked(chance, CELLS)))
    elif isinstance(before, list) and len(before) > 2:
        entry = chance.randrange(len(before))
        picked(
            chance,
            (lambda: before.pop(entry), lambda: before.append(deepcopy(before[entry])), lambda: chance.shuffle(before)),
        )()
    else:
        where[key] = deepcopy(picked(chance, alike))  # a list may lie in the one that it takes the place of
    return value


def either(likely: Callable[[Random, Any], Any], wild: Callable[[Random, Any], Any]) -> Callable[[Random, Any], Any]:
    """Mostly a change that a reader may well take, so that most cases come as far as what is behind it."""
    return lambda chance, value: (likely if chance.random() < 0.85 else wild)(chance, value)


def changed_value(chance: Random, value: Any) -> Any:
    """Change one place of a value of JSON: its type, its name, or how often it is there."""
    places = list(_places(value))
    if not places:
        return picked(chance, VALUES)
    where, key = picked(chance, places)
    change = chance.randrange(8)
    if change < 5:
        where[key] = picked(chance, VALUES)
    elif change == 5:
        del where[key]
    elif change == 6:
        there, other = picked(chance, places)
        with suppress(LookupError, TypeError):
            where[key] = json.loads(json.dumps(there[other]))
    elif isinstance(where, dict):
        where[str(picked(chance, NAMES))] = where.pop(key)
    else:
        where.append(where[key])
    return value


def _places(value: Any) -> Any:
    """Every place inside a value: its container and its key there."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from _places(inner)


def changed_bytes(chance: Random, content: bytes) -> bytes:
    """Cut, flip, insert, or write in another encoding."""
    place = chance.randrange(len(content) + 1)
    odd = (
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\x1b[2J",
        b"\r",
        b"\n\n",
        b'"',
        b",",
        b"\xc3",
        b"{",
        b"\x1a",
        b"\xe2\x80\xae",
    )
    change = chance.randrange(7)
    if change == 0:
        return content[:place]
    if change == 1:
        return content[:place] + bytes([chance.randrange(256)]) + content[place + 1 :]
    if change == 2:
        return content[:place] + picked(chance, odd) + content[place:]
    if change == 3:
        return b"\xef\xbb\xbf" + content
    if change == 4:
        return content.replace(b"\n", picked(chance, (b"\r\n", b"\r", b"\n\n", b"\x0b\n", b" \n")))
    if change == 5:
        with suppress(UnicodeError):
            return content.decode("utf-8").encode(picked(chance, ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp037")))
    return content[:place] + content[chance.randrange(len(content) + 1) :]


def several(chance: Random, change: Callable[[Random, Any], Any], value: Any) -> Any:
    """Change once, twice or more."""
    for _ in range(picked(chance, (1, 1, 1, 2, 2, 4))):
        value = change(chance, value)
    return value


def changed_table(chance: Random, content: bytes) -> bytes:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8"), newline="")))
    text = io.StringIO()
    csv.writer(text, delimiter=picked(chance, ",,,,;\t|"), lineterminator="\n").writerows(
        several(chance, either(likely_rows, changed_rows), rows)
    )
    return text.getvalue().encode("utf-8", "surrogatepass")


def changed_json(chance: Random, content: bytes) -> bytes:
    return json.dumps(several(chance, either(likely_value, changed_value), json.loads(content))).encode()


def changed_lines(chance: Random, content: bytes) -> bytes:
    """Lines of JSON, each a value."""
    values = [json.loads(line) for line in content.splitlines()]
    return "\n".join(json.dumps(each) for each in several(chance, either(likely_value, changed_value), values)).encode()


def changed_zip(chance: Random, content: bytes) -> bytes:
    """A value of one of the JSON files in an archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: _member(archive, name) for name in archive.namelist()}
    name = picked(chance, sorted(members))
    members[name] = (
        changed_json(chance, members[name]) if name.endswith(".json") else changed_bytes(chance, members[name])
    )
    if chance.random() < 0.1:
        members.pop(name)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", picked(chance, (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for each, inner in members.items():
            archive.writestr(each, inner)
    return made.getvalue()


def changed_plan(chance: Random, content: bytes) -> bytes:
    """A value, a name, or a line of TOML."""

    def change(chance: Random, text: str) -> str:
        lines = text.splitlines()
        number = chance.randrange(len(lines))
        kind = chance.randrange(14)
        if kind < 11:
            settings = [each for each in enumerate(lines) if re.match(r'[\w"]', each[1])]
            number, line = picked(chance, settings) if settings else (number, lines[number])
            values = list(re.finditer(r'(\w+|"[^"]*") = ("[^"]*"|\d+|\[.*\]|\{.*\}|\w+)', line))
            if values:
                found = picked(chance, values)
                others = SENSIBLE.get(found[1], LEARNER) if chance.random() < 0.9 else TOML
                lines[number] = line[: found.start(2)] + picked(chance, others) + line[found.end(2) :]
        elif kind == 11:
            del lines[number]
        elif kind == 12:
            lines.insert(chance.randrange(len(lines)), lines[number])
        else:
            lines[number] = re.sub(
                r"^\w+", picked(chance, ("x", "seed", "folds", "learners", "prior", "a.b")), lines[number]
            )
        return "\n".join(lines) or " "

    return str(several(chance, change, content.decode())).encode()


def change_store(chance: Random, path: Path) -> None:
    """A field, a row, a column or a table of an SQLite store; its plan; the bytes of a cell."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        table = picked(chance, ("meta", "plans", "plans", "series", *("cells",) * 8))
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        keys: list[Any] = []
        key = {"meta": "name", "plans": "fingerprint"}.get(table, "rowid")
        with suppress(sqlite3.Error):  # a change before this one took the table or its key away
            keys = [row[0] for row in connection.execute(f"SELECT {key} FROM {table}")] if columns else []
        if not keys:
            return
        row, column = picked(chance, keys), picked(chance, columns)
        change = chance.randrange(10)
        with suppress(sqlite3.Error, ValueError, TypeError, OverflowError, zlib.error):
            if change < 7 and table in ("plans", "cells"):
                _sign(chance, connection)
            elif change < 7:
                before = connection.execute(f"SELECT {column} FROM {table} WHERE {key} = ?", (row,)).fetchone()[0]
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (_field(chance, before), row))
            elif change == 7:
                connection.execute(f"DELETE FROM {table} WHERE {key} = ?", (row,))
            elif change == 8:
                connection.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO other")
            elif chance.random() < 0.5:
                connection.execute(f"DROP TABLE {table}")
            else:
                pragma = picked(chance, ("user_version = 99", "user_version = -1", "application_id = 7"))
                connection.execute(f"PRAGMA {pragma}")


def _sign(chance: Random, connection: sqlite3.Connection) -> None:
    """A plan or a cell with other content, and the fingerprint or checksum that fits it."""
    if chance.random() < 0.2:
        before, text = connection.execute("SELECT fingerprint, text FROM plans").fetchone()
        text = changed_json(chance, text.encode()).decode()
        connection.execute(
            "UPDATE plans SET text = ?, fingerprint = ? WHERE fingerprint = ?",
            (text, sha256(text.encode()).hexdigest(), before),
        )
        return
    rows = connection.execute(
        f"SELECT {KEY_COLUMNS}, blob, cells.rowid FROM cells JOIN series ON cells.series = series.number"
    ).fetchall()
    *about, blob, row = picked(chance, rows)
    key = key_of_row(about, where="here")
    if chance.random() < 0.8:
        with suppress(InputError):  # not even our own program would write it
            blob = pack(_other_results(chance, unpack(key, blob, where="here")))
    else:
        blob = _other_bytes(chance, key, blob)
    connection.execute("UPDATE cells SET blob = ? WHERE rowid = ?", (blob, row))


def _other_results(chance: Random, cell: CellResult) -> CellResult:
    """A number of a cell is another, or two have changed places."""
    names = ("confusion", "confusion", "fit_seconds", "predict_seconds", "size", "fingerprints")
    name = picked(chance, [each for each in names if getattr(cell, each) is not None])
    array = getattr(cell, name).copy()
    flat, one, two = array.reshape(-1), chance.randrange(array.size), chance.randrange(array.size)
    if name == "fingerprints" or chance.random() < 0.5:
        flat[one], flat[two] = flat[two], flat[one]
    elif name == "confusion":
        flat[one] = picked(chance, (0, 1, 2**31, flat[two]))
    else:
        flat[one] = picked(chance, (0.0, -1.0, 1e300, 1e-300, float("nan"), float("inf")))
    return replace(cell, **{name: array})


def _other_bytes(chance: Random, key: CellKey, blob: bytes) -> bytes:
    """Another header or other bytes of arrays, with the checksum that fits them."""
    start = 8 + 4
    size = int.from_bytes(blob[8:start], "little")
    head, arrays = blob[start : start + size], blob[start + size :]
    if chance.random() < 0.7:
        header = json.loads(head if head[:1] == b"{" else zlib.decompress(head))
        head = json.dumps(several(chance, either(likely_value, changed_value), header)).encode()
    else:
        arrays = changed_bytes(chance, arrays)
    rest = len(head).to_bytes(4, "little") + head + arrays
    crc = zlib.crc32(rest, zlib.crc32(key.id.encode()))
    return blob[:4] + crc.to_bytes(4, "little") + rest


def _field(chance: Random, before: Any) -> Any:
    """Another value for a field; of a plan and of bytes, often the same with a small change."""
    if isinstance(before, bytes) and chance.random() < 0.8:
        return several(chance, changed_bytes, before)
    if isinstance(before, str) and before.startswith("{") and chance.random() < 0.8:
        return changed_json(chance, before.encode()).decode()
    return picked(
        chance, (None, "", 0, -1, 2**62, 1.5, b"\x00\xff", "a", "\x1b[2J", "5x2", "x" * 3000, "[]", "{}", "nan")
    )
