"""Files of data: the ending says how to read them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.core.names import nearest
from bestofk.design.datasets.arff import table_of_arff
from bestofk.design.datasets.delimited import table_of_text
from bestofk.design.datasets.frames import table_of_frame
from bestofk.design.datasets.sheet import table_of_sheet
from bestofk.design.datasets.table import Table, Wishes
from bestofk.design.datasets.unpacking import unpacked

ENDINGS = (".csv", ".tsv", ".arff", ".parquet", ".xlsx")


def is_file_name(source: str | os.PathLike[str]) -> bool:
    """Say whether a text means a file rather than a registered name."""
    text = os.fspath(source)
    return not isinstance(source, str) or "/" in text or os.sep in text or _ending(Path(text)) in ENDINGS


def table_of_file(path: Path, wishes: Wishes) -> Table:
    """Return the columns of a CSV, TSV, ARFF, Parquet or XLSX file; text files may be packed by gzip."""
    ending = _ending(path)
    name = wishes.name or path.name.removesuffix(".gz").removesuffix(ending)
    where = f"data set {name}, {path}"
    _refuse_absent(path, where)
    if ending == ".arff":
        return table_of_arff(_text(path, where), name, str(path))
    if ending in (".csv", ".tsv"):
        return table_of_text(_text(path, where), name, str(path), delimiter="\t" if ending == ".tsv" else None)
    if ending == ".parquet":
        return _of_parquet(path, name, where, wishes)
    if ending == ".xlsx":
        return table_of_sheet(path, name)
    raise InputError(
        f"files that end in {ending or 'nothing'} are not known.", where, f"give one of {', '.join(ENDINGS)}."
    )


def _ending(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).suffix.lower()


def _refuse_absent(path: Path, where: str) -> None:
    if path.is_file():
        return
    folder = path.parent
    if path.is_dir():
        raise InputError(f"this is a folder: {path}.", where, "name a file in it, or give the folder as --data.")
    near = nearest(path.name, (each.name for each in folder.iterdir())) if folder.is_dir() else None
    hint = f"did you mean {folder / near}?" if near else "check the path; it counts from the folder you are in."
    raise InputError(f"there is no such file: {path}.", where, hint)


def _text(path: Path, where: str) -> str:
    try:
        return unpacked(path, where).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is no UTF-8 text.", where, "save the file as UTF-8.") from None


def _of_parquet(path: Path, name: str, where: str, wishes: Wishes) -> Table:
    parquet: Any = need("pyarrow.parquet", purpose="reading Parquet files")
    try:
        table = parquet.read_table(path)
    except (ValueError, OSError) as error:  # those of Arrow are kin to these
        raise InputError(
            f"the Parquet file cannot be read: {error}.", where, "write it again, or save it as CSV."
        ) from None
    read = table_of_frame(table.drop_columns(_index_of(table, wishes)), name, str(path))
    return Table(name, str(path), read.columns, refused=read.refused, spoilt=read.spoilt)


def _index_of(table: Any, wishes: Wishes) -> list[str]:
    """Columns that pandas wrote for a frame's index and gives back as one: no inputs unless the user names them."""
    index = (table.schema.pandas_metadata or {}).get("index_columns", [])
    named = {wishes.target, *wishes.nominal, *wishes.drop} | (
        {wishes.groups} if isinstance(wishes.groups, str) else set()
    )
    return [name for name in index if isinstance(name, str) and name in table.column_names and name not in named]
