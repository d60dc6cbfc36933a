"""Tables as files that every program reads: CSV, TSV, JSON Lines, all three by gzip as well, and Parquet."""

from __future__ import annotations

import csv
import gzip
import json
import math
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.core.names import unknown
from bestofk.core.outputs import written_whole
from bestofk.tables.cells import guarded

Columns = dict[str, list[Any]]
Write = Callable[[Columns], int]

SUFFIXES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".jsonl", ".jsonl.gz", ".parquet")


@contextmanager
def table_writer(
    path: str | Path, names: Sequence[str], numbers: Collection[str], whole: Collection[str] = ()
) -> Iterator[Write]:
    """Give what writes blocks of columns into a file, which is there when all are written, or the old one is.

    ``numbers`` are the columns of numbers, ``whole`` those of whole ones; all others are words.
    """
    path = Path(path)
    if os.path.isdir(path):  # which never raises, whatever the name
        raise InputError(f"{path} is a folder.", "writing a table", f"name a file: {path / 'results.csv'}.")
    with written_whole(path, "the table") as unfinished, _writer_for(path, unfinished, names, numbers, whole) as write:
        yield write


def _writer_for(
    path: Path, into: Path, names: Sequence[str], numbers: Collection[str], whole: Collection[str]
) -> AbstractContextManager[Write]:
    """Return what writes blocks of columns into a file, in the format that the path's suffix names."""
    name = path.name.lower()
    if name.endswith((".parquet", ".pq")):
        return _parquet(into, names, numbers, whole)
    if not name.endswith(SUFFIXES):
        raise unknown("".join(path.suffixes) or path.name, SUFFIXES, what="kind of table", where=str(path))
    mark = None if ".jsonl" in name else "\t" if ".tsv" in name else ","
    return _lines(into, names, mark, zipped=name.endswith(".gz"))


@contextmanager
def _lines(into: Path, names: Sequence[str], mark: str | None, *, zipped: bool) -> Iterator[Write]:
    """A line per row: cells between marks, or an object."""
    opener: Any = gzip.open if zipped else open
    with cast(TextIO, opener(into, "wt", encoding="utf-8", newline="")) as file:
        table = csv.writer(file, delimiter=mark or ",", lineterminator="\n")
        if mark:
            table.writerow(map(guarded, names))

        def write(block: Columns) -> int:
            rows = list(zip(*([guarded(_written(value)) for value in block[name]] for name in names), strict=True))
            if mark:
                table.writerows(rows)
                return len(rows)
            objects = zip(*(block[name] for name in names), strict=True)
            file.writelines(f"{json.dumps(_object(names, row), ensure_ascii=False)}\n" for row in objects)
            return len(rows)

        yield write


def _object(names: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    """A row by name; what is missing is null."""
    return {name: None if _written(value) == "" else value for name, value in zip(names, row, strict=True)}


def _written(value: Any) -> Any:
    """Numbers so that they are read back exactly; nothing where one is missing."""
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ""
    return "" if value is None else value


@contextmanager
def _parquet(into: Path, names: Sequence[str], numbers: Collection[str], whole: Collection[str]) -> Iterator[Write]:
    arrow = need("pyarrow", purpose="writing Parquet files")
    parquet = need("pyarrow.parquet", purpose="writing Parquet files")
    kinds = {name: arrow.int64() if name in whole else arrow.float64() for name in (*numbers, *whole)}
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in names])
    with parquet.ParquetWriter(into, schema) as file:

        def write(block: Columns) -> int:
            arrays = [arrow.array(block[name], type=schema.field(name).type, from_pandas=True) for name in names]
            batch = arrow.record_batch(arrays, schema=schema)
            file.write_batch(batch)
            return int(batch.num_rows)

        yield write
