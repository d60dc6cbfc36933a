"""Logs of Inspect: a ZIP file (``.eval``, packed by Zstandard) or JSON, of one model on one task.

Of a ZIP file only its header and the summaries of its samples are read, whatever was said in between.
"""

from __future__ import annotations

import json
import struct
import sys
import zlib
from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bestofk.core.errors import InputError, glimpse
from bestofk.core.extras import need
from bestofk.evidence.programs.log import SECONDS, TOKENS, Direction, Log, Opening, Outcome, Program, Setting, words_of
from bestofk.tables.files import kind_of
from bestofk.tables.json_files import json_content
from bestofk.tables.text_files import on_disk

if TYPE_CHECKING:
    import zipfile

#: How Inspect writes correct, incorrect, partially correct and no answer.
GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
ZSTANDARD = 93
#: Files that Inspect writes into a folder of logs to list them.
LISTS = ("logs.json", "listing.json", "eval-set.json")
#: So much of what an item says proves that it is the same; summaries have no more of long ones.
SHOWN = 200


def is_inspect(opening: Opening) -> bool:
    """Whether a file is a log of Inspect, by its ending or its keys."""
    return kind_of(opening.path) == ".eval" or (opening.has("eval", "task") and opening.has("eval", "model"))


def read(path: Path) -> Log:
    """The samples of a run that has succeeded."""
    content, digest = _unpacked(path) if kind_of(path) == ".eval" else json_content(path)
    run, status = content.get("eval", {}), content.get("status")
    if status != "success":
        reason = (content.get("error") or {}).get("message", "")
        raise InputError(
            f"the run has the status {status}{f': {glimpse(reason)}' if reason else ''}.",
            str(path),
            "run it again (inspect eval-retry), and leave this log out.",
        )
    samples = content.get("samples") or []
    expected = (content.get("results") or {}).get("total_samples") or 0
    if len(samples) < expected:
        raise InputError(
            f"the log has {len(samples)} of {expected} samples.",
            str(path),
            "evaluate with --log-samples; copy it whole.",
        )
    whole = _whole(samples)
    values = [_values(sample, whole) for sample in samples]
    graded = tuple(dict.fromkeys(name for own in values for name, each in own.items() if _is_grade(each)))
    task, version = str(run.get("task_display_name") or run.get("task")), run.get("task_version")
    return Log(
        tuple(_outcomes(samples, values, str(run.get("model")))),  # so that what was said in between is let go
        lambda: digest,
        str(run.get("model")),
        task,
        () if version is None else (Setting(task, "version", version),),
        unit="sample",
        directions=tuple(Direction(name, True) for name in graded),
        rates=graded,
        written_by=str((run.get("packages") or {}).get("inspect_ai", "")),
        main=_declared(
            run.get("headline_metric") or {},
            (content.get("results") or {}).get("headline") or {},
            {name for own in values for name in own},
        ),
    )


def _declared(asked: Mapping[str, Any], found: Mapping[str, Any], measures: Collection[str]) -> str:
    """The score that the task puts first; where it says none, or one that is not there, Inspect writes the first."""
    said = {key: value for key, value in asked.items() if value is not None}
    if not said or not said.items() <= found.items():
        return ""
    part = f"{found.get('scorer')}/{found.get('score')}"
    return part if part in measures else str(found.get("score", ""))


def _is_grade(value: Any) -> bool:
    """Whether a scorer graded by letters: correct is better than incorrect."""
    return isinstance(value, str) and value in GRADES


def _whole(samples: list[Mapping[str, Any]]) -> set[str]:
    """Scores that some sample has as one value: parts of another sample alone are no measures."""
    every = (score for sample in samples for score in (sample.get("scores") or {}).items())
    return {name for name, each in every if each.get("value") is not None and not isinstance(each["value"], dict)}


def _values(sample: Mapping[str, Any], whole: Collection[str]) -> dict[str, Any]:
    """Values as they were written, by measure: those of a score of parts by score and part."""
    values: dict[str, Any] = {}
    for name, score in (sample.get("scores") or {}).items():
        value = score.get("value")
        parted = isinstance(value, dict) and name not in whole
        values |= {f"{name}/{key}": each for key, each in value.items()} if parted else {name: value}
    return values


def _outcomes(samples: list[Mapping[str, Any]], written: list[dict[str, Any]], model: str) -> Iterator[Outcome]:
    """Outcomes of samples; tokens are those of the model, not of graders, unless none are said to be its own."""
    for number, (sample, own) in enumerate(zip(samples, written, strict=True), start=1):
        values = {name: GRADES[each] if _is_grade(each) else each for name, each in own.items()}
        if sample.get("error") or not values:
            values = dict.fromkeys(values or _scorers(samples))
        usage = sample.get("model_usage") or {}
        used = [each.get("total_tokens") for each in ([usage[model]] if model in usage else usage.values())]
        costs = {TOKENS: float(sum(filter(None, used))) if used else None, SECONDS: sample.get("total_time")}
        words = {**words_of(sample.get("metadata")), "attempt": sample.get("epoch")}
        proof = f"{str(sample.get('input'))[:SHOWN]} {str(sample.get('target'))[:SHOWN]}"
        yield Outcome(
            number, str(sample.get("id")), values, costs, words, proof if isinstance(sample.get("input"), str) else ""
        )


def _scorers(samples: list[Mapping[str, Any]]) -> list[str]:
    return list(next((each["scores"] for each in samples if each.get("scores")), {}))


def _unpacked(path: Path) -> tuple[dict[str, Any], str]:
    """The header with the summaries of all samples, and the hash of the file."""
    import zipfile

    try:
        with zipfile.ZipFile(on_disk(path)) as archive:
            names = set(archive.namelist())
            if not {"header.json", "summaries.json"} <= names:
                started = "_journal/start.json" in names
                raise InputError(
                    "the run has not ended." if started else "there is no header.json in it.",
                    str(path),
                    "wait until it ends, or leave this log out." if started else "give the log as Inspect wrote it.",
                )
            content = json.loads(_member(archive, "header.json"))
            content["samples"] = json.loads(_member(archive, "summaries.json"))
    except InputError:
        raise
    except (zipfile.BadZipFile, ValueError, zlib.error, EOFError, struct.error, RuntimeError) as error:
        raise InputError(
            f"the log cannot be unpacked: {error}.",  # it is damaged, or packed or locked by something else
            str(path),
            "copy the whole file again, as Inspect wrote it.",
        ) from None
    with open(on_disk(path), "rb") as file:
        return content, sha256(file.read()).hexdigest()


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """A file of a ZIP file, which Python itself unpacks from 3.14 on where Zstandard packed it."""
    info = archive.getinfo(name)
    if info.compress_type != ZSTANDARD or sys.version_info >= (3, 14):
        return archive.read(info)
    from zipfile import BadZipFile

    zstandard = need("zstandard", purpose="reading logs of Inspect (.eval)")
    assert archive.fp is not None
    archive.fp.seek(info.header_offset)
    sizes = struct.unpack("<26xHH", archive.fp.read(30))
    archive.fp.seek(sum(sizes), 1)
    try:
        data: bytes = zstandard.ZstdDecompressor().decompressobj().decompress(archive.fp.read(info.compress_size))
    except zstandard.ZstdError as error:
        raise BadZipFile(str(error)) from None
    if zlib.crc32(data) != info.CRC:
        raise BadZipFile(f"{name} has another checksum")
    return data


INSPECT = Program(
    "Inspect",
    is_inspect,
    read,
    endings=(".eval", ".json"),
    is_companion=lambda opening: opening.path.name in LISTS,
)
