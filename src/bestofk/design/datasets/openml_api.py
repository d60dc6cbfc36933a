"""OpenML's answers: asked with a time limit, asked again when the line fails, kept on disk."""

from __future__ import annotations

import gzip
import json
import os
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from bestofk.core.errors import InputError
from bestofk.design.datasets.cache_folder import cache_folder, keep

if TYPE_CHECKING:
    from urllib.error import HTTPError

VARIABLE = "BESTOFK_OPENML"
ADDRESS = "https://www.openml.org"
SECONDS = 30.0
#: Pauses in seconds before asking again.
PAUSES = (0.5, 1.0)
HINT = "check the network, or download the data set as ARFF and give the file."


def address() -> str:
    """Return where OpenML is: ``BESTOFK_OPENML`` for a mirror, else its own address."""
    said = os.environ.get(VARIABLE, ADDRESS).rstrip("/")
    if urlsplit(said).scheme not in ("http", "https") or not urlsplit(said).netloc:
        raise InputError(f"{said!r} is no web address.", VARIABLE, f"write {ADDRESS}, for example.")
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

    request = Request(url, headers={"Accept-Encoding": "gzip", "User-Agent": "bestofk"})
    with urlopen(request, timeout=SECONDS) as answer:
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
