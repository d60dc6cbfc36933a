"""What is true of the learners in a simulation, in standard deviations of one result."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

GAP = 1.0


@dataclass(frozen=True)
class Truth:
    """Who is better: ``losses`` (K,) in units of the spread of one result; ``preferred`` is named first, if any."""

    name: str
    losses: tuple[float, ...]
    preferred: int | None = None

    @property
    def best(self) -> frozenset[int]:
        """The learners with the smallest loss."""
        return frozenset(np.flatnonzero(np.isclose(self.losses, min(self.losses))).tolist())

    def preference(self, rng: np.random.Generator, names: tuple[str, ...]) -> list[str]:
        """A random order of preference, led by the learner that the truth names."""
        order = rng.permutation(len(names)).tolist()
        if self.preferred is not None:
            order = [self.preferred, *(i for i in order if i != self.preferred)]
        return [names[i] for i in order]


def truths(k: int, gap: float = GAP) -> tuple[Truth, ...]:
    """All equal; one better; two tied at the top; one bad and preferred."""
    others = (gap,) * (k - 1)
    found = [Truth("all equal", (0.0,) * k), Truth("one better", (0.0, *others))]
    if k > 2:
        found.append(Truth("two tied at the top", (0.0, 0.0, *others[1:])))
    return (*found, Truth("one bad and preferred", (*(0.0,) * (k - 1), gap), preferred=k - 1))
