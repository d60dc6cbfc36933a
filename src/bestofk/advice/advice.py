"""What an adviser looks at, and what it says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.arrays import Array
from bestofk.core.record import Record
from bestofk.evidence import Evidence
from bestofk.evidence.columns import plain
from bestofk.evidence.vectors import Vectors
from bestofk.ordering import Ordering

#: Measures that count true negatives.
_OF_BOTH = frozenset({"fpr", "specificity", "tnr", "tn", "fp"})


@dataclass(frozen=True, eq=False)
class Case:
    """Evidence as it was used, the comparison made from it, and the order that follows.

    ``rope`` is the largest difference that does not matter, ``task`` what the learners are for, where somebody said it.
    """

    evidence: Evidence
    comparison: Comparison
    ordering: Ordering
    rope: float | None = None
    task: str | None = None

    @property
    def vectors(self) -> Vectors | None:
        """The evidence where it is in several measures, or in areas under ROC curves."""
        return self.evidence if isinstance(self.evidence, Vectors) else None

    @property
    def names(self) -> frozenset[str]:
        """Names of the measures in plain letters."""
        return frozenset(plain(name) for name in self.comparison.names)

    @property
    def looks_at_both_classes(self) -> bool:
        """Whether some measure counts true negatives: the vector is like (tpr, fpr)."""
        return bool(self.names & _OF_BOTH)

    @property
    def looks_at_positives(self) -> bool:
        """Whether the vector is like (precision, recall): no measure of it counts true negatives."""
        return "precision" in self.names and not self.looks_at_both_classes

    def positive_shares(self) -> Array | None:
        """Share of positives in every planned fold; None without counts."""
        if self.vectors is None or self.vectors.counts is None:
            return None
        tp, fn, fp, tn = np.moveaxis(self.vectors.counts[0], -1, 0)
        share = (tp + fn) / np.maximum(tp + fn + fp + tn, 1.0)
        return np.asarray(share[np.asarray(self.vectors.planned)])


class Advice(Record):
    """A pitfall by its code: what was seen, and what to do about it."""

    code: str
    seen: str
    do: str

    def __repr__(self) -> str:
        return f"{self.code}: {self.seen}. {self.do[:1].upper()}{self.do[1:]}."
