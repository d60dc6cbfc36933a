"""Reports of SWE-bench: a JSON file per system with the names of the instances that it resolved, and of the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from bestofk.core.errors import InputError
from bestofk.evidence.programs.log import Direction, Log, Opening, Outcome, Program
from bestofk.tables.json_files import json_content

RESOLVED = "resolved"
#: Lists of instances that were not resolved.
OTHERS = ("unresolved_ids", "error_ids", "empty_patch_ids", "incomplete_ids", "submitted_ids", "completed_ids")


def is_swe_bench(opening: Opening) -> bool:
    """Whether the keys are those of a report, new or old."""
    known = ("resolved_ids",), ("resolved_instances", "submitted_instances"), ("resolved", "no_generation")
    return any(all(map(opening.has, names)) for names in known)


def is_beside(opening: Opening) -> bool:
    """Whether a file is the report of one instance, or has the patches that were evaluated."""
    return opening.has_all("patch_successfully_applied") or opening.has_all("instance_id", "model_patch")


def read(path: Path) -> Log:
    """Instances by name, resolved or not; a report that names the resolved ones alone is refused."""
    content, digest = json_content(path)
    resolved = set(content.get("resolved_ids") or ())
    every = resolved.union(*(content.get(name) or () for name in OTHERS))
    expected = content.get("total_instances")
    if "resolved_ids" not in content or len(every) < (expected or 1):
        raise InputError(
            f"the report names {len(every) or len(content.get('resolved') or ())} instances"
            f"{f' of {expected}' if expected else ' that are resolved, and not those that are not'}.",
            str(path),
            "give the report of the harness with resolved_ids, unresolved_ids and incomplete_ids; or a table "
            "model,instance_id,resolved of all instances.",
        )
    name = path.stem if path.stem not in ("results", "report") else path.resolve().parent.name
    up = (Direction(RESOLVED, True),)
    return Log(_outcomes(sorted(every), resolved), lambda: digest, name, unit="instance", main=RESOLVED, directions=up)


def _outcomes(every: Iterable[str], resolved: set[str]) -> Iterator[Outcome]:
    for number, item in enumerate(every, start=1):
        yield Outcome(number, item, {RESOLVED: float(item in resolved)})


SWE_BENCH = Program("SWE-bench", is_swe_bench, read, is_companion=is_beside)
