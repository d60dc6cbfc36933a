"""Which reader a file gets: by its suffix, else by its first bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bestofk.core.errors import InputError
from bestofk.tables.arff import table_from_arff
from bestofk.tables.cells import Purpose
from bestofk.tables.delimited import table_from_delimited
from bestofk.tables.json_files import table_from_json, table_from_json_lines
from bestofk.tables.parquet import table_from_parquet
from bestofk.tables.spreadsheet import table_from_spreadsheet
from bestofk.tables.table import Table
from bestofk.tables.text_files import opened

Reader = Callable[[Path, Purpose], Table]

BY_SUFFIX: dict[str, Reader] = {
    ".csv": table_from_delimited,
    ".tsv": table_from_delimited,
    ".txt": table_from_delimited,
    ".data": table_from_delimited,
    ".parquet": table_from_parquet,
    ".pq": table_from_parquet,
    ".json": table_from_json,
    ".jsonl": table_from_json_lines,
    ".ndjson": table_from_json_lines,
    ".xlsx": table_from_spreadsheet,
    ".arff": table_from_arff,
}


def table_from_file(path: str | Path, purpose: Purpose) -> Table:
    """Read a CSV, TSV, JSON, JSON Lines, Parquet, XLSX or ARFF file; text may be packed by gzip."""
    if not isinstance(path, str | Path) or not str(path).strip():
        raise InputError(f"the path is {path!r}.", "read, argument path", "give the path of a file.")
    path = Path(path)
    return _reader_of(path)(path, purpose)


def ending_of(path: Path) -> str:
    """Return the suffix that tells the format, in small letters; that of gzip does not count."""
    return Path(path.name.removesuffix(".gz").removesuffix(".GZ")).suffix.lower()


def _reader_of(path: Path) -> Reader:
    return BY_SUFFIX.get(ending_of(path)) or _reader_of_content(path)


def _reader_of_content(path: Path) -> Reader:
    if path.exists() and not path.is_file() and not path.is_dir():
        return table_from_delimited  # a pipe gives its first bytes only once
    with opened(path) as file:
        start = file.read(4096)
    if start.startswith(b"PAR1"):
        return table_from_parquet
    if start.startswith(b"PK"):
        return table_from_spreadsheet
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError("this is a spreadsheet in the old XLS format.", str(path), "save it as XLSX or CSV.")
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    return table_from_json if text.startswith((b"{", b"[")) else table_from_delimited
