"""Entries of ``expected.json``: what a file is and what other programs conclude from it."""

import importlib.metadata
import json
from pathlib import Path

import pandas as pd

EXAMPLES = Path(__file__).resolve().parent.parent
ENTRIES = {}


def load(name):
    """Read a file of the examples."""
    return pd.read_csv(EXAMPLES / name)


def by(program, call, **values):
    """One conclusion with program, version and call."""
    return {"program": program, "version": importlib.metadata.version(program), "call": call, **values}


def paper(name, place, **values):
    """A conclusion as a paper prints it."""
    return {"program": "paper", "version": name, "call": place, **values}


def record(name, frame, *, reading, direction, conclusions, note=""):
    """Keep the entry of one file."""
    entry = {"rows": len(frame), "columns": list(frame.columns), "reading": reading, "direction": direction}
    ENTRIES[name] = {**entry, "conclusions": conclusions, **({"note": note} if note else {})}


def write():
    """Write all entries."""
    text = json.dumps(ENTRIES, indent=1, ensure_ascii=False, default=float, allow_nan=False)
    (EXAMPLES / "expected.json").write_text(text + "\n", encoding="utf-8")
