"""What is claimed of a test's size, in a form that a measurement can contradict."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.calibration.measured import Measured

ALPHA = 0.05

#: A claim is contradicted when the exact binomial interval at this level lies outside it.
CONFIDENCE = 0.999


@dataclass(frozen=True)
class Band:
    """The size lies between two ends; equal ends claim that very value."""

    low: float
    high: float

    def holds(self, measured: Measured) -> bool:
        low, high = measured.interval(CONFIDENCE)
        return low <= self.high and high >= self.low

    def __str__(self) -> str:
        if self.low == self.high:
            return f"= {self.low:.4f}"
        if self.low == 0.0:
            return f"≤ {self.high:g}"
        return f"{self.low:.4g} to {self.high:.4g}"


@dataclass(frozen=True)
class Above:
    """The size is above this value, beyond Monte Carlo error."""

    value: float

    def holds(self, measured: Measured) -> bool:
        return measured.interval(CONFIDENCE)[0] > self.value

    def __str__(self) -> str:
        return f"> {self.value:g}"


Claim = Band | Above


def exactly(value: float) -> Band:
    return Band(value, value)


def at_most(value: float = ALPHA) -> Band:
    return Band(0.0, value)


def near(low: float, high: float) -> Band:
    return Band(low, high)


def above(value: float = ALPHA) -> Above:
    return Above(value)
