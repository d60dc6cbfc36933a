"""Words for where a verdict came from."""

from __future__ import annotations

from bestofk.judging import Verdict
from bestofk.stores.store import is_store

NO_COMMAND = "The results were in memory, not in a file: no command can make this verdict again, the lines below can."


def origin_terms(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """Source, hash, settings, seed and versions by name."""
    origin = verdict.provenance
    terms = {
        "Source": origin.source,
        "Fingerprint of the plan" if is_store(origin.source) else "SHA-256": origin.sha256,  # stores grow
        "Settings": ", ".join(f"{name} {_said(value)}" for name, value in origin.settings.items() if value is not None),
        "Seed": str(origin.seed),
        "Versions": ", ".join(f"{name} {number}" for name, number in origin.versions.items()),
        "Left out": verdict.comparison.left_out,
    }
    return tuple((name, text) for name, text in terms.items() if text)


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
