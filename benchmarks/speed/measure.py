"""How a row is measured: first the same numbers, then CPU time, best of several, the two sides taking turns."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Work = Callable[[], Any]

#: One timing lasts at least this many seconds; shorter work is called several times and divided.
SHORTEST = 0.02
#: The two sides of a row take turns for about this many seconds, and at least so many turns.
LASTING, TURNS = 5.0, 3


@dataclass(frozen=True)
class Row:
    """One line of the table: CPU seconds for the whole work on both sides, and what is demanded of their ratio."""

    work: str
    against: str
    ours: float
    peer: float | None = None  # none: a time worth knowing that has no peer
    demand: float | None = None  # at least so many times faster; for a ceiling, at most so many times its time
    ceiling: bool = False
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Times faster than the peer, or, for a ceiling, times its time."""
        if self.peer is None:
            return None
        return self.ours / self.peer if self.ceiling else self.peer / self.ours

    @property
    def met(self) -> bool | None:
        """Whether the demand is met; None where nothing is demanded."""
        if self.ratio is None or self.demand is None:
            return None
        return self.ratio <= self.demand if self.ceiling else self.ratio >= self.demand


def timed(work: Work, calls: int = 1) -> float:
    """CPU seconds of one call, from the given number of them."""
    gc.collect()
    gc.disable()  # a collection in the middle would be counted against whoever is running
    try:
        start = time.process_time()
        for _ in range(calls):
            work()
        return (time.process_time() - start) / calls
    finally:
        gc.enable()


def contest(ours: Work, peer: Work) -> tuple[float, float]:
    """Best CPU seconds of both sides.

    They take turns, so that a slow moment of a shared machine does not fall on one side only.
    """
    sides = (ours, peer)
    turns = [[timed(side) for side in sides]]  # warms up as well
    calls = [max(1, math.ceil(SHORTEST / max(seconds, 1e-9))) for seconds in turns[0]]
    end = time.perf_counter() + LASTING
    while len(turns) < TURNS or time.perf_counter() < end:
        turns.append([timed(side, count) for side, count in zip(sides, calls, strict=True)])
    return min(turn[0] for turn in turns), min(turn[1] for turn in turns)


class Disagreement(AssertionError):
    """The two sides do not give the same numbers, so their times say nothing."""


def same(ours: Any, peer: Any, what: str, tolerance: float = 1e-9) -> None:
    """Refuse to go on unless both give the same numbers, up to the tolerance (relative above 1)."""
    ours, peer = np.asarray(ours, dtype=float), np.asarray(peer, dtype=float)
    if ours.shape != peer.shape:
        raise Disagreement(f"{what}: shapes {ours.shape} and {peer.shape}.")
    gap = np.abs(ours - peer) / np.maximum(1.0, np.abs(peer))
    if not (gap <= tolerance).all():
        raise Disagreement(f"{what}: the two sides differ by {gap.max():.3g}, more than {tolerance:g}.")


def near(ours: Any, peer: Any, draws: tuple[int, int], what: str) -> None:
    """Refuse to go on unless two simulated probabilities agree within five standard errors of their difference."""
    ours, peer = np.asarray(ours, dtype=float), np.asarray(peer, dtype=float)
    middle = 0.5 * (ours + peer)
    error = np.sqrt(middle * (1.0 - middle) * (1.0 / draws[0] + 1.0 / draws[1])) + 1.0 / min(draws)
    if not (np.abs(ours - peer) <= 5.0 * error).all():
        raise Disagreement(f"{what}: {ours} and {peer} differ by more than simulation allows.")
