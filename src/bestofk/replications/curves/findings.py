"""Rows of the study by what they measure, in the paper's units: rejections per 1,000."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bestofk.core.arrays import Array
from bestofk.replications.curves.experiments import COUNTED
from bestofk.replications.curves.study import StudyRow

#: The paper's names of the two effects, and how bestofk's fields end.
EFFECTS = {"Algorithm": "alg", "Interaction": "int"}
METHODS = ("conventional", "randomized")


@dataclass(frozen=True, eq=False)
class Findings:
    """All rows of a study; pools, kinds and factors in their order."""

    rows: Sequence[StudyRow]

    @property
    def pools(self) -> tuple[str, ...]:
        """Pools whose type I error was measured; the first is the one that was modified."""
        return tuple(row.pool for row in self.rows if row.question == "type-i")

    @property
    def kinds(self) -> tuple[str, ...]:
        """Modifications."""
        return tuple(dict.fromkeys(row.kind for row in self.rows if row.kind))

    @property
    def factors(self) -> tuple[float, ...]:
        """Factors of the modifications."""
        return tuple(dict.fromkeys(row.factor for row in self.rows if row.kind))

    def divided(self, pool: str) -> StudyRow:
        """Fig. 3 and 4: curves of one pool divided at random."""
        return next(row for row in self.rows if row.question == "type-i" and row.pool == pool)

    def along(self, question: str, kind: str, counted: str) -> Array:
        """Rates along the factors: Fig. 5 (``modified``) or Fig. 6 (``power``)."""
        return np.array([getattr(row, counted) for row in self.rows if (row.question, row.kind) == (question, kind)])

    def everywhere(self, question: str, counted: str) -> Array:
        """Rates of all modifications and factors."""
        return np.concatenate([self.along(question, kind, counted) for kind in self.kinds])

    def asked(self, question: str) -> bool:
        """Whether the question was measured."""
        return any(row.question == question for row in self.rows)

    def experiments(self, question: str) -> int:
        """Experiments behind every row, over all its runs."""
        row = next(row for row in self.rows if row.question == question)
        return row.experiments * len(row.counts)

    def error(self, question: str) -> float:
        """Standard error, in rejections per 1,000, of a row whose true rate is 50."""
        return float(1000 * np.sqrt(0.05 * 0.95 / self.experiments(question)))


def per_thousand(row: StudyRow) -> dict[str, Array]:
    """Rejections per 1,000 of every run, by what was counted."""
    counts = 1000.0 * np.asarray(row.counts) / row.experiments
    return {name: counts[:, i] for i, name in enumerate(COUNTED)}
