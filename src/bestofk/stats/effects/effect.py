"""What every effect size returns."""

from __future__ import annotations

import numpy as np

from bestofk.core.record import Record
from bestofk.stats.results import Numeric


class Effect(Record):
    """An effect size: ``value`` above ``neutral`` says that the first loses more, below it that the second does."""

    name: str
    value: Numeric
    neutral: float

    def __repr__(self) -> str:
        if np.ndim(self.value):
            return f"{self.name}, batch of shape {np.shape(self.value)}"
        return f"{self.name} = {self.value:.4g} ({self._loser()})"

    def _loser(self) -> str:
        if self.value == self.neutral:
            return "neither loses more"
        return f"the {'first' if self.value > self.neutral else 'second'} loses more"
