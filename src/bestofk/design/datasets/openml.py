"""OpenML: ``openml:61`` or ``openml:iris`` is fetched once, verified and kept."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import sys
import time
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.outputs import written_whole
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.paper_sets import PAPER_SETS
from bestofk.design.datasets.table import DATA, DataTable, Wishes, dataset_of_table
from bestofk.tables.arff import table_of_arff

PREFIX = "openml:"


@frozen
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
        found = (dataset.rows, len(dataset.features), len(dataset.classes))
        wanted = (known.rows, known.inputs, known.classes)
        if known.openml == got.number and found != wanted:
            named = zip(found, ("rows", "inputs", "classes"), wanted, strict=True)
            differing = ", ".join(
                f"{ours} {what} instead of {theirs}" for ours, what, theirs in named if ours != theirs
            )
            raise InputError(
                f"this is not the {name} of the papers: it has {differing}.",
                where,
                f"to use it all the same, give its file: {got.file}.",
            )


if TYPE_CHECKING:
    from urllib.error import HTTPError

ADDRESS_VARIABLE = "BESTOFK_OPENML"
ADDRESS = "https://www.openml.org"
SECONDS = 30.0
#: Pauses in seconds before asking again.
PAUSES = (0.5, 1.0)
HINT = "check the network, or download the data set as ARFF and give the file."


def address() -> str:
    """Return where OpenML is: ``BESTOFK_OPENML`` for a mirror, else its own address."""
    said = os.environ.get(ADDRESS_VARIABLE, ADDRESS).rstrip("/")
    if urlsplit(said).scheme not in ("http", "https") or not urlsplit(said).netloc:
        raise InputError(f"{said!r} is no web address.", ADDRESS_VARIABLE, f"write {ADDRESS}, for example.")
    return said


def kept_at(*parts: str) -> Path:
    """Return where an answer of the present address is kept."""
    place = urlsplit(address()).netloc.replace(":", "_")
    return cache_folder().joinpath("openml", place, *parts)


def description(number: int, where: str) -> dict[str, Any]:
    """Return what OpenML says of a data set."""
    answer = _json(f"/api/v1/json/data/{number}", kept_at(str(number), "description.json"), where)
    described = answer.get("data_set_description")
    if not isinstance(described, dict) or not str(described.get("file_id", "")).isdigit():
        raise InputError(f"OpenML describes no data set {number}.", where, "look the id up at openml.org.")
    return described


def number_of(name: str, where: str) -> int:
    """Return the id of the oldest active data set of that name."""
    path = kept_at("names", f"{quote(name.lower(), safe='')}.json")
    answer = _json(f"/api/v1/json/data/list/data_name/{quote(name, safe='')}/status/active", path, where)
    listed = answer.get("data", {}).get("dataset", []) if isinstance(answer.get("data"), dict) else []
    numbers = [int(each["did"]) for each in listed if str(each.get("did", "")).isdigit()]
    if not numbers:
        raise InputError(f"OpenML has no active data set called {name}.", where, "look its id up at openml.org.")
    return min(numbers)


def fetched(path: str, where: str) -> bytes:
    """Return the body of an answer; a failing line or server is asked again twice."""
    from http.client import HTTPException
    from urllib.error import HTTPError  # the library of the web is slow to import, and most runs do without

    for pause in (*PAUSES, None):
        try:
            return _asked(address() + path)
        except HTTPError as error:
            if error.code < 500:
                raise InputError(
                    f"OpenML has no such data: {_message(error)}.", where, "look the id up at openml.org."
                ) from None
            fault = f"it answers {error.code} {error.reason}"
        except (OSError, HTTPException, EOFError, zlib.error) as error:
            fault = str(getattr(error, "reason", None) or error or type(error).__name__)
        if pause is not None:
            time.sleep(pause)
    raise InputError(f"OpenML cannot be reached: {fault}.", f"{where}, {address()}", HINT)


def _asked(url: str) -> bytes:
    from urllib.request import Request, urlopen

    request = Request(url, headers={"Accept-Encoding": "gzip", "User-Agent": "bestofk"})  # noqa: S310  address() allows http
    with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
        body: bytes = answer.read()
        return gzip.decompress(body) if answer.headers.get("Content-Encoding") == "gzip" else body


def _message(error: HTTPError) -> str:
    """The words of OpenML's own error, where it sends them."""
    try:
        return str(json.loads(error.read())["error"]["message"]).strip().rstrip(".")
    except (OSError, ValueError, KeyError, TypeError):
        return f"it answers {error.code} {error.reason}"


def _json(path: str, kept: Path, where: str) -> dict[str, Any]:
    """An answer in JSON, from the disk where it is kept; what is no JSON is neither kept nor used."""
    if kept.is_file() and (known := _parsed(kept.read_bytes())) is not None:
        return known
    content = fetched(path, where)
    answer = _parsed(content)
    if answer is None:
        raise InputError("OpenML's answer is no JSON.", f"{where}, {address()}{path}", HINT)
    keep(kept, content)
    return answer


def _parsed(content: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(content)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


CACHE_VARIABLE = "BESTOFK_CACHE"


def cache_folder() -> Path:
    """Return ``BESTOFK_CACHE``, or the folder that the platform has for such things; it need not exist yet."""
    said = os.environ.get(CACHE_VARIABLE)
    if said:
        return Path(said)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "bestofk"


def keep(path: Path, content: bytes) -> None:
    """Write a file so that it is there completely or not at all."""
    with written_whole(path, "the download", f"make room, or set {CACHE_VARIABLE} to another folder.") as beside:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(content)
