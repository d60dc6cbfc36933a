"""Data sets whose curves have steps of their own: steps as shares of each data set's last step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.phrases import counted

#: Shares of steps that are no whole numbers are the same up to the last digits.
_DIGITS = 1e-9


@dataclass(frozen=True, eq=False)
class Shares:
    """One grid of shares for all data sets; ``lines`` says that values must be taken on lines between points."""

    steps: Array
    lines: bool

    @property
    def note(self) -> str:
        """What is done, in words."""
        drawn = ", by lines between points" if self.lines else ""
        return (
            f"steps are shares of each data set's last step ({counted(len(self.steps), 'step')}, {self.steps[0]:g} "
            f"to 1{drawn}): align='relative'"
        )


def shares_of(grids: Mapping[str, Array]) -> Shares | None:
    """Return the shares on which data sets with these steps can be compared; None where there are fewer than two.

    Shares that differ by less than one step are the same: training sizes are cut to whole rows. Otherwise those of the
    data set with the fewest steps are taken, from the last of all first shares on.

    Examples
    --------
    >>> found = shares_of({"iris": np.array([13.0, 67.0, 135.0]), "wine": np.array([16.0, 80.0, 160.0])})
    >>> found.steps.round(3).tolist(), found.lines
    ([0.1, 0.5, 1.0], False)
    """
    if len(grids) < 2 or any(each[0] < 0 or each[-1] <= 0 or len(each) < 2 for each in grids.values()):
        return None
    shares = [each / each[-1] for each in grids.values()]
    ends = [float(each[-1]) for each in grids.values()]
    if _are_same(shares, [_roundings(each) for each in grids.values()]):
        return Shares(_rounded(shares[int(np.argmax(ends))]), lines=False)
    start = max(each[0] for each in shares)
    inside = [each[each >= start] for each in shares]
    found = min((each for each in inside if len(each) > 1), key=len, default=None)
    return None if found is None else Shares(found, lines=True)


def _rounded(shares: Array) -> Array:
    """Shares as people write them, where that keeps them apart."""
    short = np.round(shares, 4)
    return short if len(np.unique(short)) == len(shares) else shares


def _roundings(grid: Array) -> float:
    """How far a share may be from the one that was meant: whole steps are cut, others are what they are."""
    return 1.0 / float(grid[-1]) if bool((grid == np.round(grid)).all()) else _DIGITS


def _are_same(shares: Sequence[Array], roundings: Sequence[float]) -> bool:
    if len({len(each) for each in shares}) > 1:
        return False
    finest = shares[int(np.argmin(roundings))]
    within = [np.abs(each - finest) < rounding for each, rounding in zip(shares, roundings, strict=True)]
    return all(bool(each.all()) for each in within)
