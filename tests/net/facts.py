"""What of an answer is a fact: numbers, names and choices, not the sentences about them.

The rules are all here. A field that is absent, null or empty is the same; so a new field without content changes no
kept file.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Record that hold text for people, or what differs between machines, days and versions.
DROPPED = {
    *(
        "headline",
        "text",
        "sentence",
        "evidence",
        "design",
        "why_test",
        "caution",
        "left_out",
        "not_looked_at",
    ),
    *("seen", "do", "notes", "error_of", "prior_from", "groups_by", "problems", "troubles", "plan_text"),
    *("source", "report", "store", "sha256", "fingerprint", "id", "versions", "created", "locked", "seconds"),
}
#: Findings that depend on how long a learner took, where the times were measured and not read from a file.
TIMED = {"pareto_front"}
TIMED_ADVICE = {"K127"}
#: Lists whose order has no meaning: a store lists its series by an identifier.
UNORDERED = {"series"}
#: A string of so many words is a sentence.
SENTENCE = 5
#: Longer lists are cut to their length, beginning and sum.
LONGEST = 60
DIGITS = 12
RELATIVE, ABSOLUTE = 1e-9, 1e-12


def facts(document: Any, *, timed: bool = False) -> Any:
    """The document without sentences, with rounded numbers and cut lists; ``timed``: its times were measured."""
    if isinstance(document, dict):
        if set(document) == {"wrong", "where", "fix"}:
            return error_facts(document["wrong"])
        found = {key: _field(key, value, timed) for key, value in document.items() if _kept(key, timed)}
        return {key: value for key, value in found.items() if value not in (None, "", [], {})}
    if isinstance(document, list):
        return _cut([facts(each, timed=timed) for each in document if not _is_sentence(each)])
    if isinstance(document, float):
        return float(f"{document:.{DIGITS}g}")
    if isinstance(document, str) and Path(document).is_absolute():
        return Path(document).name
    return None if _is_sentence(document) else document


def error_facts(wrong: str) -> dict[str, Any]:
    """The numbers, and the names in quotes, of what is wrong; of a file only its name."""
    names = [name.rsplit("/", 1)[-1] for name in re.findall(r"(?<!\w)'([^']*)'", wrong)]
    rest = re.sub(r"\S*/\S*", "", re.sub(r"(?<!\w)'[^']*'", "", wrong))
    numbers = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)", rest)
    return {"names": names, "numbers": [float(number) for number in numbers]}


def changes(kept: Any, found: Any, path: str = "") -> Iterator[str]:
    """Say path by path where two answers differ; numbers may differ in the last digits."""
    if isinstance(kept, dict) and isinstance(found, dict):
        for key in [*kept, *(key for key in found if key not in kept)]:
            yield from changes(kept.get(key), found.get(key), f"{path}.{key}" if path else key)
    elif isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        for place, (one, other) in enumerate(zip(kept, found, strict=True)):
            yield from changes(one, other, f"{path}[{place}]")
    elif not _equal(kept, found):
        yield f"{path}: {_short(kept)} → {_short(found)}"


def _field(key: str, value: Any, timed: bool) -> Any:
    if timed and key == "advice":
        value = [each for each in value if each["code"] not in TIMED_ADVICE]
    found = facts(value, timed=timed)
    return sorted(found, key=json.dumps) if key in UNORDERED else found


def _kept(key: str, timed: bool) -> bool:
    return key not in DROPPED and not (timed and key in TIMED)


def _is_sentence(value: Any) -> bool:
    return isinstance(value, str) and len(value.split()) >= SENTENCE


def _cut(values: list[Any]) -> Any:
    numbers = list(_numbers(values))
    if None not in numbers and len(numbers) > LONGEST:
        total = float(f"{math.fsum(numbers):.{DIGITS}g}")
        return {"shape": _shape(values), "first": numbers[:5], "sum": total}
    return {"length": len(values), "first": values[:5]} if len(values) > LONGEST else values


def _numbers(values: Any) -> Iterator[float | None]:
    """Every number of nested lists in a row; None where there is something else."""
    if isinstance(values, list):
        for each in values:
            yield from _numbers(each)
    else:
        yield values if isinstance(values, (int, float)) else None


def _shape(values: Any) -> list[int]:
    return [len(values), *_shape(values[0])] if isinstance(values, list) and values else []


def _equal(kept: Any, found: Any) -> bool:
    if isinstance(kept, bool) or isinstance(found, bool) or not _are_numbers(kept, found):
        return type(kept) is type(found) and kept == found
    return math.isclose(kept, found, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def _are_numbers(*values: Any) -> bool:
    return all(isinstance(value, (int, float)) for value in values)


def _short(value: Any) -> str:
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}…"
