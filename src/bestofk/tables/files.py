"""Which reader a file gets: by its suffix, else by its first bytes."""

from __future__ import annotations

import json
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
from bestofk.tables.text_files import on_disk, opened

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

#: A log of Inspect, which is a ZIP archive and no table.
EVAL = ".eval"


def table_from_file(path: str | Path, purpose: Purpose) -> Table:
    """Read a CSV, TSV, JSON, JSON Lines, Parquet, XLSX or ARFF file; text may be packed by gzip."""
    if not isinstance(path, str | Path) or not str(path).strip():
        raise InputError(f"the path is {path!r}.", "read, argument path", "give the path of a file.")
    path = Path(path)
    return BY_SUFFIX.get(kind_of(path), table_from_spreadsheet)(path, purpose)  # which says what another archive is


def ending_of(path: Path) -> str:
    """Return the suffix that tells the format, in small letters; that of gzip does not count."""
    return Path(path.name.removesuffix(".gz").removesuffix(".GZ")).suffix.lower()


def kind_of(path: Path) -> str:
    """The ending that tells the format, or where the name has none that is known, the one that the content has."""
    ending = ending_of(path)
    return ending if ending in BY_SUFFIX or ending == EVAL else _kind_of_content(path)


def _kind_of_content(path: Path) -> str:
    with opened(path) as file:
        start = file.read(1 << 20)
    if start.startswith(b"PAR1"):
        return ".parquet"
    if start.startswith(b"PK"):
        return _kind_of_archive(path)
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError("this is a spreadsheet in the old XLS format.", str(path), "save it as XLSX or CSV.")
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text.startswith((b"{", b"[")):
        return ".csv"
    first, _, rest = text.partition(b"\n")
    return ".jsonl" if rest.strip() and text.startswith(b"{") and _is_json(first) else ".json"


def _kind_of_archive(path: Path) -> str:
    import zipfile

    try:
        with zipfile.ZipFile(on_disk(path)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return ".xlsx"
    return EVAL if "_journal/start.json" in names else ".xlsx"


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
