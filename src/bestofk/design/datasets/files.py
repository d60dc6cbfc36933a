"""Files of data: the ending says how to read them."""

from __future__ import annotations

import os
from pathlib import Path

from bestofk.core.errors import InputError
from bestofk.core.names import nearest
from bestofk.design.datasets.table import DATA, DataTable, Wishes, spoilt_columns
from bestofk.tables.files import BY_SUFFIX, ending_of, table_from_file

ENDINGS = tuple(BY_SUFFIX)
#: Formats that know the types of their columns: a column of words is one.
TYPED = (".arff", ".parquet", ".pq")


def is_file_name(source: str | os.PathLike[str]) -> bool:
    """Say whether a text means a file rather than a registered name."""
    text = os.fspath(source)
    return not isinstance(source, str) or "/" in text or os.sep in text or ending_of(Path(text)) in ENDINGS


def table_of_file(path: Path, wishes: Wishes) -> DataTable:
    """Return the columns of a file in any format that bestofk reads; text may be packed by gzip."""
    ending = ending_of(path)
    name = wishes.name or path.name.removesuffix(".gz").removesuffix(ending)
    where = f"data set {name}, {path}"
    _refuse_absent(path, where)
    if ending not in ENDINGS:
        raise InputError(
            f"files that end in {ending or 'nothing'} are not known.", where, f"give one of {', '.join(ENDINGS)}."
        )
    try:
        table = table_from_file(path, DATA)
    except InputError as error:
        raise InputError(error.wrong, f"data set {name}, {error.where}", error.fix) from None
    # What pandas wrote for a frame's index is no input unless the user names it.
    aside = {column for column in table.index if not wishes.names(column)}
    columns = {column: cells for column, cells in table.columns.items() if column not in aside}
    refused = {column: held for column, held in table.left_out.items() if column not in aside}
    spoilt = {} if ending in TYPED else spoilt_columns(table)
    return DataTable(name, str(path), columns, refused=refused, spoilt=spoilt)


def _refuse_absent(path: Path, where: str) -> None:
    if path.is_file():
        return
    folder = path.parent
    if path.is_dir():
        raise InputError(f"this is a folder: {path}.", where, "name a file in it, or give the folder as --data.")
    near = nearest(path.name, (each.name for each in folder.iterdir())) if folder.is_dir() else None
    hint = f"did you mean {folder / near}?" if near else "check the path; it counts from the folder you are in."
    raise InputError(f"there is no such file: {path}.", where, hint)
