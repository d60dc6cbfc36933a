"""Effects, sizes and levels at the door of a question about power."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, index_text, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of, level_inside
from bestofk.stats.power.outcome import Power


@dataclass(frozen=True, eq=False)
class Asked:
    """A checked question: effects and sizes of one shape, level and direction."""

    test: str
    effect: Array
    n: Array
    alpha: float
    alternative: str

    def answer(self, power: Any, *, unit: str, scale: str, way: str, error: Any = 0.0) -> Power:
        """Wrap the powers found."""
        return Power(
            test=self.test,
            effect=self.effect,
            n=self.n,
            power=np.clip(power, 0.0, 1.0),
            alpha=self.alpha,
            alternative=self.alternative,
            unit=unit,
            scale=scale,
            way=way,
            error=error,
        )


def asked(
    test: str,
    effect: Any,
    n: Any,
    alpha: Any,
    alternative: Any = "two-sided",
    *,
    at_least: int = 2,
    whole: bool = True,
    signed: bool = True,
) -> Asked:
    """Check effects (finite; not negative where a direction means nothing) and sizes (whole, from ``at_least`` up)."""
    where = f"power of {test}"
    effects, sizes = numbers(effect, name="effect", where=where), numbers(n, name="n", where=where)
    _refuse_sizes(sizes, at_least, whole, where)
    if not signed and (effects < 0).any():
        raise InputError(
            f"effect has the value {effects.min():g}.", f"{where}, argument effect", "give an effect from 0 up."
        )
    try:
        effects, sizes = np.broadcast_arrays(effects, sizes)
    except ValueError:
        raise InputError(
            f"effect has the shape {effects.shape} and n {sizes.shape}.",
            f"{where}, arguments effect and n",
            "give one of them as a column, effect[:, None], to have all combinations.",
        ) from None
    level = level_inside(alpha, name="alpha", where=where)
    return Asked(test, effects.copy(), sizes.copy(), level, alternative_of(alternative, where=where))


def two_sided_only(alternative: Any, test: str) -> str:
    """Refuse a direction where the test has none."""
    if alternative_of(alternative, where=f"power of {test}") != "two-sided":
        raise InputError(
            f"{test} has no sides; got alternative={alternative!r}.",
            f"power of {test}, argument alternative",
            'use alternative="two-sided".',
        )
    return "two-sided"


def _refuse_sizes(sizes: Array, at_least: int, whole: bool, where: str) -> None:
    bad = sizes < at_least
    if whole:
        bad |= sizes != np.floor(sizes)
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        place = f" at position {index_text(first)}" if first else ""
        raise InputError(
            f"n is {sizes[first]:g}{place}.", f"{where}, argument n", f"give whole numbers from {at_least} up."
        )
