"""Errors that a leaf must expect, compiled."""

from __future__ import annotations

from typing import Any

from bestofk.c45 import pessimism
from bestofk.c45.compiled.compiling import compiled
from bestofk.c45.margins import SMALL

added_errors = compiled(pessimism.added_errors)


@compiled
def expected_errors(counts: Any, confidence: Any, deviate: Any) -> Any:
    """Errors among the training rows and those to add; none where there are no rows."""
    total, largest = 0.0, 0.0
    for weight in counts:
        total += weight
        largest = max(largest, weight)
    if total < SMALL:
        return 0.0
    return total - largest + added_errors(total, total - largest, confidence, deviate)
