"""One cell's results as compact bytes and back, exactly: a checked header and raw arrays, never a pickle.

Layout: ``bkc``, the version, CRC-32 of all that follows (seeded with the cell's id, so that bytes in the wrong row are
noticed), the header's length, the header (JSON, zlib where it is shorter) and the arrays one after another. Integers
take the narrowest type that holds them, an array of one repeated value takes one value.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores.cells import BY_FOLD, BY_REPLICATION, checked, place_of
from bestofk.stores.notes import NotedCell, Notes, notes_of
from bestofk.stores.store import too_new

#: The second has notes on work that folds shared, the third the truth of test rows; cells without them are written as
#: the version before, for older readers.
VERSION = 3
_MAGIC = b"bkc"
_START = struct.Struct("<3sBI")  # the checksum covers everything behind it
_LENGTH = struct.Struct("<I")
_DTYPE = re.compile(r"[<>|=][biufUS]\d+")
_NARROW = tuple(np.dtype(kind) for kind in ("u1", "i1", "<u2", "<i2", "<u4", "<i4"))
_WORTH_ZLIB = 256  # bytes
_MOST = 1 << 30  # bytes of an array, or of a header: a few bytes can claim any size

AnyArray = npt.NDArray[Any]


def pack(result: CellResult) -> bytes:
    """Return a cell's results as bytes; ``unpack`` with the same key gives them back."""
    result = checked(result)
    entries, buffers = [], []
    for name, array, text_like in _arrays_of(result):
        entry, stored = _stored(name, array, squeeze=text_like)
        entries.append(entry)
        buffers.append(stored)
    kept = [name for name in BY_FOLD if getattr(result, name) is not None]
    header: dict[str, Any] = {"classes": result.classes, "arrays": entries, "kept": kept, "failures": _reasons(result)}
    if notes_of(result):
        header["notes"] = notes_of(result).to_dict()
    head = _squeezed(json.dumps(header, separators=(",", ":")).encode())
    rest = b"".join([_LENGTH.pack(len(head)), head, *buffers])
    version = 3 if result.truths is not None else 2 if notes_of(result).shared else 1
    return _START.pack(_MAGIC, version, _checksum(result.key, rest)) + rest


def unpack(key: CellKey, blob: bytes, *, where: str) -> CellResult:
    """Return the results of a cell from its bytes; damaged ones, or those of another cell, are refused."""
    place = f"{where}, {place_of(key)}"
    if not isinstance(blob, bytes) or len(blob) < _START.size or blob[:3] != _MAGIC:
        raise _damaged(place)
    version = blob[3]
    if version not in _READERS:
        raise too_new("the cell", version, VERSION, place)
    if _START.unpack_from(blob)[2] != _checksum(key, memoryview(blob)[_START.size :]):
        raise _damaged(place)
    try:
        return checked(_READERS[version](key, blob))
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RuntimeError, struct.error, zlib.error):
        raise _damaged(place) from None


def _damaged(place: str) -> InputError:
    return InputError(
        "the results of a cell are damaged: their checksum does not fit.",
        place,
        "see bestofk store verify; remove the cell and collect it again, or take it from a copy of the store.",
    )


def _checksum(key: CellKey, rest: bytes | memoryview) -> int:
    return zlib.crc32(rest, zlib.crc32(key.id.encode()))


def _arrays_of(result: CellResult) -> Iterator[tuple[str, AnyArray, bool]]:
    """Name, array, and whether it repeats itself enough for zlib to be worth its time."""
    for name in BY_REPLICATION:
        array = getattr(result, name)
        if array is not None:
            yield name, array, False
    for name, array in result.scores.items():
        yield f"scores/{name}", array, False
    for name in BY_FOLD:
        for (replication, fold), array in (getattr(result, name) or {}).items():
            yield f"{name}/{replication}/{fold}", array, True


def _stored(name: str, array: AnyArray, *, squeeze: bool) -> tuple[list[Any], bytes]:
    """Return [name, type, type in the bytes, shape, how, length] and the bytes."""
    kept = _narrowest(np.ascontiguousarray(array).reshape(-1))
    how, data = "raw", b""
    if _one_value(kept):
        how, data = "fill", kept[:1].tobytes()
    else:
        data = kept.tobytes()
        shorter = _squeezed(data) if squeeze else data
        how, data = ("zlib", shorter) if len(shorter) < len(data) else (how, data)
    return [name, array.dtype.str, kept.dtype.str, list(array.shape), how, len(data)], data


