"""What stands beside rates at a threshold: the error and the counts of that threshold, or of predicted classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bestofk.core.arrays import Array
from bestofk.evidence.outcomes.known import Known
from bestofk.evidence.outcomes.wanted import threshold_in

PREDICTED, ALL = "of the predicted classes", "of all classes"


@dataclass(frozen=True)
class Cut:
    """Counts at the one threshold that is named, None without one; and what the error is of, in words."""

    counts: Array | None = None
    moves_error: bool = False
    error_of: str = ""
    notes: tuple[str, ...] = ()


def settled_cut(names: Sequence[str], known: Known, has_error: bool) -> Cut:
    """Take counts at the threshold where all thresholds are one; the error too, where every measure is at it.

    Of three classes or more the error is that of all classes, which no threshold of one class makes.
    """
    found = [threshold_in(name) for name in names]
    cuts = {each[1] for each in found if each is not None}
    if not cuts or known.counts_at is None or "error" in names:
        return Cut(error_of=ALL if _of_all_classes(names, known, has_error) else "")
    alone = next(iter(cuts)) if len(cuts) == 1 else None
    moves = alone is not None and None not in found and len(known.classes) <= 2
    at = PREDICTED if alone is None else f"at the threshold {alone:g}"
    error_of = at if moves else PREDICTED if has_error else ""
    error = f"the error is {error_of}" if error_of else ""
    costs = f"the costs of mistakes are {at}"
    note = f"{error}, and {costs}" if error else costs
    return Cut(None if alone is None else known.counts_at(alone), moves, error_of, (note,))


def _of_all_classes(names: Sequence[str], known: Known, has_error: bool) -> bool:
    """Whether the error is not that of the one class against the rest whose rates are named."""
    return has_error and "error" not in names and known.positive is not None and len(known.classes) > 2
