"""A rate found by simulation, and how far chance may have moved it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special


@dataclass(frozen=True)
class Measured:
    """Mean of ``runs`` outcomes in [0, 1]; ``squares`` is their sum of squares (equal to ``total`` for yes/no)."""

    total: float
    squares: float
    runs: int

    @classmethod
    def of(cls, outcomes: np.ndarray) -> Measured:
        values = np.asarray(outcomes, dtype=float)
        return cls(float(values.sum()), float(np.square(values).sum()), values.size)

    def __add__(self, other: Measured) -> Measured:
        return Measured(self.total + other.total, self.squares + other.squares, self.runs + other.runs)

    @property
    def rate(self) -> float:
        return self.total / self.runs

    def interval(self, level: float) -> tuple[float, float]:
        """Clopper and Pearson's exact interval for yes/no outcomes, the normal one for shares such as an FDP."""
        tail = (1.0 - level) / 2.0
        if self.squares != self.total:
            variance = self.squares / self.runs - self.rate**2
            half = -special.ndtri(tail) * np.sqrt(variance / self.runs)
            return max(0.0, self.rate - half), min(1.0, self.rate + half)
        k, n = self.total, self.runs
        low = 0.0 if k == 0 else float(special.betaincinv(k, n - k + 1, tail))
        high = 1.0 if k == n else float(special.betaincinv(k + 1, n - k, 1.0 - tail))
        return low, high


NOTHING = Measured(0.0, 0.0, 0)