def _narrowest(flat: AnyArray) -> AnyArray:
    if flat.dtype.kind not in "iu" or flat.dtype.itemsize == 1 or flat.size == 0:
        return flat
    low, high = int(flat.min()), int(flat.max())
    for kind in _NARROW:
        if kind.itemsize < flat.dtype.itemsize and np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return flat.astype(kind)
    return flat


def _one_value(flat: AnyArray) -> bool:
    """Whether every value has the same bits: NaN and −0 are kept as they are."""
    if flat.size < 2 or flat.dtype.kind not in "biuf" or flat.dtype.itemsize not in (1, 2, 4, 8):
        return False
    bits = flat.view(f"u{flat.dtype.itemsize}")
    return bool(bits[0] == bits[-1] and (bits == bits[0]).all())


def _squeezed(data: bytes) -> bytes:
    if len(data) < _WORTH_ZLIB:
        return data
    shorter = zlib.compress(data, 1)
    return shorter if len(shorter) < len(data) else data


def _unsqueezed(data: bytes) -> bytes:
    return zlib.decompressobj().decompress(data, _MOST)


def _reasons(result: CellResult) -> dict[str, Any]:
    """Each text once, and where it stands; a cell without failures costs a few bytes."""
    texts: dict[str, int] = {}
    places, which = [], []
    if result.failed:
        flat = [reason for line in result.failures for reason in line]
        places = [place for place, reason in enumerate(flat) if reason]
        which = [texts.setdefault(flat[place], len(texts)) for place in places]
    shape = [len(result.failures), len(result.failures[0])]
    return {"shape": shape, "texts": list(texts), "places": places, "which": which}


def _read_version_1(key: CellKey, blob: bytes) -> CellResult:
    start = _START.size + _LENGTH.size
    place = start + _LENGTH.unpack_from(blob, _START.size)[0]
    head = blob[start:place]
    header = json.loads(head if head[:1] == b"{" else _unsqueezed(head))
    fields: dict[str, Any] = {"confusion": None, "scores": {}, **{name: {} for name in header["kept"]}}
    for name, kind, stored, shape, how, size in header["arrays"]:
        _put(fields, name, _array(blob, place, kind, stored, shape, how, size))
        place += size
    if place != len(blob):
        raise ValueError("bytes are left over")
    if not all(isinstance(each, str) for each in (*header["classes"], *header["failures"]["texts"])):
        raise ValueError("names that are no text")
    parts = {"key": key, "classes": tuple(header["classes"]), "failures": _texts(header["failures"]), **fields}
    return NotedCell(**parts, notes=Notes.of_dict(header["notes"])) if "notes" in header else CellResult(**parts)


def _put(fields: dict[str, Any], name: str, array: AnyArray) -> None:
    group, _, rest = name.partition("/")
    if group == "scores":
        fields["scores"][rest] = array
    elif group in BY_FOLD:
        replication, fold = rest.split("/")
        fields[group][int(replication), int(fold)] = array
    else:
        fields[group] = array


def _array(blob: bytes, place: int, kind: str, stored: str, shape: list[int], how: str, size: int) -> AnyArray:
    if not (_DTYPE.fullmatch(kind) and _DTYPE.fullmatch(stored)):
        raise ValueError("no type of numbers or text")
    count = prod(shape)
    if not 0 <= count * np.dtype(kind).itemsize <= _MOST:
        raise ValueError("more than a cell can have")
    if how == "fill":
        return np.full(shape, np.frombuffer(blob, stored, 1, place)[0], dtype=kind)
    if how == "zlib":
        flat = np.frombuffer(_unsqueezed(blob[place : place + size]), stored, count)
    else:
        flat = np.frombuffer(blob, stored, count, place)  # no copy: the array looks into the blob
    return flat.reshape(shape).astype(kind, copy=False)


def _texts(kept: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    rows, columns = map(int, kept["shape"])
    if not 0 <= rows * columns <= _MOST // 8:
        raise ValueError("more than a cell can have")
    if not kept["places"]:
        return (("",) * columns,) * rows
    flat = [""] * (rows * columns)
    for place, which in zip(kept["places"], kept["which"], strict=True):
        flat[place] = kept["texts"][which]
    return tuple(tuple(flat[row * columns : (row + 1) * columns]) for row in range(rows))


#: Every version that was ever written stays readable.
_READERS: dict[int, Callable[[CellKey, bytes], CellResult]] = dict.fromkeys((1, 2, 3), _read_version_1)
