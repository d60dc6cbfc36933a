"""Where evidence came from and how it was understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from bestofk.core.record import Record

#: Code of a reading to confirm, and the sentence that goes with it: folds in a row may be repeated, or random splits.
ONE_REPLICATION = "one-replication"
ONE_REPLICATION_NOTE = (
    "nothing says whether the folds are repeated or are random splits: read as one replication "
    "(replications= or test_fraction= otherwise)"
)


class Origin(Record):
    """Source of evidence: a path or a kind of object, the hash of its content, and how it was read.

    ``notes`` say back what was not plain from the names alone, one sentence each ("column 'model' was read as
    learner"); ``assumed`` are the codes of readings that a person should confirm (``"rows-are-datasets"``,
    ``"one-replication"``). ``collected``: from a store, so that times are seconds and learners those of a plan.
    ``reading`` are the arguments of ``read`` that were given, with the paths as its source.
    """

    source: str = "arrays"
    sha256: str = ""
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    collected: bool = False
    reading: Mapping[str, Any] = field(default_factory=dict)

    def read_with(self, source: Any, options: Mapping[str, Any]) -> Origin:
        """The same origin with what ``read`` was told; a source that is no path is not kept."""
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
        paths = [str(each) for each in (source if isinstance(source, list | tuple) else [source]) if _is_path(each)]
        named = {"source": paths[0] if isinstance(source, str | Path) else paths} if paths else {}
        return replace(self, reading={**named, **given})


def _is_path(source: Any) -> bool:
    return isinstance(source, str | Path)
