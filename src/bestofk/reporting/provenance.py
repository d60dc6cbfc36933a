"""Where a verdict came from, and the command and the code that make it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bestofk.judging import Verdict
from bestofk.stores.address import is_store
from bestofk.stores.store import without_password


@dataclass(frozen=True)
class Recipe:
    """Files, options of reading and settings of judging; ``files`` is empty for results that were in memory."""

    files: tuple[str, ...]
    reading: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def command(self) -> str:
        """The line for a shell; empty when there is no file to name."""
        if not self.files:
            return ""
        words = ["bestofk", "judge", *self.files]
        for name, value in {**self.reading, **self.settings}.items():
            words += _option(name, value)
        return shlex.join(words)

    @property
    def code(self) -> str:
        """The lines of Python."""
        source = repr(self.files[0] if len(self.files) == 1 else list(self.files))
        read = f"bk.read({_call(source, self.reading)})" if self.files else "evidence"
        return f"import bestofk as bk\n\nverdict = bk.judge({_call(read, self.settings)})\nprint(verdict)"


def recipe_of(verdict: Verdict, reading: Mapping[str, Any] | None = None) -> Recipe:
    """What made the verdict; ``reading`` are the options of ``bk.read``, with its ``source``, where they are known."""
    known = dict(reading or verdict.provenance.reading)
    files = _files(known.pop("source", None), verdict.provenance.source)
    if reading is None and not known and files:  # how it was read is not known: said in full what can be
        known = {"measure": verdict.measure, "larger_is_better": verdict.comparison.larger_is_better}
        if is_store(files[0]):  # whose hash is the fingerprint of the plan
            known["plan"] = verdict.provenance.sha256[:12]
    settings = dict(verdict.provenance.settings)
    if isinstance(settings.get("prior"), list) and len(settings["prior"]) > 1:
        settings["prior"] = list(verdict.prior or ())  # a dict of costs is kept by its names alone
    on: dict[str, Any] = {name: settings.pop(name) for name in ("on", "positive", "undefined") if name in settings}
    known = {name: value for name, value in {**known, **on}.items() if value is not None}
    return Recipe(files, known, settings) if files else Recipe((), {}, {**on, **settings})


def origin_terms(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """Source, hash, settings, seed and versions by name."""
    origin = verdict.provenance
    notes = "; ".join(origin.notes)
    terms = {
        "Source": origin.source,
        "Fingerprint of the plan" if is_store(origin.source) else "SHA-256": origin.sha256,  # stores grow
        "Read": notes,
        "Settings": ", ".join(f"{name} {_said(value)}" for name, value in origin.settings.items() if value is not None),
        "Seed": str(origin.seed),
        "Versions": ", ".join(f"{name} {number}" for name, number in origin.versions.items()),
    }
    return tuple((name, text) for name, text in terms.items() if text)


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _files(source: Any, said: str) -> tuple[str, ...]:
    if isinstance(source, list | tuple):
        return tuple(without_password(str(each)) for each in source)
    if isinstance(source, str | Path):
        return (without_password(str(source)),)
    return (said,) if "://" in said or Path(said).exists() else ()


def _option(name: str, value: Any) -> list[str]:
    if name == "larger_is_better":
        return ["--larger-is-better" if value else "--smaller-is-better"]
    flag = "--" + name.replace("_", "-")
    if value is True:
        return [flag]
    if isinstance(value, list | tuple):
        return [flag, ",".join(_quoted(str(each)) for each in value)]
    return [flag, str(value)]


def _quoted(name: str) -> str:
    """A learner's name as ``--prior`` reads it: quotes around a comma."""
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name or name != name.strip() else name


def _call(first: str, options: Mapping[str, Any]) -> str:
    return ", ".join([first, *(f"{name}={value!r}" for name, value in options.items())])
