"""Write kept answers again: ``python -m tests.net.keep [NAME …]`` at the top of the project; without a name, all.

A change on purpose is one commit with the new answers that says why they changed. Prints what changes.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from .cases import CASES
from .facts import changes
from .running import KEPT, answer, collect, places


def written(value: Any, indent: str = "") -> str:
    """JSON with a line per field and a list of numbers or names on one line."""
    inner = indent + " "
    if isinstance(value, dict) and value:
        lines = (f"{inner}{json.dumps(key)}: {written(each, inner)}" for key, each in value.items())
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(each, (dict, list)) for each in value):
        return "[\n" + ",\n".join(inner + written(each, inner) for each in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def keep(names: list[str]) -> None:
    """Write the answers of these cases, of all without names, and take away those of cases that are gone."""
    unknown = [name for name in names if name not in CASES]
    if unknown:
        sys.exit(f"unknown case {unknown[0]!r}: see cases.py")
    with tempfile.TemporaryDirectory() as folder:
        where = places(Path(folder))
        collect(where)
        KEPT.mkdir(exist_ok=True)
        for name in names or CASES:
            path, found = KEPT / f"{name}.json", answer(CASES[name], where)
            before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            for change in changes(before, found) if before else ["new"]:
                print(f"{name}: {change}")
            path.write_text(written(found) + "\n", encoding="utf-8")
    for path in KEPT.glob("*.json"):
        if path.stem not in CASES:
            print(f"{path.stem}: gone")
            path.unlink()


if __name__ == "__main__":
    keep(sys.argv[1:])
