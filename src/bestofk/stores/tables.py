"""Writing tables block by block: CSV and TSV, also gzipped, and Parquet."""

from __future__ import annotations

import csv
import gzip
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from bestofk.core.extras import need
from bestofk.core.names import unknown

Columns = dict[str, list[Any]]
Write = Callable[[Columns], int]

_WHOLE = frozenset({"replication", "fold", "train_size", "tp", "fn", "fp", "tn"})
SUFFIXES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")


def writer_for(path: Path, into: Path, names: Sequence[str], numbers: Sequence[str]) -> AbstractContextManager[Write]:
    """Return what writes blocks of columns into a file, in the format that the path's suffix names."""
    name = path.name.lower()
    if name.endswith((".parquet", ".pq")):
        return _parquet(into, names, numbers)
    if not name.endswith(SUFFIXES):
        raise unknown("".join(path.suffixes) or path.name, SUFFIXES, what="kind of table", where=str(path))
    return _delimited(into, names, "\t" if ".tsv" in name else ",", zipped=name.endswith(".gz"))


@contextmanager
def _delimited(into: Path, names: Sequence[str], mark: str, *, zipped: bool) -> Iterator[Write]:
    opener: Any = gzip.open if zipped else open
    with cast(TextIO, opener(into, "wt", encoding="utf-8", newline="")) as file:
        table = csv.writer(file, delimiter=mark, lineterminator="\n")
        table.writerow(names)

        def write(block: Columns) -> int:
            columns = [[_written(value) for value in block[name]] for name in names]
            table.writerows(zip(*columns, strict=True))
            return len(columns[0])

        yield write


def _written(value: Any) -> Any:
    """Numbers so that they are read back exactly; nothing where one is missing."""
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ""
    return "" if value is None else value


@contextmanager
def _parquet(into: Path, names: Sequence[str], numbers: Sequence[str]) -> Iterator[Write]:
    arrow = need("pyarrow", purpose="writing Parquet files")
    parquet = need("pyarrow.parquet", purpose="writing Parquet files")
    schema = arrow.schema([(name, _kind(arrow, name, numbers)) for name in names])
    with parquet.ParquetWriter(into, schema) as file:

        def write(block: Columns) -> int:
            arrays = [arrow.array(block[name], type=schema.field(name).type, from_pandas=True) for name in names]
            batch = arrow.record_batch(arrays, schema=schema)
            file.write_batch(batch)
            return int(batch.num_rows)

        yield write


def _kind(arrow: Any, name: str, numbers: Sequence[str]) -> Any:
    if name in _WHOLE:
        return arrow.int64()
    return arrow.float64() if name in numbers else arrow.string()


def on_one_line(text: str) -> str:
    """Write a text of several lines in one: a table has a row per fold, and other programs count lines."""
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def in_lines(text: str) -> str:
    """Undo ``on_one_line``.

    Examples
    --------
    >>> in_lines(on_one_line("two" + chr(10) + "lines")).splitlines()
    ['two', 'lines']
    """
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)
