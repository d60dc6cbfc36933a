"""OpenML: ``openml:61`` or ``openml:iris`` is fetched once, verified and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.design.dataset import Dataset
from bestofk.design.datasets.cache_folder import keep
from bestofk.design.datasets.openml_api import HINT, description, fetched, kept_at, number_of
from bestofk.design.datasets.paper_sets import PAPER_SETS
from bestofk.design.datasets.table import DATA, DataTable, Wishes, dataset_of_table
from bestofk.tables.arff import table_of_arff

PREFIX = "openml:"


@dataclass(frozen=True)
class Fetched:
    """A data set of OpenML on disk, with what OpenML says of it."""

    number: int
    name: str
    described: Mapping[str, Any]
    file: Path


def dataset_of_openml(text: str, wishes: Wishes) -> Dataset:
    """Return a data set of OpenML by id or name; its default target unless another is named."""
    where = f"data set {text}"
    got = fetched_set(text)
    source = f"{PREFIX}{got.number}"
    name = wishes.name or got.name
    read = table_of_arff(_text(got, where), f"data set {name}, {source}", DATA)
    table = DataTable(name, source, read.columns, refused=read.left_out)
    target = wishes.target or _only_target(got, table, where)
    aside = [column for column in _listed(got, "row_id_attribute", "ignore_attribute") if column in table.names]
    drop = (*wishes.drop, *(column for column in aside if column not in (target, wishes.groups, *wishes.drop)))
    dataset = dataset_of_table(table, replace(wishes, name=name, target=target, drop=drop))
    if not wishes.target and not wishes.drop and wishes.groups is None:
        _refuse_another(dataset, got, where)
    return dataset


def fetched_set(text: str) -> Fetched:
    """Return where a data set of OpenML is kept, fetching and verifying it first where needed."""
    where = f"data set {text}"
    asked = text[len(PREFIX) :].strip()
    if not asked:
        raise InputError(f"{text!r} names no data set.", where, "write its id or name: openml:61, openml:iris.")
    number = int(asked) if asked.isascii() and asked.isdigit() else number_of(asked, where)
    described = description(number, where)
    if "sparse" in str(described.get("format", "")).lower():
        raise InputError("the data are sparse.", where, "save them dense, as ARFF or CSV, and give the file.")
    file = kept_at(str(number), "data.arff")
    expected = str(described.get("md5_checksum") or "").lower()
    if not _is_whole(file.read_bytes() if file.is_file() else None, expected):
        keep(file, _verified(number, int(described["file_id"]), expected, where))
    return Fetched(number, str(described.get("name") or f"openml-{number}"), described, file)


def _verified(number: int, file_id: int, expected: str, where: str) -> bytes:
    content = fetched(f"/data/v1/download/{file_id}", where)
    if not _is_whole(content, expected):
        kept_at(str(number), "description.json").unlink(missing_ok=True)  # it may be the older of the two
        found = hashlib.md5(content, usedforsecurity=False).hexdigest()
        raise InputError(
            f"the download of {len(content):,} bytes is not what OpenML promises: MD5 {found} instead of {expected}.",
            where,
            f"try again later; {HINT}",
        )
    return content


def _is_whole(content: bytes | None, expected: str) -> bool:
    if content is None:
        return False
    return not expected or hashlib.md5(content, usedforsecurity=False).hexdigest() == expected


def _text(got: Fetched, where: str) -> str:
    try:
        return got.file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is no UTF-8 text.", f"{where}, {got.file}", HINT) from None


def _only_target(got: Fetched, table: DataTable, where: str) -> str:
    names = _listed(got, "default_target_attribute")
    if len(names) == 1 and names[0] in table.names:
        return names[0]
    raise InputError(
        f"OpenML names {len(names)} targets{': ' + ', '.join(names) if names else ''}.",
        where,
        f"name the target. Columns: {', '.join(table.names)}.",
    )


def _listed(got: Fetched, *keys: str) -> list[str]:
    """Column names that OpenML gives as a list, or as text with commas."""
    values = [got.described.get(key) or [] for key in keys]
    parts = [value.split(",") if isinstance(value, str) else value for value in values]
    return [str(name).strip().strip('"') for part in parts for name in part]


def _refuse_another(dataset: Dataset, got: Fetched, where: str) -> None:
    """A set of the papers must be the one that they used."""
    for name, known in PAPER_SETS.items():
        if known.openml != got.number:
            continue
        found = {"rows": dataset.rows, "inputs": len(dataset.features), "classes": len(dataset.classes)}
        wanted = {"rows": known.rows, "inputs": known.inputs, "classes": known.classes}
        differing = [
            f"{found[what]} {what} instead of {count}" for what, count in wanted.items() if found[what] != count
        ]
        if differing:
            raise InputError(
                f"this is not the {name} of the papers: it has {', '.join(differing)}.",
                where,
                f"to use it all the same, give its file: {got.file}.",
            )
