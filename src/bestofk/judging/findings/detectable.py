"""What could have been detected: beside every "no difference" the difference that would have been seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.advice.detectable_difference import beside_others, seeing
from bestofk.comparing import Comparison
from bestofk.core.extras import need
from bestofk.core.options import level_inside
from bestofk.core.record import Record


class NotSeen(Record):
    """A pair that is not shown to differ: its difference and interval, and the smallest difference that would be seen.

    ``seen`` is infinite where no difference, however large, would reach the level, and 0 where the differences do not
    vary, so that the power cannot be estimated. Differences are in units of the
    measure.
    """

    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    seen: float

    @property
    def varies(self) -> bool:
        """Whether the differences of the pair vary at all: if not, the power cannot be estimated."""
        return self.seen > 0


class DetectableTable(Record, kw_only=True):
    """The pairs not shown to differ: ``n`` ``unit`` by ``test`` at ``level`` see ``seen`` with chance ``power``.

    ``beside_others``: where ``seen`` is infinite, the adjustment can show a pair all the same if others are as clear.
    ``ratio``: of a measure with other units on every data set, differences are logarithms of ratios.
    """

    pairs: tuple[NotSeen, ...]
    test: str
    n: int
    unit: str
    level: float
    power: float
    measure: str
    beside_others: bool = False
    ratio: bool = False

    def rows(self) -> list[dict[str, Any]]:
        """One dict per pair."""
        return [pair.to_dict() for pair in self.pairs]

    def frame(self) -> Any:
        """Return one row per pair as a pandas data frame."""
        return need("pandas", purpose="a data frame of what could be detected").DataFrame(self.rows())

    def __repr__(self) -> str:
        head = (
            f"With {self.n:,} {self.unit}, {self.test} at {self.level:.3g} sees these differences of {self.measure} "
            f"with power {self.power:g}:"
        )
        sizes = ((pair, size_seen(pair, self)) for pair in self.pairs)
        return "\n".join([head, *(f"- {pair.first} and {pair.second}: {size}" for pair, size in sizes)])


def detectable_of(comparison: Comparison, *, power: float = 0.8) -> DetectableTable | None:
    """For every pair that was tested and is not shown to differ: what would have been seen with the chance ``power``.

    None where every pair differs, results are missing, differences have no size, or the power of the test is not known.
    """
    wanted = level_inside(power, name="power", where="detectable")
    found = seeing(comparison.sample, comparison)
    if found is None:
        return None
    open_ = np.flatnonzero(~comparison.significant & ~comparison.degenerate)
    if not open_.size:
        return None
    ends = [[None] * len(open_) if each is None else each.tolist() for each in comparison.bounds_of(open_)]
    unseen = zip(open_, *ends, found.smallest(wanted, open_).tolist(), strict=True)
    pairs = tuple(NotSeen(*comparison.pairs[i], *numbers) for i, *numbers in unseen)
    return DetectableTable(
        pairs=pairs,
        test=comparison.test,
        n=found.n,
        unit=found.unit,
        level=found.level,
        power=wanted,
        measure=comparison.measure,
        beside_others=any(pair.seen == float("inf") for pair in pairs) and beside_others(found, comparison),
        ratio=comparison.sample.scale == "log-ratio",
    )


def size_seen(pair: NotSeen, table: DetectableTable) -> str:
    """The smallest difference that would be seen, in words."""
    if not pair.varies:
        return "not known, the differences do not vary"
    if np.isinf(pair.seen):
        return "none by itself" if table.beside_others else "none, however large"
    return f"{100 * np.expm1(pair.seen):.3g} % or more" if table.ratio else f"{pair.seen:.3g} or more"
