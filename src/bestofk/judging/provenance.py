"""What a verdict came from: enough to make it again and to see that it is the same."""

from __future__ import annotations

import platform
from dataclasses import field
from importlib.metadata import version
from typing import Any

import numpy as np

from bestofk.core.record import Record
from bestofk.core.version import __version__
from bestofk.evidence import Evidence


class Provenance(Record):
    """Source and hash of the input, how it was read, settings, seed and versions.

    ``reading`` are the arguments of ``read`` that were given.
    """

    source: str
    sha256: str
    notes: tuple[str, ...]
    settings: dict[str, Any]
    seed: int
    versions: dict[str, str]
    reading: dict[str, Any] = field(default_factory=dict)


def provenance_of(evidence: Evidence, settings: dict[str, Any], seed: int) -> Provenance:
    """Collect what is known about a verdict's input and making."""
    return Provenance(
        source=evidence.origin.source,
        sha256=evidence.origin.sha256,
        notes=evidence.origin.notes,
        settings=settings,
        seed=seed,
        versions={
            "bestofk": __version__,
            "numpy": np.__version__,
            "scipy": version("scipy"),
            "python": platform.python_version(),
        },
        reading=dict(evidence.origin.reading),
    )
