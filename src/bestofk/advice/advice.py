"""What an adviser looks at, and what it says."""

from __future__ import annotations

from dataclasses import dataclass

from bestofk.comparing import Comparison
from bestofk.core.record import Record
from bestofk.evidence import Evidence
from bestofk.ordering import Ordering


@dataclass(frozen=True, eq=False)
class Case:
    """Evidence as it was used, the comparison made from it, and the order that follows.

    ``rope`` is the largest difference that does not matter, where somebody said it.
    """

    evidence: Evidence
    comparison: Comparison
    ordering: Ordering
    rope: float | None = None


class Advice(Record):
    """A pitfall by its code: what was seen, and what to do about it."""

    code: str
    seen: str
    do: str

    def __repr__(self) -> str:
        return f"{self.code}: {self.seen}. {self.do[:1].upper()}{self.do[1:]}."
