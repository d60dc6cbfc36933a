"""Collapsing: a subtree that makes no fewer training errors than a leaf is one."""

from __future__ import annotations

from typing import Any

from bestofk.c45.compiled.compiling import compiled
from bestofk.c45.margins import WORTHLESS


@compiled
def collapse(nodes: Any, used: Any) -> Any:
    """From the root down; children come after their parents, so that one pass each way is enough."""
    below = nodes.expected
    for node in range(used - 1, -1, -1):
        below[node] = 0.0
        for child in range(nodes.first[node], nodes.first[node] + nodes.width[node]):
            below[node] += below[child]
        if nodes.leaf[node]:
            below[node] = errors_of(nodes.counts[node])
    for node in range(used):
        if not nodes.leaf[node] and below[node] >= errors_of(nodes.counts[node]) - WORTHLESS:
            nodes.leaf[node] = True


@compiled
def errors_of(counts: Any) -> Any:
    """Weight of all classes but the most frequent."""
    total, largest = 0.0, 0.0
    for weight in counts:
        total += weight
        largest = max(largest, weight)
    return total - largest
